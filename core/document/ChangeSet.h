#pragma once

#include "core/scene/Scene.h"

#include <map>

namespace tendon {

/// What of an object or a clip can have changed; a set of bits.
enum class Aspect : std::uint32_t {
    Added = 1 << 0,
    Removed = 1 << 1,
    Name = 1 << 2,
    Structure = 1 << 3, ///< joint: parent · handle: start, end, solver, what it follows
    Rest = 1 << 4,      ///< joint: rest pose
    Freedom = 1 << 5,   ///< joint: axes, limits, order, stiffness, terminator, ...
    Settings = 1 << 6,  ///< handle: everything else it holds
    Segment = 1 << 7,   ///< joint: the drawn body
    Statics = 1 << 8,   ///< values without keys
    Keys = 1 << 9,      ///< object: some clip's keys · clip: some keys of it
};

struct Aspects
{
    std::uint32_t bits = 0;

    [[nodiscard]] bool has(Aspect aspect) const { return (bits & static_cast<std::uint32_t>(aspect)) != 0; }
    void add(Aspect aspect) { bits |= static_cast<std::uint32_t>(aspect); }
    bool operator==(const Aspects&) const = default;
};

/// What differs between two scenes, so that views and the compiler refresh only that. Joints, handles and clips are
/// named by id; an object whose keys changed in any clip is listed as well as the clip.
struct ChangeSet
{
    std::map<ObjectId, Aspects> objects;
    bool isOrderChanged = false;  ///< joints, handles or clips stand in another order
    bool isTimingChanged = false; ///< frame rate or range
    bool isModelChanged = false;
    bool isRigChanged = false; ///< joints or handles differ: a rig compiled from the one scene does not fit the other

    [[nodiscard]] bool isEmpty() const
    {
        return objects.empty() && !isOrderChanged && !isTimingChanged && !isModelChanged && !isRigChanged;
    }
    [[nodiscard]] bool has(ObjectId object, Aspect aspect) const;

    bool operator==(const ChangeSet&) const = default;
};

/// Cheap where little differs: shared parts are told by their pointers.
[[nodiscard]] ChangeSet changesBetween(const Scene& before, const Scene& after);

} // namespace tendon

#pragma once

#include "core/scene/Scene.h"

#include <map>

namespace tendon {

/// The aspects of an object or a clip that can change; bits.
enum class Aspect : std::uint32_t {
    Added = 1 << 0,
    Removed = 1 << 1,
    Name = 1 << 2,
    Structure = 1 << 3, ///< joint: parent · handle: start, end, solver, follow, pole target
    Rest = 1 << 4,      ///< joint: rest pose
    Freedom = 1 << 5,   ///< joint: axes, limits, order, stiffness, terminator, ...
    Settings = 1 << 6,  ///< handle: everything else · clip: its source animation, its markers
    Segment = 1 << 7,   ///< joint: the drawn shape and the mass
    Statics = 1 << 8,   ///< values without keys
    Keys = 1 << 9,      ///< object: its keys in some clip · clip: some of its keys
};

struct Aspects
{
    std::uint32_t bits = 0;

    [[nodiscard]] bool has(Aspect aspect) const { return (bits & static_cast<std::uint32_t>(aspect)) != 0; }
    void add(Aspect aspect) { bits |= static_cast<std::uint32_t>(aspect); }
    bool operator==(const Aspects&) const = default;
};

/// What differs between two scenes, so that views and the compiler refresh only that. Joints, handles and clips are
/// listed by id. When keys have changed, both the object and the clip are listed.
struct ChangeSet
{
    std::map<ObjectId, Aspects> objects;
    bool isOrderChanged = false;  ///< the order of joints, handles or clips
    bool isTimingChanged = false; ///< frame rate or range
    bool isModelChanged = false;
    bool isViewChanged = false;  ///< what is hidden or locked, selection sets, camera bookmarks
    bool isRolesChanged = false; ///< Scene::roles
    bool isRigChanged = false;   ///< joints or handles differ: a rig compiled from the one scene does not fit the other

    [[nodiscard]] bool isEmpty() const
    {
        return objects.empty() && !isOrderChanged && !isTimingChanged && !isModelChanged && !isViewChanged &&
               !isRolesChanged && !isRigChanged;
    }
    [[nodiscard]] bool has(ObjectId object, Aspect aspect) const;

    bool operator==(const ChangeSet&) const = default;
};

/// Fast when little differs, because shared parts are equal by their pointers.
[[nodiscard]] ChangeSet changesBetween(const Scene& before, const Scene& after);

} // namespace tendon

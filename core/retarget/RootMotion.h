#pragma once

#include "core/base/Result.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <functional>
#include <vector>

namespace tendon {

/// Where the travel of a clip goes.
enum class RootTravel {
    Travels, ///< the hips move through the world
    InPlace, ///< forward and sideways travel is taken out
    Bone,    ///< it goes to a joint at the floor, above the hips
};

struct RootMotion
{
    RootTravel travel = RootTravel::Travels;
    JointId bone;          ///< of Bone; of Travels, the one that had it (none = the topmost above the hips that moves)
    bool turns = false;    ///< turning goes the same way
    bool staysHigh = true; ///< height stays on the hips
    JointId hips;          ///< whose travel it is
    Vector3 forward = Vector3::UnitZ();     ///< of the figure at rest, in the world
    std::function<Affine(Time)> solvedHips; ///< worldFromHips where handles move them; none: keys of joints do
    std::vector<JointId> along;             ///< of InPlace: joints without keys that goals go along with
};

/// A clip with its travel moved, and what that was.
struct MovedTravel
{
    struct Moment
    {
        Time time;
        Affine worldFromFormer; ///< by which all that is keyed in the world has moved
    };
    Clip clip;
    std::vector<Moment> moments; ///< of InPlace: the times of the new keys
    std::vector<JointId> along;  ///< of InPlace: joints beside the figure that went along
};

/// A clip with its travel moved elsewhere; poses in the world stay as they are but for what is taken out. With that go
/// all joints beside the figure that have keys, so that what it holds, and what it passes, is where it was to the
/// figure. Keys of handles stay as they are. Errors: a bone that is not above the hips.
[[nodiscard]] Result<MovedTravel> withRootMotion(const Scene& scene, const Clip& clip, const RootMotion& options);

/// The same of a baked clip, handles and all: for exports.
[[nodiscard]] Result<BakedClip> withRootMotion(const Scene& scene, BakedClip clip, const RootMotion& options);

} // namespace tendon

#pragma once

#include "core/base/Result.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

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
    Vector3 forward = Vector3::UnitZ(); ///< of the figure at rest, in the world
};

/// A clip with its travel moved elsewhere; poses in the world stay as they are but for what is taken out. Only joint
/// keys count, not handles. Errors: a bone that is not above the hips.
[[nodiscard]] Result<Clip> withRootMotion(const Scene& scene, const Clip& clip, const RootMotion& options);

/// The same of a baked clip, handles and all: for exports.
[[nodiscard]] Result<BakedClip> withRootMotion(const Scene& scene, BakedClip clip, const RootMotion& options);

} // namespace tendon

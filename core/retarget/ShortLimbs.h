#pragma once

#include "core/retarget/RoledFigure.h"
#include "core/scene/Scene.h"

#include <vector>

namespace tendon {

/// A limb of a character that ends before its foot or hand does, as those of toys: one bone, or a thigh and a shin. It
/// cannot bring its end to a place; it points to where the motion's is.
struct ShortLimb
{
    LimbRoles roles;
    JointIndex upper = -1, last = -1;         ///< of the character; the same where the limb is one bone
    Vector3 way = Vector3::Zero();            ///< [m] from the last joint to the limb's end, in its space
    double length = 0;                        ///< [m] along its bones
    Vector3 lastFromUpper = Vector3::Zero();  ///< [m] in the space of the upper joint
    bool isOneBone = true;                    ///< its upper joint is the last, or leads from the pelvis to it
    Vector3 rootFromMiddle = Vector3::Zero(); ///< [m] from the middle between the legs' roots, in the carrier's space
};

/// The limbs of a character whose upper part is known and whose end is not. Where a limb ends its own joints below say,
/// else its mesh; one of which neither does is left out. A leg that runs down at rest ends below its joint.
/// `pose`: at rest.
[[nodiscard]] std::vector<ShortLimb> shortLimbsOf(const Scene& scene, const RoledFigure& character,
                                                  const ModelPose& pose);

} // namespace tendon

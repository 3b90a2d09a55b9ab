#pragma once

#include "core/retarget/JointPairs.h"
#include "core/retarget/ReferencePose.h"

namespace tendon {

/// How the character would stand where the motion's skeleton stands in its reference pose.
struct RestAlignment
{
    Quaternion worldFromMotion = Quaternion::Identity(); ///< turns the motion upright and to the character's front
    std::vector<Quaternion> rotation;                    ///< (pairs) worldFromJoint of the character's joints, aligned
    bool isSameSkeleton = false;   ///< the joints' own axes agree: rotations in the world are taken over as they are
    bool isSameShape = false;      ///< bones are alike, up to the size of the whole
    bool areBonesParallel = false; ///< at rest every bone runs as the motion's does
    double armsDiffer = 0;         ///< [rad] mean angle between the upper arms of the two rest poses
    std::vector<std::string> notes;
};

/// A character that faces another way than the motion's skeleton walks to its own front: turned by quarters, with a
/// note. Where the motion's rest pose says nothing of that, its frames do if they face one way; else it goes as it is,
/// and a note says so. `trunks`: axes of the motion's trunk in some of its frames, in its own world.
[[nodiscard]] RestAlignment alignRest(const RoledFigure& motion, const ReferencePose& motionRest,
                                      const RoledFigure& character, const ReferencePose& characterRest,
                                      const std::vector<JointPair>& pairs, RestAlign align,
                                      const std::vector<Quaternion>& trunks);

} // namespace tendon

#include "core/solve/HeldPoses.h"

#include "core/math/Interpolate.h"
#include "core/math/RotationOrder.h"

namespace tendon {

void ChainPose::readFrom(const LocalPose& whole)
{
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const auto j = static_cast<std::size_t>(joints[i]);
        local.joints[i] = whole.joints[j];
        local.angles[i] = whole.angles[j];
        local.isReadOff[i] = whole.isReadOff[j];
    }
}

void ChainPose::writeTo(const CompiledRig& rig, double blend, LocalPose& whole) const
{
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const auto j = static_cast<std::size_t>(joints[i]);
        if (blend >= 1) {
            whole.joints[j] = local.joints[i];
            whole.angles[j] = local.angles[i];
            whole.isReadOff[j] = local.isReadOff[i];
            continue;
        }
        LocalTransform& to = whole.joints[j];
        to.translation += blend * (local.joints[i].translation - to.translation);
        to.scale += blend * (local.joints[i].scale - to.scale);
        to.rotation = slerp(to.rotation, local.joints[i].rotation, blend);
        whole.angles[j] = anglesFromRotation(rig.rest[j].rotation.conjugate() * to.rotation, rig.order[j],
                                             whole.angles[j]);
        whole.isReadOff[j] = 1;
    }
}

} // namespace tendon

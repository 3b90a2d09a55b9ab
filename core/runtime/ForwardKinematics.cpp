#include "core/runtime/ForwardKinematics.h"

namespace tendon {

void forwardKinematics(const CompiledRig& rig, const LocalPose& local, ModelPose& pose, JointIndex from, JointIndex to)
{
    for (JointIndex joint = from; joint < to; ++joint) {
        const auto i = static_cast<std::size_t>(joint);
        const JointIndex parent = rig.parent[i];
        if (parent < 0)
            pose.modelFromJoint[i] = local.joints[i].parentFromJoint();
        else
            pose.modelFromJoint[i] = pose.modelFromJoint[static_cast<std::size_t>(parent)] *
                                     local.joints[i].parentFromJoint();
    }
}

void forwardKinematics(const CompiledRig& rig, const LocalPose& local, ModelPose& pose)
{
    pose.modelFromJoint.resize(rig.jointCount());
    forwardKinematics(rig, local, pose, 0, static_cast<JointIndex>(rig.jointCount()));
}

} // namespace tendon

#include "core/runtime/BakedPoses.h"

#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/StepTimes.h"
#include "core/scene/FrameNumber.h"

#include <algorithm>

namespace tendon {

Result<BakedPoses> BakedPoses::of(const Scene& scene)
{
    const auto rig = compile(scene);
    if (!rig) return rig.error();
    BakedPoses poses;
    poses.m_rig = *rig;
    poses.m_local.joints = poses.m_rig->rest;
    return poses;
}

const ModelPose& BakedPoses::at(const BakedClip& clip, std::size_t s)
{
    const std::size_t n = clip.joints.size();
    for (std::size_t j = 0; j < n; ++j)
        if (const JointIndex index = m_rig->index(clip.joints[j]); index >= 0)
            m_local.joints[static_cast<std::size_t>(index)] = clip.locals[s * n + j];
    forwardKinematics(*m_rig, m_local, m_model);
    return m_model;
}

const Affine& BakedPoses::world(JointId joint) const
{
    return m_model.modelFromJoint[static_cast<std::size_t>(m_rig->index(joint))];
}

std::size_t BakedPoses::column(const BakedClip& clip, JointId joint) const
{
    return static_cast<std::size_t>(std::find(clip.joints.begin(), clip.joints.end(), joint) - clip.joints.begin());
}

double sampleFrame(const BakedClip& clip, std::size_t sample)
{
    const double frame = clip.fps.frameAt(clip.times[sample]);
    const auto whole = wholeFrame(frame);
    return whole && !isAfterStep(clip.times, sample) ? *whole : frame;
}

double skeletonRadius(const std::vector<BakedClip>& clips, BakedPoses& poses)
{
    Vector3 sum = Vector3::Zero();
    std::vector<Vector3> all;
    for (const BakedClip& clip : clips)
        for (std::size_t s = 0; s < clip.times.size(); ++s)
            for (const Affine& joint : poses.at(clip, s).modelFromJoint) {
                all.push_back(joint.translation());
                sum += joint.translation();
            }
    double radius = 0;
    for (const Vector3& point : all) radius = std::max(radius, (point - sum / static_cast<double>(all.size())).norm());
    return radius;
}

} // namespace tendon

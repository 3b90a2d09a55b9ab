#pragma once

#include "core/base/Result.h"
#include "core/runtime/BakedClip.h"
#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <memory>
#include <vector>

namespace tendon {

/// The world poses of a bake, by the same kinematics as the viewport's.
class BakedPoses
{
public:
    [[nodiscard]] static Result<BakedPoses> of(const Scene& scene);

    /// modelFromJoint at sample `s` of `clip`, in the order of rig(). Valid until the next call.
    const ModelPose& at(const BakedClip& clip, std::size_t s);

    /// The joint's pose in the sample requested last. Precondition: the joint is in the scene.
    [[nodiscard]] const Affine& world(JointId joint) const;

    /// The joint's index in clip.joints. Precondition: the joint is there.
    [[nodiscard]] std::size_t column(const BakedClip& clip, JointId joint) const;

    [[nodiscard]] const CompiledRig& rig() const { return *m_rig; }

private:
    std::shared_ptr<const CompiledRig> m_rig;
    LocalPose m_local;
    ModelPose m_model;
};

/// The frame of a sample, at the clip's rate, as Tendon writes it: on a frame, or nearly so, a whole number. Files with
/// seconds in single precision have keys at frame 5.99997, and operations take whole frames. The moment
/// after a frame, from which another value holds, is not on it.
[[nodiscard]] double sampleFrame(const BakedClip& clip, std::size_t sample);

/// [m] Largest distance of a joint, over all samples of all clips, from the centre of all.
[[nodiscard]] double skeletonRadius(const std::vector<BakedClip>& clips, BakedPoses& poses);

} // namespace tendon

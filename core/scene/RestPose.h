#pragma once

#include "core/math/Convert.h"
#include "core/scene/GoalPose.h"
#include "core/scene/JointPose.h"
#include "core/scene/Scene.h"

#include <functional>
#include <span>
#include <vector>

namespace tendon {

/// A joint in the static pose: its static values, no clip, no handle.
[[nodiscard]] JointPose staticPose(const Scene& scene, const Joint& joint);

/// worldFromJoint with every joint in its rest pose; the identity for "none". Precondition: no cycles.
[[nodiscard]] Affine worldInRestPose(const Scene& scene, JointId joint);

/// worldFromJoint of every joint in the rest pose, in the scene's order. Precondition: no cycles.
[[nodiscard]] std::vector<Affine> worldInRestPose(const Scene& scene);

/// worldFromJoint in the static pose; the identity for "none". Precondition: no cycles.
[[nodiscard]] Affine worldInStaticPose(const Scene& scene, JointId joint);

/// How values go from one space into another at a time of a clip, or in the static pose if the clip is null. Edits that
/// convert values between spaces are given it, because it depends on the solved pose.
using SpaceChange = std::function<ChangeOfSpace(const Clip* clip, Time time)>;

/// Unit vector: the way the bone of a joint runs in the rest pose, in the joint's space. Toward the first child of
/// `joints`; at a leaf as the bone above it runs.
[[nodiscard]] Vector3 boneDirection(std::span<const Joint> joints, const Joint& joint);
[[nodiscard]] Vector3 boneDirection(const Scene& scene, const Joint& joint);

} // namespace tendon

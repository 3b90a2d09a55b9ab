#pragma once

#include "core/document/Document.h"
#include "core/scene/RoleMap.h"

#include <functional>
#include <optional>
#include <utility>

namespace tendon {

/// The mirror in which a figure is seen: the plane through its root, along its heading, so that it stays in its place
/// and keeps its front.
struct Mirror
{
    int axis = 0; ///< 0 x, 1 y, 2 z of the world, in the rest pose: from side to side
    JointId root; ///< the joint that carries the figure; none = nobody does
    /// From the rest pose to where the figure is and heads: a turn about +Y and a way along the floor. The identity:
    /// the mirror is in the middle of the world.
    Affine worldFromHeading = Affine::Identity();
};

/// Where a figure is and heads: its root has turned and travelled so since rest. `world`: of its root, or of the hips.
[[nodiscard]] Affine headingOf(const Scene& scene, JointId joint, const Affine& world, int axis);

/// The joint that carries a figure: its hips, or what is above them and all other joints with roles; where something
/// above that `moves`, the topmost. None without hips: a mechanism is mirrored about the world.
[[nodiscard]] JointId rootOfFigure(const Scene& scene, const RoleMap& roles, const std::function<bool(JointId)>& moves);

/// The axis from side to side of a figure at rest: by its left and right, else x.
[[nodiscard]] int sideAxis(const Scene& scene, const RoleMap& roles);

/// A copied pose in a mirror: what a joint did, its counterpart on the other side does, and so for goals. Right for any
/// rest orientations: turns are carried over as turns from the rest pose in world axes. Joints and handles without a
/// counterpart are left out.
[[nodiscard]] CopiedPose mirroredPose(const Scene& scene, const CopiedPose& pose, const Mirror& mirror);

/// A copied pose moved along the floor and turned about +Y: its root, and the goals.
[[nodiscard]] CopiedPose movedPose(const Scene& scene, const CopiedPose& pose, const Affine& move);

/// What the counterpart of a joint does in a mirrored clip where the joint does this. None: it has no counterpart.
[[nodiscard]] std::optional<std::pair<JointId, LocalTransform>>
mirroredJoint(const Scene& scene, JointId joint, const LocalTransform& local, const Mirror& mirror);

/// A clip in the mirror that stands where its first frame does: keys stay where they are in time, and their curves are
/// mirrored, too. Angles become whole rotations, where they turn about several axes.
[[nodiscard]] Clip mirroredClip(const Scene& scene, const Clip& clip, const Mirror& mirror);

} // namespace tendon

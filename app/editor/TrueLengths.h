#pragma once

#include "app/editor/FrameResult.h"

namespace tendon::editor {

// Operations and files have lengths in the space that they belong to: a joint's translation in its parent's, a segment
// in the joint's own. Where a joint above is scaled, a unit there is not a metre; models often come with roots that are
// scaled by 100. People read and type true lengths: these say how many metres in the world a unit along each axis is.
// 1 along an axis that is scaled to nothing.

[[nodiscard]] Vector3 metresPerUnit(const Affine& worldFromSpace);

/// In the space of the joint's parent, and in the joint's own, as they stand in the static pose.
[[nodiscard]] Vector3 metresPerUnitAbove(const Scene& scene, const Joint& joint);
[[nodiscard]] Vector3 metresPerUnitOf(const Scene& scene, JointId joint);

/// In the space of the joint's parent, as the frame shows it.
[[nodiscard]] Vector3 metresPerUnitAbove(const FrameResult& frame, JointId joint);

/// Of lengths along no axis in particular, such as a radius.
[[nodiscard]] double evenly(const Vector3& metresPerUnit);

} // namespace tendon::editor

#pragma once

#include <tendon/kit/Rotation.h>

#include <span>

/// FABRIK as its paper has it (Aristidou and Lasenby 2011, algorithm 1): a chain as points and lengths, nothing else.
/// `points` (n + 1) are the joints from root to effector, `lengths` (n) the distances between neighbours [m].
/// Everything works in place; nothing here allocates.
namespace tendon::fabrik {

using kit::Quaternion;
using kit::Vector3;

/// The point `length` away from `from` on the line through `through`: p = (1 - k) from + k through with k = length /
/// distance (D2). Where both coincide, along x.
[[nodiscard]] Vector3 onLine(const Vector3& from, const Vector3& through, double length);

/// Stage 1: the effector goes to `target`, then each joint onto the line to the one after it, up to and including the
/// root.
void reachBackward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& target);

/// Stage 2: the root goes to `root`, then each joint onto the line from the one before it, down to and including the
/// effector: after it every length is what it was.
void reachForward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& root);

/// Out of reach: straight from the root toward `target`, in one pass.
void stretchToward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& target);

/// The joint between two that are known stands where two spheres meet; of that circle, the point nearest to where
/// `joint` is. The triangle must exist: |a - b| <= |to - from| <= a + b.
[[nodiscard]] Vector3 onTwoSpheres(const Vector3& from, double a, const Vector3& to, double b, const Vector3& joint);

/// Lays the joints on an arc from the root to a target within reach, bent toward the unit vector `aside`, square to the
/// unit vector `direction` to the target. Neighbours are somewhat nearer than their lengths: passes put that right.
void bendToward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& direction, double distance,
                const Vector3& aside);

/// Straightens a chain whose effector is nearer to the root than `target` by as much as brings it there: every joint
/// goes toward the line from the root to the effector by the same share, then that line is turned onto the target.
/// False, and nothing changes, where the effector is far enough, the target is out of reach, or a bone points backward.
[[nodiscard]] bool straightenToward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& target);

/// Sum of the lengths.
[[nodiscard]] double reachOf(std::span<const double> lengths);

/// How near the effector can come to the root: the longest length less all the others. Below 0: the chain can close on
/// its root, so every distance up to its reach is possible.
[[nodiscard]] double holeOf(std::span<const double> lengths);

} // namespace tendon::fabrik

#pragma once

#include <tendon/sdk/Layout.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace tendon::sdk {

/// How one body may move relative to its parent. The local transform of body b is
///
///     local(b) = Translate(base.t + sum_k slideAxis_k q_k) * Rotate(base.r * motion(q)) * Scale(base.s)
///
/// where `base` belongs to the Problem (it may differ at each frame), sliding axes are in the parent's space and
/// turning axes in the space after base.r. Sliding DOFs come before turning ones, and coordinates are in the order of
/// the DOFs.
///
/// A joint of a rig that turns about one or two of its axes arrives as Axes: with all three turning DOFs, the others
/// locked (Problem::locked) at their angle. Revolute comes from problem files (`tendon bench`) and the conformance
/// suite, Universal from the suite alone.
enum class JointKind : std::int32_t {
    Fixed = 0,     ///< no DOF
    Revolute = 1,  ///< one turning DOF
    Prismatic = 2, ///< one sliding DOF
    Universal = 3, ///< two turning DOFs: motion = R(axis0, q0) R(axis1, q1)
    Ball = 4,      ///< q: unit quaternion xyzw, motion = q; v: rotation vector in the turned frame, q <- q * exp(v)
    Axes = 5,      ///< up to three sliding DOFs, then up to three turning ones: motion = R(a0,q0) R(a1,q1) R(a2,q2)
    Free = 6,      ///< q: translation (3, parent space), quaternion xyzw; v: translation (3), rotation vector as Ball
};

/// What is true of every joint of one kind.
struct JointTraits
{
    std::string_view name;       ///< in solver.json, on the command line and in messages
    int dofs = 0;                ///< number of DOFs; kAnyNumber = 1 to 6
    int slides = 0;              ///< how many of them slide; kAnyNumber = 0 to 3
    bool hasQuaternion = false;  ///< its last 4 coordinates are a unit quaternion, its last 3 DOFs the rotation vector
    bool hasSwingLimits = false; ///< that quaternion is limited by Model::ballSwing and Model::ballTwist
    int minor = 0;               ///< SDK 2.minor added it
    static constexpr int kAnyNumber = -1;
};

inline constexpr JointTraits kJointTraits[] = {
    {.name = "fixed"},
    {.name = "revolute", .dofs = 1},
    {.name = "prismatic", .dofs = 1, .slides = 1},
    {.name = "universal", .dofs = 2},
    {.name = "ball", .dofs = 3, .hasQuaternion = true, .hasSwingLimits = true},
    {.name = "axes", .dofs = JointTraits::kAnyNumber, .slides = JointTraits::kAnyNumber},
    {.name = "free", .dofs = 6, .slides = 3, .hasQuaternion = true},
};

inline constexpr int kJointKindCount = static_cast<int>(std::size(kJointTraits));

/// False for a number that is no joint kind of this SDK.
constexpr bool isKnown(JointKind kind)
{
    return static_cast<int>(kind) >= 0 && static_cast<int>(kind) < kJointKindCount;
}

/// The traits of a known kind.
constexpr const JointTraits& traits(JointKind kind) { return kJointTraits[static_cast<int>(kind)]; }

/// All kinds in the order of their values.
constexpr std::array<JointKind, kJointKindCount> jointKinds()
{
    std::array<JointKind, kJointKindCount> kinds{};
    for (int i = 0; i < kJointKindCount; ++i) kinds[static_cast<std::size_t>(i)] = static_cast<JointKind>(i);
    return kinds;
}

/// What one DOF does.
enum class DofKind : std::int32_t { Turning = 0, Sliding = 1 };

/// The twist axis of a ball joint. Its swing turns about the pair of axes (a, b) that follow it cyclically.
enum class Axis : std::int32_t { X = 0, Y = 1, Z = 2 };

inline constexpr LayoutEntry kJointLayout[] = {
    TENDON_SDK_VALUE(0, JointKind::Fixed),
    TENDON_SDK_VALUE(0, JointKind::Revolute),
    TENDON_SDK_VALUE(0, JointKind::Prismatic),
    TENDON_SDK_VALUE(0, JointKind::Universal),
    TENDON_SDK_VALUE(0, JointKind::Ball),
    TENDON_SDK_VALUE(0, JointKind::Axes),
    TENDON_SDK_VALUE(0, JointKind::Free),
    TENDON_SDK_VALUE(0, DofKind::Turning),
    TENDON_SDK_VALUE(0, DofKind::Sliding),
    TENDON_SDK_VALUE(0, Axis::X),
    TENDON_SDK_VALUE(0, Axis::Y),
    TENDON_SDK_VALUE(0, Axis::Z),
};

} // namespace tendon::sdk

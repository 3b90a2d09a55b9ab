#pragma once

#include "core/scene/Handle.h"

#include <array>
#include <optional>
#include <string_view>

namespace tendon {

/// What a handle does in place of a solver: closed formulas that pose one joint by the handle's goal. A constraint is
/// named where a solver is, in Handle::solver.
enum class Constraint {
    None,   ///< a solver moves the chain
    Parent, ///< the joint goes along with its goal, place and rotation
    Aim,    ///< an axis of the joint points at the goal; another one shows up
    Copy,   ///< chosen axes of the joint are what the goal's are, in the world or as far from rest as another joint
};

inline constexpr std::array<std::string_view, 3> kConstraintNames = {"parent", "aim", "copy"};

[[nodiscard]] constexpr Constraint constraintNamed(std::string_view solver)
{
    for (std::size_t i = 0; i < kConstraintNames.size(); ++i)
        if (solver == kConstraintNames[i]) return static_cast<Constraint>(i + 1);
    return Constraint::None;
}
[[nodiscard]] inline Constraint constraintOf(const Handle& handle) { return constraintNamed(handle.solver); }
[[nodiscard]] inline bool isConstraint(const Handle& handle) { return constraintOf(handle) != Constraint::None; }

/// What a constraint may change of its joint: the channels tx, ty, tz and rx, ry, rz. Precondition: it is one.
struct ConstrainedAxes
{
    std::array<bool, 3> slides{}, turns{};

    [[nodiscard]] bool anySlides() const { return slides[0] || slides[1] || slides[2]; }
    [[nodiscard]] bool anyTurns() const { return turns[0] || turns[1] || turns[2]; }
    [[nodiscard]] bool allTurn() const { return turns[0] && turns[1] && turns[2]; }
};
[[nodiscard]] inline ConstrainedAxes constrainedAxes(const Handle& handle)
{
    ConstrainedAxes axes;
    const bool isCopy = constraintOf(handle) == Constraint::Copy, isAim = constraintOf(handle) == Constraint::Aim;
    constexpr std::array<const char*, 3> kSlides = {"tx", "ty", "tz"}, kTurns = {"rx", "ry", "rz"};
    const auto isOn = [&](const char* id) { // on by default
        const auto found = handle.parameters.find(id);
        return !isCopy || found == handle.parameters.end() || found->second != 0;
    };
    for (std::size_t i = 0; i < 3; ++i) {
        axes.slides[i] = !isAim && isOn(kSlides[i]);
        axes.turns[i] = isAim || (handle.orientationWeight > 0 && isOn(kTurns[i]));
    }
    return axes;
}

/// Its joint is as far from its rest pose as the joint that it follows, each measured in the space of its parent.
[[nodiscard]] inline bool copiesLocally(const Handle& handle)
{
    const auto found = handle.parameters.find("space");
    return constraintOf(handle) == Constraint::Copy && found != handle.parameters.end() && found->second == 1;
}

/// The axis of the joint that an aim keeps up; none = it does not.
[[nodiscard]] inline std::optional<Vector3> upAxisOf(const Handle& handle)
{
    const auto found = handle.parameters.find("up");
    const int choice = found == handle.parameters.end() ? 0 : static_cast<int>(found->second);
    if (constraintOf(handle) != Constraint::Aim || choice < 1 || choice > 6) return std::nullopt;
    const Vector3 axis = Vector3::Unit((choice - 1) % 3);
    return choice > 3 ? Vector3(-axis) : axis;
}

/// Unit: where an axis of an end points in the world (aimAxis). A constraint is exact under any transform: what lies on
/// the axis in the joint's space lies on it in the world. Solvers know rotations only.
[[nodiscard]] inline Vector3 aimedInWorld(const Handle& handle, const Affine& worldFromEnd, const Vector3& axis)
{
    if (!isConstraint(handle)) return rotationOf(worldFromEnd) * axis;
    return (worldFromEnd.linear() * axis).normalized();
}

/// Whether two handles may move one joint without taking it from each other: constraints are applied one after the
/// other, each on what the one before has left, and one may turn the end of a chain whose solve does not.
[[nodiscard]] inline bool mayShareJoint(const Handle& a, const Handle& b)
{
    if (isConstraint(a) && isConstraint(b)) return true;
    const auto leavesIt = [](const Handle& constraint, const Handle& solved) {
        const bool turnsItsEnd = solved.orientationWeight > 0 ||
                                 (!solved.hasCurve() && (!solved.offset.isZero(0) || solved.aimAxis));
        return isConstraint(constraint) && !isConstraint(solved) && constraint.end == solved.end && !turnsItsEnd &&
               !constrainedAxes(constraint).anySlides();
    };
    return leavesIt(a, b) || leavesIt(b, a);
}

} // namespace tendon

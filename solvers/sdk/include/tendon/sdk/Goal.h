#pragma once

#include <tendon/sdk/Layout.h>

#include <cstdint>

namespace tendon::sdk {

enum class GoalKind : std::int32_t {
    Position = 0,    ///< the point `offset` of the body is at targetPosition
    Orientation = 1, ///< the body's rotation is targetRotation
    Pose = 2,        ///< both
    Aim = 3,         ///< the body's direction `axis`, seen from the point `offset`, points at targetPosition
    Pole = 4,        ///< the bend of the chain startBody..body lies in the half plane through targetPosition
};

/// What one body should do. Targets are in model space (the space of the roots). Crosses in Rows.
///
/// A residual is multiplied by its weight; a goal whose weights are all 0 counts as absent. Where not all goals can be
/// met, higher priorities come first and equal priorities share by weight: the goals of the highest priority come as
/// near as they would alone, and each lower one as near as it can without moving those above it. A solver that does not
/// claim the feature "priorities" treats all goals as equals.
///
/// The bend of a chain is where the mean of its inner joints lies, seen from the line start -> effector. They
/// count 1, 1/2, 1/3 ... from the start down, so that a zigzag has a bend, too.
struct Goal
{
    GoalKind kind = GoalKind::Position;
    std::int32_t body = 0;
    std::int32_t startBody = -1;             ///< first body of the chain (Pole); elsewhere -1
    std::int32_t priority = 0;               ///< higher first
    std::int32_t isDirection = 0;            ///< Pole, Aim: 1 = targetPosition is a direction, not a point
    double offset[3] = {0, 0, 0};            ///< [m] in body space
    double axis[3] = {1, 0, 0};              ///< unit, in body space (Aim)
    double targetPosition[3] = {0, 0, 0};    ///< [m]
    double targetRotation[4] = {0, 0, 0, 1}; ///< unit xyzw
    double positionWeight = 1;
    double rotationWeight = 1;
    double positionTolerance = 1e-4; ///< [m]
    double rotationTolerance = 1e-3; ///< [rad]
    double twist = 0; ///< [rad] Pole: the swivel angle; turns the bend plane about the line start -> goal
    double soft = 0;  ///< 0 ... 0.5: share of the reach over which full extension is eased (SoftReach.h)

    // Append new members above this line.
};

inline constexpr LayoutEntry kGoalLayout[] = {
    TENDON_SDK_VALUE(0, GoalKind::Position),
    TENDON_SDK_VALUE(0, GoalKind::Orientation),
    TENDON_SDK_VALUE(0, GoalKind::Pose),
    TENDON_SDK_VALUE(0, GoalKind::Aim),
    TENDON_SDK_VALUE(0, GoalKind::Pole),
    TENDON_SDK_MEMBER(0, Goal, kind),
    TENDON_SDK_MEMBER(0, Goal, body),
    TENDON_SDK_MEMBER(0, Goal, startBody),
    TENDON_SDK_MEMBER(0, Goal, priority),
    TENDON_SDK_MEMBER(0, Goal, isDirection),
    TENDON_SDK_MEMBER(0, Goal, offset),
    TENDON_SDK_MEMBER(0, Goal, axis),
    TENDON_SDK_MEMBER(0, Goal, targetPosition),
    TENDON_SDK_MEMBER(0, Goal, targetRotation),
    TENDON_SDK_MEMBER(0, Goal, positionWeight),
    TENDON_SDK_MEMBER(0, Goal, rotationWeight),
    TENDON_SDK_MEMBER(0, Goal, positionTolerance),
    TENDON_SDK_MEMBER(0, Goal, rotationTolerance),
    TENDON_SDK_MEMBER(0, Goal, twist),
    TENDON_SDK_MEMBER(0, Goal, soft),
};
TENDON_SDK_LISTS_ALL(kGoalLayout, Goal);

} // namespace tendon::sdk

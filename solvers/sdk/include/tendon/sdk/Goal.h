#pragma once

#include <cstdint>

namespace tendon::sdk {

enum class GoalKind : std::int32_t {
    Position = 0,    ///< the point `offset` of the body is at targetPosition
    Orientation = 1, ///< the body's rotation is targetRotation
    Pose = 2,        ///< both
    Aim = 3,         ///< the body's direction `axis`, from the point `offset`, looks at targetPosition
    Pole = 4,        ///< the bend of the chain startBody..body lies in the half plane through targetPosition
};

/// One thing asked of one body. Targets are in model space (the space the roots stand in).
///
/// A residual is weighted by its weight; a goal whose weights are all 0 is as good as absent. Among goals that cannot
/// all be met, a higher priority goes first and equal priorities share by weight.
struct Goal
{
    std::uint32_t size = sizeof(Goal);
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
    double twist = 0;                ///< [rad] Pole: turns the bend plane about the line start -> goal
    double soft = 0;                 ///< 0 ... 0.5: share of the reach over which full extension is eased (SoftReach.h)
};

} // namespace tendon::sdk

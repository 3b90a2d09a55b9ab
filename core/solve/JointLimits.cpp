#include "core/solve/JointLimits.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr double kRounding = 1e-6; // [rad] or [m] that a value typed at a limit may be beyond it

using Kind = PassedLimit::Kind;

void findPassed(Kind kind, int axis, double lower, double upper, double value, std::vector<PassedLimit>& passed)
{
    const double limit = std::clamp(value, lower, upper), by = std::abs(value - limit);
    if (by > kRounding) passed.push_back({kind, axis, by, limit});
}

void findPassed(Kind kind, int axis, const AxisFreedom& freedom, double value, std::vector<PassedLimit>& passed)
{
    if (freedom.active && freedom.limited) findPassed(kind, axis, freedom.lower(), freedom.upper(), value, passed);
}

std::vector<PassedLimit> passedBallLimits(const BallLimits& limits, const Quaternion& motion)
{
    std::vector<PassedLimit> passed;
    const kit::SwingTwist split = kit::splitSwingTwist(motion, static_cast<sdk::Axis>(limits.twistAxis));
    if (limits.swing) {
        const auto nearest = kit::nearestInEllipse(split.swingA, split.swingB, limits.swing->data());
        const double by = std::hypot(split.swingA - nearest[0], split.swingB - nearest[1]);
        if (by > kRounding) passed.push_back({Kind::Swing, limits.twistAxis, by, 0});
    }
    if (limits.twist) {
        const auto [from, to] = std::minmax((*limits.twist)[0], (*limits.twist)[1]);
        findPassed(Kind::Twist, limits.twistAxis, from, to, split.twist, passed);
    }
    return passed;
}

} // namespace

Quaternion turnWithin(const BallLimits& limits, const Vector3& turn)
{
    const auto axis = static_cast<sdk::Axis>(limits.twistAxis);
    kit::SwingTwist split = kit::splitSwingTwist(kit::expMap(turn), axis);
    if (limits.swing) {
        const auto swing = kit::nearestInEllipse(split.swingA, split.swingB, limits.swing->data());
        split.swingA = swing[0];
        split.swingB = swing[1];
    }
    if (limits.twist) {
        const auto [from, to] = std::minmax((*limits.twist)[0], (*limits.twist)[1]);
        split.twist = std::clamp(split.twist, from, to);
    }
    return kit::joinSwingTwist(split, axis);
}

std::vector<PassedLimit> passedTurningLimits(const Joint& joint, const JointPose& pose)
{
    if (joint.ball)
        return passedBallLimits(*joint.ball, joint.rest.rotation.normalized().conjugate() * pose.local.rotation);
    std::vector<PassedLimit> passed;
    for (int axis = 0; axis < 3; ++axis)
        findPassed(Kind::Turn, axis, joint.turning[static_cast<std::size_t>(axis)], pose.angles[axis], passed);
    return passed;
}

std::vector<PassedLimit> passedSlidingLimits(const Joint& joint, const JointPose& pose)
{
    std::vector<PassedLimit> passed;
    for (int axis = 0; axis < 3; ++axis)
        findPassed(Kind::Slide, axis, joint.sliding[static_cast<std::size_t>(axis)], pose.local.translation[axis],
                   passed);
    return passed;
}

JointPose turnedWithinLimits(const Joint& joint, const Quaternion& local, const Vector3& angles)
{
    JointPose pose = restPose(joint);
    pose.local.rotation = local.normalized();
    pose.angles = anglesOf(joint, pose.local.rotation, angles);
    if (joint.ball) {
        const Quaternion rest = joint.rest.rotation.normalized();
        pose.local.rotation = rest * turnWithin(*joint.ball, kit::logMap(Quaternion(rest.conjugate() * local)));
        pose.angles = anglesOf(joint, pose.local.rotation, angles);
        return pose;
    }
    const Vector3 wanted = pose.angles;
    for (int axis = 0; axis < 3; ++axis) {
        const AxisFreedom& freedom = joint.turning[static_cast<std::size_t>(axis)];
        if (freedom.active && freedom.limited)
            pose.angles[axis] = std::clamp(wanted[axis], std::min(freedom.lower(), angles[axis]),
                                           std::max(freedom.upper(), angles[axis]));
    }
    if (pose.angles != wanted) pose.local.rotation = localRotation(joint, pose.angles);
    return pose;
}

} // namespace tendon

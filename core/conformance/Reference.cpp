#include "core/conformance/Reference.h"

#include "core/math/Convert.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>

namespace tendon::conformance {

namespace {

using sdk::GoalKind;

Eigen::Vector3d vector(const double* v) { return {v[0], v[1], v[2]}; }
Eigen::Matrix3d matrix(const double* xyzw) { return toQuaternion(xyzw).toRotationMatrix(); }
std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

double angleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b)
{
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

double rotationAngle(const Eigen::Matrix3d& rotation)
{
    const Eigen::Quaterniond q(rotation);
    return 2 * std::atan2(q.vec().norm(), std::abs(q.w()));
}

/// Adds what the joint's coordinates do to the base's translation and rotation.
void moveJoint(const sdk::Model& model, std::size_t body, const double* q, Eigen::Vector3d& translation,
               Eigen::Matrix3d& rotation)
{
    const bool hasQuaternion = sdk::traits(model.kind[body]).hasQuaternion;
    const std::int32_t singlesEnd = model.vBegin[body + 1] - (hasQuaternion ? 3 : 0);
    for (std::int32_t v = model.vBegin[body]; v < singlesEnd; ++v, ++q) {
        const Eigen::Vector3d axis = vector(&model.axis[3 * at(v)]);
        if (model.dofKind[at(v)] == sdk::DofKind::Sliding)
            translation += axis * *q;
        else
            rotation = rotation * Eigen::AngleAxisd(*q, axis).toRotationMatrix();
    }
    if (hasQuaternion) rotation = rotation * matrix(q);
}

double poleError(const sdk::Model& model, const sdk::Goal& goal, const std::vector<ReferenceFrame>& frames,
                 bool& isOpen)
{
    const Bend bend = bendOf(model, goal, frames);
    const double length = bend.span.norm();
    if (bend.inner == 0 || !(length > 0)) return 0;
    const Eigen::Vector3d axis = bend.span / length;
    const Eigen::Vector3d pole = goal.isDirection != 0 ? vector(goal.targetPosition)
                                                       : Eigen::Vector3d(vector(goal.targetPosition) - bend.start);
    const Eigen::Vector3d bendAcross = bend.bend - axis * axis.dot(bend.bend),
                          poleAcross = pole - axis * axis.dot(pole);
    // Too straight, or the pole too near the line: the half plane cannot be told. Near that threshold, who knows: 1e-11
    // of rounding in a place is 5e-7 rad or more.
    const double clear = std::min(bendAcross.norm() / (1e-6 * length), poleAcross.norm() / (1e-6 * pole.norm()));
    // And on a start that the effector stands on, the line itself is rounding.
    isOpen = (clear > 0.5 && clear < 20) || length < 1e-7 * bend.bend.norm();
    if (!(clear >= 1)) return 0;
    const double angle = std::atan2(axis.dot(poleAcross.cross(bendAcross)), poleAcross.dot(bendAcross)) - goal.twist;
    return std::abs(std::remainder(angle, 2 * std::numbers::pi));
}

} // namespace

std::vector<ReferenceFrame> referenceFrames(const sdk::Model& model, std::span<const double> base,
                                            std::span<const double> q, std::span<const double> stretch)
{
    std::vector<ReferenceFrame> frames(at(model.bodyCount));
    for (std::size_t b = 0; b < frames.size(); ++b) {
        const double* local = &base[8 * b];
        Eigen::Vector3d translation = vector(local) * (stretch.empty() ? 1.0 : stretch[b]);
        Eigen::Matrix3d rotation = matrix(local + 3);
        moveJoint(model, b, q.data() + model.qBegin[b], translation, rotation);
        const ReferenceFrame above = model.parent[b] < 0 ? ReferenceFrame{} : frames[at(model.parent[b])];
        frames[b].position = above.position + above.rotation * translation * above.scale;
        frames[b].rotation = above.rotation * rotation;
        frames[b].scale = above.scale * local[7];
    }
    return frames;
}

bool asksPosition(const sdk::Goal& goal)
{
    return (goal.kind == GoalKind::Position || goal.kind == GoalKind::Pose) && goal.positionWeight > 0;
}

bool asksRotation(const sdk::Goal& goal) { return goal.kind != GoalKind::Position && goal.rotationWeight > 0; }

Eigen::Vector3d effector(const sdk::Goal& goal, const std::vector<ReferenceFrame>& frames)
{
    const ReferenceFrame& frame = frames[at(goal.body)];
    return frame.position + frame.rotation * vector(goal.offset) * frame.scale;
}

Bend bendOf(const sdk::Model& model, const sdk::Goal& goal, const std::vector<ReferenceFrame>& frames)
{
    Bend bend;
    bend.start = frames[at(goal.startBody)].position;
    bend.span = effector(goal, frames) - bend.start;
    bend.bend.setZero();
    std::vector<Eigen::Vector3d> inner;
    for (std::int32_t b = model.parent[at(goal.body)]; b >= 0 && b != goal.startBody; b = model.parent[at(b)])
        inner.insert(inner.begin(), frames[at(b)].position - bend.start);
    bend.inner = static_cast<int>(inner.size());
    double all = 0;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        const double weight = 1.0 / static_cast<double>(i + 1); // from the start down
        bend.bend += weight * inner[i];
        all += weight;
    }
    if (bend.inner > 0) bend.bend /= all;
    return bend;
}

ReferenceError referenceError(const sdk::Model& model, const sdk::Goal& goal, const std::vector<ReferenceFrame>& frames)
{
    ReferenceError error;
    const Eigen::Vector3d point = effector(goal, frames);
    const Eigen::Matrix3d& rotation = frames[at(goal.body)].rotation;
    switch (goal.kind) {
    case GoalKind::Pose:
        error.rotation = rotationAngle(rotation.transpose() * matrix(goal.targetRotation));
        [[fallthrough]];
    case GoalKind::Position: error.position = (point - vector(goal.targetPosition)).norm(); break;
    case GoalKind::Orientation:
        error.rotation = rotationAngle(rotation.transpose() * matrix(goal.targetRotation));
        break;
    case GoalKind::Aim: {
        const Eigen::Vector3d wanted = goal.isDirection != 0 ? vector(goal.targetPosition)
                                                             : Eigen::Vector3d(vector(goal.targetPosition) - point);
        error.rotation = wanted.norm() > 0 ? angleBetween(rotation * vector(goal.axis), wanted) : 0;
        if (goal.isDirection == 0 && wanted.norm() > 0) // a target near the eye: its direction magnifies rounding
            error.angleRounding = 1e-14 * (vector(goal.targetPosition).norm() + point.norm()) / wanted.norm();
        break;
    }
    case GoalKind::Pole: error.rotation = poleError(model, goal, frames, error.isOpen); break;
    }
    return error;
}

bool isWithin(const sdk::Goal& goal, const ReferenceError& error, double slack)
{
    return (!asksPosition(goal) || error.position <= goal.positionTolerance * slack) &&
           (!asksRotation(goal) || error.rotation <= goal.rotationTolerance * slack);
}

double limitExcess(const sdk::Model& model, std::span<const double> q, std::span<const std::uint8_t> locked)
{
    double worst = 0;
    for (std::int32_t b = 0; b < model.bodyCount; ++b) {
        const std::int32_t begin = model.vBegin[at(b)], end = model.vBegin[at(b) + 1];
        const auto isLocked = [locked](std::int32_t v) { return !locked.empty() && locked[at(v)] != 0; };
        const double* own = q.data() + model.qBegin[at(b)];
        const sdk::JointTraits& joint = sdk::traits(model.kind[at(b)]);
        const std::int32_t singlesEnd = joint.hasQuaternion ? end - 3 : end;
        for (std::int32_t v = begin; v < singlesEnd; ++v, ++own)
            if (!isLocked(v)) worst = std::max({worst, model.lower[at(v)] - *own, *own - model.upper[at(v)]});
        if (joint.hasSwingLimits && !isLocked(singlesEnd))
            worst = std::max(worst, kit::ballViolation(model, b, toQuaternion(own)) - 1e-9);
    }
    return worst;
}

} // namespace tendon::conformance

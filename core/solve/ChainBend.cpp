#include "core/solve/ChainBend.h"

#include "core/math/Transform.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/solve/SolveGroups.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {
namespace {

/// Which way a straight chain would bend: unit, square to `along`.
Vector3 preferredDirection(const CompiledRig& rig, LocalPose local, ModelPose model, JointIndex start,
                           const Handle& handle, const Vector3& along)
{
    const JointIndex end = rig.index(handle.end);
    for (JointIndex joint = end; joint >= start; joint = rig.parent[at(joint)])
        local.joints[at(joint)].rotation = rig.rest[at(joint)].rotation *
                                           rotationFromAngles(rig.authored[at(joint)].preferredAngle,
                                                              rig.order[at(joint)]);
    forwardKinematics(rig, local, model, start, rig.subtreeEnd[at(start)]);
    const ChainBend bent = chainBend(rig, model, start, end, handle.offset);
    if (!bent.direction.isZero()) return shortestRotation(bent.end - bent.start, along) * bent.direction;
    constexpr double kAlongZ = 0.99;
    const Vector3 front = std::abs(along.z()) < kAlongZ ? Vector3::UnitZ() : Vector3::UnitY();
    return (front - front.dot(along) * along).normalized();
}

} // namespace

ChainLength chainLength(const ModelPose& model, std::span<const JointIndex> joints, const Vector3& effector)
{
    ChainLength length;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const Vector3 next = i + 1 < joints.size() ? Vector3(model.modelFromJoint[at(joints[i + 1])].translation())
                                                   : effector;
        const double bone = (next - model.modelFromJoint[at(joints[i])].translation()).norm();
        length.reach += bone;
        length.longest = std::max(length.longest, bone);
    }
    return length;
}

std::optional<double> nearPole(const Vector3& start, const Vector3& end, const Vector3& pole, double reach)
{
    constexpr double kMoved = 0.01;                          // of the reach
    constexpr double kMaxTurn = 10 * std::numbers::pi / 180; // [rad] for that
    const Vector3 line = end - start, toPole = pole - start;
    const double span = line.norm();
    if (!(span > 0)) return toPole.norm() > 0 ? std::optional(std::numbers::pi / 2) : std::nullopt;
    const double along = toPole.dot(line) / span, across = toPole.cross(line).norm() / span;
    const double lever = std::max({1.0, std::abs(along) / span, std::abs(1 - along / span)});
    if (kMaxTurn * across >= kMoved * reach * lever) return std::nullopt;
    return std::atan2(across, std::abs(along));
}

ChainBend chainBend(const CompiledRig& rig, const ModelPose& model, JointIndex start, JointIndex end,
                    const Vector3& offset)
{
    const auto positionOf = [&](JointIndex joint) -> Vector3 { return model.modelFromJoint[at(joint)].translation(); };
    ChainBend bend;
    bend.start = positionOf(start);
    bend.end = model.modelFromJoint[at(end)] * offset;
    bend.reach = (bend.end - positionOf(end)).norm();
    Vector3 sum = Vector3::Zero();
    int inner = 0;
    for (JointIndex joint = end; joint != start && joint >= 0; joint = rig.parent[at(joint)]) {
        const JointIndex parent = rig.parent[at(joint)];
        bend.reach += (positionOf(joint) - positionOf(parent)).norm();
        if (joint == end) continue;
        sum += positionOf(joint) - bend.start;
        ++inner;
    }
    const Vector3 span = bend.end - bend.start;
    if (inner == 0 || !(span.norm() > 0)) return bend;
    const Vector3 along = span.normalized(), mean = sum / inner;
    const Vector3 across = mean - mean.dot(along) * along;
    if (across.norm() > 1e-6 * bend.reach) bend.direction = across.normalized();
    return bend;
}

Vector3 poleShowing(const ChainBend& bend, const Vector3& axis, double twist)
{
    const Vector3 direction = Eigen::AngleAxisd(-twist, axis) * bend.direction;
    return 0.5 * (bend.start + bend.end) + bend.reach * direction;
}

Vector3 defaultPole(const CompiledRig& rig, const LocalPose& local, const ModelPose& model, const Handle& handle,
                    double twist)
{
    const std::vector<JointIndex> moved = movableJoints(rig, handle);
    const JointIndex start = moved.empty() ? rig.index(handle.start) : moved.front();
    ChainBend bend = chainBend(rig, model, start, rig.index(handle.end), handle.offset);
    const Vector3 span = bend.end - bend.start;
    const Vector3 along = span.norm() > 0 ? Vector3(span.normalized()) : Vector3(Vector3::UnitY());
    if (bend.direction.isZero()) bend.direction = preferredDirection(rig, local, model, start, handle, along);
    return poleShowing(bend, along, twist);
}

} // namespace tendon

#include "core/solve/ChainBend.h"

#include "core/math/SmoothStep.h"
#include "core/math/Transform.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/scene/Constraint.h"
#include "core/solve/SolveGroups.h"

#include <tendon/kit/Residuals.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tendon {
namespace {

/// Of the chain start ... end; none if it is one joint.
int innerJoints(const CompiledRig& rig, JointIndex start, JointIndex end)
{
    int count = 0;
    for (JointIndex joint = rig.parent[at(end)]; joint > start; joint = rig.parent[at(joint)]) ++count;
    return count;
}

constexpr double kOneSided = 3; // times as far as to the other side

/// The angles toward which a joint of a straight chain bends: the preferred ones, or where there are none, the middle
/// of limits that let an axis turn to one side only, as a knee's do.
Vector3 bendingAngles(const Joint& joint)
{
    Vector3 angles = joint.preferredAngle;
    if (!angles.isZero(0) || joint.ball) return angles;
    for (int k = 0; k < 3; ++k) {
        const AxisFreedom& axis = joint.turning[static_cast<std::size_t>(k)];
        if (!axis.active || !axis.limited) continue;
        const bool isOneSided = axis.upper() > -kOneSided * axis.lower() || -axis.lower() > kOneSided * axis.upper();
        if (isOneSided) angles[k] = 0.5 * (axis.lower() + axis.upper());
    }
    return angles;
}

/// Which way a straight chain would bend: unit, square to `along`.
Vector3 preferredDirection(const CompiledRig& rig, LocalPose local, ModelPose model, JointIndex start,
                           const Handle& handle, const Vector3& along)
{
    const JointIndex end = rig.index(handle.end);
    for (JointIndex joint = end; joint >= start; joint = rig.parent[at(joint)]) {
        const bool isInner = joint != start && joint != end;
        const Vector3 angles = isInner ? bendingAngles(rig.authored[at(joint)])
                                       : Vector3(rig.authored[at(joint)].preferredAngle);
        local.joints[at(joint)].rotation = rig.rest[at(joint)].rotation *
                                           rotationFromAngles(angles, rig.order[at(joint)]);
    }
    forwardKinematics(rig, local, model, start, rig.subtreeEnd[at(start)]);
    const ChainBend bent = chainBend(rig, local, model, start, end, handle.offset);
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
    const Vector3 line = end - start, toPole = pole - start;
    const double span = line.norm();
    if (!(span > 0)) return toPole.norm() > 0 ? std::optional(std::numbers::pi / 2) : std::nullopt;
    const double along = toPole.dot(line) / span, across = toPole.cross(line).norm() / span;
    const double lever = std::max({1.0, std::abs(along) / span, std::abs(1 - along / span)});
    if (kMaxSwing * across >= kSmallMove * reach * lever) return std::nullopt;
    return std::atan2(across, std::abs(along));
}

ChainBend chainBend(const CompiledRig& rig, const LocalPose& local, const ModelPose& model, JointIndex start,
                    JointIndex end, const Vector3& offset)
{
    const auto positionOf = [&](JointIndex joint) -> Vector3 { return model.modelFromJoint[at(joint)].translation(); };
    ChainBend bend;
    bend.start = positionOf(start);
    bend.end = model.modelFromJoint[at(end)] * offset;
    bend.reach = (bend.end - positionOf(end)).norm();
    const int inner = innerJoints(rig, start, end);
    Vector3 sum = Vector3::Zero();
    int above = inner;
    for (JointIndex joint = end; joint != start && joint >= 0; joint = rig.parent[at(joint)]) {
        const JointIndex parent = rig.parent[at(joint)];
        bend.reach += (positionOf(joint) - positionOf(parent)).norm();
        if (joint != end) sum += kit::bendWeight(--above) * (positionOf(joint) - bend.start);
    }
    const Vector3 span = bend.end - bend.start;
    if (inner == 0 || !(span.norm() > 0)) return bend;
    const Vector3 along = span.normalized();
    const Vector3 across = sum - sum.dot(along) * along;
    if (!(across.norm() > 1e-6 * bend.reach)) return bend;
    const auto hinge = HingeBend::of(rig, local, model, start, end, offset);
    bend.direction = Eigen::AngleAxisd(hinge ? -hinge->leadOfPose() : 0, along) * across.normalized();
    return bend;
}

bool isBendFaint(const CompiledRig& rig, const ModelPose& model, JointIndex start, JointIndex end,
                 const Vector3& effector)
{
    constexpr double kFaint = 0.1;     // of what it were if all joints stood off to one side
    constexpr double kStraight = 1e-6; // of the line
    const auto positionOf = [&](JointIndex joint) -> Vector3 { return model.modelFromJoint[at(joint)].translation(); };
    const Vector3 span = effector - positionOf(start);
    if (!(span.norm() > 0)) return false;
    const Vector3 along = span.normalized();
    int above = innerJoints(rig, start, end);
    Vector3 bend = Vector3::Zero();
    double all = 0;
    for (JointIndex joint = rig.parent[at(end)]; joint > start; joint = rig.parent[at(joint)]) {
        const Vector3 off = positionOf(joint) - positionOf(start);
        const Vector3 across = kit::bendWeight(--above) * (off - along * along.dot(off));
        bend += across;
        all += across.norm();
    }
    return all > kStraight * span.norm() && bend.norm() < kFaint * all;
}

std::optional<HingeBend> HingeBend::of(const CompiledRig& rig, const LocalPose& local, const ModelPose& model,
                                       JointIndex start, JointIndex end, const Vector3& offset)
{
    JointIndex knee = -1;
    for (JointIndex joint = rig.parent[at(end)]; joint > start; joint = rig.parent[at(joint)]) {
        const Joint& authored = rig.authored[at(joint)];
        const auto isActive = [](const AxisFreedom& axis) { return axis.active; };
        if (authored.ball || std::any_of(authored.sliding.begin(), authored.sliding.end(), isActive))
            return std::nullopt;
        const auto turning = std::count_if(authored.turning.begin(), authored.turning.end(), isActive);
        if (turning > 1 || (turning == 1 && knee >= 0)) return std::nullopt;
        if (turning == 1) knee = joint;
    }
    if (knee < 0) return std::nullopt;

    const auto positionOf = [&](JointIndex joint) -> Vector3 { return model.modelFromJoint[at(joint)].translation(); };
    const auto& turning = rig.authored[at(knee)].turning;
    const auto own = std::find_if(turning.begin(), turning.end(), [](const AxisFreedom& axis) { return axis.active; });
    const auto axis = static_cast<int>(own - turning.begin());
    const Quaternion turned = rig.rest[at(knee)].rotation.conjugate() * local.joints[at(knee)].rotation;
    const Vector3 angles = anglesFromRotation(turned, rig.order[at(knee)], Vector3::Zero());
    Vector3 inJoint = Vector3::Unit(axis); // seen from the joint, behind the turns that come after it in the product
    const std::array<int, 3> product = productOrder(rig.order[at(knee)]);
    for (const auto* k = std::find(product.begin(), product.end(), axis) + 1; k != product.end(); ++k)
        inJoint = Eigen::AngleAxisd(-angles[*k], Vector3::Unit(*k)) * inJoint;
    HingeBend bend;
    const Vector3 first = positionOf(start), pivot = positionOf(knee);
    bend.m_axis = (rotationOf(model.modelFromJoint[at(knee)]) * inJoint).normalized();
    bend.m_before = pivot - first;
    bend.m_after = model.modelFromJoint[at(end)] * offset - pivot;
    double all = 0;
    int above = innerJoints(rig, start, end);
    for (JointIndex joint = rig.parent[at(end)]; joint > start; joint = rig.parent[at(joint)]) {
        const double weight = kit::bendWeight(--above);
        all += weight;
        bend.m_meanBefore += weight * ((joint > knee ? pivot : positionOf(joint)) - first);
        if (joint > knee) bend.m_meanAfter += weight * (positionOf(joint) - pivot);
    }
    bend.m_meanBefore /= all;
    bend.m_meanAfter /= all;

    const Vector3 before = bend.m_before - bend.m_axis * bend.m_axis.dot(bend.m_before);
    const Vector3 after = bend.m_after - bend.m_axis * bend.m_axis.dot(bend.m_after);
    constexpr double kRoll = 0.1; // sine of the angle to its bone: a joint that turns about a bone does not bend
    if (before.norm() < kRoll * bend.m_before.norm() || after.norm() < kRoll * bend.m_after.norm() ||
        !(before.norm() > 0 && after.norm() > 0))
        return std::nullopt;
    bend.m_angle = std::atan2(bend.m_axis.dot(before.cross(after)), before.dot(after));
    bend.m_lower = own->limited ? bend.m_angle + own->lower() - angles[axis] : -std::numbers::pi;
    bend.m_upper = own->limited ? bend.m_angle + own->upper() - angles[axis] : std::numbers::pi;
    if (bend.m_upper > -kOneSided * bend.m_lower)
        bend.m_side = 1;
    else if (-bend.m_lower > kOneSided * bend.m_upper)
        bend.m_side = -1;
    else
        bend.m_side = bend.m_angle < 0 ? -1 : 1;
    return bend;
}

double HingeBend::lead(double distance) const
{
    // |before + R(axis, bend) after|^2 = |before|^2 + |after|^2 + 2 (along + width cos(bend))
    const double along = m_axis.dot(m_before) * m_axis.dot(m_after);
    const double width = m_axis.cross(m_before).norm() * m_axis.cross(m_after).norm();
    const double squares = m_before.squaredNorm() + m_after.squaredNorm();
    const double cosine = std::clamp(((distance * distance - squares) / 2 - along) / width, -1.0, 1.0);
    const double lowest = std::min(m_lower, m_upper);
    return leadAt(std::clamp(m_side * std::acos(cosine), lowest, std::max(m_upper, lowest)));
}

double HingeBend::leadAt(double angle) const
{
    constexpr double kWellBent = 10; // times as far from the line in the plane of the hinge as beside that plane
    const Eigen::AngleAxisd turn(angle - m_angle, m_axis);
    const Vector3 span = m_before + turn * m_after, mean = m_meanBefore + turn * m_meanAfter;
    if (!(span.norm() > 0)) return 0;
    const Vector3 along = span.normalized();
    const Vector3 beside = -m_side * (m_axis - along * along.dot(m_axis)).normalized(); // along the hinge
    const double out = mean.dot(beside.cross(along)), aside = mean.dot(beside);
    const double ratio = std::abs(aside) > 0 ? std::abs(out / aside) / kWellBent : 1;
    if (ratio >= 1) return 0;
    const double share = smoothStep(ratio);
    return std::atan2(aside, out) - std::atan2(share * aside, std::abs(out));
}

Vector3 poleShowing(const ChainBend& bend, const Vector3& axis, double twist)
{
    const Vector3 direction = Eigen::AngleAxisd(-twist, axis) * bend.direction;
    return 0.5 * (bend.start + bend.end) + bend.reach * direction;
}

Vector3 defaultPole(const CompiledRig& rig, const LocalPose& local, const ModelPose& model, const Handle& handle,
                    double twist)
{
    if (isConstraint(handle)) { // above the joint, where its own up axis is
        const Affine& worldFromJoint = model.modelFromJoint[at(rig.index(handle.end))];
        const auto axis = upAxisOf(handle);
        return worldFromJoint.translation() + (axis ? rotationOf(worldFromJoint) * *axis : Vector3(Vector3::UnitY()));
    }
    const std::vector<JointIndex> moved = movableJoints(rig, handle);
    const JointIndex start = moved.empty() ? rig.index(handle.start) : moved.front();
    ChainBend bend = chainBend(rig, local, model, start, rig.index(handle.end), handle.offset);
    const Vector3 span = bend.end - bend.start;
    const Vector3 along = span.norm() > 0 ? Vector3(span.normalized()) : Vector3(Vector3::UnitY());
    if (bend.direction.isZero()) bend.direction = preferredDirection(rig, local, model, start, handle, along);
    return poleShowing(bend, along, twist);
}

} // namespace tendon

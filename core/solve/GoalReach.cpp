#include "core/solve/GoalReach.h"

#include "core/solve/ChainBend.h"

#include <tendon/sdk/SoftReach.h>

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

std::string slideObstacle(const CompiledRig& rig, std::span<const JointIndex> joints)
{
    for (const JointIndex joint : joints) {
        const Joint& authored = rig.authored[static_cast<std::size_t>(joint)];
        if (std::any_of(authored.sliding.begin(), authored.sliding.end(),
                        [](const AxisFreedom& axis) { return axis.active; }))
            return "\"" + authored.name + "\" slides, so its chain has no fixed length";
    }
    return {};
}

std::string offsetObstacle(const Handle& handle)
{
    const bool isPart = !handle.offset.isZero(0) && !(handle.orientationWeight > 0);
    return isPart ? "its effector has an offset, which is no bone; ask for the goal's rotation or set the offset to 0"
                  : std::string();
}

/// How far the end of a chain is from its start in the rest pose, as a share of its reach.
double restDistance(const CompiledRig& rig, std::span<const JointIndex> joints)
{
    Affine startFromJoint = Affine::Identity();
    double reach = 0;
    for (const JointIndex joint : joints.subspan(1)) {
        const Vector3 above = startFromJoint.translation();
        startFromJoint = startFromJoint * rig.rest[at(joint)].parentFromJoint();
        reach += (startFromJoint.translation() - above).norm();
    }
    return reach > 0 ? startFromJoint.translation().norm() / reach : 0;
}

bool isWithin(JointIndex joint, const std::vector<JointIndex>& joints)
{
    return std::binary_search(joints.begin(), joints.end(), joint); // ascending
}

} // namespace

double squashFactor(double distance, double squash)
{
    // What is asked of the chain is `distance` itself from rest on, a plateau below, and distance / squash at the end.
    // A parabola rounds each corner: over [1 - 2w, 1], and over w on either side of where the plateau ends.
    const double w = (1 - squash) / 16, plateau = 1 - w, end = squash * plateau;
    if (distance >= 1) return 1;
    if (distance > 1 - 2 * w) return distance / (plateau + (distance - 1 + 2 * w) * (distance - 1 + 2 * w) / (4 * w));
    const double v = squash * w, over = end + v - distance;
    if (over <= 0) return distance / plateau;
    return over < 2 * v ? distance / (plateau - over * over / (4 * v * squash)) : squash;
}

GoalReach::GoalReach(const CompiledRig& rig, const Handle& handle, std::vector<JointIndex> joints,
                     std::span<const std::vector<JointIndex>> others)
    : m_joints(std::move(joints)), m_offset(handle.offset), m_turnsWhole(handle.orientationWeight > 0),
      m_tolerance(handle.positionTolerance)
{
    m_holdObstacle = handle.aimAxis ? "it aims, which has no reach" : slideObstacle(rig, m_joints);
    m_softObstacle = m_holdObstacle;
    m_stretchObstacle = m_softObstacle.empty() ? offsetObstacle(handle) : m_softObstacle;
    for (const std::vector<JointIndex>& other : others)
        for (const JointIndex joint : other) {
            const bool isAbove = !m_joints.empty() && joint < m_joints.front() &&
                                 m_joints.front() < rig.subtreeEnd[static_cast<std::size_t>(joint)];
            if (isAbove && m_softObstacle.empty())
                m_softObstacle = "its start is moved by another handle that is solved with it";
            if ((isAbove || isWithin(joint, m_joints)) && m_stretchObstacle.empty())
                m_stretchObstacle = "another handle that is solved with it moves its joints";
        }
    if (m_softObstacle.empty()) m_soft = handle.soft;
    if (!m_stretchObstacle.empty() || m_joints.empty()) return;
    m_stretch = handle.stretch;
    m_rest = restDistance(rig, m_joints);
    if (m_rest > 0) m_squash = handle.squash;
}

GoalReach::Span GoalReach::span(const ModelPose& model, const GoalPose& goal) const
{
    const auto frameOf = [&](JointIndex joint) -> const Affine& {
        return model.modelFromJoint[static_cast<std::size_t>(joint)];
    };
    Span span;
    span.start = frameOf(m_joints.front()).translation();
    const Affine& end = frameOf(m_joints.back());
    // With the goal's rotation asked, it is the end joint that has to come as near as the turned offset leaves it.
    span.rest = m_turnsWhole ? Vector3(goal.rotation * (end.linear().colwise().norm().asDiagonal() * m_offset))
                             : Vector3(Vector3::Zero());
    const ChainLength length = chainLength(model, m_joints, end * endPoint());
    span.reach = length.reach;
    span.nearest = std::max(0.0, 2 * length.longest - length.reach);
    return span;
}

bool GoalReach::isBeyond(const ModelPose& model, const GoalPose& goal) const
{
    if (m_joints.empty() || !m_holdObstacle.empty()) return false;
    const Span span = this->span(model, goal);
    const double distance = (goal.position - span.rest - span.start).norm();
    return distance > m_stretch * span.reach + m_tolerance || distance < m_squash * span.nearest - m_tolerance;
}

double GoalReach::length(const ModelPose& model) const
{
    return chainLength(model, m_joints, model.modelFromJoint[at(m_joints.back())] * endPoint()).reach;
}

GoalReach::Request GoalReach::request(const ModelPose& model, const GoalPose& goal) const
{
    Request request{.position = goal.position};
    if (m_joints.empty() || (m_soft <= 0 && !canStretch())) return request;
    const Span span = this->span(model, goal);
    const Vector3 &start = span.start, &rest = span.rest;
    const double reach = span.reach;
    const Vector3 line = goal.position - rest - start;
    const double distance = line.norm();
    if (!(reach > 0)) return request;
    if (!(distance > 0)) { // what the bones come to as the goal comes to the start
        request.stretch = m_squash;
        request.start = request.aim = start;
        return request;
    }

    const double kept = m_squash < 1 ? distance / squashFactor(distance / (m_rest * reach), m_squash) : distance;
    const double eased = sdk::softReach(kept, reach, m_soft);
    const double nearest = m_soft > 0 ? eased : std::min(kept, reach);
    request.stretch = std::clamp(distance / nearest, m_squash, m_stretch);
    const double asked = m_soft > 0 ? eased : distance / request.stretch;
    if (m_soft > 0) {
        // Beyond the reach by less than counts, as where a clip stretches the limb straight, it is eased as before it.
        const double beyond = distance - m_stretch * reach;
        if (beyond > m_tolerance)
            request.shortfall = beyond;
        else
            request.softened = std::max(0.0, distance - request.stretch * asked);
    }
    request.position = start + line * (asked / distance) + rest;
    request.start = start;
    request.aim = start + line * (m_soft > 0 ? request.stretch * asked / distance : 1);
    return request;
}

double GoalReach::stretch(const Request& request, const Vector3& end) const
{
    const Vector3 arm = end - request.start;
    const double factor = arm.dot(request.aim - request.start) / arm.squaredNorm();
    return std::isfinite(factor) ? std::clamp(factor, m_squash, m_stretch) : request.stretch;
}

} // namespace tendon

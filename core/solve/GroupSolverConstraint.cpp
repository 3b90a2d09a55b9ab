#include "core/scene/Constraint.h"
#include "core/solve/Constraints.h"
#include "core/solve/GroupSolver.h"
#include "core/solve/Settings.h"

#include <algorithm>

// A group whose one handle is a constraint: nothing is solved.
namespace tendon {

Result<void> GroupSolver::prepareConstraint(const SolverInfo& info)
{
    const Handle& handle = m_rig->handles[m_group.handles.front()];
    if (const SettingRule* rule = firstRefused(handle, info))
        return Error{ErrorCode::Unsupported,
                     "the constraint cannot " + std::string(rule->verb) + "; " + std::string(rule->cure), info.alias};
    const auto warn = [&](const std::string& text) {
        m_issues.push_back({Severity::Warning, text, handle.name, handle.id.value});
    };
    const bool followsJoint = std::any_of(handle.spaces.begin(), handle.spaces.end(),
                                          [&](ObjectId space) { return m_rig->index(JointId{space}) >= 0; }) ||
                              m_rig->index(JointId{handle.follow}) >= 0;
    if (copiesLocally(handle) && !followsJoint)
        warn("it copies in local space, but follows no joint; let it follow the joint to copy, or set \"space\" to "
             "world");
    if (constraintOf(handle) == Constraint::Aim && handle.hasPole && handle.parameters.count("up") == 0)
        warn("its pole has no effect, because no axis is turned toward it; choose an axis that points up, or remove "
             "the pole");
    const ConstrainedAxes axes = constrainedAxes(handle);
    if (!axes.anySlides() && !axes.anyTurns()) warn("it has no effect, because no axis is copied; choose one");
    return {};
}

/// The joint is posed by formulas; there is nothing to solve.
void GroupSolver::constrain(SolvedFrame& result) const
{
    const Member& member = m_members.front();
    const Handle& handle = m_rig->handles[member.handle];
    const HandleTarget& target = result.targets[member.handle];
    HandleResult& report = result.handles[member.handle];
    const JointIndex joint = m_group.joints.front();
    AxisHits hits;
    const ConstrainedJoint made = constrained(*m_rig, handle, target, result.local, result.model, hits);
    report.status = made.status;
    if (!sdk::isUsable(made.status)) return;
    constexpr Property kChannels[] = {Property::Tx, Property::Ty, Property::Tz,
                                      Property::Rx, Property::Ry, Property::Rz};
    for (std::size_t i = 0; i < hits.size(); ++i)
        if (hits[i]) report.limitHits.push_back({m_rig->id[at(joint)], kChannels[i]});

    const auto put = [&](const JointPose& pose) {
        result.local.joints[at(joint)] = pose.local;
        result.local.angles[at(joint)] = pose.angles;
        result.local.isReadOff[at(joint)] = pose.isReadOff ? 1 : 0;
        refresh(m_group.joints, result);
    };
    const JointPose fk{result.local.joints[at(joint)], result.local.angles[at(joint)],
                       result.local.isReadOff[at(joint)] != 0};
    put(made.pose);
    const ConstraintMiss miss = missOfConstraint(*m_rig, handle, target, result.local, result.model);
    report.positionError = miss.position;
    report.rotationError = miss.rotation;
    if (miss.position > handle.positionTolerance || miss.rotation > handle.rotationTolerance) {
        report.status = sdk::Status::LimitsBlock; // what the joint's axes and limits leave of it
        report.blockedBy = m_rig->id[at(joint)];
    }
    if (target.blend < 1) put(blended(m_rig->authored[at(joint)], fk, made.pose, target.blend));
}

} // namespace tendon

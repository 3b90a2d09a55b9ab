#include "core/solve/StatusNames.h"

#include "core/base/SmallLength.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace tendon {
namespace {

std::string degreesText(double angle, int decimals)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f\u00b0", decimals, angle * kDegrees);
    return text;
}

/// The lowest terminator of the handle's chain; null = there is none.
const Joint* terminatorIn(const Scene& scene, const Handle& handle)
{
    for (const Joint* joint = scene.find(handle.end); joint != nullptr; joint = scene.find(joint->parent)) {
        if (joint->isTerminator) return joint;
        if (joint->id == handle.start) return nullptr;
    }
    return nullptr;
}

/// [m] of the straight chain, from joint to joint.
double restLength(const Scene& scene, const Handle& handle)
{
    const std::vector<JointId> joints = chain(scene, handle.start, handle.end);
    double length = 0;
    for (std::size_t i = 1; i < joints.size(); ++i)
        length += (worldInRestPose(scene, joints[i]).translation() -
                   worldInRestPose(scene, joints[i - 1]).translation())
                      .norm();
    return length;
}

} // namespace

std::string reasonOfJump(JumpReason reason, JumpCause cause, const std::string& solver)
{
    switch (cause) {
    case JumpCause::Motion: break;
    case JumpCause::Pole:
        return "its pole makes the chain bend to another side than before; move the pole or turn it off, or move the "
               "goal";
    case JumpCause::Solver:
        return "its solver, " + solver +
               ", solves each frame anew and does not go on from the pose before; use another one, or move the goal";
    }
    switch (reason) {
    case JumpReason::Branch:
        return "no way leads from the pose before to one that goes on; move the goal or free a joint above";
    case JumpReason::Limit:
        return "a joint's limit ends the way from one side; move the goal, widen the limit or free a joint above";
    case JumpReason::Singularity:
        return "the chain is straight, or its axes are in line, there; move the goal past it or give it more time";
    case JumpReason::Asked:
        return "what is asked leaps there, as where a held key ends; move or ease the keys about it";
    }
    return {};
}

std::string reasonOfHaste(const std::string& joint, RateKind kind, double stretch)
{
    char times[32];
    std::snprintf(times, sizeof times, "%.3g", std::ceil(stretch * 100) / 100); // rounded up, so that it is enough
    return joint + " exceeds its " + rateKindName(kind) + " limit: stretch the time to at least " + times +
           " times its length, raise the limit or move the goal";
}

std::string cautionOf(const Scene& scene, const HandleResult& result)
{
    if (result.jump) {
        const Handle* handle = scene.find(result.handle);
        return "the pose jumps here, " + nameOf(scene, result.jump->joint.value) + " by " +
               degreesText(result.jump->size, 0) + ": " +
               reasonOfJump(result.jump->reason, result.jump->cause, handle != nullptr ? handle->solver : "");
    }
    if (result.tooFast)
        return reasonOfHaste(nameOf(scene, result.tooFast->joint.value), result.tooFast->kind, result.tooFast->stretch);
    if (result.nearPole)
        return "the pole is " + degreesText(*result.nearPole, 1) + " from the handle's line: the bend may swing";
    if (result.poleSwing)
        return "limits keep the bend from its pole: it may swing by " + degreesText(*result.poleSwing, 0);
    if (result.isBendFaint)
        return "the chain bends as much to one side of its line as to the other: the bend may swing away from its pole";
    if (result.goalSwing) {
        const std::string angle = degreesText(result.goalSwing->angle, 0);
        if (result.goalSwing->isWayOpen)
            return "nothing says which way round the chain goes to a goal here: moving it by 1 % of the reach may "
                   "swing "
                   "the chain by " +
                   angle;
        return (sdk::isSuccess(result.status)
                    ? "moving the goal by 5 % of the reach may turn a joint by "
                    : "another pose is as near to the goal: moving it by 5 % of the reach may "
                      "turn a joint by ") +
               angle + " or more";
    }
    if (result.nearUp)
        return "the up joint is " + degreesText(*result.nearUp, 1) + " from the bone that it turns: the bone may twist";
    return {};
}

namespace {

/// The joints whose limits are met, the one that blocks most first: "Shin, Thigh and 2 more".
std::string namesOfMetLimits(const Scene& scene, const HandleResult& result)
{
    std::vector<JointId> joints;
    for (const HandleResult::LimitHit& hit : result.limitHits)
        if (std::find(joints.begin(), joints.end(), hit.joint) == joints.end()) joints.push_back(hit.joint);
    std::stable_partition(joints.begin(), joints.end(), [&](JointId joint) { return joint == result.blockedBy; });
    if (joints.empty()) joints.push_back(result.blockedBy);
    constexpr std::size_t kMostNames = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(joints.size(), kMostNames); ++i)
        names += (i == 0 ? "" : ", ") + nameOf(scene, joints[i].value);
    if (joints.size() > kMostNames) names += " and " + std::to_string(joints.size() - kMostNames) + " more";
    return names;
}

} // namespace

std::string reasonOfMiss(const Scene& scene, const HandleResult& result)
{
    const Handle* handle = scene.find(result.handle);
    if (handle != nullptr && handle->hasCurve() && result.shortfall > 0) {
        const double length = result.stretch * restLength(scene, *handle);
        return "the curve is shorter than the chain (" + smallLength(length - result.shortfall) + " of " +
               smallLength(length) + "); move its points apart";
    }
    const Joint* terminator = handle == nullptr ? nullptr : terminatorIn(scene, *handle);
    const std::string held = terminator == nullptr ? std::string()
                                                   : "the terminator " + terminator->name + " holds " +
                                                         (terminator->id == handle->end ? "the whole chain"
                                                                                        : "the joints from it upward") +
                                                         "; turn Terminator off there to move them";
    const bool isBeyondReach = result.shortfall >= 0.5 * result.positionError && result.shortfall > 0;
    if (isBeyondReach) return held; // whatever limits its other joints have
    std::string reason;
    const auto add = [&](const std::string& clause) { reason += (reason.empty() ? "" : "; ") + clause; };
    const bool isHeld = terminator != nullptr && result.blockedBy == terminator->id;
    if (result.blockedBy.isValid() && !isHeld) add("joint limits at " + namesOfMetLimits(scene, result));
    if (!held.empty()) add(held);
    if (const Handle* first = scene.find(result.yieldsTo))
        add(first->name + ", which has priority " + std::to_string(first->priority) + ", moves its joints first");
    if (result.pullsAgainst.isValid())
        add(nameOf(scene, result.handle.value) + " and " + nameOf(scene, result.pullsAgainst.value) +
            " pull against each other");
    return reason;
}

} // namespace tendon

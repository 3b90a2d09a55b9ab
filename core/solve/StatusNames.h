#pragma once

#include "core/runtime/HandleResult.h"
#include "core/scene/Scene.h"

#include <string>

namespace tendon {

/// A status as the command line and reports name it: "converged", "iteration-limit", ...
[[nodiscard]] constexpr const char* statusName(sdk::Status status)
{
    switch (status) {
    case sdk::Status::Converged: return "converged";
    case sdk::Status::Stalled: return "stalled";
    case sdk::Status::Unreachable: return "unreachable";
    case sdk::Status::LimitsBlock: return "limits";
    case sdk::Status::IterationLimit: return "iteration-limit";
    case sdk::Status::TimeLimit: return "time-limit";
    case sdk::Status::Cancelled: return "cancelled";
    case sdk::Status::Unsupported: return "unsupported";
    case sdk::Status::InvalidProblem: return "invalid";
    case sdk::Status::NumericalFailure: return "failed";
    }
    return "failed";
}

/// The same of a handle, where a goal that is met as softly as asked, by longer or shorter bones or by an earlier pose,
/// has a name of its own.
[[nodiscard]] inline const char* statusName(const HandleResult& result)
{
    if (result.status != sdk::Status::Converged) return statusName(result.status);
    if (result.isHeld) return "held";
    if (result.softened > 0) return "softened";
    return result.stretch > 1 ? "stretched" : result.stretch < 1 ? "squashed" : "converged";
}

/// A reason as reports name it.
[[nodiscard]] constexpr const char* jumpReasonName(JumpReason reason)
{
    switch (reason) {
    case JumpReason::Branch: return "branch";
    case JumpReason::Limit: return "limit";
    case JumpReason::Singularity: return "singularity";
    case JumpReason::Asked: return "asked";
    }
    return "branch";
}

/// What makes a pose jump, as reports name it.
[[nodiscard]] constexpr const char* jumpCauseName(JumpCause cause)
{
    switch (cause) {
    case JumpCause::Motion: return "motion";
    case JumpCause::Pole: return "pole";
    case JumpCause::Solver: return "solver";
    }
    return "motion";
}

/// Why a pose jumps and what helps, as clauses: "a joint's limit ends the way from before; ...". `solver`: the name of
/// the handle's own, as the reader knows it.
[[nodiscard]] std::string reasonOfJump(JumpReason reason, JumpCause cause, const std::string& solver);

/// A kind of rate as reports name it.
[[nodiscard]] constexpr const char* rateKindName(RateKind kind)
{
    return kind == RateKind::Speed ? "speed" : "acceleration";
}

/// What a joint exceeds, by how much, and what helps, as clauses: "the joint elbow exceeds its speed limit: ...".
[[nodiscard]] std::string reasonOfHaste(const std::string& joint, RateKind kind, double stretch);

/// What to look out for at a handle whose status is fine, as a clause; empty = nothing.
[[nodiscard]] std::string cautionOf(const Scene& scene, const HandleResult& result);

/// Why a handle misses its goal, and what to do, as clauses: the joints whose limits are met, a terminator, a handle of
/// higher priority, a goal that contradicts its own, a curve that is too short; empty = nothing is known, or the goal
/// is simply beyond reach.
[[nodiscard]] std::string reasonOfMiss(const Scene& scene, const HandleResult& result);

} // namespace tendon

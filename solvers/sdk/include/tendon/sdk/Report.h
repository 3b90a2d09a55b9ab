#pragma once

#include <cstdint>
#include <span>

namespace tendon::sdk {

/// How a solve ended. Up to Cancelled, `q` holds the best iterate found; from Unsupported on, it is untouched.
enum class Status : std::int32_t {
    Converged = 0,   ///< every goal within its tolerances
    Stalled = 1,     ///< steps became too small; goals not met
    Unreachable = 2, ///< proved: a goal lies beyond the chain's reach
    LimitsBlock = 3, ///< the best pose that limits allow; goals not met
    IterationLimit = 4,
    TimeLimit = 5,
    Cancelled = 6,
    Unsupported = 7,    ///< the solver cannot take this model, goal or policy
    InvalidProblem = 8, ///< sizes, indices or numbers do not fit (NaN, bad quaternion, ...)
    NumericalFailure = 9,
};

/// True when `q` holds a pose to show.
constexpr bool isUsable(Status status) { return status <= Status::Cancelled; }

struct GoalResult
{
    std::uint32_t size = sizeof(GoalResult);
    Status status = Status::InvalidProblem;
    double positionError = 0;      ///< [m]
    double rotationError = 0;      ///< [rad]
    double shortfall = 0;          ///< [m] by how much the goal lies beyond reach; 0 = reachable or unknown
    std::int32_t blockingDof = -1; ///< the DOF at its limit that holds the goal off most; -1 = none
    double multiplier = 0;         ///< how hard the goal pulls (Lagrange multiplier or weighted residual)
};

/// What one solve writes. Spans are caller-owned and of the stated size, or empty where the caller does not care.
struct Solution
{
    std::uint32_t size = sizeof(Solution);
    std::span<double> q;         ///< (nq) required
    std::span<double> stretch;   ///< (n) factor on each body's base translation; 1 unless the policy allows more
    std::span<GoalResult> goals; ///< (goals)
    std::span<std::int8_t>
        limitHits; ///< (nv) -1 at lower, +1 at upper, 0 free (balls: swing hit on a and b, twist on the twist axis)
    std::int32_t iterations = 0;
    std::int32_t starts = 0;
    std::int32_t traceRows = 0;
    double cost = 0;     ///< 1/2 r'r at q
    double seconds = -1; ///< -1 = not measured
};

} // namespace tendon::sdk

#pragma once

#include <tendon/sdk/Layout.h>
#include <tendon/sdk/Rows.h>

#include <cstdint>
#include <limits>
#include <span>

namespace tendon::sdk {

/// How a solve ended. The hundreds tell what it is worth, so that code can judge a status that a later minor adds:
///
///     0 ... 99     success: `q` meets the goals
///     100 ... 199  `q` holds the best iterate found, but goals are not met
///     200 ...      `q` is untouched
///
/// 1, 2 and 3 are reserved for softened, stretched and held: goals met as far as soft reach, stretching or the policy
/// Hold intend. A later minor adds them together with the features that lead to them.
enum class Status : std::int32_t {
    Converged = 0, ///< every goal within its tolerances

    Stalled = 100,     ///< steps became too small
    Unreachable = 101, ///< proved: a goal lies beyond the chain's reach
    LimitsBlock = 102, ///< the best pose that limits allow
    IterationLimit = 103,
    TimeLimit = 104,
    Cancelled = 105,

    Unsupported = 200,    ///< the solver cannot take this model, goal or policy
    InvalidProblem = 201, ///< sizes, indices or numbers do not fit (NaN, bad quaternion, ...)
    NumericalFailure = 202,
};

/// True when every goal counts as met.
constexpr bool isSuccess(Status status) { return static_cast<int>(status) >= 0 && static_cast<int>(status) < 100; }

/// True when `q` holds a pose to show.
constexpr bool isUsable(Status status) { return static_cast<int>(status) >= 0 && static_cast<int>(status) < 200; }

/// The value of a number that a solver does not report.
inline constexpr double kNotReported = std::numeric_limits<double>::quiet_NaN();

/// How one goal fared. Crosses in Rows. The host writes the defaults first; a solver that does not know a member leaves
/// its default.
struct GoalResult
{
    Status status = Status::InvalidProblem;
    std::int32_t blockingDof = -1; ///< the DOF at its limit that holds the goal off most; -1 = none
    double positionError = 0;      ///< [m]
    double rotationError = 0;      ///< [rad]
    double shortfall = 0;          ///< [m] how far the goal lies beyond reach; 0 = reachable or unknown

    /// How hard the goal pulls on the pose: by how much the least value of what the solver minimises changes when the
    /// target moves, per metre (goals that ask for a position) or per radian (others). A Lagrange multiplier, or the
    /// force of the spring that stands for the goal; kNotReported by solvers that have neither.
    double multiplier = kNotReported;

    // Append new members above this line.
};

/// What one solve writes. Spans and rows are caller-owned and of the stated size, or empty where the caller does not
/// need them.
struct Solution
{
    std::uint32_t size = sizeof(Solution);
    std::int32_t iterations = 0;
    std::int32_t starts = 0;
    std::int32_t traceRows = 0;
    std::span<double> q;       ///< (nq) required
    std::span<double> stretch; ///< (n) factor on each body's base translation; 1 unless the policy allows more
    Rows<GoalResult> goals;    ///< (goals)
    std::span<std::int8_t>
        limitHits;       ///< (nv) -1 at lower, +1 at upper, 0 free (balls: swing on a and b, twist on its axis)
    double cost = 0;     ///< 1/2 r'r at q; of a curve, r is the largest distance of a joint from its place on it [m]
    double seconds = -1; ///< -1 = not measured

    // Append new members above this line.
};

inline constexpr LayoutEntry kReportLayout[] = {
    TENDON_SDK_VALUE(0, Status::Converged),
    TENDON_SDK_VALUE(0, Status::Stalled),
    TENDON_SDK_VALUE(0, Status::Unreachable),
    TENDON_SDK_VALUE(0, Status::LimitsBlock),
    TENDON_SDK_VALUE(0, Status::IterationLimit),
    TENDON_SDK_VALUE(0, Status::TimeLimit),
    TENDON_SDK_VALUE(0, Status::Cancelled),
    TENDON_SDK_VALUE(0, Status::Unsupported),
    TENDON_SDK_VALUE(0, Status::InvalidProblem),
    TENDON_SDK_VALUE(0, Status::NumericalFailure),
    TENDON_SDK_MEMBER(0, GoalResult, status),
    TENDON_SDK_MEMBER(0, GoalResult, blockingDof),
    TENDON_SDK_MEMBER(0, GoalResult, positionError),
    TENDON_SDK_MEMBER(0, GoalResult, rotationError),
    TENDON_SDK_MEMBER(0, GoalResult, shortfall),
    TENDON_SDK_MEMBER(0, GoalResult, multiplier),
    TENDON_SDK_MEMBER(0, Solution, size),
    TENDON_SDK_MEMBER(0, Solution, iterations),
    TENDON_SDK_MEMBER(0, Solution, starts),
    TENDON_SDK_MEMBER(0, Solution, traceRows),
    TENDON_SDK_MEMBER(0, Solution, q),
    TENDON_SDK_MEMBER(0, Solution, stretch),
    TENDON_SDK_MEMBER(0, Solution, goals),
    TENDON_SDK_MEMBER(0, Solution, limitHits),
    TENDON_SDK_MEMBER(0, Solution, cost),
    TENDON_SDK_MEMBER(0, Solution, seconds),
};
TENDON_SDK_LISTS_ALL(kReportLayout, GoalResult);
TENDON_SDK_LISTS_ALL(kReportLayout, Solution);

} // namespace tendon::sdk

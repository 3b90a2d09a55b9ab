#include "core/solve/host/AnswerCheck.h"

#include "core/solve/host/Packer.h"

#include <tendon/kit/Residuals.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tendon::host {
namespace {

/// What is found to be missed by less than this may be another rounding.
constexpr double kRelative = 1 + 1e-3, kLength = 1e-6 /* [m] */, kAngle = 1e-6 /* [rad] */;

std::string shown(double value, const char* unit)
{
    char text[48];
    std::snprintf(text, sizeof text, "%.3g %s", value, unit);
    return text;
}

bool mayBeMissed(const sdk::Goal& goal) { return goal.soft > 0 || goal.kind == sdk::GoalKind::Pole; }

} // namespace

bool AnswerCheck::isStatus(sdk::Status status)
{
    using enum sdk::Status;
    constexpr sdk::Status kAll[] = {Converged, Stalled,   Unreachable, LimitsBlock,    IterationLimit,
                                    TimeLimit, Cancelled, Unsupported, InvalidProblem, NumericalFailure};
    return std::find(std::begin(kAll), std::end(kAll), status) != std::end(kAll);
}

void AnswerCheck::prepare(const sdk::Model& model)
{
    Packer count;
    packed(model, count);
    m_arrays.resize(count.size());
    Packer packer(m_arrays.data(), m_arrays.data());
    m_model = packed(model, packer);
    m_frames.resize(static_cast<std::size_t>(std::max(model.bodyCount, 0)));
}

std::optional<std::string> AnswerCheck::untruth(const sdk::Problem& problem, sdk::Status status,
                                                const sdk::Solution& solution)
{
    if (!isStatus(status))
        return "returned " + std::to_string(static_cast<std::int32_t>(status)) +
               ", which is no status, while it solved";
    if (!sdk::isUsable(status)) return std::nullopt;
    for (std::size_t g = 0; g < solution.goals.size(); ++g)
        if (!isStatus(solution.goals[g].status))
            return "gave a goal the status " + std::to_string(static_cast<std::int32_t>(solution.goals[g].status)) +
                   ", which there is not";
    if (!std::all_of(solution.q.begin(), solution.q.end(), [](double value) { return std::isfinite(value); }))
        return "said that it has an answer, but in that is a number that is infinite or none";
    return missedGoal(problem, status, solution);
}

std::optional<std::string> AnswerCheck::missedGoal(const sdk::Problem& problem, sdk::Status status,
                                                   const sdk::Solution& solution)
{
    const bool fits = solution.q.size() == static_cast<std::size_t>(m_model.coordinateCount) &&
                      problem.base.size() == kit::kBaseStride * m_frames.size();
    if (!fits) return std::nullopt;
    for (std::int32_t b = 0; b < m_model.bodyCount; ++b) {
        if (!sdk::traits(m_model.kind[static_cast<std::size_t>(b)]).hasQuaternion) continue;
        const double* r = solution.q.data() + m_model.qBegin[static_cast<std::size_t>(b) + 1] - 4;
        const double length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
        if (!(std::abs(length - 1) < kAngle))
            return "answered with a rotation whose quaternion is " + shown(std::abs(length - 1), "off the length 1");
    }
    if (problem.curve != nullptr || problem.maxStretch > 1) return std::nullopt;
    bool isPosed = false;
    for (std::size_t g = 0; g < problem.goals.size(); ++g) {
        const sdk::Goal& goal = problem.goals[g];
        const bool isSaidMet = sdk::isSuccess(status) ||
                               (g < solution.goals.size() && sdk::isSuccess(solution.goals[g].status));
        if (!isSaidMet || !kit::isActive(goal) || mayBeMissed(goal) || goal.body < 0 || goal.body >= m_model.bodyCount)
            continue;
        if (!isPosed) kit::forwardKinematics<double>(m_model, problem.base, solution.q, m_frames);
        isPosed = true;
        double residual[kit::kMaxRows] = {};
        kit::residual<double>(m_model, goal, m_frames, residual);
        const kit::GoalError error = kit::goalError(goal, residual);
        sdk::Goal within = goal;
        within.positionTolerance = goal.positionTolerance * kRelative + kLength;
        within.rotationTolerance = goal.rotationTolerance * kRelative + kAngle;
        if (error.isWithin(within)) continue;
        const bool isPlace = kit::asksPosition(goal.kind) && goal.positionWeight > 0 &&
                             !(error.position <= within.positionTolerance);
        return "said that the goal is met, but it is " +
               (isPlace ? shown(error.position, "m away") : shown(error.rotation, "rad away"));
    }
    return std::nullopt;
}

} // namespace tendon::host

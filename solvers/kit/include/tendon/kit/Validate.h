#pragma once

#include <tendon/kit/Residuals.h>
#include <tendon/sdk/Problem.h>
#include <tendon/sdk/Report.h>

#include <bit>
#include <cstdint>
#include <utility>

/// Checks of everything that comes from outside, once per call, so that the code behind can trust it.
namespace tendon::kit {

/// True when no number is infinite or NaN. Branch-free: it runs over every base of every solve.
inline bool allFinite(std::span<const double> numbers)
{
    constexpr std::uint64_t kExponent = 0x7ff0000000000000ull;
    bool isFinite = true;
    for (const double x : numbers) isFinite &= (std::bit_cast<std::uint64_t>(x) & kExponent) != kExponent;
    return isFinite;
}

inline bool isFinite3(const double* v) { return allFinite({v, 3}); }

/// Unit to 1e-6: what float files and double arithmetic deliver, and no more.
inline bool isUnit(std::span<const double> v)
{
    double squared = 0;
    for (const double x : v) squared += x * x;
    return std::abs(squared - 1) <= 2e-6; // false for NaN
}

inline bool isInUnitRange(double x) { return x >= 0 && x <= 1; }

/// True when the DOFs and coordinates of a body are those of its kind, and its axes and swing limits make sense.
inline bool isValidJoint(const Model& model, int b)
{
    constexpr int kAny = sdk::JointTraits::kAnyNumber;
    const sdk::JointTraits& joint = traitsOf(model, b);
    const int begin = model.vBegin[b], end = model.vBegin[b + 1], dofs = end - begin;
    const int coordinates = model.qBegin[b + 1] - model.qBegin[b], slides = slidingDofs(model, b);
    for (int v = begin + slides; v < end; ++v)
        if (model.dofKind[v] != DofKind::Turning) return false; // a slide behind a turn
    const bool fitsDofs = joint.dofs == kAny ? dofs >= 1 && dofs - slides <= 3 : dofs == joint.dofs;
    const bool fitsSlides = joint.slides == kAny ? slides <= 3 : slides == joint.slides;
    if (!fitsDofs || !fitsSlides || coordinates != dofs + (joint.hasQuaternion ? 1 : 0)) return false;
    if (joint.hasQuaternion)
        for (int v = begin; v < end; ++v)
            if (model.axis[3 * v + (v - begin) % 3] != 1) return false; // x, y, z; unit length is checked elsewhere
    if (!joint.hasSwingLimits) return true;
    for (int k = 0; k < 4; ++k)
        if (!(model.ballSwing[4 * b + k] >= 0)) return false;
    const auto axis = static_cast<int>(model.ballAxis[b]);
    return model.ballTwist[2 * b] <= model.ballTwist[2 * b + 1] && axis >= 0 && axis <= 2;
}

/// True when the model's arrays fit together and every number makes sense.
inline bool isValid(const Model& model)
{
    const int n = model.bodyCount, nq = model.coordinateCount, nv = model.dofCount;
    if (model.size < sizeof(Model) || n < 0 || nq < 0 || nv < 0) return false;
    const auto un = static_cast<std::size_t>(n), uv = static_cast<std::size_t>(nv);
    if (model.parent.size() != un || model.kind.size() != un || model.qBegin.size() != un + 1 ||
        model.vBegin.size() != un + 1 || model.dofKind.size() != uv || model.axis.size() != 3 * uv ||
        model.lower.size() != uv || model.upper.size() != uv || model.stiffness.size() != uv ||
        model.damping.size() != uv || model.ease.size() != uv || model.springRest.size() != uv ||
        model.springTension.size() != uv || model.preferred.size() != uv || model.ballSwing.size() != 4 * un ||
        model.ballTwist.size() != 2 * un || model.ballAxis.size() != un || model.mass.size() != un ||
        model.centre.size() != 3 * un || model.precedence.size() != un)
        return false;
    if (model.qBegin[0] != 0 || model.vBegin[0] != 0 || model.qBegin[n] != nq || model.vBegin[n] != nv) return false;

    for (int b = 0; b < n; ++b) {
        if (model.parent[b] < -1 || model.parent[b] >= b) return false;
        const int coordinates = model.qBegin[b + 1] - model.qBegin[b], dofs = model.vBegin[b + 1] - model.vBegin[b];
        if (coordinates < 0 || dofs < 0 || model.vBegin[b + 1] > nv || model.qBegin[b + 1] > nq) return false;
        if (!sdk::isKnown(model.kind[b]) || !isValidJoint(model, b)) return false;
        if (!(model.mass[b] >= 0) || std::isinf(model.mass[b]) || !isFinite3(&model.centre[3 * b])) return false;
    }
    for (int v = 0; v < nv; ++v) {
        if (!isUnit(model.axis.subspan(3 * v, 3)) || !(model.lower[v] <= model.upper[v])) return false;
        if (!isInUnitRange(model.stiffness[v]) || !isInUnitRange(model.damping[v]) || !isInUnitRange(model.ease[v]))
            return false;
        if (!std::isfinite(model.springRest[v]) || !std::isfinite(model.preferred[v]) || !(model.springTension[v] >= 0))
            return false;
    }
    return true;
}

/// True when `ancestor` is a strict ancestor of `body`.
inline bool isAncestor(const Model& model, int ancestor, int body)
{
    for (int b = model.parent[body]; b >= ancestor && b >= 0; b = model.parent[b])
        if (b == ancestor) return true;
    return false;
}

inline bool isValid(const Model& model, const Goal& goal)
{
    const auto kind = static_cast<int>(goal.kind);
    if (kind < 0 || kind > static_cast<int>(GoalKind::Pole)) return false;
    if (goal.body < 0 || goal.body >= model.bodyCount) return false;
    if (goal.kind == GoalKind::Pole &&
        (goal.startBody < 0 || goal.startBody >= model.bodyCount || !isAncestor(model, goal.startBody, goal.body)))
        return false;
    const double numbers[] = {goal.positionWeight, goal.rotationWeight, goal.positionTolerance, goal.rotationTolerance};
    for (const double x : numbers)
        if (!(x >= 0) || std::isinf(x)) return false;
    if (!isFinite3(goal.offset) || !isFinite3(goal.targetPosition) || !std::isfinite(goal.twist)) return false;
    if (!(goal.soft >= 0 && goal.soft <= 0.5)) return false;
    if (asksRotation(goal.kind) && !isUnit(goal.targetRotation)) return false;
    return goal.kind != GoalKind::Aim || isUnit(goal.axis);
}

/// True when `q` is empty, or has the right size, is finite and holds unit quaternions where they belong.
inline bool isConfigurationOrEmpty(const Model& model, std::span<const double> q)
{
    if (q.empty()) return true;
    if (std::ssize(q) != model.coordinateCount || !allFinite(q)) return false;
    for (int b = 0; b < model.bodyCount; ++b) {
        if (traitsOf(model, b).hasQuaternion && !isUnit(q.subspan(model.qBegin[b + 1] - 4, 4))) return false;
    }
    return true;
}

/// True when the problem fits the (valid) model and every number makes sense. `maxGoals` as prepared for.
inline bool isValid(const Model& model, std::int32_t maxGoals, const sdk::Problem& problem)
{
    const int n = model.bodyCount, nq = model.coordinateCount, nv = model.dofCount;
    if (problem.size < sizeof(sdk::Problem) || std::ssize(problem.base) != kBaseStride * n ||
        std::ssize(problem.seed) != nq || (!problem.locked.empty() && std::ssize(problem.locked) != nv) ||
        !problem.goals.isLargeEnough() || std::cmp_greater(problem.goals.size(), maxGoals))
        return false;
    if (!allFinite(problem.base)) return false;
    for (const std::span<const double> q : {problem.seed, problem.posture, problem.natural, problem.previous})
        if (!isConfigurationOrEmpty(model, q)) return false;
    for (int b = 0; b < n; ++b)
        if (!isUnit(problem.base.subspan(kBaseStride * b + 3, 4)) || !(problem.base[kBaseStride * b + 7] > 0))
            return false;
    for (const Goal& goal : problem.goals)
        if (!isValid(model, goal)) return false;
    const sdk::Objectives objectives = sdk::read(problem.objectives);
    for (const double weight :
         {objectives.restPose, objectives.naturalPose, objectives.velocity, objectives.power, problem.dt})
        if (!(weight >= 0) || std::isinf(weight)) return false;
    if (problem.curve != nullptr) {
        const sdk::Curve curve = sdk::read(problem.curve);
        if (curve.startBody < 0 || curve.startBody >= n || curve.endBody < curve.startBody || curve.endBody >= n ||
            curve.points.size() < 6 || curve.points.size() % 3 != 0 || !allFinite(curve.points) ||
            !isInUnitRange(curve.offset) || !std::isfinite(curve.startTwist) || !std::isfinite(curve.endTwist))
            return false;
        if (curve.startBody != curve.endBody && !isAncestor(model, curve.startBody, curve.endBody)) return false;
    }
    const sdk::Stop stop = sdk::read(problem.stop);
    return stop.maxIterations >= 0 && stop.maxStarts >= 0 && stop.maxSeconds >= 0 && stop.stall >= 0 &&
           problem.maxStretch >= 1;
}

/// True when the caller's results have the sizes that the contract states.
inline bool isValid(const Model& model, const sdk::Problem& problem, const sdk::Solution& solution)
{
    return solution.size >= sizeof(sdk::Solution) && std::ssize(solution.q) == model.coordinateCount &&
           (solution.stretch.empty() || std::ssize(solution.stretch) == model.bodyCount) &&
           (solution.goals.empty() ||
            (solution.goals.size() == problem.goals.size() && solution.goals.isLargeEnough())) &&
           (solution.limitHits.empty() || std::ssize(solution.limitHits) == model.dofCount);
}

} // namespace tendon::kit

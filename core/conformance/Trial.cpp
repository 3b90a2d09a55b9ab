#include "core/conformance/Trial.h"

#include "core/conformance/Reference.h"
#include "core/conformance/TripWire.h"
#include "core/solve/StatusNames.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <set>
#include <span>

namespace tendon::conformance {

namespace {

constexpr std::size_t kGuards = 4;     ///< elements on each side of a span
constexpr std::size_t kGap = 24;       ///< [bytes] that structs have grown by
constexpr double kUntouched = 8.75e77; ///< in q before the solve: no pose, so that a copy of the seed counts as touched
constexpr unsigned char kGuardByte = 0x5a;

/// Caller-owned elements with guards on both sides and, between them, `gap` bytes that the solver must not touch. The
/// guards are bytes, because copies of structs need not copy their padding.
template <typename T>
class Guarded
{
public:
    Guarded(std::size_t count, T content, std::size_t gap = 0)
        : m_count(count), m_stride(sizeof(T) + gap), m_bytes((count + 2 * kGuards) * m_stride, kGuardByte)
    {
        for (std::size_t i = 0; i < count; ++i) new (&rows()[i]) T(content);
    }

    [[nodiscard]] sdk::Rows<T> rows()
    {
        return {reinterpret_cast<T*>(m_bytes.data() + kGuards * m_stride), m_count, m_stride};
    }
    [[nodiscard]] std::span<T> span() { return {rows().data, m_count}; } ///< without gaps only
    [[nodiscard]] std::vector<T> content() { return {rows().begin(), rows().end()}; }

    [[nodiscard]] bool isInBounds() const
    {
        const auto isGuard = [](unsigned char byte) { return byte == kGuardByte; };
        const auto first = m_bytes.begin() + static_cast<std::ptrdiff_t>(kGuards * m_stride);
        const auto last = m_bytes.end() - static_cast<std::ptrdiff_t>(kGuards * m_stride);
        bool isClean = std::all_of(m_bytes.begin(), first, isGuard) && std::all_of(last, m_bytes.end(), isGuard);
        for (auto it = first; it != last; it += static_cast<std::ptrdiff_t>(m_stride))
            isClean &= std::all_of(it + sizeof(T), it + static_cast<std::ptrdiff_t>(m_stride), isGuard);
        return isClean;
    }

private:
    std::size_t m_count, m_stride;
    std::vector<unsigned char> m_bytes; ///< aligned for every type, as operator new is
};

std::vector<bool> bodiesThatMove(const Trial& trial)
{
    const sdk::Model model = trial.rig->model();
    std::vector<bool> isInvolved(static_cast<std::size_t>(model.bodyCount));
    for (const sdk::Goal& goal : trial.goals)
        for (std::int32_t b = isActive(goal) ? goal.body : -1; b >= 0; b = model.parent[static_cast<std::size_t>(b)])
            isInvolved[static_cast<std::size_t>(b)] = true;
    if (trial.policy.curve)
        for (std::int32_t b = trial.policy.curve->endBody; b >= trial.policy.curve->startBody;
             b = model.parent[static_cast<std::size_t>(b)])
            isInvolved[static_cast<std::size_t>(b)] = true;
    return isInvolved;
}

/// The first coordinate that differs from the seed although its DOFs are locked, or no goal hangs on its body and no
/// curve moves it; -1 = none.
std::int32_t firstMovedOf(const Trial& trial, const Outcome& outcome, bool ofLocked)
{
    const sdk::Model model = trial.rig->model();
    const std::vector<bool> isInvolved = bodiesThatMove(trial);
    for (std::size_t b = 0; b < isInvolved.size(); ++b) {
        for (std::int32_t q = model.qBegin[b]; q < model.qBegin[b + 1]; ++q) {
            const std::int32_t dof = std::min(model.vBegin[b] + q - model.qBegin[b],
                                              model.vBegin[b + 1] - 1); // balls are locked whole
            const bool isLocked = !trial.locked.empty() && trial.locked[static_cast<std::size_t>(dof)] != 0;
            const bool mustStay = ofLocked ? isLocked : !isInvolved[b];
            const auto i = static_cast<std::size_t>(q);
            if (mustStay && std::memcmp(&outcome.q[i], &trial.seed[i], sizeof(double)) != 0) return q;
        }
    }
    return -1;
}

void verifyFinite(Verdicts& verdicts, const Trial& trial, const Outcome& outcome)
{
    const sdk::Model model = trial.rig->model();
    bool isFinite = std::all_of(outcome.q.begin(), outcome.q.end(),
                                [](double x) { return std::isfinite(x) && x != kUntouched; });
    verdicts.expect("results-finite", isFinite && std::isfinite(outcome.cost) && outcome.cost >= 0, [&] {
        return trial.label + ": q or the cost is not finite, or part of q was left unwritten, with status " +
               statusName(outcome.status);
    });
    if (!isFinite) return;
    for (std::size_t b = 0; b < model.kind.size(); ++b) {
        if (!sdk::traits(model.kind[b]).hasQuaternion) continue;
        const double* r = &outcome.q[static_cast<std::size_t>(model.qBegin[b + 1]) - 4];
        const double norm = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
        verdicts.expect("results-finite", std::abs(norm - 1) < 1e-9,
                        [&] { return trial.label + text(": the quaternion of body %zu has length %.12g", b, norm); });
    }
}

/// Within tolerance whatever rounding does (`strictly`), or at all.
bool isSurelyWithin(const sdk::Goal& goal, const ReferenceError& error, bool strictly)
{
    const double relative = strictly ? 1 - 1e-6 : 1 + 1e-6, absolute = strictly ? 1e-12 : -1e-12;
    return isWithin(goal, {.position = error.position + absolute, .rotation = error.rotation + absolute}, relative);
}

void verifyGoals(Verdicts& verdicts, const Trial& trial, const Outcome& outcome)
{
    const sdk::Model model = trial.rig->model();
    const bool mayStretch = trial.policy.maxStretch > 1;
    const auto frames = referenceFrames(model, trial.base, outcome.q,
                                        mayStretch ? std::span<const double>(outcome.stretch)
                                                   : std::span<const double>());
    bool isMetLoosely = true, isMetStrictly = true;
    double cost = 0, costRounding = 0;
    bool isPlainCost = !trial.policy.hasObjectives() && !trial.policy.curve;
    std::string errors;
    for (std::size_t g = 0; g < trial.goals.size(); ++g) {
        const sdk::Goal& goal = trial.goals[g];
        if (!isActive(goal)) continue;
        const ReferenceError error = referenceError(model, goal, frames);
        if (error.isOpen) { // cannot be told: rounding decides
            isMetStrictly = isPlainCost = false;
            continue;
        }
        const double rounding =
            1e-14 * Eigen::Map<const Eigen::Vector3d>(goal.targetPosition).norm(); // of targets a world away
        errors += text("%s%.3g m %.3g rad", errors.empty() ? "" : ", ", error.position, error.rotation);
        isMetLoosely &= isSurelyWithin(goal, error, false);
        isMetStrictly &= isSurelyWithin(goal, error, true);
        cost += 0.5 * std::pow(asksPosition(goal) ? goal.positionWeight * error.position : 0, 2);
        costRounding += asksPosition(goal) ? std::pow(goal.positionWeight, 2) * rounding * (error.position + rounding)
                                           : 0;
        cost += 0.5 * std::pow(asksRotation(goal) ? goal.rotationWeight * error.rotation : 0, 2);
        isPlainCost &= goal.soft == 0 && goal.kind <= sdk::GoalKind::Pose;
        const sdk::GoalResult& told = outcome.goals[g];
        const double off = std::max(asksPosition(goal) ? std::abs(told.positionError - error.position) : 0.0,
                                    asksRotation(goal) ? std::abs(told.rotationError - error.rotation) : 0.0);
        // Where a chain's end is near its start the angle to a pole magnifies rounding.
        const double most = goal.kind == sdk::GoalKind::Pole ? 1e-6 : 1e-7;
        verdicts.expect("goal-results", off < most * (1 + error.position) + rounding + error.angleRounding, [&] {
            return trial.label + text(": goal %zu is reported off by %.9g m, %.9g rad; it is %.9g m, %.9g rad", g,
                                      told.positionError, told.rotationError, error.position, error.rotation);
        });
        const bool isTold = told.status == sdk::Status::Converged;
        verdicts.expect("goal-results",
                        isTold ? isSurelyWithin(goal, error, false)
                               : !isSurelyWithin(goal, error, true) || outcome.status == sdk::Status::Cancelled,
                        [&] {
                            return trial.label + text(": goal %zu is reported %s with errors %.3g m, %.3g rad", g,
                                                      statusName(told.status), error.position, error.rotation);
                        });
    }
    if (isPlainCost)
        verdicts.expect("goal-results", std::abs(outcome.cost - cost) <= 1e-6 * cost + 1e-12 + costRounding, [&] {
            return trial.label + text(": the cost is reported as %.9g, 1/2 r'r is %.9g", outcome.cost, cost);
        });

    const bool saysMet = outcome.status == sdk::Status::Converged;
    verdicts.expect("honest-status", !saysMet || isMetLoosely,
                    [&] { return trial.label + ": converged, though the goals are off by " + errors; });
    const bool mayStopShort = outcome.status == sdk::Status::Cancelled || trial.policy.hasObjectives() ||
                              trial.policy.curve.has_value();
    verdicts.expect("honest-status", saysMet || !isMetStrictly || mayStopShort, [&] {
        return trial.label + ": " + statusName(outcome.status) + ", though every goal is within its tolerance";
    });
}

void verifyLimits(Verdicts& verdicts, const SolverInfo& info, const Trial& trial, const Outcome& outcome)
{
    const sdk::Model model = trial.rig->model();
    if (info.has("hard-limits")) {
        // Bodies that no goal moves keep their seed, wherever that is.
        std::vector<std::uint8_t> excused = trial.locked;
        excused.resize(static_cast<std::size_t>(model.dofCount));
        const std::vector<bool> isInvolved = bodiesThatMove(trial);
        for (std::size_t b = 0; b < isInvolved.size(); ++b)
            for (std::int32_t v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v)
                if (!isInvolved[b]) excused[static_cast<std::size_t>(v)] = 1;
        const double excess = limitExcess(model, outcome.q, excused);
        verdicts.expect("limits-kept", excess <= 0,
                        [&] { return trial.label + text(": a limit is exceeded by %.3g", excess); });
    }
    for (std::size_t b = 0; b < model.kind.size(); ++b) {
        if (sdk::traits(model.kind[b]).hasQuaternion) continue;
        for (std::int32_t v = model.vBegin[b], q = model.qBegin[b]; v < model.vBegin[b + 1]; ++v, ++q) {
            const auto dof = static_cast<std::size_t>(v);
            const double value = outcome.q[static_cast<std::size_t>(q)];
            const int hit = value >= model.upper[dof] ? 1 : value <= model.lower[dof] ? -1 : 0;
            const bool isPoint = model.lower[dof] == model.upper[dof];
            verdicts.expect("limit-hits", isPoint || outcome.limitHits[dof] == hit, [&] {
                return trial.label + text(": DOF %d stands at %.17g within %.17g ... %.17g and is reported as %d", v,
                                          value, model.lower[dof], model.upper[dof], outcome.limitHits[dof]);
            });
        }
    }
}

} // namespace

std::string Place::text() const
{
    std::string path = group;
    for (const std::string* part : {&rig, &goals, &item}) {
        if (part->empty()) break;
        path += "/" + *part;
    }
    return path;
}

Check& Verdicts::find(std::string_view check)
{
    for (Check& entry : checks)
        if (entry.name == check) return entry;
    checks.emplace_back().name = check;
    return checks.back();
}

void Verdicts::note(std::string_view check, const std::string& figures)
{
    Check& entry = find(check);
    if (entry.verdict == Verdict::Passed) entry.detail = figures;
}

void Verdicts::skip(std::string_view check, const std::string& reason)
{
    Check& entry = find(check);
    if (entry.tried > 0) return;
    entry.verdict = Verdict::Skipped;
    entry.detail = reason;
}

void Verdicts::need(std::string_view check, std::string_view feature)
{
    if (find(check).tried > 0) return;
    expect(check, false, [feature] {
        return std::string(feature) + " is claimed, but none of the suite's rigs and goals is taken to try it on";
    });
}

Outcome run(sdk::Solver& solver, const Trial& trial, const RunOptions& options)
{
    const sdk::Model model = trial.rig->model();
    const auto nq = static_cast<std::size_t>(model.coordinateCount), nv = static_cast<std::size_t>(model.dofCount);
    const auto rows = static_cast<std::size_t>(options.traceRows);
    const std::size_t gap = options.isGrown ? kGap : 0;
    const Policy& policy = trial.policy;
    const Grown<sdk::Objectives> objectives(policy.objectives);
    const Grown<sdk::Stop> stop(policy.stop);
    std::optional<Grown<sdk::Curve>> curve;
    sdk::Curve plainCurve = policy.curve.value_or(sdk::Curve());
    plainCurve.points = trial.curvePoints;
    if (policy.curve) curve.emplace(plainCurve);
    Guarded<sdk::Goal> goals(trial.goals.size(), {}, gap);
    std::copy(trial.goals.begin(), trial.goals.end(), goals.rows().begin());

    Grown<sdk::Problem> problem{sdk::Problem()};
    if (!options.isGrown) problem.size = sizeof(sdk::Problem);
    problem.base = trial.base;
    problem.seed = trial.seed;
    problem.posture = trial.posture;
    problem.natural = trial.natural;
    problem.previous = trial.previous;
    problem.dt = policy.dt;
    problem.locked = trial.locked;
    problem.goals = sdk::Rows<const sdk::Goal>(goals.rows().data, goals.rows().count, goals.rows().stride);
    problem.objectives = options.isGrown ? &objectives : &policy.objectives;
    problem.stop = options.isGrown ? &stop : &policy.stop;
    if (policy.curve) problem.curve = options.isGrown ? &*curve : &plainCurve;
    problem.unreachable = policy.unreachable;
    problem.search = policy.search;
    problem.maxStretch = policy.maxStretch;
    if (options.spoil) options.spoil(problem);

    Guarded<double> q(options.coordinates.value_or(nq), kUntouched);
    Guarded<double> stretch(static_cast<std::size_t>(model.bodyCount), 1.0);
    Guarded<sdk::GoalResult> results(problem.goals.size(), {}, gap);
    Guarded<std::int8_t> limitHits(nv, 0);
    Guarded<sdk::TraceRow> trace(rows, {}, gap);
    Guarded<double> configurations(rows * nq, kUntouched);
    Grown<sdk::Solution> solution{sdk::Solution()};
    if (!options.isGrown) solution.size = sizeof(sdk::Solution);
    solution.q = q.span();
    solution.stretch = stretch.span();
    solution.goals = results.rows();
    solution.limitHits = limitHits.span();
    Grown<sdk::Control> control{sdk::Control()};
    if (!options.isGrown) control.size = sizeof(sdk::Control);
    control.cancelled = options.cancelled;
    control.trace = options.wire ? options.wire->rows() : trace.rows();
    control.traceConfigurations = configurations.span();
    if (options.extension) control.extensions = std::span(options.extension, 1);

    Outcome outcome;
    const std::int64_t before = options.allocations ? (*options.allocations)() : 0;
    outcome.status = solver.solve(problem, control, solution);
    outcome.allocations = options.allocations ? (*options.allocations)() - before : 0;

    outcome.q = q.content();
    outcome.stretch = stretch.content();
    outcome.goals = results.content();
    outcome.limitHits = limitHits.content();
    outcome.trace = trace.content();
    outcome.traceConfigurations = configurations.content();
    outcome.iterations = solution.iterations;
    outcome.traceRows = solution.traceRows;
    outcome.cost = solution.cost;
    outcome.isUntouched = std::all_of(outcome.q.begin(), outcome.q.end(), [](double x) { return x == kUntouched; });
    outcome.isInBounds = q.isInBounds() && stretch.isInBounds() && goals.isInBounds() && results.isInBounds() &&
                         limitHits.isInBounds() && trace.isInBounds() && configurations.isInBounds();
    return outcome;
}

void verify(Verdicts& verdicts, const SolverInfo& info, const Trial& trial, const Outcome& outcome)
{
    verdicts.expect("bounds-kept", outcome.isInBounds,
                    [&] { return trial.label + ": wrote outside a span that it was given"; });
    std::set<std::int32_t> priorities;
    for (const sdk::Goal& goal : trial.goals) priorities.insert(goal.priority);
    const auto stages = static_cast<std::int32_t>(priorities.size() < 2 ? 1 : 1 + priorities.size());
    const std::int32_t allowed = stages * trial.policy.stop.maxIterations;
    verdicts.expect("iterations-bounded", outcome.iterations >= 0 && outcome.iterations <= allowed, [&] {
        return trial.label + text(": %d iterations, allowed were %d", outcome.iterations, allowed);
    });
    if (!sdk::isUsable(outcome.status)) {
        verdicts.expect("untouched-on-failure", outcome.isUntouched, [&] {
            return trial.label + ": status " + statusName(outcome.status) + ", but q was written to";
        });
        return;
    }
    verifyFinite(verdicts, trial, outcome);
    if (!std::all_of(outcome.q.begin(), outcome.q.end(), [](double x) { return std::isfinite(x); })) return;
    verifyGoals(verdicts, trial, outcome);
    verifyLimits(verdicts, info, trial, outcome);
    const std::int32_t lockedMoved = firstMovedOf(trial, outcome, true),
                       bystander = firstMovedOf(trial, outcome, false);
    if (!trial.locked.empty())
        verdicts.expect("locked-stay", lockedMoved < 0,
                        [&] { return trial.label + text(": coordinate %d moved though it was locked", lockedMoved); });
    if (!trial.policy.hasObjectives())
        verdicts.expect("bystanders-stay", bystander < 0, [&] {
            return trial.label + text(": coordinate %d moved though no goal hangs on its body", bystander);
        });
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

bool sameOutcome(const Outcome& a, const Outcome& b)
{
    return a.status == b.status && a.iterations == b.iterations && sameBits(a.q, b.q);
}

double largestDifference(const Rig& rig, const std::vector<double>& a, const std::vector<double>& b)
{
    double worst = 0;
    for (std::size_t body = 0; body < rig.arrays.kind.size(); ++body) {
        const auto begin = static_cast<std::size_t>(rig.arrays.qBegin[body]),
                   end = static_cast<std::size_t>(rig.arrays.qBegin[body + 1]);
        const std::size_t plain = sdk::traits(rig.arrays.kind[body]).hasQuaternion ? end - 4 : end;
        double dot = 0;
        for (std::size_t i = plain; i < end; ++i) dot += a[i] * b[i];
        const double sign = dot < 0 ? -1 : 1;
        for (std::size_t i = begin; i < end; ++i)
            worst = std::max(worst, std::abs(a[i] - (i < plain ? 1 : sign) * b[i]));
    }
    return worst;
}

std::string text(const char* format, ...)
{
    char buffer[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return buffer;
}

} // namespace tendon::conformance

#include "core/conformance/Reference.h"
#include "core/conformance/Suite.h"
#include "core/math/Degrees.h"
#include "core/solve/StatusNames.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon::conformance {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double forSolver(const SolverParameter& parameter, double value)
{
    return parameter.unit == "deg" ? radians(value) : value;
}

/// Values that are allowed; every one of a bool or enum.
std::vector<double> allowedValues(const SolverParameter& parameter)
{
    std::vector<double> values = {parameter.defaultValue, parameter.minimum, parameter.maximum};
    const bool isListed = parameter.kind == SolverParameter::Kind::Bool ||
                          parameter.kind == SolverParameter::Kind::Enum;
    for (double value = 0; isListed && value <= parameter.maximum; ++value) values.push_back(value);
    return values;
}

std::vector<double> refusedValues(const SolverParameter& parameter)
{
    const double range = parameter.maximum - parameter.minimum;
    const bool isWhole = parameter.kind != SolverParameter::Kind::Real;
    const double step = isWhole ? 1 : std::max(1e-3 * range, 1e-9 * (1 + std::abs(parameter.maximum)));
    std::vector<double> values = {parameter.minimum - step, parameter.maximum + step, kNaN, kInfinity, -kInfinity};
    if (isWhole && range >= 1) values.push_back(parameter.minimum + 0.5);
    return values;
}

} // namespace

void Suite::checkParameters()
{
    const SolverInfo& info = m_subject.info;
    const std::unique_ptr<sdk::Solver> solver = m_subject.create();
    m_verdicts.expect("prepared", solver != nullptr, [] { return std::string("no solver could be created"); });
    if (!solver) return;
    for (const SolverParameter& parameter : info.parameters) {
        for (const double value : refusedValues(parameter))
            m_verdicts.expect("parameters-refused", !solver->setParameter(parameter.id, forSolver(parameter, value)),
                              [&] {
                                  return parameter.id + text(" = %.17g is taken, though its range is %.9g ... %.9g",
                                                             value, parameter.minimum, parameter.maximum);
                              });
        for (const double value : allowedValues(parameter))
            m_verdicts.expect(
                "parameters-accepted", solver->setParameter(parameter.id, forSolver(parameter, value)),
                [&] { return parameter.id + text(" = %.17g is refused, though solver.json allows it", value); });
    }
    for (const char* unknown : {"", "no-such-parameter", "\x01"})
        m_verdicts.expect("parameters-refused", !solver->setParameter(unknown, 0), [&] {
            return std::string("'") + unknown + "' is taken, though no such parameter is declared";
        });
    m_verdicts.skip("parameters-accepted", "none declared");
    checkDefaults();

    // Each allowed value must also work: refused or not, a solver has to keep the contract with it.
    for (const SolverParameter& parameter : info.parameters)
        for (const double value : allowedValues(parameter))
            for (const Rig& rig : m_rigs) {
                if (m_sets.empty() || !enter(rig.name, m_sets.front().name, parameter.id + text("=%.9g", value)))
                    continue;
                Prepared each{nullptr, m_subject.create()};
                if (!each || !each->setParameter(parameter.id, forSolver(parameter, value))) continue;
                if (each.prepareFor(rig, m_sets.front().kinds.size()) != sdk::Status::Converged) continue;
                Trial trial = makeTrial(rig, m_sets.front(), Distance::Near, 9000);
                trial.label += ", " + parameter.id + text(" = %.9g", value);
                trial.policy.stop.maxIterations = 100;
                const Outcome outcome = solve(*each, trial);
                m_verdicts.expect("parameters-work",
                                  outcome.status != sdk::Status::NumericalFailure &&
                                      outcome.status != sdk::Status::InvalidProblem,
                                  [&] { return trial.label + ": status " + statusName(outcome.status); });
            }
}

/// A new solver must answer like one whose parameters were all set to the defaults of solver.json.
void Suite::checkDefaults()
{
    const SolverInfo& info = m_subject.info;
    if (info.parameters.empty() || m_sets.empty())
        return m_verdicts.skip("parameters-default", "the solver declares no parameter");
    for (const Rig& rig : m_rigs) {
        if (!enter(rig.name, m_sets.front().name, "defaults")) continue;
        const Prepared fresh = prepare(rig, m_sets.front().kinds.size());
        Prepared set{nullptr, m_subject.create()};
        if (!fresh || !set || !setDefaults(*set, info)) continue;
        if (set.prepareFor(rig, m_sets.front().kinds.size()) != sdk::Status::Converged) continue;
        for (const Distance distance : {Distance::Near, Distance::Far}) {
            Trial trial = makeTrial(rig, m_sets.front(), distance, 9050);
            trial.label += ", default parameters";
            trial.policy.stop.maxIterations = 30;
            const Outcome own = solve(*fresh, trial), told = solve(*set, trial);
            m_verdicts.expect("parameters-default", sameOutcome(own, told), [&] {
                return trial.label + text(": %s after %d iterations; with each parameter set to its default %s after "
                                          "%d; or other bits",
                                          statusName(own.status), own.iterations, statusName(told.status),
                                          told.iterations);
            });
        }
    }
    m_verdicts.skip("parameters-default", "the solver accepts no rig of the suite");
}

void Suite::checkUnprepared()
{
    for (const Rig& rig : m_rigs) {
        if (m_sets.empty()) return;
        if (!enter(rig.name, m_sets.front().name)) continue;
        const std::unique_ptr<sdk::Solver> solver = m_subject.create();
        if (!solver) return;
        const Trial trial = makeTrial(rig, m_sets.front(), Distance::Near, 9100);
        const Outcome outcome = attempt(*solver, trial);
        m_verdicts.expect("unprepared-refused", !sdk::isUsable(outcome.status) && outcome.isUntouched, [&] {
            return trial.label + ": solve() before prepare() gives status " + statusName(outcome.status);
        });
    }
}

void Suite::checkInvalidModels()
{
    using Spoil = void (*)(sdk::Model&, Rig&);
    static const std::pair<const char*, Spoil> cases[] = {
        {"a parent below its child",
         [](sdk::Model& m, Rig& r) {
             r.arrays.parent[1] = 2;
             m = r.model();
         }},
        {"a body that is its own parent",
         [](sdk::Model& m, Rig& r) {
             r.arrays.parent[1] = 1;
             m = r.model();
         }},
        {"a parent of -2",
         [](sdk::Model& m, Rig& r) {
             r.arrays.parent[1] = -2;
             m = r.model();
         }},
        {"fewer bodies than parents", [](sdk::Model& m, Rig&) { --m.bodyCount; }},
        {"a negative body count", [](sdk::Model& m, Rig&) { m.bodyCount = -1; }},
        {"more coordinates than told", [](sdk::Model& m, Rig&) { --m.coordinateCount; }},
        {"more DOFs than told", [](sdk::Model& m, Rig&) { --m.dofCount; }},
        {"a model smaller than its struct", [](sdk::Model& m, Rig&) { m.size = 8; }},
        {"no kinds", [](sdk::Model& m, Rig&) { m.kind = {}; }},
        {"no limits", [](sdk::Model& m, Rig&) { m.upper = {}; }},
        {"a short axis array", [](sdk::Model& m, Rig&) { m.axis = m.axis.first(m.axis.size() - 1); }},
        {"a short ball array", [](sdk::Model& m, Rig&) { m.ballSwing = m.ballSwing.first(1); }},
        {"a qBegin that goes back",
         [](sdk::Model& m, Rig& r) {
             r.arrays.qBegin[1] = 5;
             m = r.model();
         }},
        {"an unknown joint kind",
         [](sdk::Model& m, Rig& r) {
             r.arrays.kind[1] = static_cast<sdk::JointKind>(99);
             m = r.model();
         }},
        {"lower above upper",
         [](sdk::Model& m, Rig& r) {
             r.arrays.lower[0] = 1;
             r.arrays.upper[0] = -1;
             m = r.model();
         }},
        {"a limit that is no number",
         [](sdk::Model& m, Rig& r) {
             r.arrays.lower[0] = kNaN;
             m = r.model();
         }},
        {"an axis without length",
         [](sdk::Model& m, Rig& r) {
             r.arrays.axis[0] = r.arrays.axis[1] = r.arrays.axis[2] = 0;
             m = r.model();
         }},
        {"a stiffness that is no number",
         [](sdk::Model& m, Rig& r) {
             r.arrays.stiffness[0] = kNaN;
             m = r.model();
         }},
    };
    for (const Rig& rig : m_rigs)
        for (const auto& [what, spoil] : cases) {
            if (!enter(rig.name, "any", what)) continue;
            Rig spoiled = rig;
            sdk::Model model = spoiled.model();
            spoil(model, spoiled);
            const sdk::Status status = prepareStatus(model, 1);
            m_verdicts.expect("invalid-models-refused", !sdk::isUsable(status),
                              [&, what = what] { return rig.name + ": prepare() takes " + what; });
        }
    if (m_rigs.empty() || !enter("any", "any", "-1 goals")) return;
    const sdk::Status negative = prepareStatus(m_rigs.front().model(), -1);
    m_verdicts.expect("invalid-models-refused", !sdk::isUsable(negative),
                      [] { return std::string("prepare() takes -1 goals"); });
}

void Suite::trySpoiled(const char* what, const Rig& rig, const GoalSet& set, const RunOptions& options)
{
    if (!enter(rig.name, set.name, what)) return;
    const Prepared solver = prepare(rig, set.kinds.size());
    if (!solver) return;
    Trial trial = makeTrial(rig, set, Distance::Near, 9200);
    trial.label += std::string(", ") + what;
    trial.policy.stop.maxIterations = 20;
    const Outcome outcome = attempt(*solver, trial, options);
    m_verdicts.expect("invalid-problems-refused",
                      !sdk::isUsable(outcome.status) && outcome.isUntouched && outcome.isInBounds, [&] {
                          return trial.label + ": status " + statusName(outcome.status) +
                                 (outcome.isUntouched ? "" : ", and q was written to");
                      });
}

void Suite::checkInvalidProblems()
{
    std::vector<double> numbers; // what spoiled spans look into; lives until the run is over
    std::vector<sdk::Goal> goals;
    std::vector<std::uint8_t> locked;
    sdk::Stop stop;
    const auto alter = [&numbers](std::span<const double> from, std::size_t index, double value) {
        numbers.assign(from.begin(), from.end());
        if (index < numbers.size()) numbers[index] = value;
        return std::span<const double>(numbers);
    };
    const auto withGoal = [&goals](auto change) {
        return [&goals, change](sdk::Problem& p) {
            goals.assign(p.goals.begin(), p.goals.end());
            change(goals[0]);
            p.goals = goals;
        };
    };
    using Spoil = std::function<void(sdk::Problem&)>;
    const std::pair<const char*, Spoil> cases[] = {
        {"a seed that is no number", [&](sdk::Problem& p) { p.seed = alter(p.seed, 0, kNaN); }},
        {"an infinite seed", [&](sdk::Problem& p) { p.seed = alter(p.seed, p.seed.size() - 1, kInfinity); }},
        {"a short seed", [&](sdk::Problem& p) { p.seed = p.seed.first(p.seed.size() - 1); }},
        {"no seed", [&](sdk::Problem& p) { p.seed = {}; }},
        {"a short base", [&](sdk::Problem& p) { p.base = p.base.first(p.base.size() - kBaseStride); }},
        {"a base that is no number", [&](sdk::Problem& p) { p.base = alter(p.base, kBaseStride + 1, kNaN); }},
        {"a base rotation of no length", [&](sdk::Problem& p) { p.base = alter(p.base, 6, 0); }},
        {"a base rotation of length 2", [&](sdk::Problem& p) { p.base = alter(p.base, 6, 2); }},
        {"a scale of 0", [&](sdk::Problem& p) { p.base = alter(p.base, 7, 0); }},
        {"a negative scale", [&](sdk::Problem& p) { p.base = alter(p.base, kBaseStride + 7, -1); }},
        {"short locks",
         [&](sdk::Problem& p) {
             locked.assign(1 + p.seed.size() * 2, 0);
             p.locked = locked;
         }},
        {"a short posture", [&](sdk::Problem& p) { p.posture = p.seed.first(p.seed.size() - 1); }},
        {"a posture that is no number", [&](sdk::Problem& p) { p.posture = alter(p.seed, 0, kNaN); }},
        {"more goals than prepared for",
         [&](sdk::Problem& p) {
             goals.assign(p.goals.size() + 1, p.goals[0]);
             p.goals = goals;
         }},
        {"a goal on body -1", withGoal([](sdk::Goal& g) { g.body = -1; })},
        {"a goal on no body", withGoal([](sdk::Goal& g) { g.body = 1 << 20; })},
        {"a goal of no kind", withGoal([](sdk::Goal& g) { g.kind = static_cast<sdk::GoalKind>(77); })},
        {"a target that is no number", withGoal([](sdk::Goal& g) { g.targetPosition[1] = kNaN; })},
        {"an infinite target", withGoal([](sdk::Goal& g) { g.targetPosition[1] = kInfinity; })},
        {"an offset that is no number", withGoal([](sdk::Goal& g) { g.offset[2] = kNaN; })},
        {"a weight that is no number", withGoal([](sdk::Goal& g) { g.positionWeight = g.rotationWeight = kNaN; })},
        {"a negative weight", withGoal([](sdk::Goal& g) { g.positionWeight = g.rotationWeight = -1; })},
        {"a tolerance that is no number",
         withGoal([](sdk::Goal& g) { g.positionTolerance = g.rotationTolerance = kNaN; })},
        {"a negative tolerance", withGoal([](sdk::Goal& g) { g.positionTolerance = g.rotationTolerance = -1; })},
        {"negative iterations",
         [&](sdk::Problem& p) {
             stop.maxIterations = -1;
             p.stop = &stop;
         }},
        {"a time limit that is not a number",
         [&](sdk::Problem& p) {
             stop = {};
             stop.maxSeconds = kNaN;
             p.stop = &stop;
         }},
        {"a problem smaller than its struct", [&](sdk::Problem& p) { p.size = 8; }},
        {"goals smaller than their struct", [&](sdk::Problem& p) { p.goals.stride = 8; }},
    };
    for (const Rig& rig : m_rigs)
        for (const GoalSet& set : m_sets) {
            for (const auto& [what, spoil] : cases) trySpoiled(what, rig, set, {.spoil = spoil});
            const auto nq = static_cast<std::size_t>(rig.arrays.qBegin.back());
            trySpoiled("a result of another size", rig, set, {.coordinates = nq + 1});
            trySpoiled("a result without room", rig, set, {.coordinates = nq - 1});
            const bool turns = set.kinds[0] == sdk::GoalKind::Orientation || set.kinds[0] == sdk::GoalKind::Pose;
            if (turns)
                trySpoiled(
                    "a target rotation of no length", rig, set,
                    {.spoil = withGoal([](sdk::Goal& g) { std::fill(g.targetRotation, g.targetRotation + 4, 0.0); })});
            if (set.kinds[0] == sdk::GoalKind::Aim)
                trySpoiled("an aim axis of no length", rig, set,
                           {.spoil = withGoal([](sdk::Goal& g) { std::fill(g.axis, g.axis + 3, 0.0); })});
            for (std::size_t b = 0; b < rig.arrays.kind.size(); ++b) {
                if (!sdk::traits(rig.arrays.kind[b]).hasQuaternion) continue;
                const auto last = static_cast<std::size_t>(rig.arrays.qBegin[b + 1]) - 1;
                trySpoiled("a seed rotation of length 2", rig, set,
                           {.spoil = [&, last](sdk::Problem& p) { p.seed = alter(p.seed, last, 2); }});
                break;
            }
        }
    m_verdicts.skip("invalid-problems-refused", "the solver accepts no rig of the suite");
}

void Suite::checkStops()
{
    forEachCase(6, 10000, [this](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        trial.policy.search = c.i % 2 == 0 ? sdk::Search::Follow : sdk::Search::Find;
        trial.policy.stop.maxIterations = c.i / 2 == 0 ? 0 : c.i / 2 == 1 ? 1 : 7;
        trial.label += text(", at most %d iterations", trial.policy.stop.maxIterations);
        static_cast<void>(solve(*c.solver, trial)); // verify() counts them

        Trial hasty = makeTrial(c.rig, c.set, Distance::Far, c.number + 100);
        hasty.policy.stop.maxSeconds = 1e-9;
        hasty.label += ", 1 ns";
        const Outcome outcome = solve(*c.solver, hasty);
        const bool isTold = outcome.status == sdk::Status::TimeLimit || outcome.iterations <= 1 ||
                            !sdk::isUsable(outcome.status);
        m_verdicts.expect("time-bounded", isTold, [&] {
            return hasty.label + text(": %s after %d iterations", statusName(outcome.status), outcome.iterations);
        });
    });
    m_verdicts.skip("time-bounded", "the solver accepts no rig of the suite");
}

void Suite::checkAllocations()
{
    if (!claims("no-alloc")) return m_verdicts.skip("no-allocations", "no-alloc is not claimed");
    if (!m_options.allocations) return m_verdicts.skip("no-allocations", "allocations cannot be counted here");
    forEachCase(8, 13000, [this](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        trial.policy.search = c.i % 2 == 0 ? sdk::Search::Follow : sdk::Search::Find;
        if (c.i % 4 == 3) trial.goals[0].targetPosition[0] += 50; // out of reach
        const Outcome outcome = solve(*c.solver, trial,
                                      {.traceRows = c.i % 4 == 2 ? 100 : 0, .allocations = &m_options.allocations});
        m_verdicts.expect("no-allocations", outcome.allocations == 0, [&] {
            return trial.label + text(": %lld allocations in solve()", static_cast<long long>(outcome.allocations));
        });
    });
    if (!m_sets.empty()) need("no-allocations", "no-alloc"); // else checkCurve() tries it
}

void Suite::checkGrowth()
{
    // A host of a later minor has larger structs. A solver reads and writes the members that it knows, at the strides
    // that the host gives, and answers as before.
    forEachCase(
        2, 20000,
        [this](const Case& c) {
            const std::unique_ptr<sdk::Solver> other = m_subject.create();
            const Grown<sdk::Model> model(c.rig.model());
            const auto goals = static_cast<std::int32_t>(c.set.kinds.size() + 1);
            if (!other) return;
            const sdk::Status prepared = other->prepare(model, goals);
            m_verdicts.expect("growth", prepared == sdk::Status::Converged, [&] {
                return c.rig.name + ": prepare() refuses a larger Model: " + statusName(prepared);
            });
            if (prepared != sdk::Status::Converged) return;
            Trial trial = makeTrial(c.rig, c.set, Distance::Near, c.number);
            trial.goals.insert(trial.goals.begin(),
                               trial.goals.front()); // so that the real goals are not in the first row
            trial.goals.front().positionWeight = trial.goals.front().rotationWeight = 0;
            const Outcome plain = solve(*c.solver, trial),
                          grown = solve(*other, trial, {.traceRows = 3, .isGrown = true});
            bool isSame = sameOutcome(plain, grown) && plain.goals.size() == grown.goals.size();
            for (std::size_t g = 0; isSame && g < plain.goals.size(); ++g)
                isSame = plain.goals[g].status == grown.goals[g].status &&
                         plain.goals[g].positionError == grown.goals[g].positionError;
            m_verdicts.expect("growth", isSame, [&] {
                return trial.label + text(": %s; with structs of a later SDK %s, or other bits",
                                          statusName(plain.status), statusName(grown.status));
            });
        },
        1);
    m_verdicts.skip("growth", "the solver accepts no rig of the suite");
}

} // namespace tendon::conformance

#include "tests/conformance/FlawedSolver.h"

#include "plugins/example/SweepSolver.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace tendon::test {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::atomic<int> within = 0; ///< solves of solvers that share state

/// The copy of Stop that a FlawedSolver hands on.
sdk::Stop& stopOf(sdk::Problem& problem) { return const_cast<sdk::Stop&>(*problem.stop); }

class FlawedSolver final : public sdk::Solver
{
public:
    explicit FlawedSolver(const Flaw& flaw) : m_flaw(flaw) { m_goals.reserve(16); }

    bool setParameter(std::string_view id, double value) noexcept override
    {
        m_chokes = m_flaw.chokesOnParameter && id == "sweeps" && value == 100;
        return m_flaw.takesAnyParameter || (!m_flaw.takesNoParameter && m_inner.setParameter(id, value));
    }

    sdk::Status prepare(const sdk::Model& model, std::int32_t maxGoals) noexcept override
    {
        m_model = model;
        m_model.size = sizeof(sdk::Model);
        m_isPrepared = true;
        m_base.clear();
        if (std::find(model.kind.begin(), model.kind.end(), m_flaw.refusedKind) != model.kind.end())
            return sdk::Status::Unsupported;
        if (model.bodyCount == 0 && m_flaw.prepareEmpty != sdk::Status::Converged) return m_flaw.prepareEmpty;
        const sdk::Status status = m_inner.prepare(model, maxGoals);
        if (m_flaw.prepared != sdk::Status::Converged) return m_flaw.prepared;
        return m_flaw.takesAnyModel ? sdk::Status::Converged : status;
    }

    sdk::Status solve(const sdk::Problem& given, const sdk::Control& givenControl,
                      sdk::Solution& solution) noexcept override
    {
        if (m_chokes) return sdk::Status::NumericalFailure;
        if (m_flaw.solvesUnprepared && !m_isPrepared) return sdk::Status::Converged;
        if (m_flaw.wantsOwnSize && given.size != sizeof(sdk::Problem)) return sdk::Status::InvalidProblem;
        sdk::Problem problem = given;
        problem.size = std::min<std::uint32_t>(given.size, sizeof(sdk::Problem)); // of what was copied
        sdk::Control control = givenControl;
        if (m_flaw.allocates) {
            void* volatile memory = std::malloc(16); // volatile: or the compiler takes both calls away
            std::free(memory);
        }
        if (m_flaw.keepsFirstBase && m_base.empty()) m_base.assign(given.base.begin(), given.base.end());
        if (m_flaw.keepsFirstBase && m_base.size() == given.base.size()) problem.base = m_base;
        m_stop = sdk::read(given.stop);
        problem.stop = &m_stop;
        if (m_flaw.before) {
            m_goals.assign(given.goals.begin(), given.goals.end());
            m_flaw.before(problem, control, m_goals);
            problem.goals = m_goals;
        }
        const bool isDisturbed = m_flaw.sharesState && meetsAnother();
        sdk::Status status = m_inner.solve(problem, control, solution);
        if (isDisturbed && sdk::isUsable(status)) solution.q[0] += 1e-9;
        if (m_flaw.isSlow) std::this_thread::sleep_for(std::chrono::milliseconds(sdk::isUsable(status) ? 30 : 0));
        return m_flaw.after ? m_flaw.after(given, givenControl, solution, m_model, status) : status;
    }

private:
    /// Waits a little for another to come in, so that what is wrong shows each time.
    static bool meetsAnother()
    {
        using Clock = std::chrono::steady_clock;
        bool isTogether = false;
        ++within;
        for (const auto end = Clock::now() + std::chrono::milliseconds(3); !isTogether && Clock::now() < end;)
            isTogether = within > 1;
        std::this_thread::sleep_for(std::chrono::microseconds(isTogether ? 100 : 0)); // the other has to see it, too
        --within;
        return isTogether;
    }

    const Flaw& m_flaw;
    example::SweepSolver m_inner;
    sdk::Model m_model;
    std::vector<double> m_base;
    std::vector<sdk::Goal> m_goals;
    sdk::Stop m_stop;
    bool m_isPrepared = false, m_chokes = false;
};

using P = const sdk::Problem&;
using C = const sdk::Control&;
using S = sdk::Solution&;
using M = const sdk::Model&;
using Status = sdk::Status;

void erase(std::vector<std::string>& list, const char* item) { std::erase(list, item); }

int calls = 0;

} // namespace

const std::vector<FlawedCase>& flawedSolvers()
{
    static const std::vector<FlawedCase> cases = {
        {"solved-stays",
         "solved-stays",
         "moves a solved pose",
         {.after =
              [](P, C, S s, M, Status t) {
                  if (sdk::isUsable(t)) s.q[0] += 1e-12;
                  return t;
              }}},
        {"limits-kept",
         "limits",
         "exceeds limits by a hair",
         {.after =
              [](P, C, S s, M m, Status t) {
                  for (std::int32_t b = 0, v = 0; sdk::isUsable(t) && b < m.bodyCount; v = m.vBegin[++b])
                      if (m.kind[b] == sdk::JointKind::Revolute && s.q[m.qBegin[b]] == m.upper[v])
                          s.q[m.qBegin[b]] = std::nextafter(m.upper[v], 10.0);
                  return t;
              }}},
        {"results-finite",
         "unreachable",
         "hands back NaN",
         {.after =
              [](P, C, S s, M, Status t) {
                  if (t == Status::Unreachable || t == Status::Stalled) s.q[0] = kNaN;
                  return t;
              }}},
        {"no-allocations", "allocations", "allocates", {.allocates = true}},
        {"cancel",
         "cancel",
         "ignores cancel",
         {.before = [](sdk::Problem&, sdk::Control& c, std::vector<sdk::Goal>&) { c.cancelled = nullptr; }}},
        {"honest-status",
         "reachable",
         "always says converged",
         {.after = [](P, C, S, M, Status t) { return sdk::isUsable(t) ? Status::Converged : t; }}},
        {"honest-status",
         "reachable",
         "says unreachable when it stalls",
         {.after =
              [](P, C, S, M, Status t) {
                  return t == Status::Stalled || t == Status::LimitsBlock || t == Status::IterationLimit
                             ? Status::Unreachable
                             : t;
              }}},
        {"unreachable-told",
         "unreachable",
         "takes a straight chain for an answer",
         {.after = [](P, C, S, M, Status t) { return t == Status::Unreachable ? Status::Converged : t; }}},
        {"unreachable-straightens",
         "unreachable",
         "gives up out of reach",
         {.after =
              [](P p, C, S s, M, Status t) {
                  if (t == Status::Unreachable) std::copy(p.seed.begin(), p.seed.end(), s.q.begin());
                  return t;
              }}},
        {"unreachable-holds",
         "unreachable",
         "does not hold",
         {.before = [](sdk::Problem& p, sdk::Control&,
                       std::vector<sdk::Goal>&) { p.unreachable = sdk::Unreachable::Stretch; }}},
        {"untouched-on-failure",
         "solved-stays",
         "writes although it refuses",
         {.after =
              [](P p, C, S s, M, Status) {
                  std::copy(p.seed.begin(), p.seed.end(), s.q.begin());
                  return Status::NumericalFailure;
              }}},
        {"invalid-problems-refused",
         "invalid-problems",
         "solves what is no problem",
         {.after = [](P, C, S, M, Status t) { return t == Status::InvalidProblem ? Status::Stalled : t; }}},
        {"invalid-models-refused", "invalid-models", "takes any model", {.takesAnyModel = true}},
        {"unprepared-refused", "unprepared", "solves unprepared", {.solvesUnprepared = true}},
        {"locked-stay",
         "locked",
         "moves locked joints",
         {.before = [](sdk::Problem& p, sdk::Control&, std::vector<sdk::Goal>&) { p.locked = {}; }}},
        {"bystanders-stay",
         "locked",
         "moves what no goal hangs on",
         {.after =
              [](P p, C, S s, M m, Status t) {
                  for (std::int32_t b = 1; sdk::isUsable(t) && b < m.bodyCount; ++b)
                      if (m.kind[b] == sdk::JointKind::Revolute && (p.goals.empty() || p.goals[0].body < b))
                          s.q[m.qBegin[b]] += 1e-9;
                  return t;
              }}},
        {"goal-results",
         "reachable",
         "reports half the error",
         {.after =
              [](P, C, S s, M, Status t) {
                  if (!s.goals.empty()) s.goals[0].positionError *= 0.5;
                  return t;
              }}},
        {"limit-hits",
         "limits",
         "reports no limit",
         {.after =
              [](P, C, S s, M, Status t) {
                  std::fill(s.limitHits.begin(), s.limitHits.end(), std::int8_t{0});
                  return t;
              }}},
        {"bounds-kept",
         "reachable",
         "writes one number too many",
         {.after =
              [](P, C, S s, M, Status t) {
                  if (sdk::isUsable(t) && !s.q.empty()) *(s.q.data() + s.q.size()) = 0;
                  return t;
              }}},
        {"iterations-bounded",
         "stops",
         "does not count",
         {.before = [](sdk::Problem& p, sdk::Control&, std::vector<sdk::Goal>&) { stopOf(p).maxIterations += 3; }}},
        {"time-bounded",
         "stops",
         "does not look at the clock",
         {.before =
              [](sdk::Problem& p, sdk::Control&, std::vector<sdk::Goal>&) {
                  if (stopOf(p).maxSeconds > 0) stopOf(p).maxSeconds = 1e6;
              }}},
        {"repeatable",
         "repeatable",
         "never the same twice",
         {.after =
              [](P, C, S s, M, Status t) {
                  if (sdk::isUsable(t) && s.iterations > 0) s.q[0] += 1e-15 * ++calls;
                  return t;
              }}},
        {"moving-bases", "moving-bases", "remembers the first lengths", {.keepsFirstBase = true}},
        {"weight-zero",
         "weight-zero",
         "counts goals without weight",
         {.before =
              [](sdk::Problem&, sdk::Control&, std::vector<sdk::Goal>& g) {
                  for (sdk::Goal& goal : g)
                      if (goal.positionWeight == 0) goal.positionWeight = goal.rotationWeight = 1e-3;
              }}},
        {"equivariance",
         "equivariance",
         "depends on where the world's axes are",
         {.before =
              [](sdk::Problem&, sdk::Control&, std::vector<sdk::Goal>& g) {
                  for (sdk::Goal& goal : g) goal.targetPosition[0] = std::round(goal.targetPosition[0] * 2e4) / 2e4;
              }}},
        {"scale",
         "scale",
         "knows one size only",
         {.before =
              [](sdk::Problem&, sdk::Control&, std::vector<sdk::Goal>& g) {
                  for (sdk::Goal& goal : g)
                      goal.positionTolerance = goal.positionTolerance > 1e-3 ? 1e-7 : goal.positionTolerance;
              }}},
        {"reachable-near",
         "reachable",
         "has no patience",
         {.before = [](sdk::Problem& p, sdk::Control&,
                       std::vector<sdk::Goal>&) { stopOf(p).maxIterations = std::min(stopOf(p).maxIterations, 1); }}},
        {"reachable-far",
         "reachable",
         "has no patience",
         {.before = [](sdk::Problem& p, sdk::Control&,
                       std::vector<sdk::Goal>&) { stopOf(p).maxIterations = std::min(stopOf(p).maxIterations, 1); }}},
        {"reachable-near",
         "reachable",
         "breaks a promise",
         {.info = [](SolverInfo& info) { info.promises.iterationsMedian = 1; }}},
        {"convergence-order",
         "convergence",
         "promises to converge faster than it does",
         {.info = [](SolverInfo& info) { info.promises.convergenceOrder = 2; }}},
        {"trace-changes-nothing",
         "trace",
         "differs when watched",
         {.before =
              [](sdk::Problem& p, sdk::Control& c, std::vector<sdk::Goal>&) {
                  if (!c.trace.empty()) stopOf(p).maxIterations = std::min(stopOf(p).maxIterations, 2);
              }}},
        {"trace-length",
         "trace",
         "leaves rows out",
         {.after =
              [](P, C, S s, M, Status t) {
                  s.traceRows /= 2;
                  return t;
              }}},
        {"trace-content",
         "trace",
         "traces another residual",
         {.after =
              [](P, C c, S s, M, Status t) {
                  for (std::int32_t r = 0; r < s.traceRows; ++r) c.trace[r].residual *= 1.01;
                  return t;
              }}},
        {"growth", "growth", "refuses structs that have grown", {.wantsOwnSize = true}},
        {"growth",
         "growth",
         "steps through goals by the size of its own struct",
         {.before =
              [](sdk::Problem& p, sdk::Control&, std::vector<sdk::Goal>& g) {
                  const auto* bytes = reinterpret_cast<const std::byte*>(p.goals.data);
                  for (std::size_t i = 0; i < g.size(); ++i)
                      std::memcpy(static_cast<void*>(&g[i]), bytes + i * sizeof(sdk::Goal), sizeof(sdk::Goal));
              }}},
        {"stages",
         "stages",
         "claims to record stages",
         {.info = [](SolverInfo& info) { info.features.push_back("stages"); }}},
        {"parameters-refused", "parameters", "takes any parameter", {.takesAnyParameter = true}},
        {"parameters-accepted", "parameters", "takes no parameter", {.takesNoParameter = true}},
        {"parameters-default",
         "parameters",
         "uses another default than it declares",
         {.info = [](SolverInfo& info) { info.parameters[0].defaultValue = 1; }}},
        {"goal-kinds-solved",
         "goal-kinds",
         "claims aiming",
         {.info = [](SolverInfo& info) { info.features.push_back("aim-goal"); }}},
        {"goal-kinds-refused",
         "goal-kinds",
         "does what it does not claim",
         {.before =
              [](sdk::Problem&, sdk::Control&, std::vector<sdk::Goal>& g) {
                  for (sdk::Goal& goal : g) goal.kind = sdk::GoalKind::Position;
              }}},
        {"many-goals-refused",
         "many-goals",
         "takes two goals without claiming it",
         {.info = [](SolverInfo& info) { erase(info.features, "multi-goal"); }}},
        {"many-goals-refused",
         "many-goals",
         "takes trees without claiming it",
         {.info = [](SolverInfo& info) { erase(info.features, "tree"); }}},
        {"joint-kinds-refused",
         "joint-kinds",
         "moves joints that it does not claim",
         {.info = [](SolverInfo& info) { erase(info.jointKinds, "universal"); }}},
        {"limits-refused",
         "joint-kinds",
         "keeps limits without claiming it",
         {.info = [](SolverInfo& info) { erase(info.features, "hard-limits"); }}},
        {"policies-refused",
         "policies",
         "ignores the wish to stretch",
         {.before = [](sdk::Problem& p, sdk::Control&, std::vector<sdk::Goal>&) { p.maxStretch = 1; }}},
        {"priorities",
         "priorities",
         "claims to rank goals",
         {.info = [](SolverInfo& info) { info.features.push_back("priorities"); }}},
        {"objectives",
         "objectives",
         "claims objectives",
         {.info = [](SolverInfo& info) { info.features.push_back("objectives"); }}},
        {"stretch",
         "stretch",
         "claims to stretch",
         {.info = [](SolverInfo& info) { info.features.push_back("stretch"); }}},
        {"curve",
         "curve",
         "claims to follow curves",
         {.info = [](SolverInfo& info) { info.features.push_back("curve"); }}},
        {"closed-form",
         "closed-form",
         "claims to need no iterations",
         {.info = [](SolverInfo& info) { info.features.push_back("closed-form"); }}},
        {"degenerate",
         "degenerate",
         "fails on a bone without length, and writes",
         {.after =
              [](P p, C, S s, M m, Status t) {
                  for (std::int32_t b = 2; b < m.bodyCount; ++b)
                      if (p.base[8 * b] == 0 && p.base[8 * b + 1] == 0 && p.base[8 * b + 2] == 0)
                          t = Status::NumericalFailure;
                  if (t == Status::NumericalFailure) std::copy(p.seed.begin(), p.seed.end(), s.q.begin());
                  return t;
              }}},
        {"stuck-stays",
         "degenerate",
         "fidgets",
         {.after =
              [](P, C, S s, M, Status t) {
                  if (t == Status::Stalled || t == Status::Unreachable) s.q[0] = std::nextafter(s.q[0], 9.0);
                  return t;
              }}},
        {"parameters-work", "parameters", "chokes on a value of its own range", {.chokesOnParameter = true}},
        {"prepared", "parameters", "cannot be created", {.isNull = true}},
        {"prepared", "solved-stays", "prepares with a status that says nothing", {.prepared = Status::Stalled}},
        {"empty-model", "joint-kinds", "takes nothing for something", {.prepareEmpty = Status::Stalled}},
        {"joint-kinds-moved",
         "joint-kinds",
         "claims a kind that it refuses",
         {.refusedKind = sdk::JointKind::Universal}},
        {"threads", "threads", "shares a scratch pad with the others", {.sharesState = true}},
        {"many-goals-solved",
         "many-goals",
         "forgets the second goal",
         {.before =
              [](sdk::Problem&, sdk::Control&, std::vector<sdk::Goal>& g) {
                  if (g.size() > 1 && g[1].kind != sdk::GoalKind::Pole) g[1].positionWeight = 0;
              }}},
        {"cancel-midway",
         "cancel-midway",
         "looks whether it is cancelled at the start alone",
         {.before =
              [](sdk::Problem&, sdk::Control& c, std::vector<sdk::Goal>&) {
                  if (c.cancelled && !*c.cancelled) c.cancelled = nullptr;
              }}},
        {"cancel-in-time",
         "cancel-in-time",
         "takes its time to be cancelled",
         {.before =
              [](sdk::Problem&, sdk::Control& c, std::vector<sdk::Goal>&) {
                  if (c.cancelled && !*c.cancelled) c.cancelled = nullptr;
              },
          .isSlow = true}},
        {"history",
         "history",
         "claims to remember",
         {.info = [](SolverInfo& info) { info.features.push_back("history"); }}},
        {"curve",
         "curve",
         "claims curves where none can be tried",
         {.info =
              [](SolverInfo& info) {
                  info.features.push_back("curve");
                  info.jointKinds = {"revolute"};
              }}},
        {"survives",
         nullptr,
         "crashes on coincident joints",
         {.before =
              [](sdk::Problem& p, sdk::Control&, std::vector<sdk::Goal>&) {
                  if (p.base.size() > 25 && p.base[16] == 0 && p.base[17] == 0 && p.base[18] == 0) std::raise(SIGSEGV);
              }}},
        {"ends",
         nullptr,
         "hangs without a tolerance",
         {.before =
              [](sdk::Problem&, sdk::Control&, std::vector<sdk::Goal>& g) {
                  for (volatile bool isForever = !g.empty() && g[0].positionTolerance == 0; isForever;) {}
              }}},
    };
    return cases;
}

std::unique_ptr<sdk::Solver> createFlawed(const Flaw& flaw)
{
    return flaw.isNull ? nullptr : std::make_unique<FlawedSolver>(flaw);
}

std::unique_ptr<sdk::Solver> createFlawed(std::string_view what)
{
    for (const FlawedCase& each : flawedSolvers())
        if (what == each.what) return createFlawed(each.flaw);
    static const Flaw none;
    return what.empty() ? createFlawed(none) : nullptr;
}

} // namespace tendon::test

#include "core/conformance/Benchmark.h"

#include "core/base/JumpReason.h"
#include "core/clip/AnswerSpace.h"
#include "core/clip/ClipSolver.h"
#include "core/conformance/SolverProblemClip.h"
#include "core/math/Degrees.h"
#include "core/solve/AnswerStatus.h"
#include "core/solve/StatusNames.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

namespace tendon {
namespace {

using BenchmarkClock = std::chrono::steady_clock;

/// 0 of no values.
double percentile(std::vector<double> values, double share)
{
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

Benchmark::Start startOf(const std::string& seed, const SolverProblem& problem)
{
    if (seed == "clip") return Benchmark::Start::Clip;
    return seed == "warm" || (seed.empty() && problem.isTrajectory) ? Benchmark::Start::Warm : Benchmark::Start::Reset;
}

const char* nameOf(Benchmark::Start start)
{
    return start == Benchmark::Start::Clip ? "clip" : start == Benchmark::Start::Warm ? "warm" : "reset";
}

bool isRefused(sdk::Status status)
{
    return status == sdk::Status::Unsupported || status == sdk::Status::InvalidProblem;
}

Error refusal(sdk::Status status, const SolverProblem::Case& wanted)
{
    return {ErrorCode::Unsupported, std::string("the solver refuses the problem: ") + statusName(status),
            "case " + std::to_string(wanted.number)};
}

/// Those over three times what nine of ten are.
std::vector<int> farStepsOf(const ClipTask& task, const ClipAnswer& answer)
{
    const AnswerSpace space(task.model, task.problem(0).base);
    std::vector<double> steps;
    for (int t = 1; t < task.frameCount; ++t) {
        const double* q = answer.q.data() + static_cast<std::size_t>(t) * space.coordinates();
        steps.push_back(space.largest(q - space.coordinates(), q));
    }
    std::vector<int> frames;
    const double most = 3 * percentile(steps, 0.9);
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i] > most) frames.push_back(static_cast<int>(i) + 1);
    return frames;
}

/// One solver on one problem.
class BenchmarkRun
{
public:
    BenchmarkRun(const SolverProblem& problem, bool withBalls, Benchmark& made)
        : m_problem(problem), m_model(problem, withBalls), m_made(made)
    {
        m_start = m_model.toSolver(problem.start);
        m_seed = m_q = m_start;
        m_view = m_model.model();
    }

    Result<void> prepare(sdk::Solver& solver, const BenchmarkRequest& request)
    {
        const sdk::Status status = solver.prepare(m_view, static_cast<std::int32_t>(m_problem.goals.size()));
        if (status != sdk::Status::Converged)
            return Error{ErrorCode::Unsupported,
                         std::string("the solver does not support this mechanism: ") + statusName(status),
                         m_problem.file};
        m_input.base = m_model.base();
        m_input.search = isWarm() ? sdk::Search::Follow : sdk::Search::Find;
        m_stop.maxIterations = request.maxIterations;
        m_stop.maxStarts = request.maxStarts;
        m_stop.maxSeconds = m_problem.maxSeconds;
        m_input.stop = &m_stop;
        return {};
    }

    Result<void> solve(sdk::Solver& solver, const SolverProblem::Case& wanted, const std::atomic<bool>* cancelled)
    {
        const std::vector<sdk::Goal> goals = m_model.goals(wanted);
        m_q = m_seed;
        m_input.seed = m_seed;
        m_input.posture = m_start;
        m_input.goals = goals;
        sdk::Solution solution;
        solution.q = m_q;
        sdk::Control control;
        control.cancelled = cancelled;
        const auto begin = BenchmarkClock::now();
        sdk::Status status = solver.solve(m_input, control, solution);
        const std::chrono::duration<double, std::micro> elapsed = BenchmarkClock::now() - begin;
        if (isRefused(status)) return refusal(status, wanted);

        status = answerStatus(status, m_q);
        if (status == sdk::Status::NumericalFailure) m_q = m_seed; // there is no answer
        count({wanted.number, elapsed.count(), solution.iterations, m_model.toFile(m_q)}, wanted, status);
        if (isWarm() && sdk::isUsable(status)) m_seed = m_q;
        return {};
    }

    /// All cases as the frames of one clip. Each answer's time is the whole clip's, divided by its frames.
    Result<void> solveAsClip(const std::function<std::unique_ptr<sdk::Solver>(const sdk::Model&)>& makeSolver,
                             const std::atomic<bool>* cancelled)
    {
        SolverProblemClip clip(m_problem, m_model, makeSolver);
        clip.stop = m_stop;
        clip.task.cancelled = cancelled;
        const auto begin = BenchmarkClock::now();
        const ClipAnswer answer = solveClip(clip.task);
        const std::chrono::duration<double, std::micro> elapsed = BenchmarkClock::now() - begin;
        if (cancelled != nullptr && *cancelled) return {};
        m_made.jumps = answer.jumps;
        m_made.farSteps = farStepsOf(clip.task, answer);
        m_made.hastes = answer.hastes.size();
        for (const ClipHaste& haste : answer.hastes) m_made.timeStretch = std::max(m_made.timeStretch, haste.stretch);
        for (std::size_t i = 0; i < m_problem.cases.size(); ++i) {
            const SolverProblem::Case& wanted = m_problem.cases[i];
            if (isRefused(answer.statuses[i])) return refusal(answer.statuses[i], wanted);
            const double each = elapsed.count() / static_cast<double>(m_problem.cases.size());
            count({wanted.number, each, 0, clip.inFile(answer, i)}, wanted, answer.statuses[i]);
        }
        return {};
    }

    void finish() { m_made.medianPositionError = percentile(std::move(m_errors), 0.5); }

private:
    [[nodiscard]] bool isWarm() const { return m_made.start == Benchmark::Start::Warm; }

    void count(SolverProblemAnswer answer, const SolverProblem::Case& wanted, sdk::Status status)
    {
        const SolverProblem::Judgement judgement = m_problem.judge(answer.q, wanted);
        m_made.solved += m_problem.isSolved(judgement) ? 1 : 0;
        m_made.beyondLimits += judgement.limitExcess > 0 ? 1 : 0;
        ++m_made.statuses[statusName(status)];
        m_errors.push_back(judgement.positionError);
        m_made.largestPositionError = std::max(m_made.largestPositionError, judgement.positionError);
        m_made.largestRotationError = std::max(m_made.largestRotationError, judgement.rotationError);
        constexpr double kAtLimit = 1e-6; // [rad] or [m]
        for (const SolverProblem::Joint& joint : m_problem.joints) {
            if (joint.dof < 0) continue;
            const double q = answer.q[static_cast<std::size_t>(joint.dof)];
            m_made.limitHits += q <= joint.lower + kAtLimit || q >= joint.upper - kAtLimit ? 1 : 0;
        }
        if (m_problem.isTrajectory && !m_made.answers.empty()) {
            const std::vector<double>& before = m_made.answers.back().q;
            double step = m_made.largestStep.value_or(0);
            for (std::size_t i = 0; i < before.size(); ++i) step = std::max(step, std::abs(answer.q[i] - before[i]));
            m_made.largestStep = step;
        }
        m_made.answers.push_back(std::move(answer));
    }

    const SolverProblem& m_problem;
    SolverProblemModel m_model;
    Benchmark& m_made;
    std::vector<double> m_start, m_seed, m_q, m_errors;
    sdk::Model m_view;
    sdk::Problem m_input;
    sdk::Stop m_stop;
};

std::vector<double> timesOf(const Benchmark& benchmark)
{
    std::vector<double> times;
    for (const SolverProblemAnswer& answer : benchmark.answers) times.push_back(answer.microseconds);
    return times;
}

} // namespace

double Benchmark::medianMicroseconds() const { return percentile(timesOf(*this), 0.5); }

double Benchmark::highMicroseconds() const { return percentile(timesOf(*this), 0.95); }

double Benchmark::medianIterations() const
{
    std::vector<double> iterations;
    for (const SolverProblemAnswer& answer : answers) iterations.push_back(answer.iterations);
    return percentile(std::move(iterations), 0.5);
}

Result<Benchmark> runBenchmark(const SolverProblem& problem, const BenchmarkRequest& request,
                               const SolverRegistry& registry, const std::function<void(double)>& progress,
                               const std::atomic<bool>* cancelled)
{
    const auto makeSolver = [&]() -> Result<std::unique_ptr<sdk::Solver>> {
        auto made = registry.create(request.solver);
        if (!made) return made;
        if (const auto set = setParameters(**made, *registry.find(request.solver), request.parameters); !set)
            return set.error();
        return made;
    };
    auto solver = makeSolver();
    if (!solver) return solver.error();
    const SolverInfo& info = *registry.find(request.solver);
    Benchmark made;
    made.problem = problem.name;
    made.solver = info.alias;
    made.start = startOf(request.seed, problem);
    made.dofCount = problem.dofCount();
    made.hasRates = std::any_of(problem.joints.begin(), problem.joints.end(), [](const SolverProblem::Joint& joint) {
        return std::isfinite(joint.velocity) || std::isfinite(joint.acceleration);
    });
    if (made.start == Benchmark::Start::Clip && !problem.isTrajectory)
        return Error{ErrorCode::InvalidArgument, "the cases are not the frames of a trajectory; use --seed reset",
                     problem.file};

    BenchmarkRun run(problem, info.moves("ball"), made);
    const auto prepared = run.prepare(**solver, request);
    if (const auto fault = registry.fault(request.solver)) return *fault;
    if (!prepared) return prepared.error();
    const auto isCancelled = [&] { return cancelled != nullptr && *cancelled; };
    if (made.start == Benchmark::Start::Clip) {
        // The first solver has been made and prepared: others can be.
        const auto solved = run.solveAsClip(
            [&](const sdk::Model& model) {
                auto another = *makeSolver();
                (void)another->prepare(model, static_cast<std::int32_t>(problem.goals.size()));
                return another;
            },
            cancelled);
        if (const auto fault = registry.fault(request.solver)) return *fault;
        if (!solved) return solved.error().within(problem.file);
    }
    for (std::size_t i = 0; i < problem.cases.size() && made.start != Benchmark::Start::Clip && !isCancelled(); ++i) {
        const auto solved = run.solve(**solver, problem.cases[i], cancelled);
        // An untrue answer is none: the case is unsolved, and so are those that the disabled plugin is given then.
        const auto fault = registry.fault(request.solver);
        if (fault && fault->code != ErrorCode::InvalidArgument) return *fault;
        if (!solved) return solved.error().within(problem.file);
        if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(problem.cases.size()));
    }
    if (isCancelled()) return Error{ErrorCode::Cancelled, "stopped", info.alias};
    run.finish();
    made.fault = registry.fault(request.solver);
    return made;
}

QJsonObject benchmarkReport(const Benchmark& benchmark)
{
    QJsonObject statuses;
    for (const auto& [name, count] : benchmark.statuses)
        statuses.insert(QString::fromStdString(name), static_cast<qint64>(count));
    QJsonObject json{{QStringLiteral("problem"), QString::fromStdString(benchmark.problem)},
                     {QStringLiteral("solver"), QString::fromStdString(benchmark.solver)},
                     {QStringLiteral("seed"), QString::fromLatin1(nameOf(benchmark.start))},
                     {QStringLiteral("cases"), static_cast<qint64>(benchmark.answers.size())},
                     {QStringLiteral("solved"), static_cast<qint64>(benchmark.solved)},
                     {QStringLiteral("limitViolations"), static_cast<qint64>(benchmark.beyondLimits)},
                     {QStringLiteral("limitHits"), static_cast<qint64>(benchmark.limitHits)},
                     {QStringLiteral("largestPositionError"), benchmark.largestPositionError},
                     {QStringLiteral("medianPositionError"), benchmark.medianPositionError},
                     {QStringLiteral("largestRotationError"), benchmark.largestRotationError},
                     {QStringLiteral("medianMicroseconds"), benchmark.medianMicroseconds()},
                     {QStringLiteral("p95Microseconds"), benchmark.highMicroseconds()},
                     {QStringLiteral("medianIterations"), benchmark.medianIterations()},
                     {QStringLiteral("statuses"), statuses}};
    if (benchmark.largestStep) json.insert(QStringLiteral("largestStep"), *benchmark.largestStep);
    const bool isClip = benchmark.start == Benchmark::Start::Clip;
    if (isClip) {
        json.insert(QStringLiteral("jumps"), static_cast<qint64>(benchmark.jumps.size()));
        QJsonArray frames;
        for (const ClipJump& jump : benchmark.jumps)
            frames.append(QJsonObject{{QStringLiteral("first"), jump.frame},
                                      {QStringLiteral("last"), jump.last},
                                      {QStringLiteral("degrees"), jump.size * kDegrees},
                                      {QStringLiteral("dof"), jump.dof},
                                      {QStringLiteral("reason"), QLatin1StringView(jumpReasonName(jump.reason))}});
        json.insert(QStringLiteral("jumpsAt"), frames);
        QJsonArray far;
        for (const int frame : benchmark.farSteps) far.append(frame);
        json.insert(QStringLiteral("farSteps"), far);
    }
    if (isClip && benchmark.hasRates) {
        json.insert(QStringLiteral("speeds"), static_cast<qint64>(benchmark.hastes));
        json.insert(QStringLiteral("timeStretch"), benchmark.timeStretch);
    }
    return json;
}

std::string benchmarkReportText(const Benchmark& benchmark)
{
    return QJsonDocument(benchmarkReport(benchmark)).toJson().toStdString();
}

std::string benchmarkCsv(const Benchmark& benchmark)
{
    return solverProblemResult(benchmark.dofCount, benchmark.answers);
}

} // namespace tendon

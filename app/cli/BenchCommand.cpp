#include "app/cli/BenchCommand.h"

#include "app/cli/Progress.h"
#include "app/cli/Solvers.h"
#include "core/base/Counted.h"
#include "core/clip/AnswerSpace.h"
#include "core/clip/ClipSolver.h"
#include "core/conformance/SolverProblemClip.h"
#include "core/io/base/FileStage.h"
#include "core/io/base/Files.h"
#include "core/math/Degrees.h"
#include "core/solve/AnswerStatus.h"
#include "core/solve/StatusNames.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>

namespace tendon::cli {

namespace {

const FileStage::Kinds kResultKinds = {".csv"};

double percentile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

/// "NAME=VALUE" settings as the solver's parameters.
Result<std::map<std::string, double>> parseSettings(const SolverInfo& info, const std::vector<std::string>& settings)
{
    std::map<std::string, double> values;
    for (const std::string& setting : settings) {
        const std::size_t sign = setting.find('=');
        if (sign == std::string::npos)
            return Error{ErrorCode::InvalidArgument, "must be NAME=VALUE", "--set " + setting};
        const std::string name = setting.substr(0, sign);
        const SolverParameter* parameter = info.parameter(name);
        if (!parameter) {
            std::string known;
            for (const SolverParameter& each : info.parameters) known += (known.empty() ? "" : ", ") + each.id;
            return Error{ErrorCode::NotFound,
                         "solver '" + info.alias + "' has no such parameter; it has " +
                             (known.empty() ? "none" : known),
                         "--set " + setting};
        }
        const auto value = parseParameter(*parameter, std::string_view(setting).substr(sign + 1));
        if (!value) return value.error().within("--set");
        values[name] = *value;
    }
    return values;
}

struct Tally
{
    std::size_t solved = 0;
    std::size_t limitViolations = 0;
    std::map<std::string, std::size_t> statuses;
};

/// Where the cases are solved from (--seed).
enum class Start {
    Reset, ///< the problem's start, with a search
    Warm,  ///< the answer before
    Clip,  ///< all at once, as the frames of a clip
};

Start startOf(const std::string& seed, const SolverProblem& problem)
{
    if (seed == "clip") return Start::Clip;
    return seed == "warm" || (seed.empty() && problem.isTrajectory) ? Start::Warm : Start::Reset;
}

const char* nameOf(Start start) { return start == Start::Clip ? "clip" : start == Start::Warm ? "warm" : "reset"; }

/// One solver on one problem.
class Bench
{
public:
    Bench(const SolverProblem& problem, bool withBalls, bool isWarm)
        : m_problem(problem), m_model(problem, withBalls), m_isWarm(isWarm)
    {
        m_start = m_model.toSolver(problem.start);
        m_seed = m_start;
        m_q = m_start;
    }

    Tally tally;
    std::vector<SolverProblemAnswer> answers;
    std::vector<ClipJump> jumps; ///< of a clip
    std::vector<int> farSteps;   ///< frames of a clip to which a step leads that is far longer than its others
    std::size_t hastes = 0;      ///< rows of frames of a clip at which a joint is beyond a velocity or an acceleration
    double timeStretch = 1;      ///< the largest that one of them asks for

    Result<void> prepare(sdk::Solver& solver, const BenchArguments& arguments)
    {
        m_view = m_model.model();
        const sdk::Status status = solver.prepare(m_view, static_cast<std::int32_t>(m_problem.goals.size()));
        if (status != sdk::Status::Converged)
            return Error{ErrorCode::Unsupported,
                         std::string("the solver does not support this mechanism: ") + statusName(status),
                         arguments.problem};
        m_input.base = m_model.base();
        m_input.search = m_isWarm ? sdk::Search::Follow : sdk::Search::Find;
        m_stop.maxIterations = arguments.maxIterations;
        m_stop.maxStarts = arguments.maxStarts;
        m_stop.maxSeconds = m_problem.maxSeconds;
        m_input.stop = &m_stop;
        return {};
    }

    Result<void> solve(sdk::Solver& solver, const SolverProblem::Case& wanted)
    {
        using Clock = std::chrono::steady_clock;
        const std::vector<sdk::Goal> goals = m_model.goals(wanted);
        m_q = m_seed;
        m_input.seed = m_seed;
        m_input.posture = m_start;
        m_input.goals = goals;
        sdk::Solution solution;
        solution.q = m_q;
        const auto begin = Clock::now();
        sdk::Status status = solver.solve(m_input, {}, solution);
        const std::chrono::duration<double, std::micro> elapsed = Clock::now() - begin;
        if (isRefused(status)) return refusal(status, wanted);

        status = answerStatus(status, m_q);
        if (status == sdk::Status::NumericalFailure) m_q = m_seed; // there is no answer

        answers.push_back({wanted.number, elapsed.count(), solution.iterations, m_model.toFile(m_q)});
        count(wanted, status);
        if (m_isWarm && sdk::isUsable(status)) m_seed = m_q;
        return {};
    }

    /// All cases as the frames of one clip. Each answer's time is the whole clip's, divided by its frames.
    Result<void> solveAsClip(const std::function<std::unique_ptr<sdk::Solver>(const sdk::Model&)>& makeSolver)
    {
        using Clock = std::chrono::steady_clock;
        SolverProblemClip clip(m_problem, m_model, makeSolver);
        clip.stop = m_stop;
        const auto begin = Clock::now();
        const ClipAnswer answer = solveClip(clip.task);
        const std::chrono::duration<double, std::micro> elapsed = Clock::now() - begin;
        jumps = answer.jumps;
        farSteps = farStepsOf(clip.task, answer);
        hastes = answer.hastes.size();
        for (const ClipHaste& haste : answer.hastes) timeStretch = std::max(timeStretch, haste.stretch);
        for (std::size_t i = 0; i < m_problem.cases.size(); ++i) {
            const SolverProblem::Case& wanted = m_problem.cases[i];
            if (isRefused(answer.statuses[i])) return refusal(answer.statuses[i], wanted);
            const double each = elapsed.count() / static_cast<double>(m_problem.cases.size());
            answers.push_back({wanted.number, each, 0, clip.inFile(answer, i)});
            count(wanted, answer.statuses[i]);
        }
        return {};
    }

private:
    /// Those over three times what nine of ten are.
    [[nodiscard]] static std::vector<int> farStepsOf(const ClipTask& task, const ClipAnswer& answer)
    {
        const AnswerSpace space(task.model, task.problem(0).base);
        std::vector<double> steps;
        for (int t = 1; t < task.frameCount; ++t) {
            const double* q = answer.q.data() + static_cast<std::size_t>(t) * space.coordinates();
            steps.push_back(space.largest(q - space.coordinates(), q));
        }
        std::vector<int> frames;
        if (steps.empty()) return frames;
        const double most = 3 * percentile(steps, 0.9);
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i] > most) frames.push_back(static_cast<int>(i) + 1);
        return frames;
    }

    [[nodiscard]] static bool isRefused(sdk::Status status)
    {
        return status == sdk::Status::Unsupported || status == sdk::Status::InvalidProblem;
    }
    [[nodiscard]] static Error refusal(sdk::Status status, const SolverProblem::Case& wanted)
    {
        return {ErrorCode::Unsupported, std::string("the solver refuses the problem: ") + statusName(status),
                "case " + std::to_string(wanted.number)};
    }

    void count(const SolverProblem::Case& wanted, sdk::Status status)
    {
        const SolverProblem::Judgement judgement = m_problem.judge(answers.back().q, wanted);
        tally.solved += m_problem.isSolved(judgement) ? 1 : 0;
        tally.limitViolations += judgement.limitExcess > 0 ? 1 : 0;
        ++tally.statuses[statusName(status)];
    }

    const SolverProblem& m_problem;
    SolverProblemModel m_model;
    bool m_isWarm;
    std::vector<double> m_start, m_seed, m_q;
    sdk::Model m_view;
    sdk::Problem m_input;
    sdk::Stop m_stop;
};

void report(const Cli& cli, const SolverProblem& problem, const SolverInfo& info, const Bench& bench, Start start)
{
    std::vector<double> times, iterations;
    for (const SolverProblemAnswer& answer : bench.answers) {
        times.push_back(answer.microseconds);
        iterations.push_back(answer.iterations);
    }
    const auto cases = bench.answers.size();
    const double share = static_cast<double>(bench.tally.solved) / static_cast<double>(cases);
    const double median = percentile(times, 0.5), high = percentile(times, 0.95);
    if (cli.json) {
        QJsonObject statuses;
        for (const auto& [name, count] : bench.tally.statuses)
            statuses.insert(QString::fromStdString(name), static_cast<qint64>(count));
        QJsonObject json{{QStringLiteral("problem"), QString::fromStdString(problem.name)},
                         {QStringLiteral("solver"), QString::fromStdString(info.alias)},
                         {QStringLiteral("seed"), QString::fromLatin1(nameOf(start))},
                         {QStringLiteral("cases"), static_cast<qint64>(cases)},
                         {QStringLiteral("solved"), static_cast<qint64>(bench.tally.solved)},
                         {QStringLiteral("limitViolations"), static_cast<qint64>(bench.tally.limitViolations)},
                         {QStringLiteral("medianMicroseconds"), median},
                         {QStringLiteral("p95Microseconds"), high},
                         {QStringLiteral("medianIterations"), percentile(iterations, 0.5)},
                         {QStringLiteral("statuses"), statuses}};
        if (start == Start::Clip) {
            json.insert(QStringLiteral("jumps"), static_cast<qint64>(bench.jumps.size()));
            QJsonArray frames;
            for (const ClipJump& jump : bench.jumps)
                frames.append(QJsonObject{{QStringLiteral("first"), jump.frame},
                                          {QStringLiteral("last"), jump.last},
                                          {QStringLiteral("degrees"), jump.size * kDegrees},
                                          {QStringLiteral("dof"), jump.dof},
                                          {QStringLiteral("reason"), QLatin1StringView(jumpReasonName(jump.reason))}});
            json.insert(QStringLiteral("jumpsAt"), frames);
            QJsonArray far;
            for (const int frame : bench.farSteps) far.append(frame);
            json.insert(QStringLiteral("farSteps"), far);
        }
        const bool hasRates = std::any_of(problem.joints.begin(), problem.joints.end(), [](const auto& joint) {
            return std::isfinite(joint.velocity) || std::isfinite(joint.acceleration);
        });
        if (start == Start::Clip && hasRates) {
            json.insert(QStringLiteral("speeds"), static_cast<qint64>(bench.hastes));
            json.insert(QStringLiteral("timeStretch"), bench.timeStretch);
        }
        printJson(json);
        return;
    }
    char line[256];
    std::snprintf(line, sizeof line,
                  "%s, %s: %zu of %zu solved (%.2f %%), %zu beyond limits; %.1f us median, %.1f us 95th percentile, %g "
                  "iterations median\n",
                  problem.name.c_str(), info.alias.c_str(), bench.tally.solved, cases, 100 * share,
                  bench.tally.limitViolations, median, high, percentile(iterations, 0.5));
    print(line);
    if (start == Start::Clip && !bench.jumps.empty())
        print("The clip jumps " + counted(bench.jumps.size(), "time", "times") + ", first at frame " +
              std::to_string(bench.jumps.front().frame) + "\n");
    if (start == Start::Clip && !bench.farSteps.empty())
        print(counted(bench.farSteps.size(), "step is", "steps are") +
              " over three times as long as nine of ten, the first at frame " + std::to_string(bench.farSteps.front()) +
              "\n");
    if (start == Start::Clip && bench.hastes > 0)
        print("Joints exceed their speeds in " + std::to_string(bench.hastes) +
              (bench.hastes == 1 ? " place" : " places") + "; the time would have to be " +
              QString::number(bench.timeStretch, 'g', 4).toStdString() + " times as long\n");
}

} // namespace

Exit runBench(const Cli& cli, const BenchArguments& arguments)
{
    const SolverRegistry& registry = solvers(cli);
    auto solver = registry.create(arguments.solver);
    if (!solver) return fail(solver.error());
    const SolverInfo& info = *registry.find(arguments.solver);
    const auto settings = parseSettings(info, arguments.settings);
    if (!settings) return fail(settings.error());
    if (const auto set = setParameters(**solver, info, *settings); !set) return fail(set.error());

    auto problem = readSolverProblem(arguments.problem);
    if (!problem) return fail(problem.error());
    if (arguments.maxCases > 0 && problem->cases.size() > static_cast<std::size_t>(arguments.maxCases))
        problem->cases.resize(static_cast<std::size_t>(arguments.maxCases));

    FileStage stage;
    for (const std::string& input : {arguments.problem, problem->casesFile}) stage.keep(input, "a file of the problem");
    if (const auto free = stage.check(arguments.output, kResultKinds); !free) return fail(free.error());

    const Start start = startOf(arguments.seed, *problem);
    if (start == Start::Clip && !problem->isTrajectory)
        return fail({ErrorCode::InvalidArgument, "the cases are not the frames of a trajectory; use --seed reset",
                     arguments.problem});
    Bench bench(*problem, info.moves("ball"), start == Start::Warm);
    const auto prepared = bench.prepare(**solver, arguments);
    if (const auto fault = registry.fault(arguments.solver)) return fail(*fault);
    if (!prepared) return fail(prepared.error());
    if (start == Start::Clip) {
        // The first solver has been made and prepared: others can be.
        const auto solved = bench.solveAsClip([&](const sdk::Model& model) {
            auto made = *registry.create(arguments.solver);
            (void)setParameters(*made, info, *settings);
            (void)made->prepare(model, static_cast<std::int32_t>(problem->goals.size()));
            return made;
        });
        if (const auto fault = registry.fault(arguments.solver)) return fail(*fault);
        if (!solved) return fail(solved.error().within(arguments.problem));
    } else {
        Progress progress(cli, "Solving " + problem->name);
        for (std::size_t i = 0; i < problem->cases.size(); ++i) {
            const auto solved = bench.solve(**solver, problem->cases[i]);
            // An untrue answer is none: the case is unsolved, and so are those that the disabled plugin is given then.
            const auto fault = registry.fault(arguments.solver);
            if (fault && fault->code != ErrorCode::InvalidArgument) return fail(*fault);
            if (!solved) return fail(solved.error().within(arguments.problem));
            progress.set(static_cast<double>(i + 1) / static_cast<double>(problem->cases.size()));
        }
    }
    const auto staged = stage.write(
        arguments.output,
        [&](const std::string& file) {
            return writePlainFile(file, solverProblemResult(problem->dofCount(), bench.answers));
        },
        kResultKinds);
    if (!staged) return fail(staged.error());
    if (const auto written = stage.commit(); !written) return fail(written.error());
    noteWritten(cli, arguments.output);
    if (const auto fault = registry.fault(arguments.solver)) (void)fail(*fault); // named; the report counts the rest
    report(cli, *problem, info, bench, start);
    return bench.tally.solved == bench.answers.size() ? Exit::Done : Exit::DoneWithFindings;
}

void addBenchCommand(CLI::App& app, Cli& cli)
{
    const auto arguments = std::make_shared<BenchArguments>();
    CLI::App* command = addCommand(app, cli, "bench", "Solve every case of a solver problem and write the answers",
                                   [&cli, arguments] { return runBench(cli, *arguments); });
    command
        ->add_option("--problem", arguments->problem,
                     "Problem to solve: NAME.json, with its cases beside it in NAME.csv")
        ->required();
    command->add_option("--solver", arguments->solver, "Alias or id of a solver; `tendon plugins` lists the solvers")
        ->required();
    command->add_option("--set", arguments->settings, "Parameter of the solver, NAME=VALUE; may be repeated")
        ->allow_extra_args(false);
    command
        ->add_option(
            "--seed", arguments->seed,
            "reset: start every case from the problem's start pose, and search; warm: start from the previous answer, "
            "without a search; clip: solve a trajectory as one clip (default: warm for trajectories, otherwise reset)")
        ->check(CLI::IsMember({"reset", "warm", "clip"}));
    command->add_option("-o,--output", arguments->output, "CSV file for the answers")->required();
    command->add_option("--iterations", arguments->maxIterations, "Maximum number of iterations per case")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--starts", arguments->maxStarts, "Maximum number of starts per case, with --seed reset")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--cases", arguments->maxCases, "Solve only the first N cases")
        ->check(CLI::Range(1, 1'000'000'000));
}

} // namespace tendon::cli

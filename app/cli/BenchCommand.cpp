#include "app/cli/BenchCommand.h"

#include "app/cli/Progress.h"
#include "app/cli/Solvers.h"
#include "core/base/Counted.h"
#include "core/conformance/Benchmark.h"
#include "core/io/base/FileStage.h"
#include "core/io/base/Files.h"

#include <CLI/CLI.hpp>

#include <QString>

#include <cstdio>
#include <map>
#include <memory>

namespace tendon::cli {

namespace {

const FileStage::Kinds kResultKinds = {".csv"};

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

void report(const Cli& cli, const Benchmark& bench)
{
    if (cli.json) {
        printJson(benchmarkReport(bench));
        return;
    }
    const auto cases = bench.answers.size();
    const double share = static_cast<double>(bench.solved) / static_cast<double>(cases);
    char line[256];
    std::snprintf(line, sizeof line,
                  "%s, %s: %zu of %zu solved (%.2f %%), %zu beyond limits; %.1f us median, %.1f us 95th percentile, %g "
                  "iterations median\n",
                  bench.problem.c_str(), bench.solver.c_str(), bench.solved, cases, 100 * share, bench.beyondLimits,
                  bench.medianMicroseconds(), bench.highMicroseconds(), bench.medianIterations());
    print(line);
    if (!bench.jumps.empty())
        print("The clip jumps " + counted(bench.jumps.size(), "time", "times") + ", first at frame " +
              std::to_string(bench.jumps.front().frame) + "\n");
    if (!bench.farSteps.empty())
        print(counted(bench.farSteps.size(), "step is", "steps are") +
              " over three times as long as nine of ten, the first at frame " + std::to_string(bench.farSteps.front()) +
              "\n");
    if (bench.hastes > 0)
        print("Joints exceed their speeds in " + std::to_string(bench.hastes) +
              (bench.hastes == 1 ? " place" : " places") + "; the time would have to be " +
              QString::number(bench.timeStretch, 'g', 4).toStdString() + " times as long\n");
}

} // namespace

Exit runBench(const Cli& cli, const BenchArguments& arguments)
{
    const SolverRegistry& registry = solvers(cli);
    BenchmarkRequest request{.solver = arguments.solver,
                             .seed = arguments.seed,
                             .maxIterations = arguments.maxIterations,
                             .maxStarts = arguments.maxStarts};
    if (const auto made = registry.create(arguments.solver); !made) return fail(made.error());
    auto settings = parseSettings(*registry.find(arguments.solver), arguments.settings);
    if (!settings) return fail(settings.error());
    request.parameters = *std::move(settings);

    auto problem = readSolverProblem(arguments.problem);
    if (!problem) return fail(problem.error());
    if (arguments.maxCases > 0 && problem->cases.size() > static_cast<std::size_t>(arguments.maxCases))
        problem->cases.resize(static_cast<std::size_t>(arguments.maxCases));

    FileStage stage;
    for (const std::string& input : {arguments.problem, problem->casesFile}) stage.keep(input, "a file of the problem");
    if (const auto free = stage.check(arguments.output, kResultKinds); !free) return fail(free.error());

    const auto bench = [&] {
        Progress progress(cli, "Solving " + problem->name);
        return runBenchmark(*problem, request, registry, [&](double done) { progress.set(done); });
    }();
    if (!bench) return fail(bench.error());
    const auto staged = stage.write(
        arguments.output, [&](const std::string& file) { return writePlainFile(file, benchmarkCsv(*bench)); },
        kResultKinds);
    if (!staged) return fail(staged.error());
    if (const auto written = stage.commit(); !written) return fail(written.error());
    noteWritten(cli, arguments.output);
    if (bench->fault) (void)fail(*bench->fault); // named; the report counts the rest
    report(cli, *bench);
    return bench->solved == bench->answers.size() ? Exit::Done : Exit::DoneWithFindings;
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

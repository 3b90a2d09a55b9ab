/// bench_table [--csv FILE] [--sets FOLDER] [--plugins FOLDER] [--seconds S] [--only TEXT] [--smoke]
///
/// Solves every problem set with every solver found, and with Orocos KDL if it is installed; prints one table and
/// writes it as CSV. The sets' own kinematics (core/conformance/SolverProblemFile) judge the answers, not the solvers'
/// reports.
#include "tests/bench/Contestant.h"
#include "tests/bench/OwnSets.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <numbers>

using namespace tendon;
using namespace tendon::bench;

namespace {

using Clock = std::chrono::steady_clock;

struct Options
{
    std::string csv, only;
    std::vector<std::string> sets, plugins;
    double seconds = 240; ///< limit for the whole run
    bool isSmoke = false; ///< our own sets with a few cases
};

double percentile(std::vector<double> values, double share)
{
    if (values.empty()) return NAN;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5))];
}

/// The results of one contestant on one set.
struct Figures
{
    std::string problem, solver, refusal;
    std::size_t cases = 0, of = 0, stride = 1, solved = 0, beyondLimits = 0;
    std::vector<double> microseconds, iterations, allocations, steps, history; ///< steps, history [deg]
};

/// [deg] The largest rotation of a bone relative to its parent between two configurations. Compares rotations, because
/// a ball joint's three angles can jump.
double largestTurn(const SolverProblem& problem, const std::vector<double>& a, const std::vector<double>& b)
{
    const auto poseA = problem.forwardKinematics(a), poseB = problem.forwardKinematics(b);
    std::vector<std::int32_t> carrier(problem.joints.size()); // the last joint of the parent bone of each joint's bone
    double largest = 0;
    for (std::size_t j = 0; j < problem.joints.size(); ++j) {
        const SolverProblem::Joint& joint = problem.joints[j];
        const auto parent = static_cast<std::size_t>(joint.parent);
        const bool goesOn = joint.parent >= 0 && !joint.bone.empty() && problem.joints[parent].bone == joint.bone;
        carrier[j] = goesOn ? carrier[parent] : joint.parent;
        const auto local = [&](const std::vector<SolverProblem::Target>& pose) -> Quaternion {
            if (carrier[j] < 0) return pose[j].rotation;
            return pose[static_cast<std::size_t>(carrier[j])].rotation.conjugate() * pose[j].rotation;
        };
        largest = std::max(largest, local(poseA).angularDistance(local(poseB)) * 180 / std::numbers::pi);
    }
    return largest;
}

/// The maximum number of cases of a cold set, evenly spread: fewer for larger mechanisms. Paths are solved completely.
std::size_t strideOf(const SolverProblem& problem, bool isSmoke)
{
    if (problem.isTrajectory) return 1;
    const std::size_t most = isSmoke                    ? 3
                             : problem.dofCount() > 600 ? 10
                             : problem.dofCount() > 200 ? 50
                             : problem.dofCount() > 40  ? 100
                                                        : 400;
    return std::max<std::size_t>(1, (problem.cases.size() + most - 1) / most);
}

Figures run(Contestant& contestant, const SolverProblem& problem, const Options& options, double seconds)
{
    Figures figures;
    figures.problem = problem.name;
    figures.solver = contestant.name();
    figures.of = problem.cases.size();
    figures.stride = strideOf(problem, options.isSmoke);
    if (const auto prepared = contestant.prepare(problem); !prepared) {
        figures.refusal = prepared.error().message;
        return figures;
    }
    const std::size_t count = options.isSmoke && problem.isTrajectory ? 10 : problem.cases.size();
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; i += figures.stride) order.push_back(i);
    const std::size_t forward = order.size();
    if (problem.isTrajectory) // forward and backward: the same targets with another history
        for (std::size_t i = count; i-- > 0;) order.push_back(i);

    const auto begin = Clock::now();
    std::vector<std::vector<double>> answers;
    std::vector<double> seed = problem.start;
    for (std::size_t k = 0; k < order.size(); ++k) {
        Answer answer;
        const SolverProblem::Case& wanted = problem.cases[order[k]];
        if (const auto solved = contestant.solve(wanted, seed, problem.isTrajectory, answer); !solved) {
            figures.refusal = solved.error().message;
            return figures;
        }
        if (problem.isTrajectory &&
            std::all_of(answer.q.begin(), answer.q.end(), [](double x) { return std::isfinite(x); }))
            seed = answer.q;
        if (k < forward) {
            const SolverProblem::Judgement judgement = problem.judge(answer.q, wanted);
            ++figures.cases;
            figures.solved += problem.isSolved(judgement) ? 1 : 0;
            figures.beyondLimits += judgement.limitExcess <= 1e-6 ? 0 : 1; // also NaN
            figures.microseconds.push_back(answer.seconds * 1e6);
            figures.iterations.push_back(answer.iterations);
            figures.allocations.push_back(static_cast<double>(answer.allocations));
            if (problem.isTrajectory && k > 0) figures.steps.push_back(largestTurn(problem, answer.q, answers.back()));
        } else {
            figures.history.push_back(largestTurn(problem, answer.q, answers[2 * forward - 1 - k]));
        }
        answers.push_back(std::move(answer.q));
        if (std::chrono::duration<double>(Clock::now() - begin).count() > seconds) break;
    }
    return figures;
}

std::string number(double value)
{
    if (!std::isfinite(value)) return "-";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, value >= 1000 ? "%.0f" : value >= 10 ? "%.1f" : "%.3g", value);
    return buffer;
}

constexpr const char* kColumns[] = {"solved %",     "beyond limits", "median us",   "p95 us",      "iterations",
                                    "step p99 deg", "step max deg",  "history deg", "allocations", "cases"};

std::vector<std::string> cells(const Figures& f)
{
    const auto cases = static_cast<double>(f.cases);
    std::string tried = std::to_string(f.cases) + "/" + std::to_string(f.of);
    return {number(100 * static_cast<double>(f.solved) / cases),
            std::to_string(f.beyondLimits),
            number(percentile(f.microseconds, 0.5)),
            number(percentile(f.microseconds, 0.95)),
            number(percentile(f.iterations, 0.5)),
            number(percentile(f.steps, 0.99)),
            number(percentile(f.steps, 1)),
            number(percentile(f.history, 0.5)),
            number(percentile(f.allocations, 0.5)),
            tried};
}

void printHead()
{
    std::printf("%-30s %-10s", "problem", "solver");
    for (const char* column : kColumns) std::printf(" %13s", column);
    std::printf("\n");
}

void print(const Figures& f)
{
    std::printf("%-30s %-10s", f.problem.c_str(), f.solver.c_str());
    if (f.refusal.empty())
        for (const std::string& cell : cells(f)) std::printf(" %13s", cell.c_str());
    else
        std::printf("       %s", f.refusal.starts_with("refuses") || f.refusal.starts_with("left out")
                                     ? f.refusal.c_str()
                                     : ("refuses: " + f.refusal).c_str());
    std::printf("\n");
    std::fflush(stdout);
}

bool writeCsv(const std::string& path, const std::vector<Figures>& all)
{
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (!file) return false;
    std::fprintf(file, "problem,solver,cases,of,stride,solved_pct,limit_violations,us_median,us_p95,iterations_median,"
                       "step_p99_deg,step_max_deg,history_median_deg,"
                       "history_max_deg,allocations_median,refusal\n");
    for (const Figures& f : all) {
        std::fprintf(file, "\"%s\",\"%s\",%zu,%zu,%zu,", f.problem.c_str(), f.solver.c_str(), f.cases, f.of, f.stride);
        if (f.cases == 0)
            std::fprintf(file, ",,,,,,,,,,");
        else {
            std::fprintf(file, "%.2f,%zu", 100.0 * static_cast<double>(f.solved) / static_cast<double>(f.cases),
                         f.beyondLimits);
            for (const double value :
                 {percentile(f.microseconds, 0.5), percentile(f.microseconds, 0.95), percentile(f.iterations, 0.5),
                  percentile(f.steps, 0.99), percentile(f.steps, 1), percentile(f.history, 0.5),
                  percentile(f.history, 1), percentile(f.allocations, 0.5)})
                std::isfinite(value) ? std::fprintf(file, ",%.6g", value) : std::fprintf(file, ",");
            std::fprintf(file, ",");
        }
        std::fprintf(file, "%s\n", f.refusal.c_str());
    }
    return std::fclose(file) == 0;
}

std::vector<SolverProblem> allSets(const Options& options)
{
    std::vector<SolverProblem> sets = ownSets();
    for (const std::string& folder : options.sets)
        for (const QString& name :
             QDir(QString::fromStdString(folder)).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
            auto problem = readSolverProblem(folder + "/" + name.toStdString());
            if (problem)
                sets.push_back(*std::move(problem));
            else
                std::fprintf(stderr, "%s\n", problem.error().text().c_str());
        }
    std::erase_if(sets, [&options](const SolverProblem& problem) {
        return problem.name.find(options.only) == std::string::npos;
    });
    return sets;
}

bool parse(int argc, char** argv, Options& options)
{
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--smoke") {
            options.isSmoke = true;
            continue;
        }
        if (i + 1 == argc) return false;
        const std::string value = argv[++i];
        if (word == "--csv")
            options.csv = value;
        else if (word == "--sets")
            options.sets.push_back(value);
        else if (word == "--plugins")
            options.plugins.push_back(value);
        else if (word == "--only")
            options.only = value;
        else if (word == "--seconds")
            options.seconds = std::stod(value);
        else
            return false;
    }
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    Options options;
    if (!parse(argc, argv, options)) {
        std::fprintf(stderr, "usage: bench_table [--csv FILE] [--sets FOLDER] [--plugins FOLDER] [--only TEXT] "
                             "[--seconds S] [--smoke]\n");
        return 2;
    }
    SolverRegistry registry;
    if (options.plugins.empty())
        registry.scan();
    else
        registry.scan(options.plugins);
    for (const Issue& issue : registry.issues())
        std::fprintf(stderr, "%s: %s\n", issue.where.c_str(), issue.text.c_str());
    const auto solvers = contestants(registry);
    const std::vector<SolverProblem> sets = allSets(options);
    if (solvers.empty() || sets.empty()) {
        std::fprintf(stderr, "nothing to compare: %zu solvers, %zu problem sets\n", solvers.size(), sets.size());
        return 1;
    }
    // Each pair gets an equal share of the time; unused time goes to the following pairs.
    const auto begin = Clock::now();
    std::size_t left = solvers.size() * sets.size();
    std::vector<Figures> all;
    printHead();
    for (const SolverProblem& problem : sets)
        for (const auto& solver : solvers) {
            const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
            const double share = std::max(0.1, 1.5 * (options.seconds - spent) / static_cast<double>(left--));
            all.push_back(run(*solver, problem, options, share));
            print(all.back());
        }
    if (!options.csv.empty() && !writeCsv(options.csv, all)) {
        std::fprintf(stderr, "%s: cannot be written\n", options.csv.c_str());
        return 1;
    }
    return 0;
}

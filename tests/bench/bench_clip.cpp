/// bench_clip [--sets FOLDER] [--plugins FOLDER] [--seeds N] [--from N] [--only TEXT] [--clips] [--csv FILE]
///            [--plot FILE] [--smoke]
///
/// Trajectories solved by `dls` frame by frame from the start pose, from the answer before, as one clip, and
/// as the mouse drags goals; and by `nearest` frame by frame; independent cases solved cold; each beside Orocos KDL if
/// it is installed. Steps are the largest change of a DOF from frame to frame, as multiples of the same of the motion
/// that made the targets, at the 99th percentile. The sets' own kinematics judge the answers. Beside that, as one clip:
/// paths that come to one place again and again ("again": how far poses that ask the same are apart), and paths of arms
/// whose joints may be no faster than in the motion that made the targets ("speeds", of those given and of the first
/// seed: by how much the time would have to be stretched). Then what is promised of each, and the problem that was
/// worst at it. Times are of processors, so that what else the machine does hardly counts. --from: the first seed.
/// --only: paths whose names contain a text. --clips: clips alone, without speeds. --smoke: few cases, without KDL;
/// exit code 1 if a promise of clips, cold cases or places that are come to again is not kept.
#include "tests/bench/ClipRuns.h"
#include "tests/bench/Contestant.h"
#include "tests/bench/Figures.h"
#include "tests/bench/OwnSets.h"
#include "tests/bench/StepPlot.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>

using namespace tendon;
using namespace tendon::bench;

namespace {

constexpr const char *kSolver = "dls", *kNearest = "nearest";

void setTimes(std::vector<double> seconds, Figures& figures)
{
    figures.mean = 1e6 * std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    figures.median = 1e6 * *middle;
}

/// Every `stride`th case, from a seed that may depend on the answers before. `isWarm`: from nowhere else.
template <class SeedOf>
Figures runFrames(Contestant& contestant, const PathWithTruth& made, const std::string& way, bool isWarm,
                  const SeedOf& seedOf, std::size_t stride = 1)
{
    const SolverProblem& problem = made.problem;
    Figures figures = figuresOf(problem, way);
    if (const auto prepared = contestant.prepare(problem); !prepared) {
        figures.refusal = prepared.error().message;
        return figures;
    }
    Path path;
    std::vector<double> seconds;
    for (std::size_t i = 0; i < problem.cases.size(); i += stride) {
        Answer answer;
        const std::vector<double>& seed = seedOf(i, path);
        if (const auto solved = contestant.solve(problem.cases[i], seed, isWarm, answer); !solved) {
            figures.refusal = solved.error().message;
            return figures;
        }
        seconds.push_back(answer.seconds);
        judge(problem, problem.cases[i], answer.q, figures);
        path.push_back(std::move(answer.q));
    }
    setTimes(std::move(seconds), figures);
    if (problem.isTrajectory) judgeSteps(made, path, {}, figures);
    return figures;
}

/// Each from the start pose.
Figures runCold(Contestant& contestant, const PathWithTruth& made, const std::string& way, std::size_t stride = 1)
{
    const auto start = [&](std::size_t, const Path&) -> const std::vector<double>& { return made.problem.start; };
    return runFrames(contestant, made, way, false, start, stride);
}

/// Each from the answer before.
Figures runWarm(Contestant& contestant, const PathWithTruth& made, const std::string& way)
{
    const auto before = [&](std::size_t, const Path& path) -> const std::vector<double>& {
        return path.empty() ? made.problem.start : path.back();
    };
    return runFrames(contestant, made, way, true, before);
}

/// As the mouse drags goals: strokes of 60 moves, each solved from the clip's answer where its stroke begins, so that
/// the pose does not depend on the way there.
Figures runDrag(Contestant& contestant, const PathWithTruth& made, const Path& settled)
{
    constexpr std::size_t kMoves = 60;
    const auto grabbed = [&](std::size_t frame, const Path&) -> const std::vector<double>& {
        return settled[frame - frame % kMoves];
    };
    return runFrames(contestant, made, way::drag, false, grabbed);
}

/// The trajectories of a folder that have their motion beside them (NAME.truth.csv).
std::vector<PathWithTruth> givenPaths(const std::string& folder)
{
    std::vector<PathWithTruth> paths;
    const QDir dir(QString::fromStdString(folder));
    for (const QString& name : dir.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        QFile file(dir.filePath(name.chopped(5) + QStringLiteral(".truth.csv")));
        auto problem = readSolverProblem(dir.filePath(name).toStdString());
        if (!problem || !problem->isTrajectory || problem->isBallChain || !file.open(QIODevice::ReadOnly)) continue;
        PathWithTruth made{*std::move(problem), {}};
        (void)file.readLine(); // the head: case,q0,q1,...
        while (!file.atEnd()) {
            const QList<QByteArray> cells = file.readLine().trimmed().split(',');
            std::vector<double> q;
            for (qsizetype i = 1; i < cells.size(); ++i) q.push_back(cells[i].toDouble());
            if (q.size() == made.problem.dofCount()) made.truth.push_back(std::move(q));
        }
        if (made.truth.size() == made.problem.cases.size()) paths.push_back(std::move(made));
    }
    return paths;
}

/// Independent cases for the solvers of arms and figures: ours, and those of the folder.
std::vector<PathWithTruth> coldSets(const std::string& folder)
{
    std::vector<SolverProblem> sets = ownSets();
    const QDir dir(QString::fromStdString(folder));
    if (!folder.empty())
        for (const QString& name : dir.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
            if (auto problem = readSolverProblem(dir.filePath(name).toStdString())) sets.push_back(*std::move(problem));
    std::vector<PathWithTruth> cold;
    for (SolverProblem& problem : sets)
        if (!problem.isTrajectory && !problem.isBallChain) cold.push_back({std::move(problem), {}});
    return cold;
}

void print(const Figures& f)
{
    std::printf("%-36s %-15s", f.problem.c_str(), f.way.c_str());
    if (!f.refusal.empty())
        std::printf(" %s\n", f.refusal.c_str());
    else if (f.way == way::again)
        std::printf(" %9.2f %6zu %10.1f  equal ones are %.3g degrees apart (%g are promised), %zu jumps\n",
                    100 * static_cast<double>(f.solved) / static_cast<double>(f.frames), f.beyondLimits, f.mean,
                    f.apart, f.apartAllowed, f.jumps);
    else if (f.way == way::speeds)
        std::printf(" %9.2f %6zu %10.1f  %.4g times the time is needed\n",
                    100 * static_cast<double>(f.solved) / static_cast<double>(f.frames), f.beyondLimits, f.mean,
                    f.stretch);
    else if (f.isTrajectory)
        std::printf(" %9.2f %6zu %10.1f %10.1f %9.2f %9.2f %7zu\n",
                    100 * static_cast<double>(f.solved) / static_cast<double>(f.frames), f.beyondLimits, f.mean,
                    f.median, f.p99, f.largest, f.large);
    else
        std::printf(" %9.2f %6zu %10.1f %10.1f\n", 100 * static_cast<double>(f.solved) / static_cast<double>(f.frames),
                    f.beyondLimits, f.mean, f.median);
    std::fflush(stdout);
}

void print(const std::vector<Promise>& promises)
{
    std::printf("\n%-56s %10s %10s %-5s %s\n", "promise", "goal", "measured", "kept", "worst at");
    for (const Promise& each : promises)
        std::printf("%-56s %s%9.4g %10.4g %-5s %s\n", each.text.c_str(), each.isAtMost ? "<" : ">", each.goal,
                    each.measured, each.isKept() ? "yes" : "NO", each.problem.c_str());
}

bool write(const std::string& file, const std::string& text)
{
    QFile out(QString::fromStdString(file));
    return out.open(QIODevice::WriteOnly) && out.write(text.data(), static_cast<qint64>(text.size())) >= 0;
}

std::string csv(const std::vector<Figures>& all)
{
    std::string text = "problem,way,frames,solved,beyond_limits,us_per_frame,us_median,p99_of_truth,largest_of_truth,"
                       "over_3x\n";
    for (const Figures& f : all) {
        if (!f.refusal.empty()) continue;
        char line[256];
        std::snprintf(line, sizeof line, "\"%s\",\"%s\",%zu,%zu,%zu,%.6g,%.6g,%.6g,%.6g,%zu\n", f.problem.c_str(),
                      f.way.c_str(), f.frames, f.solved, f.beyondLimits, f.mean, f.median, f.p99, f.largest, f.large);
        text += line;
    }
    return text;
}

/// Of our own problems, so that the plot needs no other files.
std::vector<StepRow> rowsOf(const std::vector<Figures>& all)
{
    std::vector<StepRow> rows;
    for (const Figures& before : all)
        for (const Figures& after : all)
            if (before.problem.starts_with("own:") && before.problem == after.problem && before.way == way::alone &&
                after.way == way::clip)
                rows.push_back({before.problem, before.steps, after.steps});
    return rows;
}

struct Options
{
    std::string sets, plugins, csv, plot;
    std::string only;
    int seeds = 1, from = 1;
    bool isSmoke = false, isOfClips = false;
};

bool parse(int argc, char** argv, Options& options)
{
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--smoke") {
            options.isSmoke = true;
            continue;
        }
        if (word == "--clips") {
            options.isOfClips = true;
            continue;
        }
        if (i + 1 == argc) return false;
        const std::string value = argv[++i];
        if (word == "--sets")
            options.sets = value;
        else if (word == "--plugins")
            options.plugins = value;
        else if (word == "--csv")
            options.csv = value;
        else if (word == "--plot")
            options.plot = value;
        else if (word == "--seeds")
            options.seeds = std::stoi(value);
        else if (word == "--from")
            options.from = std::stoi(value);
        else if (word == "--only")
            options.only = value;
        else
            return false;
    }
    return true;
}

/// The given paths and others for their mechanisms, or ours.
std::vector<PathWithTruth> allPaths(const std::vector<PathWithTruth>& given, const Options& options)
{
    std::vector<PathWithTruth> all = given;
    for (int seed = options.from; seed < options.from + options.seeds; ++seed) {
        for (const PathWithTruth& like : given) all.push_back(otherPath(like, static_cast<std::uint64_t>(seed)));
        for (PathWithTruth& own : ownPaths(static_cast<std::uint64_t>(seed))) all.push_back(std::move(own));
    }
    return all;
}

/// Paths that come to one place again and again, for all mechanisms.
std::vector<PathWithTruth> allPathsAgain(const std::vector<PathWithTruth>& given, const Options& options)
{
    std::vector<PathWithTruth> likes = given;
    for (PathWithTruth& own : ownPaths(1)) {
        own.problem.name = own.problem.name.substr(0, own.problem.name.rfind(", seed"));
        likes.push_back(std::move(own));
    }
    likes.push_back(ownLimb());
    std::vector<PathWithTruth> all;
    for (int seed = options.from; seed < options.from + options.seeds; ++seed)
        for (const PathWithTruth& like : likes) all.push_back(againPath(like, static_cast<std::uint64_t>(seed)));
    return all;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    Options options;
    if (!parse(argc, argv, options)) {
        std::fprintf(stderr,
                     "usage: bench_clip [--sets FOLDER] [--plugins FOLDER] [--seeds N] [--from N] [--only TEXT] "
                     "[--clips] [--csv FILE] [--plot FILE] [--smoke]\n");
        return 2;
    }
    SolverRegistry registry;
    options.plugins.empty() ? registry.scan() : registry.scan({options.plugins});
    const auto solvers = contestants(registry);
    const auto named = [&](const std::string& name) -> Contestant* {
        for (const auto& each : solvers)
            if (each->name() == name) return each.get();
        return nullptr;
    };
    std::printf("%-36s %-15s %9s %6s %10s %10s %9s %9s %7s\n", "problem", "way", "solved %", "beyond", "us/frame",
                "median us", "p99 step", "largest", "over 3x");
    std::vector<Figures> all;
    const auto add = [&](Figures figures) {
        print(figures);
        all.push_back(std::move(figures));
    };
    const auto kdlOf = [&](const PathWithTruth& made) {
        return options.isSmoke ? nullptr : named(made.problem.goals.size() == 1 ? way::kdlArm : way::kdlTree);
    };
    const std::vector<PathWithTruth> given = options.sets.empty() ? std::vector<PathWithTruth>{}
                                                                  : givenPaths(options.sets);
    const auto isAsked = [&](const PathWithTruth& made) {
        return made.problem.name.find(options.only) != std::string::npos;
    };
    for (const PathWithTruth& made : allPaths(given, options)) {
        if (!isAsked(made)) continue;
        Path settled;
        if (!options.isOfClips) {
            add(runCold(*named(kSolver), made, way::alone));
            if (made.problem.goals.size() > 1) add(runCold(*named(kNearest), made, way::nearest));
            add(runWarm(*named(kSolver), made, way::warm));
        }
        add(runClip(registry, made, settled));
        // A figure's takes minutes.
        const bool isGivenOrFirst = made.problem.name.find(", seed ") == std::string::npos ||
                                    made.problem.name.ends_with(", seed " + std::to_string(options.from));
        if (!options.isSmoke && !options.isOfClips && isGivenOrFirst && made.problem.goals.size() == 1)
            add(runSpeeds(registry, made));
        if (options.isOfClips) continue;
        add(runDrag(*named(kSolver), made, settled));
        if (Contestant* kdl = kdlOf(made)) add(runWarm(*kdl, made, kdl->name()));
    }
    for (const PathWithTruth& made : allPathsAgain(given, options)) {
        if (!isAsked(made)) continue;
        add(runAgain(registry, kSolver, made));
        if (made.problem.goals.size() > 1 || made.problem.isBallChain) add(runAgain(registry, kNearest, made));
        if (made.problem.isBallChain) add(runAgain(registry, "fabrik", made));
    }
    for (const PathWithTruth& made : options.isOfClips ? std::vector<PathWithTruth>{} : coldSets(options.sets)) {
        if (!isAsked(made)) continue;
        const auto every = [&](std::size_t most) { return (made.problem.cases.size() + most - 1) / most; };
        add(runCold(*named(kSolver), made, way::cold, every(options.isSmoke ? 20 : 10'000)));
        if (Contestant* kdl = kdlOf(made))
            add(runCold(*kdl, made, kdl->name(), every(made.problem.goals.size() == 1 ? 1000 : 50)));
    }
    const std::vector<Promise> promises = promisesOf(all);
    print(promises);
    constexpr double kNearly = 1.05; // the few problems of the smoke test are hard ones
    const bool isGood = std::all_of(promises.begin(), promises.end(), [](const Promise& each) {
        const bool isNearly = each.isAtMost && each.measured <= kNearly * each.goal;
        return each.isKept() || isNearly || (each.way != way::clip && each.way != way::cold && each.way != way::again);
    });
    if (!options.csv.empty() && !write(options.csv, csv(all))) return 1;
    if (!options.plot.empty() && !write(options.plot, stepPlot(rowsOf(all)))) return 1;
    return options.isSmoke && !isGood ? 1 : 0;
}

/// bench_clip [--sets FOLDER] [--plugins FOLDER] [--seeds N] [--csv FILE] [--plot FILE] [--smoke]
///
/// Trajectories solved by `dls` in three ways: frame by frame from the start pose, from the answer before, and as one
/// clip; beside Orocos KDL if it is installed. Steps are the largest change of a DOF from frame to frame, as multiples
/// of the same of the motion that made the targets, at the 99th percentile. The sets' own kinematics judge the answers.
/// --smoke: without KDL; exit code 1 if a clip misses a frame or a limit, or is rougher than its goal.
#include "core/clip/ClipSolver.h"
#include "core/conformance/SolverProblemClip.h"
#include "tests/bench/Contestant.h"
#include "tests/bench/OwnSets.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

using namespace tendon;
using namespace tendon::bench;

namespace {

using Clock = std::chrono::steady_clock;
using Path = std::vector<std::vector<double>>;

constexpr const char* kSolver = "dls";

struct Figures
{
    std::string problem, way, refusal;
    std::size_t frames = 0, solved = 0, beyondLimits = 0, large = 0; ///< large: steps over three times the truth's
    double microseconds = 0, p99 = 0, largest = 0; ///< of a frame; steps as multiples of the truth's 99th percentile
    Path path;
};

Figures judged(const PathWithTruth& made, std::string way, Path path, double seconds)
{
    Figures figures;
    figures.problem = made.problem.name;
    figures.way = std::move(way);
    figures.frames = path.size();
    for (std::size_t t = 0; t < path.size(); ++t) {
        const auto judgement = made.problem.judge(path[t], made.problem.cases[t]);
        figures.solved += made.problem.isSolved(judgement) ? 1 : 0;
        figures.beyondLimits += judgement.limitExcess <= 1e-9 ? 0 : 1;
    }
    const double usual = stepPercentile(made.truth, 0.99);
    figures.p99 = stepPercentile(path, 0.99) / usual;
    figures.largest = stepPercentile(path, 1) / usual;
    for (std::size_t t = 1; t < path.size(); ++t)
        figures.large += stepPercentile({path[t - 1], path[t]}, 1) > 3 * usual ? 1 : 0;
    figures.microseconds = 1e6 * seconds / static_cast<double>(path.size());
    figures.path = std::move(path);
    return figures;
}

Figures runFrames(Contestant& contestant, const PathWithTruth& made, bool isWarm, const std::string& way)
{
    const SolverProblem& problem = made.problem;
    const auto refused = [&](const Error& error) {
        Figures figures;
        figures.problem = problem.name;
        figures.way = way;
        figures.refusal = error.message;
        return figures;
    };
    if (const auto prepared = contestant.prepare(problem); !prepared) return refused(prepared.error());
    Path path;
    std::vector<double> seed = problem.start;
    double seconds = 0;
    for (const SolverProblem::Case& wanted : problem.cases) {
        Answer answer;
        if (const auto solved = contestant.solve(wanted, seed, isWarm, answer); !solved) return refused(solved.error());
        seconds += answer.seconds;
        if (isWarm) seed = answer.q;
        path.push_back(std::move(answer.q));
    }
    return judged(made, way, std::move(path), seconds);
}

Figures runClip(const SolverRegistry& registry, const PathWithTruth& made)
{
    const SolverProblemModel model(made.problem, registry.find(kSolver)->moves("ball"));
    const SolverProblemClip clip(made.problem, model, [&](const sdk::Model& view) {
        auto solver = *registry.create(kSolver);
        (void)solver->prepare(view, static_cast<std::int32_t>(made.problem.goals.size()));
        return solver;
    });
    const auto begin = Clock::now();
    const ClipAnswer answer = solveClip(clip.task);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    Path path;
    for (std::size_t t = 0; t < made.problem.cases.size(); ++t) path.push_back(clip.inFile(answer, t));
    return judged(made, "clip", std::move(path), seconds);
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

void print(const Figures& f)
{
    std::printf("%-36s %-15s", f.problem.c_str(), f.way.c_str());
    if (!f.refusal.empty())
        std::printf(" %s\n", f.refusal.c_str());
    else
        std::printf(" %9.2f %6zu %10.1f %9.2f %9.2f %7zu\n",
                    100 * static_cast<double>(f.solved) / static_cast<double>(f.frames), f.beyondLimits, f.microseconds,
                    f.p99, f.largest, f.large);
    std::fflush(stdout);
}

bool write(const std::string& file, const std::string& text)
{
    QFile out(QString::fromStdString(file));
    return out.open(QIODevice::WriteOnly) && out.write(text.data(), static_cast<qint64>(text.size())) >= 0;
}

std::string csv(const std::vector<Figures>& all)
{
    std::string text = "problem,way,frames,solved,beyond_limits,us_per_frame,p99_of_truth,largest_of_truth,over_3x\n";
    for (const Figures& f : all) {
        if (!f.refusal.empty()) continue;
        char line[256];
        std::snprintf(line, sizeof line, "\"%s\",\"%s\",%zu,%zu,%zu,%.6g,%.6g,%.6g,%zu\n", f.problem.c_str(),
                      f.way.c_str(), f.frames, f.solved, f.beyondLimits, f.microseconds, f.p99, f.largest, f.large);
        text += line;
    }
    return text;
}

/// Step sizes over time of our own problems, frame by frame and as a clip.
std::string plot(const std::vector<Figures>& all)
{
    constexpr double kWidth = 900, kRow = 110, kLeft = 40, kMost = 30; // kMost [deg], on a logarithmic scale from 0.1
    std::vector<std::pair<const Figures*, const Figures*>> rows;
    for (const Figures& before : all)
        for (const Figures& after : all)
            if (before.problem.starts_with("own:") && before.problem == after.problem &&
                before.way == "frame by frame" && after.way == "clip")
                rows.emplace_back(&before, &after);
    const auto number = [](double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.1f", value);
        return std::string(text);
    };
    const double height = kRow * static_cast<double>(rows.size()) + 30;
    std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + number(kWidth) + " " + number(height) +
                      "' font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n"
                      "<text x='40' y='18'>Largest turn from frame to frame, 0.1 to 30 degrees or more: "
                      "<tspan fill='#c33'>frame by frame</tspan>, <tspan fill='#06c'>as a clip</tspan></text>\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const double bottom = 30 + kRow * static_cast<double>(r + 1) - 10, tall = kRow - 34;
        svg += "<text x='40' y='" + number(bottom - tall - 6) + "'>" + rows[r].first->problem + "</text>\n";
        svg += "<path d='M 40 " + number(bottom) + " H 890' stroke='#bbb'/>\n";
        for (const auto& [figures, colour] : {std::pair(rows[r].first, "#c33"), std::pair(rows[r].second, "#06c")}) {
            std::string points;
            for (std::size_t t = 1; t < figures->path.size(); ++t) {
                const double degrees = 57.29578 * stepPercentile({figures->path[t - 1], figures->path[t]}, 1);
                const double up = std::log10(std::clamp(degrees, 0.1, kMost) / 0.1) / std::log10(kMost / 0.1);
                points += number(kLeft + (kWidth - kLeft - 10) * static_cast<double>(t) /
                                             static_cast<double>(figures->path.size())) +
                          "," + number(bottom - up * tall) + " ";
            }
            svg += "<polyline points='" + points + "' fill='none' stroke='" + colour + "' stroke-width='1.2'/>\n";
        }
    }
    return svg + "</svg>\n";
}

struct Options
{
    std::string sets, plugins, csv, plot;
    int seeds = 1;
    bool isSmoke = false;
};

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
        else
            return false;
    }
    return true;
}

/// The given paths and others for their mechanisms, or ours.
std::vector<PathWithTruth> allPaths(const Options& options)
{
    std::vector<PathWithTruth> given = options.sets.empty() ? std::vector<PathWithTruth>{} : givenPaths(options.sets);
    std::vector<PathWithTruth> all = given;
    for (int seed = 1; seed <= options.seeds; ++seed) {
        for (const PathWithTruth& like : given) all.push_back(otherPath(like, static_cast<std::uint64_t>(seed)));
        for (PathWithTruth& own : ownPaths(static_cast<std::uint64_t>(seed))) all.push_back(std::move(own));
    }
    return all;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    Options options;
    if (!parse(argc, argv, options)) {
        std::fprintf(stderr, "usage: bench_clip [--sets FOLDER] [--plugins FOLDER] [--seeds N] [--csv FILE] "
                             "[--plot FILE] [--smoke]\n");
        return 2;
    }
    SolverRegistry registry;
    options.plugins.empty() ? registry.scan() : registry.scan({options.plugins});
    const auto solvers = contestants(registry);
    std::printf("%-36s %-15s %9s %6s %10s %9s %9s %7s\n", "problem", "way", "solved %", "beyond", "us/frame",
                "p99 step", "largest", "over 3x");
    std::vector<Figures> all;
    bool isGood = true;
    const auto add = [&](Figures figures) {
        print(figures);
        all.push_back(std::move(figures));
    };
    for (const PathWithTruth& made : allPaths(options)) {
        for (const auto& contestant : solvers) {
            if (contestant->name() == kSolver) {
                add(runFrames(*contestant, made, false, "frame by frame"));
                add(runFrames(*contestant, made, true, "warm"));
            } else if (contestant->name() == (made.problem.goals.size() == 1 ? "KDL LMA" : "KDL tree") &&
                       !options.isSmoke) {
                add(runFrames(*contestant, made, true, contestant->name()));
            }
        }
        add(runClip(registry, made));
        const Figures& clip = all.back();
        const double goal = made.problem.dofCount() == 7 ? 1.6 : 1.25;
        isGood &= clip.solved == clip.frames && clip.beyondLimits == 0 && clip.p99 <= goal;
    }
    if (!options.csv.empty() && !write(options.csv, csv(all))) return 1;
    if (!options.plot.empty() && !write(options.plot, plot(all))) return 1;
    return options.isSmoke && !isGood ? 1 : 0;
}

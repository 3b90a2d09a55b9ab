#pragma once

#include "core/clip/ClipTask.h"
#include "core/conformance/SolverProblemFile.h"
#include "core/solve/SolverRegistry.h"

#include <QJsonObject>

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// One solver on all cases of a solver problem: what `tendon bench` and the window's Benchmark ask for.
struct BenchmarkRequest
{
    std::string solver;                            ///< id or alias
    std::map<std::string, double> parameters = {}; ///< that differ from the solver's defaults
    std::string seed = {};    ///< "reset", "warm" or "clip"; empty: warm for trajectories, otherwise reset
    int maxIterations = 1000; ///< per case, over all its starts
    int maxStarts = 100;      ///< where each case starts anew
};

struct Benchmark
{
    /// Where the cases are solved from.
    enum class Start {
        Reset, ///< the problem's start, with a search
        Warm,  ///< the answer before
        Clip,  ///< all at once, as the frames of a clip
    };

    std::string problem, solver; ///< the problem's name, the solver's alias
    Start start = Start::Reset;
    std::size_t dofCount = 0;
    bool hasRates = false; ///< a joint of the problem has a velocity or an acceleration
    std::vector<SolverProblemAnswer> answers;

    // By the problem's own kinematics, whatever the solver reports.
    std::size_t solved = 0, beyondLimits = 0;
    double largestPositionError = 0, medianPositionError = 0; ///< [m]
    double largestRotationError = 0;                          ///< [rad]
    std::size_t limitHits = 0;                                ///< DOFs of all answers that are at a limit
    std::optional<double> largestStep;           ///< [rad | m] of a DOF from one answer to the next of a trajectory
    std::map<std::string, std::size_t> statuses; ///< how often the solver reports which

    // Of a clip.
    std::vector<ClipJump> jumps;
    std::vector<int> farSteps; ///< frames to which a step leads that is far longer than the others
    std::size_t hastes = 0;    ///< rows of frames at which a joint is beyond a velocity or an acceleration
    double timeStretch = 1;    ///< the largest that one of them asks for

    /// What a foreign plugin did wrong on the way: its untrue answers count as none, and the cases as unsolved.
    std::optional<Error> fault;

    [[nodiscard]] double medianMicroseconds() const;
    [[nodiscard]] double highMicroseconds() const; ///< of 95 % of the cases
    [[nodiscard]] double medianIterations() const;
};

/// `problem` may hold the first cases alone. `progress` hears the share that is done, and may be empty. Errors: the
/// solver cannot be made, refuses a parameter or the problem, its plugin crashed or hung; cancelled.
[[nodiscard]] Result<Benchmark> runBenchmark(const SolverProblem& problem, const BenchmarkRequest& request,
                                             const SolverRegistry& registry,
                                             const std::function<void(double)>& progress = {},
                                             const std::atomic<bool>* cancelled = nullptr);

/// The report and the answers as files: the same bytes on each run, but for the times.
[[nodiscard]] QJsonObject benchmarkReport(const Benchmark& benchmark);
[[nodiscard]] std::string benchmarkReportText(const Benchmark& benchmark); ///< of benchmarkReport(), as it is printed
[[nodiscard]] std::string benchmarkCsv(const Benchmark& benchmark);

} // namespace tendon

#pragma once

#include "core/solve/Evaluator.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tendon {

/// How one solver solves a handle over a range of frames.
struct ClipScore
{
    std::string solver;                     ///< alias, or what was asked for if it is not installed
    std::string problem;                    ///< why it has no figures; empty = it has
    std::int32_t frames = 0, missed = 0;    ///< solved, and of those without success; frames in FK count as neither
    std::int32_t softened = 0;              ///< short of the goal by what soft reach eases: not missed, and not met
    double largestError = 0, meanError = 0; ///< [m] from the goal
    double meanIterations = 0;
    std::int32_t mostIterations = 0;
    double medianSeconds = 0, maxSeconds = 0; ///< of the solver alone, by frame
    double highSeconds = 0;                   ///< of 95 % of the frames
    std::int64_t limitHits = 0;               ///< of all frames together
    double largestStep = 0;                   ///< [rad] by which a joint of the chain turns from one frame to the next
    std::string stepJoint;                    ///< that joint's name; empty: there are no two frames in a row

    /// Where to look for the figures: the frames that have them, the first of equals. 0: there is none.
    struct Frames
    {
        std::int32_t error = 0, missed = 0, softened = 0, iterations = 0, seconds = 0, limits = 0;
        std::int32_t step = 0; ///< the later of the two
    };
    Frames at;
};

struct FrameRange
{
    std::int32_t first = 1, last = 1;
};

/// Solves a clip's frames once with each solver (alias or id) in the place of the handle's own, as recordSolve() does
/// for one frame. The scene stays as it is. `progress` hears the share that is done (0 ... 1); may be empty. Cancelled:
/// the scores so far, the last one of fewer frames. Errors: no such handle, a scene that does not compile.
[[nodiscard]] Result<std::vector<ClipScore>> compareOverClip(const Scene& scene, const Clip* clip, FrameRange range,
                                                             HandleId handle, std::span<const std::string> solvers,
                                                             const SolverRegistry& registry,
                                                             const std::function<void(double)>& progress = {},
                                                             const std::atomic<bool>* cancelled = nullptr);

} // namespace tendon

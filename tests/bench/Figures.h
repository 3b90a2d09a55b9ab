#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tendon::bench {

/// How one contestant did on one problem set: along a trajectory, or on independent cases (which have no steps).
struct Figures
{
    std::string problem, way, refusal;
    std::size_t dofs = 0, goals = 0;
    bool isTrajectory = true;
    std::size_t frames = 0, solved = 0, beyondLimits = 0;
    std::size_t large = 0;       ///< steps over three times the truth's
    double mean = 0, median = 0; ///< [us] of a frame
    double p99 = 0, largest = 0; ///< steps as multiples of the truth's 99th percentile
    std::vector<double> steps;   ///< [deg] the largest turn to each frame but the first
    std::size_t unlisted = 0;    ///< of the large steps of a clip, those that it does not list as jumps
    std::size_t jumps = 0;       ///< that a clip lists
    double apart = 0;            ///< [deg] a DOF of two frames that ask the same, without a jump between them
    double apartAllowed = 0;     ///< [deg]
    double stretch = 1;          ///< of time, that a clip needs to hold its rates, as it says
};

/// The ways in which `dls` and its preset for single frames are run; Orocos KDL's contestants have their own names.
namespace way {
inline constexpr const char *alone = "frame by frame", *nearest = "nearest", *warm = "warm", *drag = "drag",
                            *clip = "clip", *again = "again", *speeds = "speeds", *cold = "cold", *kdlArm = "KDL LMA",
                            *kdlTree = "KDL tree";
} // namespace way

/// What a run is held to, and what came out.
struct Promise
{
    std::string text;    ///< whose what
    std::string way;     ///< of Figures
    std::string problem; ///< the one that it was worst at
    double goal = 0, measured = 0;
    bool isAtMost = true;

    [[nodiscard]] bool isKept() const { return isAtMost ? measured <= goal : measured >= goal; }
};

/// Of all that the figures tell of; ratios of times only beside KDL in the same run.
[[nodiscard]] std::vector<Promise> promisesOf(const std::vector<Figures>& all);

} // namespace tendon::bench

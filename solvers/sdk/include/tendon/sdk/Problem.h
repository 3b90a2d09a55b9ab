#pragma once

#include <tendon/sdk/Goal.h>

#include <atomic>
#include <cstdint>
#include <span>

namespace tendon::sdk {

/// Follow: one local solve from the seed, the default everywhere. Find: may also try other starts (seeded, counted),
/// for "find a pose" and for benchmarks; never while dragging or playing.
enum class Search : std::int32_t { Follow = 0, Find = 1 };

/// What to do with a goal that is beyond reach.
enum class Unreachable : std::int32_t {
    Stretch = 0, ///< get as near as the lengths allow: the chain straightens toward the goal
    Hold = 1,    ///< leave q at the seed
};

/// Soft wishes that shape a pose among those that meet the goals; 0 = off.
struct Objectives
{
    std::uint32_t size = sizeof(Objectives);
    double restPose = 0;    ///< similarity to Problem::posture
    double naturalPose = 0; ///< similarity to Problem::natural
    double velocity = 0;    ///< little motion since Problem::previous, per dt
    double power = 0;       ///< little mass x motion since Problem::previous, per dt
};

/// A curve that a chain follows (spline IK): a uniform cubic B-spline clamped at its ends.
struct Curve
{
    std::uint32_t size = sizeof(Curve);
    std::int32_t startBody = -1; ///< -1 = no curve
    std::int32_t endBody = -1;
    std::span<const double> points; ///< (m x 3) [m] control points in model space, m >= 4
    double startTwist = 0;          ///< [rad] about the curve at its start
    double endTwist = 0;            ///< [rad] and at its end, spread linearly by length between
    double offset = 0;              ///< 0 ... 1 along the curve at which the chain starts
};

struct Stop
{
    std::uint32_t size = sizeof(Stop);
    std::int32_t maxIterations = 1000; ///< of all starts together
    std::int32_t maxStarts = 100;      ///< Find only
    double maxSeconds = 0;             ///< [s] wall time; 0 = none, and then no clock is read
    double stall = 1e-9;               ///< a step smaller than this [rad | m, largest DOF] ends the solve
};

/// Everything one solve reads. Owned by the host, unchanged during the call.
struct Problem
{
    std::uint32_t size = sizeof(Problem);
    std::span<const double> base;         ///< (n x 8) translation, rotation xyzw, uniform scale > 0, in parent space
    std::span<const double> seed;         ///< (nq) where to start; inside limits except where the pose itself is not
    std::span<const double> posture;      ///< (nq) rest pose; empty = none
    std::span<const double> natural;      ///< (nq) natural pose; empty = none
    std::span<const double> previous;     ///< (nq) configuration at the frame before; empty = none
    double dt = 0;                        ///< [s] since `previous`
    std::span<const std::uint8_t> locked; ///< (nv) 1 = keeps its seed value to the bit in this solve
    std::span<const Goal> goals;          ///< at most the maxGoals of prepare()
    Objectives objectives;
    Curve curve;
    Unreachable unreachable = Unreachable::Stretch;
    Search search = Search::Follow;
    std::uint64_t randomSeed = 1; ///< for Find: same seed, same answer
    double maxStretch = 1;        ///< 1 = lengths are fixed; above: bones may lengthen up to this factor
    Stop stop;
};

/// One row of a solver's trace: what it did in one iteration. A solver fills as many as there is room for.
struct TraceRow
{
    std::int32_t iteration = 0;
    std::int32_t stage = 0; ///< solver's own numbering of the stages of one iteration (FABRIK: 0 backward, 1 forward)
    double residual = 0;    ///< |r|: norm of all weighted residuals before the step
    double step = 0;        ///< largest DOF change of the step [rad | m]
    double damping = 0;     ///< regularisation used, -1 where there is none
};

/// The host's hold on a running solve. All members may be empty.
struct Control
{
    std::uint32_t size = sizeof(Control);
    const std::atomic<bool>* cancelled = nullptr; ///< polled once per iteration
    std::span<TraceRow> trace; ///< caller-owned; each row is written as its iteration is made, not afterwards
    std::span<double> traceConfigurations; ///< (rows x nq) caller-owned: q after each traced row; may be empty
};

} // namespace tendon::sdk

#pragma once

#include <tendon/sdk/Goal.h>
#include <tendon/sdk/Layout.h>
#include <tendon/sdk/Rows.h>

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

/// Weights of what makes one pose better than another among those that meet the goals; 0 = off.
struct Objectives
{
    std::uint32_t size = sizeof(Objectives);
    double restPose = 0;    ///< similarity to Problem::posture
    double naturalPose = 0; ///< similarity to Problem::natural
    double velocity = 0;    ///< little motion since Problem::previous, per dt
    double power = 0;       ///< little mass x motion since Problem::previous, per dt

    // Append new members above this line.
};

/// A curve that a chain follows (spline IK): a uniform cubic B-spline clamped at its ends, with the knots 0, 0, 0, 0,
/// 1, 2, ... m-3, m-3, m-3, m-3, so that it begins at its first and ends at its last control point. Three control
/// points make a quadratic one, two a line.
struct Curve
{
    std::uint32_t size = sizeof(Curve);
    std::int32_t startBody = -1;
    std::int32_t endBody = -1;
    std::span<const double> points; ///< (m x 3) [m] control points in model space, m >= 2
    double startTwist = 0;          ///< [rad] about the curve at its start
    double endTwist = 0;            ///< [rad] and at its end; spread linearly by length in between
    double offset = 0;              ///< 0 ... 1: where along the curve's length the chain starts

    // Append new members above this line.
};

/// When a solve ends although its goals are not met. Ranked goals are solved in stages; each has all the iterations.
struct Stop
{
    std::uint32_t size = sizeof(Stop);
    std::int32_t maxIterations = 1000; ///< of all starts together
    std::int32_t maxStarts = 100;      ///< Find only
    double maxSeconds = 0;             ///< [s] wall time; 0 = no limit, and then no clock is read
    double stall = 1e-9;               ///< a step smaller than this [rad | m, largest DOF] ends the solve

    // Append new members above this line.
};

/// Everything that one solve reads. Owned by the host, unchanged during the call.
struct Problem
{
    std::uint32_t size = sizeof(Problem);
    std::span<const double> base;           ///< (n x 8) translation, rotation xyzw, uniform scale > 0, in parent space
    std::span<const double> seed;           ///< (nq) where to start; inside limits unless the pose itself is not
    std::span<const double> posture;        ///< (nq) rest pose; may be empty
    std::span<const double> natural;        ///< (nq) natural pose; may be empty
    std::span<const double> previous;       ///< (nq) configuration at the frame before; may be empty
    double dt = 0;                          ///< [s] since `previous`
    std::span<const std::uint8_t> locked;   ///< (nv) 1 = keeps its seed value to the bit in this solve; may be empty
    Rows<const Goal> goals;                 ///< at most the maxGoals of prepare()
    const Objectives* objectives = nullptr; ///< null = every weight 0
    const Curve* curve = nullptr;           ///< null = no curve
    const Stop* stop = nullptr;             ///< null = the defaults of Stop
    Unreachable unreachable = Unreachable::Stretch;
    Search search = Search::Follow;
    std::uint64_t randomSeed = 1; ///< for Find: same seed, same answer
    double maxStretch = 1;        ///< 1 = lengths are fixed; above: bones may lengthen up to this factor

    // Append new members above this line.
};

inline constexpr LayoutEntry kProblemLayout[] = {
    TENDON_SDK_VALUE(0, Search::Follow),
    TENDON_SDK_VALUE(0, Search::Find),
    TENDON_SDK_VALUE(0, Unreachable::Stretch),
    TENDON_SDK_VALUE(0, Unreachable::Hold),
    TENDON_SDK_MEMBER(0, Objectives, size),
    TENDON_SDK_MEMBER(0, Objectives, restPose),
    TENDON_SDK_MEMBER(0, Objectives, naturalPose),
    TENDON_SDK_MEMBER(0, Objectives, velocity),
    TENDON_SDK_MEMBER(0, Objectives, power),
    TENDON_SDK_MEMBER(0, Curve, size),
    TENDON_SDK_MEMBER(0, Curve, startBody),
    TENDON_SDK_MEMBER(0, Curve, endBody),
    TENDON_SDK_MEMBER(0, Curve, points),
    TENDON_SDK_MEMBER(0, Curve, startTwist),
    TENDON_SDK_MEMBER(0, Curve, endTwist),
    TENDON_SDK_MEMBER(0, Curve, offset),
    TENDON_SDK_MEMBER(0, Stop, size),
    TENDON_SDK_MEMBER(0, Stop, maxIterations),
    TENDON_SDK_MEMBER(0, Stop, maxStarts),
    TENDON_SDK_MEMBER(0, Stop, maxSeconds),
    TENDON_SDK_MEMBER(0, Stop, stall),
    TENDON_SDK_MEMBER(0, Problem, size),
    TENDON_SDK_MEMBER(0, Problem, base),
    TENDON_SDK_MEMBER(0, Problem, seed),
    TENDON_SDK_MEMBER(0, Problem, posture),
    TENDON_SDK_MEMBER(0, Problem, natural),
    TENDON_SDK_MEMBER(0, Problem, previous),
    TENDON_SDK_MEMBER(0, Problem, dt),
    TENDON_SDK_MEMBER(0, Problem, locked),
    TENDON_SDK_MEMBER(0, Problem, goals),
    TENDON_SDK_MEMBER(0, Problem, objectives),
    TENDON_SDK_MEMBER(0, Problem, curve),
    TENDON_SDK_MEMBER(0, Problem, stop),
    TENDON_SDK_MEMBER(0, Problem, unreachable),
    TENDON_SDK_MEMBER(0, Problem, search),
    TENDON_SDK_MEMBER(0, Problem, randomSeed),
    TENDON_SDK_MEMBER(0, Problem, maxStretch),
};
TENDON_SDK_LISTS_ALL(kProblemLayout, Objectives);
TENDON_SDK_LISTS_ALL(kProblemLayout, Curve);
TENDON_SDK_LISTS_ALL(kProblemLayout, Stop);
TENDON_SDK_LISTS_ALL(kProblemLayout, Problem);

} // namespace tendon::sdk

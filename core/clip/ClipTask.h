#pragma once

#include "core/base/JumpReason.h"
#include "core/base/RateKind.h"

#include <tendon/sdk/Solver.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace tendon {

/// How far some DOFs of a body may go from frame to frame.
struct ClipRate
{
    std::int32_t dof = 0;   ///< the first one
    std::int32_t count = 1; ///< 1, or the 3 of a turning by quaternion: their length counts
    double step = std::numeric_limits<double>::infinity();   ///< [rad | m] by which they may move
    double change = std::numeric_limits<double>::infinity(); ///< [rad | m] by which two steps may differ
};

/// What a clip asks of one solver: a problem at each frame, all over one model with the same DOFs locked. The seed of a
/// frame's problem is its reference: the pose that its answer should be near to.
struct ClipTask
{
    sdk::Model model;             ///< what it looks into outlives the task
    std::span<const double> base; ///< whose lengths slides are compared with; empty = that of frame 0
    int frameCount = 0;

    /// The problem of one frame. What it looks into stays valid as long as the task. Called from any thread.
    std::function<sdk::Problem(int frame)> problem;

    /// The solver's own answer to a frame, into q (nq), where it is known already. Called from any thread. Empty: it is
    /// solved for, from the frame's reference.
    std::function<sdk::Status(int frame, double* q)> own;

    /// [rad] What is asked of the step to a frame beside what its goals say. Empty: nothing is.
    std::function<double(int frame)> alsoAsked;

    /// A new solver, prepared for the model. Called from any thread; each thread solves with its own.
    std::function<std::unique_ptr<sdk::Solver>()> makeSolver;

    std::vector<ClipRate> rates; ///< empty = nothing has any

    int threads = 0; ///< 0 = all cores; the answer does not depend on it
    const std::atomic<bool>* cancelled = nullptr;
};

/// Frames whose answers do not follow from the one before (ClipJumps).
struct ClipJump
{
    int frame = 0;        ///< the first one after the jump
    int last = 0;         ///< the one at which it is over; often the same
    double size = 0;      ///< [rad] from the frame before to the last; slides count as AnswerSpace says
    std::int32_t dof = 0; ///< the first one of the joint that goes farthest
    JumpReason reason = JumpReason::Branch;

    bool operator==(const ClipJump&) const = default;
};

/// Frames at which a rate is exceeded, but for jumps.
struct ClipHaste
{
    int first = 0, last = 0;
    int worst = 0;        ///< the frame at which most
    std::size_t rate = 0; ///< place in ClipTask::rates
    RateKind kind = RateKind::Speed;
    double stretch = 1; ///< of time, by which it would be held: of a step as its ratio, of a change as the root of it
};

/// How far a frame's problem reaches in an answer that is local [frames]: it counts in what is typical about it, which
/// decides where answers part (144 frames), about which the path is smoothed (24), four times (24 each).
inline constexpr int kClipReach = 288;

/// A part of a task that begins at a multiple of kClipGrid has the answers of the whole, if both are local, but within
/// kClipMargin of its ends [frames].
inline constexpr int kClipGrid = 48, kClipMargin = 288;

/// The answer to a task.
struct ClipAnswer
{
    std::vector<double> q;             ///< (frames x nq)
    std::vector<sdk::Status> statuses; ///< (frames) of the answer, as the solver says
    std::vector<ClipJump> jumps;       ///< by frame
    std::vector<ClipHaste> hastes;     ///< by first frame
    /// True: what is asked at a frame changes answers up to kClipReach away, and none beyond.
    bool isLocal = false;
};

} // namespace tendon

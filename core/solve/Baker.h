#pragma once

#include "core/runtime/BakedClip.h"
#include "core/solve/BakeTimes.h"
#include "core/solve/Evaluator.h"

#include <functional>

namespace tendon {

struct BakeOptions
{
    ClipId clip;
    FrameRate fps;
    Time from, to;                   ///< both included; every frame of `fps` between, and both ends exactly
    BakedKeys keys = BakedKeys::All; ///< which of the clip's keys between frames are sampled, too
    int threads = 0;                 ///< 0 = all cores
    const std::atomic<bool>* cancelled = nullptr;
    std::function<void(double done)> progress; ///< 0 ... 1, called from the calling thread
};

/// Solves and samples a clip. The same bytes on one core as on many. Errors: no such clip, cancelled, a solver that
/// failed (Unsupported, InvalidProblem, NumericalFailure) with the handle and frame. A missed goal is not an error.
[[nodiscard]] Result<BakedClip> bake(const Scene& scene, const SolverRegistry& registry, const BakeOptions& options);

} // namespace tendon

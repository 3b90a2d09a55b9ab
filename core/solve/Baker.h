#pragma once

#include "core/solve/Evaluator.h"

#include <functional>

namespace tendon {

struct BakeOptions
{
    ClipId clip;
    FrameRate fps;
    Time from, to;   ///< both included; every frame of `fps` between, and both ends exactly
    int threads = 0; ///< 0 = all cores
    const std::atomic<bool>* cancelled = nullptr;
    std::function<void(double done)> progress; ///< 0 ... 1, called from the calling thread
};

/// Every joint's local transform at every sample, solved.
struct BakedClip
{
    std::string name;
    std::int32_t sourceAnimation = -1; ///< the clip's own
    FrameRate fps;
    std::vector<Time> times;                        ///< (s) increasing
    std::vector<JointId> joints;                    ///< (n)
    std::vector<LocalTransform> locals;             ///< (s x n) sample by sample; quaternion signs continuous over time
    std::vector<Vector3> angles;                    ///< (s x n) [rad] from rest, continuous over time
    std::vector<bool> isAnimated;                   ///< (n) false = the same local transform in all samples
    std::vector<std::vector<HandleResult>> handles; ///< (s) in the document's order
};

/// Solves and samples a clip. The same bytes on one core as on many. Errors: no such clip, cancelled, a solver that
/// failed (Unsupported, InvalidProblem, NumericalFailure) with the handle and frame. A missed goal is not an error.
[[nodiscard]] Result<BakedClip> bake(const Scene& scene, const SolverRegistry& registry, const BakeOptions& options);

} // namespace tendon

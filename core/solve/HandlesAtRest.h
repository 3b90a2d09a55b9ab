#pragma once

#include "core/solve/Evaluator.h"

#include <memory>

namespace tendon {

/// True if every handle's goal is met by the FK pose without a clip's keys, and its solver leaves such a pose as it is:
/// then there is nothing to solve. The FK pose and what the handles ask for are in `frame`, which tells nothing of
/// results. `rig` is compiled from the scene or a part of it. Costs no more than the rig's joints and handles.
[[nodiscard]] bool areAtRest(const std::shared_ptr<const CompiledRig>& rig, const Scene& scene,
                             const PendingValues& pending, Time time, const SolverRegistry& solvers,
                             SolvedFrame& frame);

} // namespace tendon

#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/runtime/CompiledRig.h"
#include "core/solve/SolverRegistry.h"

#include <vector>

namespace tendon {

/// Handles that are solved as one problem, and the joints that this solve may move.
struct SolveGroup
{
    std::vector<std::size_t> handles; ///< indices into CompiledRig::handles, ascending
    std::vector<JointIndex> joints;   ///< ascending; empty when a terminator holds them all
};

/// The groups in the order in which they are solved, and what about them deserves a word.
struct SolveOrder
{
    std::vector<SolveGroup> groups;
    Issues issues;
};

/// The joints that a handle moves, top first: from its start to its end, without those at or above the lowest
/// terminator of that stretch.
[[nodiscard]] std::vector<JointIndex> movableJoints(const CompiledRig& rig, const Handle& handle);

/// Puts handles that share movable joints, solver, parameters and priority into one group (when the solver takes many
/// goals), and orders the groups: a group whose goals or poles follow joints comes after the groups that move those;
/// among what that leaves open the smaller priority number goes first, then what is nearer the root, then the
/// document's order. Error: goals that follow each other in a circle, with the handles' names.
[[nodiscard]] Result<SolveOrder> orderSolves(const CompiledRig& rig, const SolverRegistry& registry);

} // namespace tendon

#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/runtime/CompiledRig.h"
#include "core/solve/SolverRegistry.h"

#include <vector>

namespace tendon {

/// Handles that are solved as one problem, and the joints that the solve may move.
struct SolveGroup
{
    std::vector<std::size_t> handles; ///< indices into CompiledRig::handles, ascending
    std::vector<JointIndex> joints;   ///< ascending; empty if terminators hold all of them
};

/// The groups in the order in which they are solved, and the problems found.
struct SolveOrder
{
    std::vector<SolveGroup> groups;
    Issues issues;
};

/// The joints that a handle moves, top first: from its start to its end, without those at or above the lowest
/// terminator between them. A constraint moves its one joint, terminator or not.
[[nodiscard]] std::vector<JointIndex> movableJoints(const CompiledRig& rig, const Handle& handle);

/// Puts handles that share movable joints, solver and parameters into one group, if the solver takes several goals.
/// Handles of different priority are apart where the solver does not claim "priorities", or where a goal or pole of one
/// follows what the other moves. Orders the groups: a group whose goals or poles follow joints comes after the groups
/// that move those joints, and a chain after the groups that carry it; then the smallest priority number comes first,
/// then the group nearer to the root, then the document's order. Error: goals follow each other in a circle; the error
/// names the handles.
[[nodiscard]] Result<SolveOrder> orderSolves(const CompiledRig& rig, const SolverRegistry& registry);

/// For each of the groups, in order of solving, those before it whose answers it may depend on: they move its joints,
/// joints above these, or what its goals and poles ride on. Ascending.
[[nodiscard]] std::vector<std::vector<std::size_t>> dependenciesOf(const CompiledRig& rig,
                                                                   const std::vector<SolveGroup>& groups);

} // namespace tendon

#include "core/solve/GivenSolver.h"

#include "core/scene/Constraint.h"
#include "core/solve/SolveGroups.h"

#include <algorithm>

namespace tendon {

Result<GivenSolver> GivenSolver::find(const Scene& scene, HandleId handle, const SolverRegistry& registry)
{
    const auto rig = compile(scene);
    if (!rig) return rig.error();
    const auto found = std::find_if((*rig)->handles.begin(), (*rig)->handles.end(),
                                    [&](const Handle& candidate) { return candidate.id == handle; });
    if (found == (*rig)->handles.end())
        return Error{ErrorCode::NotFound, "there is no such handle", std::to_string(handle.value)};
    if (isConstraint(*found))
        return Error{ErrorCode::Unsupported, "it is a constraint, which needs no solver: there is nothing to compare",
                     found->name};
    GivenSolver made(scene, registry);
    made.m_handle = static_cast<std::size_t>(found - (*rig)->handles.begin());
    made.m_group = {made.m_handle};
    auto order = orderSolves(**rig, registry);
    if (!order) return order.error();
    for (const SolveGroup& group : order->groups)
        if (std::find(group.handles.begin(), group.handles.end(), made.m_handle) != group.handles.end())
            made.m_group = group.handles;
    return made;
}

Scene GivenSolver::sceneOf(const SolverInfo& solver) const
{
    Scene given = m_scene;
    for (const std::size_t h : m_group) {
        const SolverInfo* own = m_registry.find((*given.handles)[h].solver);
        if (own != nullptr && own->id == solver.id) continue;
        Handle handle = (*given.handles)[h];
        handle.solver = solver.alias;
        handle.parameters.clear();
        given.handles.edit().replace(h, std::move(handle));
    }
    return given;
}

} // namespace tendon

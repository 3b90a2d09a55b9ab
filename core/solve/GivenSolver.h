#pragma once

#include "core/solve/Evaluator.h"

namespace tendon {

/// A handle of a scene that solvers are tried on in turn, without a change to the scene.
class GivenSolver
{
public:
    /// `scene` and `registry` outlive this. Errors: no such handle, a scene that does not compile.
    [[nodiscard]] static Result<GivenSolver> find(const Scene& scene, HandleId handle, const SolverRegistry& registry);

    /// The scene with the handle, and all that is solved together with it, given to a solver. Handles that have that
    /// solver keep its parameters; the others get its defaults.
    [[nodiscard]] Scene sceneOf(const SolverInfo& solver) const;
    [[nodiscard]] std::size_t handle() const { return m_handle; } ///< index into CompiledRig::handles

private:
    GivenSolver(const Scene& scene, const SolverRegistry& registry) : m_scene(scene), m_registry(registry) {}

    const Scene& m_scene;
    const SolverRegistry& m_registry;
    std::size_t m_handle = 0;
    std::vector<std::size_t> m_group; ///< the handles that are solved together, as handle()
};

} // namespace tendon

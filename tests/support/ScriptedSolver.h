#pragma once

#include "core/solve/SolverRegistry.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace tendon::test {

/// A solver that a test controls, to test everything around a solve.
class ScriptedSolver : public sdk::Solver
{
public:
    struct Call
    {
        std::vector<double> base, seed;
        std::vector<std::uint8_t> locked;
        std::vector<sdk::Goal> goals;
        std::vector<double> posture, natural, previous;
        sdk::Objectives objectives;
        double dt = 0;
    };
    /// Writes solution.q (which contains the seed) and any other output.
    using Script = std::function<sdk::Status(const sdk::Model&, const sdk::Problem&, sdk::Solution&)>;

    ScriptedSolver(Script script, std::vector<Call>* calls) : m_script(std::move(script)), m_calls(calls) {}

    bool setParameter(std::string_view, double) noexcept override { return true; }
    sdk::Status prepare(const sdk::Model& model, std::int32_t) noexcept override
    {
        m_model = &model;
        return sdk::Status::Converged;
    }
    sdk::Status solve(const sdk::Problem& problem, const sdk::Control&, sdk::Solution& solution) noexcept override
    {
        if (m_calls != nullptr)
            m_calls->push_back({{problem.base.begin(), problem.base.end()},
                                {problem.seed.begin(), problem.seed.end()},
                                {problem.locked.begin(), problem.locked.end()},
                                {problem.goals.begin(), problem.goals.end()},
                                {problem.posture.begin(), problem.posture.end()},
                                {problem.natural.begin(), problem.natural.end()},
                                {problem.previous.begin(), problem.previous.end()},
                                sdk::read(problem.objectives),
                                problem.dt});
        std::copy(problem.seed.begin(), problem.seed.end(), solution.q.begin());
        for (sdk::GoalResult& goal : solution.goals) goal.status = sdk::Status::Converged;
        return m_script(*m_model, problem, solution);
    }

private:
    const sdk::Model* m_model = nullptr;
    Script m_script;
    std::vector<Call>* m_calls;
};

/// Registers a ScriptedSolver as `alias`, with all features that it can claim but `unclaimed`. `calls` outlives the
/// registry's solvers, or is null.
inline void addScripted(SolverRegistry& registry, const std::string& alias, ScriptedSolver::Script script,
                        std::vector<ScriptedSolver::Call>* calls = nullptr, const std::string& unclaimed = {})
{
    SolverInfo info;
    info.id = "test." + alias;
    info.alias = info.name = alias;
    info.jointKinds = {"revolute", "prismatic", "universal", "ball", "axes", "free"};
    info.features = {
        "position-goal", "orientation-goal", "pose-goal", "pole",       "multi-goal", "tree",    "objectives",
        "soft",          "preferred-angle",  "stiffness", "precedence", "ease",       "damping", "spring"};
    std::erase(info.features, unclaimed);
    const auto added = registry.add(info, [script, calls] { return std::make_unique<ScriptedSolver>(script, calls); });
    if (!added) std::abort();
}

/// Does not change the seed.
inline sdk::Status standStill(const sdk::Model&, const sdk::Problem&, sdk::Solution&) { return sdk::Status::Converged; }

/// Adds `amount` to every free DOF except those of ball joints.
inline ScriptedSolver::Script turnAll(double amount)
{
    return [amount](const sdk::Model& model, const sdk::Problem& problem, sdk::Solution& solution) {
        for (std::size_t body = 0; body < model.kind.size(); ++body) {
            if (sdk::traits(model.kind[body]).hasQuaternion) continue;
            for (auto v = model.vBegin[body]; v < model.vBegin[body + 1]; ++v)
                if (problem.locked[static_cast<std::size_t>(v)] == 0)
                    solution.q[static_cast<std::size_t>(model.qBegin[body] + v - model.vBegin[body])] += amount;
        }
        return sdk::Status::Converged;
    };
}

} // namespace tendon::test

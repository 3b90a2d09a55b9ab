#pragma once

#include "solvers/ceres/Minimiser.h"

#include <tendon/kit/SolverBase.h>

#include <memory>
#include <vector>

namespace tendon {

/// Nonlinear least squares by Ceres Solver: any joints and goals, hard limits, and objectives that choose among the
/// poses that meet the goals. README.md beside this file has the mathematics.
class CeresSolver final : public kit::SolverBase
{
public:
    CeresSolver();

private:
    enum class Constraints { Exact = 0, Penalty = 1 };
    class Descent;

    /// What one descent is for.
    struct Errand
    {
        int stage = 0;            ///< in the trace: 0 goals, 1 objectives
        bool stopsWhenMet = true; ///< and offers every step as a result
        bool mayGiveUp = false;   ///< leave a start that crawls
    };

    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    void run(kit::SolverRun& run) override;

    sdk::Status meetGoals(kit::SolverRun& run);
    sdk::Status follow(kit::SolverRun& run, bool mayGiveUp);
    sdk::Status search(kit::SolverRun& run, sdk::Status status);
    [[nodiscard]] bool isBlocked();
    bool nudge(const kit::SolverRun& run, int attempt);

    sdk::Status weighObjectives(kit::SolverRun& run);
    sdk::Status penalise(kit::SolverRun& run);

    /// Minimises the terms from m_q, and leaves m_q where that led. Stalled = nothing left to gain.
    sdk::Status descend(kit::SolverRun& run, const Errand& errand);

    ceres_ik::Settings m_settings;
    Constraints m_constraints = Constraints::Exact;
    double m_goalWeight = 1;
    int m_multiplierSteps = 1;
    int m_startIterations = 100;

    ceres_ik::Space m_space;
    ceres_ik::Terms m_terms;
    ceres_ik::Minimiser m_minimiser;
    std::vector<double> m_q, m_best, m_x, m_step; ///< (nq), (nq), ambient, tangent
    std::vector<double> m_rows, m_jacobian;
};

/// A new CeresSolver: what the plugin's shell calls, so that it need not compile this class.
[[nodiscard]] std::unique_ptr<sdk::Solver> makeCeresSolver();

} // namespace tendon

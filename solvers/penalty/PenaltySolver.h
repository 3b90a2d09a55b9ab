#pragma once

#include <tendon/kit/GoalRows.h>
#include <tendon/kit/Objectives.h>
#include <tendon/kit/SolverBase.h>

#include <memory>
#include <vector>

namespace tendon {

/// The penalty method: each goal is a spring, and the pose slides down the gradient of objectives plus springs.
/// README.md beside this file has the mathematics.
class PenaltySolver final : public kit::SolverBase
{
public:
    PenaltySolver();

private:
    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    void run(kit::SolverRun& run) override;

    [[nodiscard]] sdk::Status descend(kit::SolverRun& run);

    /// F at a configuration (nq), which differentiate() is then about.
    [[nodiscard]] double evaluate(kit::SolverRun& run, std::span<const double> q);
    void differentiate(kit::SolverRun& run);

    /// Points m_direction down the gradient, without what a limit stops.
    void chooseDirection();

    /// The curvature of F along m_direction, as far as first derivatives of the goals tell.
    [[nodiscard]] double curvatureAlong();
    [[nodiscard]] double meanCurvature();
    [[nodiscard]] double trialLength(double slope); ///< in units of the gradient, whose squared length is `slope`

    /// Moves m_q along m_direction to where F has fallen, and updates m_value. Returns the step [rad | m]; 0 = nothing
    /// lower was found.
    [[nodiscard]] double searchLine(kit::SolverRun& run);

    /// Moves m_q by a fixed share of the gradient, wherever F goes.
    [[nodiscard]] double stepFixed(kit::SolverRun& run);

    void reportForces(kit::SolverRun& run);

    double m_weight = 1, m_step = 1, m_accuracy = 1e-6;
    bool m_searchesLine = true;

    kit::Tangent m_tangent;
    kit::GoalRows m_goals;
    kit::Objectives m_objectives;
    std::vector<double> m_q, m_trial, m_best;
    Eigen::VectorXd m_gradient, m_direction, m_moved;
    Eigen::MatrixXd m_hessian;                     ///< of the objectives
    double m_value = 0, m_bestValue = 0;           ///< F at m_q and at m_best
    double m_inverseBefore = 0, m_slopeBefore = 0; ///< of the last line search: 1 / Cauchy's length, |gradient|^2
    int m_turn = 0;                                ///< line searches so far
    double m_length = 0;                           ///< of the fixed step, in units of the gradient; 0 = not yet chosen
};

/// A new PenaltySolver: what the plugin's shell calls, so that it need not compile this class.
[[nodiscard]] std::unique_ptr<sdk::Solver> makePenaltySolver();

} // namespace tendon

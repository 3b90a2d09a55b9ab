#pragma once

#include "solvers/constrained/KktSystem.h"
#include "solvers/constrained/Nearing.h"

#include <tendon/kit/GoalRows.h>
#include <tendon/kit/JointLaw.h>
#include <tendon/kit/Objectives.h>
#include <tendon/kit/Random.h>
#include <tendon/kit/SolverBase.h>
#include <tendon/kit/Steps.h>

#include <memory>
#include <vector>

namespace tendon {

/// The constrained method: goals hold exactly, by Lagrange multipliers, and the law of the joints and the objectives
/// are least among the poses that meet them. Newton's method on the conditions of the optimum. README.md beside this
/// file has the mathematics.
class ConstrainedSolver final : public kit::SolverBase
{
public:
    ConstrainedSolver();

private:
    /// What the trace's rows are about.
    enum Stage { Nearing = 0, Optimising = 1 };

    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    void run(kit::SolverRun& run) override;

    [[nodiscard]] bool buildLaw(const kit::SolverRun& run);

    // First the goals alone: damped steps from m_q to where they are met, or as near as they can be.
    sdk::Status meetGoals(kit::SolverRun& run);
    enum class Effort { Brief, Whole };
    sdk::Status follow(kit::SolverRun& run, Effort effort);
    sdk::Status approach(kit::SolverRun& run, Effort effort);
    [[nodiscard]] bool chooseApproach(kit::SolverRun& run, double damping, bool isNewton);
    bool land(kit::SolverRun& run);
    sdk::Status search(kit::SolverRun& run);
    bool nudge(const kit::SolverRun& run, int attempt);

    // Then the optimum among the poses that meet them as well: Newton's steps from m_q.
    sdk::Status optimise(kit::SolverRun& run);
    [[nodiscard]] bool chooseStep(kit::SolverRun& run);
    [[nodiscard]] bool chooseStepOfLarge();
    [[nodiscard]] double takeStep(kit::SolverRun& run);
    void mend(kit::SolverRun& run);
    [[nodiscard]] bool returnToGoals(kit::SolverRun& run, double off);
    [[nodiscard]] bool isKept(const kit::SolverRun& run) const;

    void evaluate(kit::SolverRun& run, std::span<const double> q);
    void differentiate(kit::SolverRun& run);
    void addCurvature(kit::SolverRun& run, double sign, const Eigen::Ref<const Eigen::VectorXd>& force);
    void updateBox();
    void reportMultipliers(kit::SolverRun& run);

    // By the tangent of this run.
    [[nodiscard]] auto gradient() { return m_gradientRoom.head(m_tangent.size()); }
    [[nodiscard]] auto step() { return m_stepRoom.head(m_tangent.size()); }
    [[nodiscard]] auto diagonal() { return m_diagonalRoom.head(m_tangent.size()); }
    [[nodiscard]] auto hessian() { return m_hessianRoom.topLeftCorner(m_tangent.size(), m_tangent.size()); }
    [[nodiscard]] double largestStep() { return m_tangent.size() > 0 ? step().cwiseAbs().maxCoeff() : 0; }
    void shortenStep();

    kit::Choice m_choice = kit::Choice::Closest;
    double m_accuracy = 1e-8;
    bool m_usesCurvature = true;
    bool m_isLarge = false; ///< only the diagonals of matrices are used, so that time grows with the size alone

    kit::Tangent m_tangent;
    kit::GoalRows m_goals;
    kit::JointLaw m_law;
    kit::Objectives m_objectives;
    constrained::Box m_box;
    constrained::Nearing m_nearing;
    constrained::KktSystem m_kkt;

    std::vector<double> m_seed, m_q, m_trial, m_best;        ///< (nq)
    std::vector<double> m_reluctance;                        ///< of the tangent's parts, for the way there
    std::vector<double> m_found;                             ///< (nq) the best end of a search so far
    Eigen::VectorXd m_gradientRoom, m_stepRoom, m_wholeRoom; ///< (nv)
    Eigen::MatrixXd m_hessianRoom;                           ///< (nv x nv), or of a large model (0 x 0)
    Eigen::VectorXd m_diagonalRoom;                          ///< (nv) its diagonal, of a large model
    double m_norm = 0, m_value = 0;                          ///< |c| and G of the last evaluate()
    double m_reached = 0; ///< |c| that objectives must not worsen, where goals could not be met
    bool m_wasMet = false;
    bool m_isOnGoals = false;      ///< the optimum is being sought along the goals, not on the way to them
    bool m_hasLimitedBall = false; ///< a projection that each step may undo
    bool m_isStopped = false;      ///< a limit stopped the last approach
};

/// A new ConstrainedSolver: what the plugins' shells call, so that they need not compile this class.
[[nodiscard]] std::unique_ptr<sdk::Solver> makeConstrainedSolver();

} // namespace tendon

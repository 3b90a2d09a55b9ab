#pragma once

#include <tendon/kit/SolverBase.h>

namespace example {

/// Damped least squares without a matrix solve: sweeps over the DOFs. Each takes the step that is best while the others
/// rest, within its limits (projected Gauss-Seidel on the linearised goals).
class SweepSolver final : public tendon::kit::SolverBase
{
public:
    SweepSolver()
    {
        declare({.goalKinds = tendon::kit::bits(tendon::sdk::GoalKind::Position)});
        declareInteger("sweeps", 8, 1, 100);
        declareReal("damping", 0.5, 1e-6, 10);
    }

private:
    tendon::sdk::Status onPrepare(const tendon::sdk::Model& model, std::int32_t maxGoals) override
    {
        m_step.setZero(model.dofCount);
        m_rest.setZero(6 * maxGoals);
        return tendon::sdk::Status::Converged;
    }

    void run(tendon::kit::SolverRun& run) override
    {
        while (run.next()) {
            const auto jacobian = run.jacobian();
            auto rest = m_rest.head(jacobian.rows()); // what the step so far leaves of the residual
            rest = run.residual();
            m_step.setZero();
            const double arm = jacobian.colwise().norm().maxCoeff(); // so that the unit of length does not matter
            const double damping = parameter("damping") * rest.norm() * arm;
            for (int sweep = 0; sweep < static_cast<int>(parameter("sweeps")); ++sweep)
                for (const int body : run.bodies()) improve(run, jacobian, body, damping, rest);
            m_step *= std::min(1.0,
                               0.7 / std::max(0.7, m_step.cwiseAbs().maxCoeff())); // the linearisation holds no farther
            run.advance(m_step, damping);
        }
    }

    template <class Matrix, class Vector>
    void improve(const tendon::kit::SolverRun& run, const Matrix& jacobian, int body, double damping, Vector& rest)
    {
        const auto& model = run.model();
        for (int v = model.vBegin[body]; v < model.vBegin[body + 1]; ++v) {
            const double curvature = jacobian.col(v).squaredNorm() + damping;
            if (!run.isMovable(v) || !(curvature > 1e-12)) continue;
            const double at = run.q()[model.qBegin[body] + v - model.vBegin[body]]; // a ball's limits are infinite
            const double wanted = m_step[v] - (jacobian.col(v).dot(rest) + damping * m_step[v]) / curvature;
            const double kept = std::clamp(wanted, model.lower[v] - at, model.upper[v] - at);
            rest += jacobian.col(v) * (kept - m_step[v]);
            m_step[v] = kept;
        }
    }

    Eigen::VectorXd m_step, m_rest;
};

} // namespace example

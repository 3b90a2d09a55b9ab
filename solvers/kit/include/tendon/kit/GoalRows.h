#pragma once

#include <tendon/kit/Tangent.h>

#include <cmath>

namespace tendon::kit {

/// The residual of all active goals without units, c(q), and its derivative by the tangent: what methods minimise or
/// hold at zero that treat metres and radians alike. A row is the kit's residual times its weight, position rows are
/// divided by Tangent::length().
class GoalRows
{
public:
    void prepare(const Model& model, std::int32_t maxGoals)
    {
        const auto rows = static_cast<Eigen::Index>(maxGoals) * kMaxRows;
        m_factors.setZero(rows);
        m_offset.setZero(rows);
        m_values.setZero(rows);
        m_jacobian.setZero(rows, model.dofCount);
    }

    void build(const SolverRun& run, const Tangent& tangent)
    {
        m_tangent = &tangent;
        m_rows = 0;
        for (const std::int32_t g : run.activeGoals()) {
            const Goal& goal = run.problem().goals[g];
            for (int i = 0; i < residualRows(goal.kind); ++i)
                m_factors[m_rows++] = asksPosition(goal.kind) && i < 3 ? 1 / tangent.length() : 1;
        }
        forgetOffset();
    }

    [[nodiscard]] Eigen::Index rows() const { return m_rows; }

    /// What each row of the run's weighted residual is multiplied by.
    [[nodiscard]] auto factors() const { return m_factors.head(m_rows); }

    /// c at the configuration of the run's last evaluation, less the offset.
    [[nodiscard]] auto values() const { return m_values.head(m_rows); }
    double evaluate(SolverRun& run)
    {
        m_values.head(m_rows) = m_factors.head(m_rows).cwiseProduct(run.residual()) - m_offset.head(m_rows);
        return m_values.head(m_rows).norm();
    }

    /// dc/dy (rows x size of the tangent) at the same configuration.
    [[nodiscard]] auto jacobian() const { return m_jacobian.topLeftCorner(m_rows, m_tangent->size()); }
    void differentiate(SolverRun& run)
    {
        const auto byDof = run.jacobian();
        for (const Tangent::Part& part : m_tangent->parts())
            for (int k = 0; k < part.size(); ++k)
                m_jacobian.col(part.index + k).head(m_rows) = part.unit * m_factors.head(m_rows).cwiseProduct(
                                                                              byDof.col(part.dof + k));
    }

    /// Adds J'J, with J the jacobian(), to a symmetric matrix (size of the tangent, both ways).
    void addSquare(MatrixRef matrix) const
    {
        for (Eigen::Index j = 0; j < matrix.cols(); ++j)
            for (Eigen::Index i = 0; i <= j; ++i) {
                const double value = m_jacobian.col(i).head(m_rows).dot(m_jacobian.col(j).head(m_rows));
                matrix(i, j) += value;
                if (i != j) matrix(j, i) += value;
            }
    }

    /// |c + J step|: what is left of the goals after a step, as far as first derivatives tell.
    [[nodiscard]] double normAfter(const Eigen::Ref<const Eigen::VectorXd>& step) const
    {
        double squared = 0;
        for (Eigen::Index row = 0; row < m_rows; ++row) {
            const double left = m_values[row] + m_jacobian.row(row).head(step.size()).dot(step);
            squared += left * left;
        }
        return std::sqrt(squared);
    }

    /// Asks from now on for the residual that the goals have come to, not for 0: for goals that cannot be met.
    void askForReached() { m_offset.head(m_rows) += m_values.head(m_rows); }
    void forgetOffset() { m_offset.setZero(); }

private:
    const Tangent* m_tangent = nullptr;
    Eigen::VectorXd m_factors, m_offset, m_values;
    Eigen::MatrixXd m_jacobian;
    Eigen::Index m_rows = 0;
};

} // namespace tendon::kit

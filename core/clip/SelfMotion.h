#pragma once

#include "core/clip/AnswerSpace.h"

#include <tendon/kit/Residuals.h>

#include <Eigen/QR>

#include <vector>

namespace tendon {

/// How a configuration may move while its goals stay met, to first order: what the goals' Jacobian leaves open.
class SelfMotion
{
public:
    explicit SelfMotion(const AnswerSpace& space);

    /// Looks at the active goals of a problem at q (nq).
    void evaluate(const sdk::Problem& problem, const double* q);

    /// How many directions the goals leave open at q: free DOFs that move a goal, less the rank of the Jacobian.
    [[nodiscard]] int freedom() const { return m_freedom; }

    /// How near q is to a singular configuration: the least that the free DOFs can do for the goals, as a share of the
    /// most. 0 = singular, or nothing is free.
    [[nodiscard]] double conditioning() const;

    /// The open direction where there is one alone (nv, without units, largest number 1). Its sign is arbitrary.
    [[nodiscard]] const double* direction() const { return m_direction.data(); }

    /// The DOFs that are free and move a goal, ascending.
    [[nodiscard]] const std::vector<std::size_t>& columns() const { return m_columns; }

    /// All open directions: orthonormal (columns x freedom, without units).
    [[nodiscard]] Eigen::MatrixXd openDirections() const;

    /// [m | rad] The largest residual of the goals at q.
    [[nodiscard]] double miss() const { return m_residual.size() == 0 ? 0 : m_residual.cwiseAbs().maxCoeff(); }

    /// The shortest step (nv, without units) that meets the goals to first order.
    void correction(double* step) const;

    /// How many directions the goals of a problem leave open wherever q is, at least: free DOFs that move a goal, less
    /// what the goals ask for; not below 0. evaluate() is not needed for it.
    [[nodiscard]] int leastFreedom(const sdk::Problem& problem);

private:
    Eigen::Index findColumns(const sdk::Problem& problem);

    const AnswerSpace* m_space;
    std::vector<kit::Frame<double>> m_frames;
    std::vector<kit::DofMotion> m_motions;
    std::vector<std::size_t> m_columns; ///< DOFs that are free and move a goal
    Eigen::MatrixXd m_jacobian;         ///< transposed: (free DOFs x rows)
    Eigen::VectorXd m_residual;         ///< (rows)
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> m_qr;
    std::vector<double> m_direction;
    int m_freedom = 0;
};

} // namespace tendon

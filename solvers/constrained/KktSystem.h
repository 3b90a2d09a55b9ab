#pragma once

#include "solvers/constrained/Nearing.h"

namespace tendon::constrained {

/// Newton's step on the conditions of Karush, Kuhn and Tucker for: minimise G(q) subject to c(q) = 0, within limits.
/// With H the second derivative of L = G - lambda . c,
///
///     | H  -J' | | p      |     | g |
///     | J   0  | | lambda | = - | c |
///
/// solved in the null space of J (Nocedal and Wright 2006, chapters 16.2 and 18.1): p = v + Z z, where v is the
/// shortest step with Jv = -c and Z spans what no goal feels. Rows of J that depend on others, as where goals repeat or
/// contradict each other, are met as nearly as they can be, by the singular values. An aim's three rows always do:
/// where it is met, no step changes the length of the direction.
class KktSystem
{
public:
    /// Finds the multipliers that balance g best at the current configuration, and which DOFs their limits hold.
    void balance(const Vector& g, const Matrix& j, const Vector& c, const Box& box);

    /// The step. False where H is not positive definite along what goals leave open; p() is then of no use.
    [[nodiscard]] bool solve(const Matrix& h, const Vector& g, const Matrix& j, const Vector& c, const Box& box);

    /// The shortest step that mends `c`, in the DOFs that were free in the last solve().
    [[nodiscard]] Eigen::VectorXd mend(const Vector& c) const;

    [[nodiscard]] const Eigen::VectorXd& p() const { return m_p; }
    [[nodiscard]] const Eigen::VectorXd& multipliers() const { return m_multipliers; }

private:
    void decompose(const Matrix& j, double off);
    [[nodiscard]] Eigen::VectorXd shortest(const Eigen::VectorXd& c) const; ///< in the free DOFs

    std::vector<std::uint8_t> m_isHeld, m_isFixed;
    std::vector<Eigen::Index> m_free;
    Eigen::VectorXd m_p, m_multipliers;
    Eigen::JacobiSVD<Eigen::MatrixXd> m_svd;
    Eigen::Index m_rank = 0;
};

} // namespace tendon::constrained

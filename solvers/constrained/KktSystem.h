#pragma once

#include "solvers/constrained/Nearing.h"
#include "solvers/constrained/PivotedQr.h"

namespace tendon::constrained {

/// Newton's step on the conditions of Karush, Kuhn and Tucker for: minimise G(q) subject to c(q) = 0, within limits.
/// With H the second derivative of L = G - lambda . c,
///
///     | H  -J' | | p      |     | g |
///     | J   0  | | lambda | = - | c |
///
/// solved in the null space of J (Nocedal and Wright 2006, chapters 16.2 and 18.1): p = Q (y, z), where Q comes from
/// two decompositions J' P = Q R and R' P = U T, y = -T^-1 U'P'c is the shortest step that mends c, and z are the
/// directions that no goal feels. Rows of J that depend on others, as where goals repeat or contradict each other, are
/// met as nearly as they can be. An aim's three rows always do: where it is met, no step changes the length of the
/// direction. Where H is diagonal, the same in units in which it is 1, at a cost in proportion to the size. Only
/// prepare() allocates.
class KktSystem
{
public:
    /// `isDiagonal`: H will always be.
    void prepare(Eigen::Index maxRows, Eigen::Index maxSize, bool isDiagonal = false);

    /// Finds the multipliers that balance g best at the current configuration, and which DOFs their limits hold.
    void balance(const Vector& g, const Matrix& j, const Vector& c, const Box& box);

    /// The step at the configuration of the last balance(). False where H is not positive definite along what goals
    /// leave open; p() is then of no use.
    [[nodiscard]] bool solve(const Matrix& h, const Vector& g, const Matrix& j, const Vector& c, const Box& box);

    /// The same for a diagonal H, of which `h` are the entries, all positive.
    [[nodiscard]] bool solveDiagonal(const Vector& h, const Vector& g, const Matrix& j, const Vector& c,
                                     const Box& box);

    /// Adds to `p` the step that mends `c` at the least cost by H, in the DOFs that were free in the last solve().
    void addMending(const Matrix& h, const Vector& c, Eigen::Ref<Eigen::VectorXd> p);
    void addMendingDiagonal(const Vector& c, Eigen::Ref<Eigen::VectorXd> p); ///< after solveDiagonal(), by its H

    [[nodiscard]] auto p() const { return m_p.head(m_size); }
    [[nodiscard]] auto multipliers() const { return m_multipliers.head(m_rows); }

private:
    /// Steps with the DOFs that reach the box fixed there, until none leaves it. `finish`(p) makes the step of the free
    /// ones from (y, 0) in m_turned; false when it cannot.
    template <class Finish>
    [[nodiscard]] bool solveInside(const Matrix& j, const Vector& c, const Box& box, const Finish& finish);
    void decompose(const Matrix& j, double off);
    void setShortest();                            ///< m_turned <- (y, 0), by what m_mended asks
    [[nodiscard]] bool addOpen(const Matrix& h);   ///< m_turned <- (y, z), where m_slope is met before the step
    void addOpenOfUnit();                          ///< the same for H = 1
    void addTurned(Eigen::Ref<Eigen::VectorXd> p); ///< p <- p + Q m_turned, in the units of p

    [[nodiscard]] Eigen::Index open() const { return static_cast<Eigen::Index>(m_free.size()) - m_felt.rank(); }

    Eigen::Index m_rows = 0, m_size = 0;
    std::vector<std::uint8_t> m_isHeld, m_isFixed;
    std::vector<std::uint8_t> m_decomposedFor; ///< m_isFixed of the decompositions
    bool m_isDecomposed = false;
    std::vector<Eigen::Index> m_free;
    PivotedQr m_felt; ///< J' of the free DOFs = Q R P'
    PivotedQr m_left; ///< P R' = U T
    Eigen::VectorXd m_unit, m_p, m_multipliers, m_slope, m_turned, m_turnedSlope, m_mended;
    std::vector<double> m_freeH, m_openH, m_openStep;
};

} // namespace tendon::constrained

#pragma once

#include <Eigen/Core>

#include <vector>

namespace tendon::constrained {

/// Householder's decomposition A P = Q R, the longest remaining column of A first, so that columns that depend on
/// others come last and are left out. prepare() sizes the memory; nothing else allocates.
class PivotedQr
{
public:
    void prepare(Eigen::Index maxRows, Eigen::Index maxColumns);

    /// The matrix A, to be filled in before factor().
    Eigen::Map<Eigen::MatrixXd> resize(Eigen::Index rows, Eigen::Index columns);
    [[nodiscard]] double longest() const; ///< column of A

    /// Leaves out columns of which no more than `least` is perpendicular to those taken before.
    void factor(double least);

    [[nodiscard]] Eigen::Index rank() const { return m_rank; }
    [[nodiscard]] Eigen::Index pivot(Eigen::Index k) const { return m_pivots[static_cast<std::size_t>(k)]; }

    /// An entry of R (rank x columns, in the order of the pivots), on or above the diagonal.
    [[nodiscard]] double r(Eigen::Index row, Eigen::Index column) const { return m_a[column * m_rows + row]; }

    void turn(double* x) const;                   ///< x <- Q' x
    void turnBack(double* x) const;               ///< x <- Q x
    void turnBoth(Eigen::Ref<Eigen::MatrixXd> h); ///< h <- Q' h Q, for a symmetric h

    // With the first `rank` columns of R.
    void solve(double* b) const;           ///< b <- R^-1 b
    void solveTransposed(double* b) const; ///< b <- R'^-1 b

private:
    using Column = Eigen::Map<Eigen::VectorXd>;
    using ConstColumn = Eigen::Map<const Eigen::VectorXd>;

    /// Reflector k is 1 - factor v v', where v is 0 above row k, 1 in it and tail(k) below.
    [[nodiscard]] ConstColumn tail(Eigen::Index k) const { return {m_a.data() + k * m_rows + k + 1, m_rows - k - 1}; }
    [[nodiscard]] double factorOf(Eigen::Index k) const { return m_factors[static_cast<std::size_t>(k)]; }
    void reflect(double* x, Eigen::Index k) const;

    Eigen::VectorXd m_a, m_work;
    std::vector<double> m_factors;
    std::vector<Eigen::Index> m_pivots;
    Eigen::Index m_rows = 0, m_columns = 0, m_rank = 0;
};

} // namespace tendon::constrained

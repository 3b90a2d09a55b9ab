#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

namespace tendon::dls {

/// One damped step within a box:
///
///     minimise |J y + r|^2 + damping |y|^2   subject to   lower <= y <= upper
///
/// by an active set: solve without the box, fix what left it at its bound, solve for the rest, until nothing leaves.
/// The smaller of the two normal systems is solved: y = -J' (J J' + damping I)^-1 r or (J'J + damping I) y = -J' r.
/// Memory is sized by prepare(); solve() does not allocate.
class BoxStep
{
public:
    /// Rows of a column, those from `begin` to `end`.
    struct RowRange
    {
        std::int32_t begin = 0, end = 0;
    };

    void prepare(int maxRows, int maxColumns);

    /// `jacobian` is rows x columns, column by column; a column is zero but for its `filled` rows. `lower` <= 0 <=
    /// `upper` per column. False when the system could not be solved (NaN).
    [[nodiscard]] bool solve(const double* jacobian, std::span<const RowRange> filled, std::span<const double> residual,
                             double damping, std::span<const double> lower, std::span<const double> upper,
                             std::span<double> y);

    /// Which columns the last solve() left at a bound: -1, 0, +1.
    [[nodiscard]] std::span<const std::int8_t> fixedAt() const { return {m_fixedAt.data(), m_columns}; }

private:
    template <int Rows>
    bool solveDual(const double* jacobian, double damping, std::span<double> y);
    bool solveDual(const double* jacobian, std::span<const RowRange> filled, double damping, std::span<double> y);
    bool solveSquares();
    void formSquares(const double* jacobian, std::span<const RowRange> filled, double damping);
    void takeOutFixed(const double* jacobian, std::span<const RowRange> filled);
    std::size_t findFree();
    bool solvePrimal(const double* jacobian, double damping, std::span<double> y);
    bool fixViolators(const double* jacobian, std::span<const double> lower, std::span<const double> upper,
                      std::span<double> y);

    std::size_t m_rows = 0, m_columns = 0;
    std::vector<double> m_matrix, m_right, m_solution;
    std::vector<double> m_squares; ///< J J' + damping I of the columns that were free at the last pass
    bool m_hasSquares = false;
    std::vector<std::int8_t> m_fixedAt;
    std::vector<std::int32_t> m_free, m_fixed; ///< columns; those fixed since m_squares
    std::size_t m_fixedCount = 0;
};

} // namespace tendon::dls

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
    void prepare(int maxRows, int maxColumns);

    /// `jacobian` is rows x columns, column by column. `lower` <= 0 <= `upper` per column. False when the system could
    /// not be solved (NaN).
    [[nodiscard]] bool solve(const double* jacobian, std::span<const double> residual, double damping,
                             std::span<const double> lower, std::span<const double> upper, std::span<double> y);

    /// Which columns the last solve() left at a bound: -1, 0, +1.
    [[nodiscard]] std::span<const std::int8_t> fixedAt() const { return {m_fixedAt.data(), m_columns}; }

private:
    template <int Rows>
    bool solveDual(const double* jacobian, double damping, std::span<double> y);
    bool solveDual(const double* jacobian, double damping, std::span<double> y);
    bool solvePrimal(const double* jacobian, double damping, std::span<double> y);
    bool fixViolators(const double* jacobian, std::span<const double> lower, std::span<const double> upper,
                      std::span<double> y);

    std::size_t m_rows = 0, m_columns = 0;
    std::vector<double> m_matrix, m_right, m_solution;
    std::vector<std::int8_t> m_fixedAt;
    std::vector<std::int32_t> m_free;
};

} // namespace tendon::dls

#include "solvers/dls/BoxStep.h"

#include <tendon/kit/Cholesky.h>

#include <algorithm>
#include <cmath>

namespace tendon::dls {

namespace {

using Vector = Eigen::Map<Eigen::VectorXd>;
using kit::Scaled;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

} // namespace

void BoxStep::prepare(int maxRows, int maxColumns)
{
    const auto rows = static_cast<std::size_t>(maxRows), columns = static_cast<std::size_t>(maxColumns);
    const std::size_t side = std::min(rows, columns); // the smaller system is solved
    m_matrix.assign(side * side, 0);
    m_squares.assign(side * side, 0);
    m_right.assign(rows, 0);
    m_solution.assign(std::max(rows, columns), 0);
    m_fixedAt.assign(columns, 0);
    m_free.assign(columns, 0);
    m_fixed.assign(columns, 0);
}

bool BoxStep::solve(const double* jacobian, std::span<const RowRange> filled, std::span<const double> residual,
                    double damping, std::span<const double> lower, std::span<const double> upper, std::span<double> y)
{
    m_rows = residual.size();
    m_columns = y.size();
    std::copy(residual.begin(), residual.end(), m_right.begin());
    std::fill_n(m_fixedAt.begin(), m_columns, std::int8_t(0));
    m_hasSquares = false;
    m_fixedCount = 0;

    // Each pass fixes at least one column, so this ends.
    for (std::size_t pass = 0; pass <= m_columns; ++pass) {
        bool isSolved = false;
        if (m_rows > m_columns)
            isSolved = solvePrimal(jacobian, damping, y);
        else if (m_rows == 3)
            isSolved = solveDual<3>(jacobian, damping, y);
        else if (m_rows == 6)
            isSolved = solveDual<6>(jacobian, damping, y);
        else
            isSolved = solveDual(jacobian, filled, damping, y);
        if (!isSolved) return false;
        if (!fixViolators(jacobian, lower, upper, y)) return true;
    }
    return true;
}

bool BoxStep::fixViolators(const double* jacobian, std::span<const double> lower, std::span<const double> upper,
                           std::span<double> y)
{
    bool fixed = false;
    for (std::size_t c = 0; c < m_columns; ++c) {
        if (m_fixedAt[c] != 0 || (y[c] >= lower[c] && y[c] <= upper[c])) continue;
        m_fixedAt[c] = y[c] < lower[c] ? -1 : 1;
        y[c] = y[c] < lower[c] ? lower[c] : upper[c];
        fixed = true;
        m_fixed[m_fixedCount++] = static_cast<std::int32_t>(c);
        if (y[c] != 0)
            Vector(m_right.data(), static_cast<Eigen::Index>(m_rows)) += y[c] *
                                                                         ConstVector(jacobian + c * m_rows,
                                                                                     static_cast<Eigen::Index>(m_rows));
    }
    return fixed;
}

template <int Rows>
bool BoxStep::solveDual(const double* jacobian, double damping, std::span<double> y)
{
    double a[Rows][Rows] = {}, z[Rows];
    for (int i = 0; i < Rows; ++i) {
        a[i][i] = damping;
        z[i] = m_right[i];
    }
    for (std::size_t c = 0; c < m_columns; ++c) {
        if (m_fixedAt[c] != 0) continue;
        const double* column = jacobian + c * Rows;
        for (int i = 0; i < Rows; ++i)
            for (int j = 0; j <= i; ++j) a[i][j] += column[i] * column[j];
    }
    if (!kit::solveInPlace(a, z)) return false;
    for (std::size_t c = 0; c < m_columns; ++c) {
        if (m_fixedAt[c] != 0) continue;
        const double* column = jacobian + c * Rows;
        double sum = 0;
        for (int i = 0; i < Rows; ++i) sum += column[i] * z[i];
        y[c] = -sum;
    }
    return true;
}

std::size_t BoxStep::findFree()
{
    std::size_t n = 0;
    for (std::size_t c = 0; c < m_columns; ++c)
        if (m_fixedAt[c] == 0) m_free[n++] = static_cast<std::int32_t>(c);
    return n;
}

/// m_squares anew. Most columns carry few goals, and those beside each other the same.
void BoxStep::formSquares(const double* jacobian, std::span<const RowRange> filled, double damping)
{
    const std::size_t n = m_rows, count = findFree();
    std::fill_n(m_squares.begin(), n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) m_squares[i * n + i] = damping;
    const auto columnAt = [&](std::size_t k) { return jacobian + static_cast<std::size_t>(m_free[k]) * n; };
    const auto rowsAt = [&](std::size_t k) { return filled[static_cast<std::size_t>(m_free[k])]; };
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        RowRange rows = rowsAt(k);
        for (std::size_t e = 1; e < 4; ++e)
            rows = {std::min(rows.begin, rowsAt(k + e).begin), std::max(rows.end, rowsAt(k + e).end)};
        for (std::int32_t row = rows.begin; row < rows.end; ++row) {
            const auto j = static_cast<std::size_t>(row);
            const double *p = columnAt(k) + j, *q = columnAt(k + 1) + j, *r = columnAt(k + 2) + j,
                         *s = columnAt(k + 3) + j;
            if (*p == 0 && *q == 0 && *r == 0 && *s == 0) continue;
            kit::addScaled(m_squares.data() + j * n + j, static_cast<std::size_t>(rows.end) - j, Scaled{*p, p},
                           Scaled{*q, q}, Scaled{*r, r}, Scaled{*s, s});
        }
    }
    for (; k < count; ++k)
        for (auto j = static_cast<std::size_t>(rowsAt(k).begin); j < static_cast<std::size_t>(rowsAt(k).end); ++j)
            if (const double* p = columnAt(k) + j; *p != 0)
                kit::addScaled(m_squares.data() + j * n + j, static_cast<std::size_t>(rowsAt(k).end) - j,
                               Scaled{*p, p});
    m_hasSquares = true;
    m_fixedCount = 0;
}

/// What the columns that the last pass has fixed add to m_squares is taken away again.
void BoxStep::takeOutFixed(const double* jacobian, std::span<const RowRange> filled)
{
    const std::size_t n = m_rows;
    for (std::size_t k = 0; k < m_fixedCount; ++k) {
        const auto c = static_cast<std::size_t>(m_fixed[k]);
        for (auto j = static_cast<std::size_t>(filled[c].begin); j < static_cast<std::size_t>(filled[c].end); ++j)
            if (const double* p = jacobian + c * n + j; *p != 0)
                kit::addScaled(m_squares.data() + j * n + j, static_cast<std::size_t>(filled[c].end) - j,
                               Scaled{-*p, p});
    }
    m_fixedCount = 0;
}

bool BoxStep::solveSquares()
{
    std::copy_n(m_squares.begin(), m_rows * m_rows, m_matrix.begin());
    std::copy_n(m_right.begin(), m_rows, m_solution.begin());
    return kit::solveInPlace(m_matrix.data(), m_solution.data(), m_rows);
}

bool BoxStep::solveDual(const double* jacobian, std::span<const RowRange> filled, double damping, std::span<double> y)
{
    const std::size_t n = m_rows;
    const bool isReduced = m_hasSquares;
    if (isReduced)
        takeOutFixed(jacobian, filled);
    else
        formSquares(jacobian, filled, damping);
    bool isSolved = solveSquares();
    if (!isSolved && isReduced) { // rounding may leave less than nothing where all that carries a goal is fixed
        formSquares(jacobian, filled, damping);
        isSolved = solveSquares();
    }
    if (!isSolved) return false;
    for (std::size_t c = 0; c < m_columns; ++c)
        if (m_fixedAt[c] == 0)
            y[c] = -ConstVector(jacobian + c * n, static_cast<Eigen::Index>(n))
                        .dot(Vector(m_solution.data(), static_cast<Eigen::Index>(n)));
    return true;
}

bool BoxStep::solvePrimal(const double* jacobian, double damping, std::span<double> y)
{
    const std::size_t n = findFree();
    const auto rows = static_cast<Eigen::Index>(m_rows);
    const auto column = [&](std::size_t k) { return ConstVector(jacobian + m_free[k] * rows, rows); };
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = j; i < n; ++i) m_matrix[j * n + i] = column(i).dot(column(j));
        m_matrix[j * n + j] += damping;
        m_solution[j] = -column(j).dot(Vector(m_right.data(), rows));
    }
    if (!kit::solveInPlace(m_matrix.data(), m_solution.data(), n)) return false;
    for (std::size_t j = 0; j < n; ++j) y[m_free[j]] = m_solution[j];
    return true;
}

} // namespace tendon::dls

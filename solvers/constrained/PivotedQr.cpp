#include "solvers/constrained/PivotedQr.h"

#include <algorithm>
#include <cmath>

namespace tendon::constrained {

using Eigen::Index;

void PivotedQr::prepare(Index maxRows, Index maxColumns)
{
    m_a.setZero(maxRows * maxColumns);
    m_work.setZero(maxRows);
    m_factors.reserve(static_cast<std::size_t>(maxColumns));
    m_pivots.reserve(static_cast<std::size_t>(maxColumns));
}

Eigen::Map<Eigen::MatrixXd> PivotedQr::resize(Index rows, Index columns)
{
    m_rows = rows;
    m_columns = columns;
    m_rank = 0;
    return {m_a.data(), rows, columns};
}

double PivotedQr::longest() const
{
    double squared = 0;
    for (Index k = 0; k < m_columns; ++k)
        squared = std::max(squared, ConstColumn(m_a.data() + k * m_rows, m_rows).squaredNorm());
    return std::sqrt(squared);
}

void PivotedQr::factor(double least)
{
    m_factors.clear();
    m_pivots.clear();
    for (Index k = 0; k < m_columns; ++k) m_pivots.push_back(k);
    for (m_rank = 0; m_rank < std::min(m_rows, m_columns); ++m_rank) {
        const Index k = m_rank, rest = m_rows - k;
        const auto below = [&](Index column) { return Column(m_a.data() + column * m_rows + k, rest); };
        Index longest = k;
        double squared = 0;
        for (Index column = k; column < m_columns; ++column)
            if (const double own = below(column).squaredNorm(); own > squared) {
                squared = own;
                longest = column;
            }
        if (!(squared > least * least)) return;
        if (longest != k) {
            Column(m_a.data() + k * m_rows, m_rows).swap(Column(m_a.data() + longest * m_rows, m_rows));
            std::swap(m_pivots[static_cast<std::size_t>(k)], m_pivots[static_cast<std::size_t>(longest)]);
        }
        Column own = below(k);
        const double length = std::sqrt(squared), head = own[0], turned = head > 0 ? -length : length;
        own.tail(rest - 1) /= head - turned;
        own[0] = turned;
        m_factors.push_back((turned - head) / turned);
        for (Index column = k + 1; column < m_columns; ++column) reflect(m_a.data() + column * m_rows, k);
    }
}

void PivotedQr::reflect(double* x, Index k) const
{
    Column below(x + k + 1, m_rows - k - 1);
    const double along = factorOf(k) * (x[k] + tail(k).dot(below));
    x[k] -= along;
    below -= along * tail(k);
}

void PivotedQr::turn(double* x) const
{
    for (Index k = 0; k < m_rank; ++k) reflect(x, k);
}

void PivotedQr::turnBack(double* x) const
{
    for (Index k = m_rank; k-- > 0;) reflect(x, k);
}

void PivotedQr::turnBoth(Eigen::Ref<Eigen::MatrixXd> h)
{
    // A reflector on both sides is h - v w' - w v', with w = factor (h v - 1/2 factor (v'h v) v).
    for (Index k = 0; k < m_rank; ++k) {
        const Index rest = m_rows - k - 1;
        auto w = m_work.head(m_rows);
        w = h.col(k);
        for (Index i = 0; i < rest; ++i) w += tail(k)[i] * h.col(k + 1 + i);
        w *= factorOf(k);
        const double half = 0.5 * factorOf(k) * (w[k] + tail(k).dot(w.tail(rest)));
        w[k] -= half;
        w.tail(rest) -= half * tail(k);
        for (Index column = 0; column < m_rows; ++column) {
            h(k, column) -= w[column];
            h.col(column).tail(rest) -= w[column] * tail(k);
        }
        h.col(k) -= w;
        for (Index i = 0; i < rest; ++i) h.col(k + 1 + i) -= tail(k)[i] * w;
    }
}

void PivotedQr::solve(double* b) const
{
    for (Index k = m_rank; k-- > 0;) {
        b[k] /= r(k, k);
        for (Index i = 0; i < k; ++i) b[i] -= r(i, k) * b[k];
    }
}

void PivotedQr::solveTransposed(double* b) const
{
    for (Index k = 0; k < m_rank; ++k) {
        for (Index i = 0; i < k; ++i) b[k] -= r(i, k) * b[i];
        b[k] /= r(k, k);
    }
}

} // namespace tendon::constrained

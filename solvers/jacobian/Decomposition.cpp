#include "solvers/jacobian/Decomposition.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon::jacobian {

namespace {

using Column = Eigen::Map<Eigen::VectorXd>;

void rotate(Column p, Column q, double cosine, double sine)
{
    for (Eigen::Index i = 0; i < p.size(); ++i) {
        const double x = p[i], y = q[i];
        p[i] = cosine * x - sine * y;
        q[i] = sine * x + cosine * y;
    }
}

} // namespace

void Decomposition::prepare(Eigen::Index maxRows, Eigen::Index maxColumns)
{
    m_left.assign(static_cast<std::size_t>(maxRows * maxRows), 0);
    m_right.assign(static_cast<std::size_t>(maxRows * maxColumns), 0);
    m_values.assign(static_cast<std::size_t>(maxRows), 0);
}

void Decomposition::decompose(const Eigen::Ref<const Eigen::MatrixXd>& matrix)
{
    m_rows = matrix.rows();
    m_columns = matrix.cols();
    const auto left = [this](Eigen::Index i) { return Column(m_left.data() + i * m_rows, m_rows); };
    const auto right = [this](Eigen::Index i) { return Column(m_right.data() + i * m_columns, m_columns); };
    for (Eigen::Index i = 0; i < m_rows; ++i) {
        left(i).setZero();
        left(i)[i] = 1;
        right(i) = matrix.row(i).transpose();
    }

    // Turn each pair of rows until they are perpendicular; a few sweeps over all pairs suffice. What is left of a row
    // that depends on others is rounding: it is perpendicular to nothing, and counts as zero.
    constexpr int kMaxSweeps = 60;
    constexpr double kPerpendicular = 1e-14; // cosine
    const double zero = 4 * std::numeric_limits<double>::epsilon() * matrix.norm(), zeroSquared = zero * zero;
    bool turned = true;
    for (int sweep = 0; turned && sweep < kMaxSweeps; ++sweep) {
        turned = false;
        for (Eigen::Index p = 0; p < m_rows; ++p)
            for (Eigen::Index q = p + 1; q < m_rows; ++q) {
                const double pp = right(p).squaredNorm(), qq = right(q).squaredNorm(), pq = right(p).dot(right(q));
                if (!(pp > zeroSquared && qq > zeroSquared) || !(std::abs(pq) > kPerpendicular * std::sqrt(pp * qq)))
                    continue;
                const double zeta = (qq - pp) / (2 * pq);
                const double tangent = (zeta >= 0 ? 1 : -1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
                const double cosine = 1 / std::sqrt(1 + tangent * tangent);
                rotate(right(p), right(q), cosine, cosine * tangent);
                rotate(left(p), left(q), cosine, cosine * tangent);
                turned = true;
            }
    }
    for (Eigen::Index i = 0; i < m_rows; ++i) {
        const double value = right(i).norm();
        m_values[static_cast<std::size_t>(i)] = value > zero ? value : 0;
        if (value > zero)
            right(i) /= value;
        else
            right(i).setZero();
    }
}

double Decomposition::largestValue() const
{
    double largest = 0;
    for (Eigen::Index i = 0; i < m_rows; ++i) largest = std::max(largest, value(i));
    return largest;
}

} // namespace tendon::jacobian

#include "solvers/jacobian/Decomposition.h"

#include <Eigen/Jacobi>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon::jacobian {

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
    using Columns = Eigen::Map<Eigen::MatrixXd>;
    Columns left(m_left.data(), m_rows, m_rows), right(m_right.data(), m_columns, m_rows);
    left.setIdentity();
    right = matrix.transpose();

    // Turn each pair of rows until they are perpendicular; a few sweeps over all pairs suffice. What is left of a row
    // that depends on others is rounding: it is perpendicular to nothing, and counts as zero.
    constexpr int kMaxSweeps = 60;
    constexpr double kPerpendicular = 1e-14; // cosine
    const double zero = 4 * std::numeric_limits<double>::epsilon() * matrix.norm(), zeroSquared = zero * zero;
    const auto square = [this](Eigen::Index i) -> double& { return m_values[static_cast<std::size_t>(i)]; };
    bool turned = true;
    for (int sweep = 0; turned && sweep < kMaxSweeps; ++sweep) {
        turned = false;
        for (Eigen::Index i = 0; i < m_rows; ++i) square(i) = right.col(i).squaredNorm();
        for (Eigen::Index p = 0; p < m_rows; ++p)
            for (Eigen::Index q = p + 1; q < m_rows; ++q) {
                const double pp = square(p), qq = square(q), pq = right.col(p).dot(right.col(q));
                if (!(pp > zeroSquared && qq > zeroSquared) || !(std::abs(pq) > kPerpendicular * std::sqrt(pp * qq)))
                    continue;
                const double zeta = (qq - pp) / (2 * pq);
                const double tangent = (zeta >= 0 ? 1 : -1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
                const double cosine = 1 / std::sqrt(1 + tangent * tangent);
                const Eigen::JacobiRotation<double> rotation(cosine, cosine * tangent);
                right.applyOnTheRight(p, q, rotation);
                left.applyOnTheRight(p, q, rotation);
                square(p) = pp - tangent * pq;
                square(q) = qq + tangent * pq;
                turned = true;
            }
    }
    for (Eigen::Index i = 0; i < m_rows; ++i) {
        const double value = right.col(i).norm();
        m_values[static_cast<std::size_t>(i)] = value > zero ? value : 0;
        if (value > zero)
            right.col(i) /= value;
        else
            right.col(i).setZero();
    }
}

double Decomposition::largestValue() const
{
    double largest = 0;
    for (Eigen::Index i = 0; i < m_rows; ++i) largest = std::max(largest, value(i));
    return largest;
}

} // namespace tendon::jacobian

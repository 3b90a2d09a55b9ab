#include "solvers/constrained/KktSystem.h"

namespace tendon::constrained {

namespace {

constexpr double kNoRank = 1e-7; ///< singular values below this share of the largest count as 0
constexpr double kWeak = 0.03;   ///< and of those below this share
constexpr double kNoWay = 10;    ///< the ones below so much of |c|: no short step mends what they ask
constexpr int kMaxRounds = 10;   ///< in which limits take hold and let go; more would only go round in circles

} // namespace

void KktSystem::decompose(const Matrix& j, double off)
{
    m_free.clear();
    for (Eigen::Index k = 0; k < j.cols(); ++k)
        if (m_isFixed[static_cast<std::size_t>(k)] == 0) m_free.push_back(k);
    m_rank = 0;
    if (m_free.empty() || j.rows() == 0) return;
    m_svd.compute(j(Eigen::all, m_free), Eigen::ComputeFullU | Eigen::ComputeFullV);
    const auto& values = m_svd.singularValues();
    const double least = std::max(kNoRank * values[0], std::min(kWeak * values[0], kNoWay * off));
    while (m_rank < values.size() && values[m_rank] > least) ++m_rank;
}

void KktSystem::balance(const Vector& g, const Matrix& j, const Vector& c, const Box& box)
{
    const auto n = static_cast<std::size_t>(g.size());
    m_isHeld.assign(n, 0);
    m_multipliers.setZero(j.rows());
    for (int round = 0; round < kMaxRounds; ++round) {
        m_isFixed = m_isHeld;
        decompose(j, c.norm());
        m_multipliers.setZero(j.rows());
        if (m_rank > 0)
            m_multipliers = m_svd.matrixU().leftCols(m_rank) *
                            (m_svd.matrixV().leftCols(m_rank).transpose() * g(m_free))
                                .cwiseQuotient(m_svd.singularValues().head(m_rank));
        const Eigen::VectorXd slope = g - j.transpose() * m_multipliers;
        for (std::size_t k = 0; k < n; ++k) m_isHeld[k] = box.stops(static_cast<Eigen::Index>(k), slope[k]) ? 1 : 0;
        if (m_isHeld == m_isFixed) break;
    }
}

Eigen::VectorXd KktSystem::shortest(const Eigen::VectorXd& c) const
{
    if (m_rank == 0) return Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_free.size()));
    return -m_svd.matrixV().leftCols(m_rank) *
           (m_svd.matrixU().leftCols(m_rank).transpose() * c).cwiseQuotient(m_svd.singularValues().head(m_rank));
}

Eigen::VectorXd KktSystem::mend(const Vector& c) const
{
    Eigen::VectorXd step = Eigen::VectorXd::Zero(m_p.size());
    step(m_free) = shortest(c);
    return step;
}

bool KktSystem::solve(const Matrix& h, const Vector& g, const Matrix& j, const Vector& c, const Box& box)
{
    m_p.setZero(g.size());
    m_isFixed = m_isHeld;
    do {
        for (Eigen::Index k = 0; k < g.size(); ++k)
            if (m_isFixed[static_cast<std::size_t>(k)] == 0) m_p[k] = 0; // what is fixed stands on the boundary
        decompose(j, c.norm());
        const auto count = static_cast<Eigen::Index>(m_free.size());
        if (count == 0) return true;
        const Eigen::VectorXd left = c + j * m_p, slope = (g + h * m_p)(m_free);
        const Eigen::VectorXd v = shortest(left);
        const Eigen::MatrixXd freeH = h(m_free, m_free);
        Eigen::VectorXd step = v;
        const Eigen::Index open = count - m_rank;
        if (open > 0) {
            const Eigen::MatrixXd z = m_rank > 0 ? Eigen::MatrixXd(m_svd.matrixV().rightCols(open))
                                                 : Eigen::MatrixXd(Eigen::MatrixXd::Identity(count, count));
            const Eigen::LLT<Eigen::MatrixXd> reduced(z.transpose() * freeH * z);
            if (reduced.info() != Eigen::Success) return false;
            step -= z * reduced.solve(z.transpose() * (slope + freeH * v));
        }
        m_p(m_free) = step;
    } while (fixWhatLeaves(box, m_p, m_isFixed));
    return m_p.allFinite();
}

} // namespace tendon::constrained

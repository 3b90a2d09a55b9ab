#include "solvers/constrained/Nearing.h"

namespace tendon::constrained {

bool fixWhatLeaves(const Box& box, Eigen::VectorXd& p, std::vector<std::uint8_t>& isFixed)
{
    bool leaves = false;
    for (Eigen::Index k = 0; k < p.size(); ++k) {
        if (isFixed[static_cast<std::size_t>(k)] != 0 || (p[k] >= box.low[k] && p[k] <= box.high[k])) continue;
        p[k] = p[k] < box.low[k] ? box.low[k] : box.high[k];
        isFixed[static_cast<std::size_t>(k)] = 1;
        leaves = true;
    }
    return leaves;
}

bool Nearing::solve(const Matrix& a, const Vector& g, const Box& box)
{
    m_p.setZero(g.size());
    m_isFixed.assign(static_cast<std::size_t>(g.size()), 0);
    m_isStopped = false;
    for (Eigen::Index k = 0; k < g.size(); ++k) {
        if (!box.stops(k, g[k])) continue;
        m_isFixed[static_cast<std::size_t>(k)] = 1;
        m_isStopped = true;
    }
    do {
        m_free.clear();
        for (Eigen::Index k = 0; k < g.size(); ++k) {
            if (m_isFixed[static_cast<std::size_t>(k)] != 0) continue;
            m_free.push_back(k);
            m_p[k] = 0; // what is fixed stands on the boundary
        }
        if (m_free.empty()) return true;
        m_right = g + a * m_p;
        m_freeA = a(m_free, m_free);
        m_cholesky.compute(m_freeA);
        if (m_cholesky.info() != Eigen::Success) return false;
        m_p(m_free) = -m_cholesky.solve(m_right(m_free));
    } while (fixWhatLeaves(box, m_p, m_isFixed));
    return m_p.allFinite();
}

} // namespace tendon::constrained

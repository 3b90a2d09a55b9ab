#include "solvers/constrained/Nearing.h"

#include <tendon/kit/Cholesky.h>

namespace tendon::constrained {

bool fixWhatLeaves(const Box& box, Eigen::Ref<Eigen::VectorXd> p, std::vector<std::uint8_t>& isFixed)
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

void Nearing::prepare(Eigen::Index maxSize)
{
    const auto size = static_cast<std::size_t>(maxSize);
    m_free.reserve(size);
    m_isFixed.reserve(size);
    m_freeA.assign(size * size, 0);
    m_right.assign(size, 0);
    m_p.setZero(maxSize);
}

bool Nearing::solve(const Matrix& a, const Vector& g, const Box& box)
{
    m_size = g.size();
    m_isFixed.assign(static_cast<std::size_t>(m_size), 0);
    m_isStopped = false;
    auto p = m_p.head(m_size);
    p.setZero();
    for (Eigen::Index k = 0; k < m_size; ++k) {
        if (!box.stops(k, g[k])) continue;
        m_isFixed[static_cast<std::size_t>(k)] = 1;
        m_isStopped = true;
    }
    do {
        m_free.clear();
        for (Eigen::Index k = 0; k < m_size; ++k) {
            if (m_isFixed[static_cast<std::size_t>(k)] != 0) continue;
            m_free.push_back(k);
            p[k] = 0; // what is fixed stands on the boundary
        }
        const std::size_t count = m_free.size();
        for (std::size_t j = 0; j < count; ++j) {
            m_right[j] = -g[m_free[j]] - a.col(m_free[j]).dot(p);
            for (std::size_t i = j; i < count; ++i) m_freeA[j * count + i] = a(m_free[i], m_free[j]);
        }
        if (!kit::solveInPlace(m_freeA.data(), m_right.data(), count)) return false;
        for (std::size_t j = 0; j < count; ++j) p[m_free[j]] = m_right[j];
    } while (fixWhatLeaves(box, p, m_isFixed));
    return p.allFinite();
}

} // namespace tendon::constrained

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

void Nearing::prepare(Eigen::Index maxSize, Eigen::Index maxRows)
{
    const auto size = static_cast<std::size_t>(maxSize), order = maxRows > 0 ? static_cast<std::size_t>(maxRows) : size;
    m_free.reserve(size);
    m_isFixed.reserve(size);
    m_freeA.assign(order * order, 0);
    m_right.assign(order, 0);
    m_p.setZero(maxSize);
}

void Nearing::begin(const Vector& g, const Box& box)
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
}

void Nearing::listFree()
{
    m_free.clear();
    for (Eigen::Index k = 0; k < m_size; ++k) {
        if (m_isFixed[static_cast<std::size_t>(k)] != 0) continue;
        m_free.push_back(k);
        m_p[k] = 0; // what is fixed stands on the boundary
    }
}

/// With J of what is free and c what is left where the rest stands: p = -D^-1 J' (1 + J D^-1 J')^-1 c.
bool Nearing::solveSquare(const Vector& d, const Matrix& j, const Vector& c, const Vector& g, const Box& box)
{
    begin(g, box);
    auto p = m_p.head(m_size);
    const auto rows = static_cast<std::size_t>(j.rows());
    do {
        listFree();
        for (std::size_t r = 0; r < rows; ++r) {
            m_right[r] = c[static_cast<Eigen::Index>(r)] + j.row(static_cast<Eigen::Index>(r)).dot(p);
            for (std::size_t s = r; s < rows; ++s) m_freeA[r * rows + s] = r == s ? 1 : 0;
        }
        for (const Eigen::Index k : m_free)
            for (std::size_t r = 0; r < rows; ++r) {
                const double share = j(static_cast<Eigen::Index>(r), k) / d[k];
                for (std::size_t s = r; s < rows; ++s)
                    m_freeA[r * rows + s] += share * j(static_cast<Eigen::Index>(s), k);
            }
        if (!kit::solveInPlace(m_freeA.data(), m_right.data(), rows)) return false;
        for (const Eigen::Index k : m_free) {
            double pull = 0;
            for (std::size_t r = 0; r < rows; ++r) pull += j(static_cast<Eigen::Index>(r), k) * m_right[r];
            p[k] = -pull / d[k];
        }
    } while (fixWhatLeaves(box, p, m_isFixed));
    return p.allFinite();
}

bool Nearing::solve(const Matrix& a, const Vector& g, const Box& box)
{
    begin(g, box);
    auto p = m_p.head(m_size);
    do {
        listFree();
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

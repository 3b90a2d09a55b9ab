#include "solvers/dls/TreeMatrix.h"

#include <algorithm>

namespace tendon::dls {

std::size_t TreeMatrix::entryCount(const sdk::Model& model)
{
    std::vector<std::size_t> down(static_cast<std::size_t>(model.bodyCount),
                                  0); // DOFs from the root to each body's own
    std::size_t entries = 0;
    for (std::size_t b = 0; b < down.size(); ++b) {
        const std::size_t above = model.parent[b] < 0 ? 0 : down[static_cast<std::size_t>(model.parent[b])];
        const auto own = static_cast<std::size_t>(model.vBegin[b + 1] - model.vBegin[b]);
        down[b] = above + own;
        entries += own * above + own * (own + 1) / 2;
    }
    return entries;
}

void TreeMatrix::prepare(const sdk::Model& model)
{
    const auto dofs = static_cast<std::size_t>(model.dofCount);
    m_parent.assign(dofs, -1);
    m_depth.assign(dofs, 0);
    m_offset.assign(dofs, 0);
    m_values.assign(entryCount(model), 0);
}

void TreeMatrix::build(const LinkTree& tree)
{
    m_size = tree.columns().size();
    m_used = 0;
    for (int i = 0; i < tree.linkCount(); ++i) {
        const Link& link = tree.link(i);
        int carrier = link.parent;
        while (carrier >= 0 && tree.link(carrier).columnCount == 0) carrier = tree.link(carrier).parent;
        int parent = carrier < 0 ? -1 : tree.link(carrier).firstColumn + tree.link(carrier).columnCount - 1;
        for (int c = link.firstColumn; c < link.firstColumn + link.columnCount; ++c) {
            const auto column = static_cast<std::size_t>(c);
            m_parent[column] = parent;
            m_depth[column] = parent < 0 ? 0 : m_depth[static_cast<std::size_t>(parent)] + 1;
            m_offset[column] = m_used;
            m_used += static_cast<std::size_t>(m_depth[column]) + 1;
            parent = c;
        }
    }
}

void TreeMatrix::setZero() { std::fill_n(m_values.begin(), m_used, 0.0); }

bool TreeMatrix::factorise()
{
    constexpr double kLeastPivot = 1e-9; // beside an energy whose own curvature is 1
    for (std::size_t k = m_size; k-- > 0;) {
        double* own = row(k);
        const int depth = m_depth[k];
        if (!(own[depth] > kLeastPivot)) return false;
        const double inverse = 1 / own[depth];
        int above = m_parent[k];
        for (int p = depth; p-- > 0; above = m_parent[static_cast<std::size_t>(above)]) {
            const double share = own[p] * inverse;
            double* other = row(static_cast<std::size_t>(above));
            for (int e = 0; e <= p; ++e) other[e] -= share * own[e];
            own[p] = share;
        }
    }
    return true;
}

void TreeMatrix::solveInPlace(std::span<double> b)
{
    for (std::size_t k = m_size; k-- > 0;) {
        const double* own = row(k);
        int above = m_parent[k];
        for (int p = m_depth[k]; p-- > 0; above = m_parent[static_cast<std::size_t>(above)])
            b[static_cast<std::size_t>(above)] -= own[p] * b[k];
    }
    for (std::size_t k = 0; k < m_size; ++k) {
        const double* own = row(k);
        b[k] /= own[m_depth[k]];
        int above = m_parent[k];
        for (int p = m_depth[k]; p-- > 0; above = m_parent[static_cast<std::size_t>(above)])
            b[k] -= own[p] * b[static_cast<std::size_t>(above)];
    }
}

} // namespace tendon::dls

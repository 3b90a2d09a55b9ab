#pragma once

#include "solvers/dls/LinkTree.h"

#include <span>
#include <vector>

namespace tendon::dls {

/// A symmetric matrix over the columns of a LinkTree, with entries only where one of two columns carries the other, as
/// the Hessian of anything that hangs on single bodies has them. Its factors L' D L (L unit lower) fill no other entry
/// (Featherstone 2008, "Rigid Body Dynamics Algorithms", 6.5), so that solving costs the sum of the squared depths.
///
/// Row j holds the entries of the columns that carry j, from the root down, and last its own.
class TreeMatrix
{
public:
    /// Of a matrix over all DOFs.
    [[nodiscard]] static std::size_t entryCount(const sdk::Model& model);

    void prepare(const sdk::Model& model);
    void build(const LinkTree& tree);

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] int parent(std::size_t column) const { return m_parent[column]; } ///< -1 at a root
    [[nodiscard]] int depth(std::size_t column) const { return m_depth[column]; }   ///< columns that carry it
    [[nodiscard]] double* row(std::size_t column) { return m_values.data() + m_offset[column]; }
    [[nodiscard]] double& diagonal(std::size_t column) { return row(column)[m_depth[column]]; }

    void setZero();

    /// Factorises in place. False where it is not positive definite.
    [[nodiscard]] bool factorise();

    /// After factorise(): the right side becomes the solution.
    void solveInPlace(std::span<double> b);

private:
    std::size_t m_size = 0, m_used = 0;
    std::vector<std::int32_t> m_parent, m_depth;
    std::vector<std::size_t> m_offset;
    std::vector<double> m_values;
};

} // namespace tendon::dls

#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

namespace tendon::jacobian {

/// The singular value decomposition J = sum_i value_i * left_i * right_i', with one triple per row of J, by Jacobi
/// rotations of the rows (Hestenes 1958). The values are in no particular order. prepare() sizes all memory;
/// decompose() does not allocate.
class Decomposition
{
public:
    using ConstVector = Eigen::Map<const Eigen::VectorXd>;

    void prepare(Eigen::Index maxRows, Eigen::Index maxColumns);

    /// `matrix` is rows x columns, within the sizes of prepare().
    void decompose(const Eigen::Ref<const Eigen::MatrixXd>& matrix);

    [[nodiscard]] Eigen::Index count() const { return m_rows; }
    [[nodiscard]] double value(Eigen::Index i) const { return m_values[static_cast<std::size_t>(i)]; }
    [[nodiscard]] double largestValue() const;

    /// Unit, of the size of a column of J.
    [[nodiscard]] ConstVector left(Eigen::Index i) const { return {m_left.data() + i * m_rows, m_rows}; }

    /// Of the size of a row of J; unit where value(i) is above 0, else zero.
    [[nodiscard]] ConstVector right(Eigen::Index i) const { return {m_right.data() + i * m_columns, m_columns}; }

private:
    Eigen::Index m_rows = 0, m_columns = 0;
    std::vector<double> m_left, m_right, m_values;
};

} // namespace tendon::jacobian

#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace tendon::constrained {

using Matrix = Eigen::Ref<const Eigen::MatrixXd>;
using Vector = Eigen::Ref<const Eigen::VectorXd>;

/// Where a step may lead: low <= p <= high, with low <= 0 <= high. May be longer than the step.
struct Box
{
    Eigen::VectorXd low, high;

    /// True when a limit stops the DOF from going the way of -`slope`.
    [[nodiscard]] bool stops(Eigen::Index k, double slope) const
    {
        return (slope > 0 && low[k] >= 0) || (slope < 0 && high[k] <= 0);
    }
};

/// Lists the entries whose `p` leaves the box, and puts them onto its boundary. True when there were any.
bool fixWhatLeaves(const Box& box, Eigen::Ref<Eigen::VectorXd> p, std::vector<std::uint8_t>& isFixed);

/// The step toward goals that are not met: minimises the quadratic g'p + 1/2 p'Ap in a box. What leaves the box is
/// fixed at its boundary, and the rest solved again. Only prepare() allocates.
class Nearing
{
public:
    /// `maxRows`: of J in solveSquare(), the only one that is then called; 0 = only solve() is.
    void prepare(Eigen::Index maxSize, Eigen::Index maxRows = 0);

    /// False where A is not positive definite; p() is then of no use.
    [[nodiscard]] bool solve(const Matrix& a, const Vector& g, const Box& box);

    /// The same with A = D + J'J and g = J'c, D diagonal and positive: what it takes is in proportion to the size.
    [[nodiscard]] bool solveSquare(const Vector& d, const Matrix& j, const Vector& c, const Vector& g, const Box& box);

    [[nodiscard]] auto p() const { return m_p.head(m_size); }
    [[nodiscard]] bool isStopped() const { return m_isStopped; } ///< a limit stops the way down

private:
    void begin(const Vector& g, const Box& box);
    void listFree();

    std::vector<Eigen::Index> m_free;
    std::vector<std::uint8_t> m_isFixed;
    std::vector<double> m_freeA, m_right;
    Eigen::VectorXd m_p;
    Eigen::Index m_size = 0;
    bool m_isStopped = false;
};

} // namespace tendon::constrained

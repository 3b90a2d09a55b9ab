#pragma once

#include <tendon/sdk/Model.h>
#include <tendon/sdk/Problem.h>

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace tendon {

/// How far configurations of one model are from each other, and steps between them. Slides count in units of the length
/// that weighs as much as a radian: 0.3 of the longest chain of the base. Of an angle that has room for more than one
/// and a half turns, whole turns do not count.
class AnswerSpace
{
public:
    AnswerSpace(const sdk::Model& model, std::span<const double> base);

    [[nodiscard]] const sdk::Model& model() const { return m_model; }
    [[nodiscard]] std::size_t coordinates() const { return static_cast<std::size_t>(m_model.coordinateCount); }
    [[nodiscard]] std::size_t dofs() const { return static_cast<std::size_t>(m_model.dofCount); }
    [[nodiscard]] double unitOf(std::size_t dof) const { return m_unit[dof]; } ///< [rad | m] that count as 1

    [[nodiscard]] double length() const { return m_length; } ///< [m] that counts as 1

    /// True if whole turns of a DOF do not count.
    [[nodiscard]] bool isPeriodic(std::size_t dof) const { return m_isPeriodic[dof] != 0; }

    /// The step (nv, without units) from one configuration to another.
    void difference(const double* from, const double* to, double* step) const;
    /// `from` moved by `factor` times a step (nv, without units), within the limits. `to` may be `from`.
    void move(const double* from, const double* step, double factor, std::span<const std::uint8_t> locked,
              double* to) const;

    /// Sets the whole turns of a path (frames x nq) so that it runs on without leaps, within the limits where it can.
    /// Between two frames in `breaks` (ascending, the first frame after a leap) it may leap.
    void unroll(std::vector<double>& path, std::span<const int> breaks, const double* near) const;

    /// The same pose with its whole turns next to those of another, within the limits.
    void centre(const double* near, double* q) const;

    /// The step from one configuration to another, in numbers.
    struct Way
    {
        double largest = 0; ///< of all DOFs
        double squared = 0; ///< sum over the DOFs
    };
    /// `expected`, if not null, is a step (nv) that does not count.
    [[nodiscard]] Way way(const double* from, const double* to, const double* expected = nullptr) const;
    [[nodiscard]] double largest(const double* from, const double* to, const double* expected = nullptr) const
    {
        return way(from, to, expected).largest;
    }
    [[nodiscard]] double squared(const double* from, const double* to) const { return way(from, to).squared; }
    /// As largest() <= distance, and quicker where they are far apart.
    [[nodiscard]] bool isWithin(const double* from, const double* to, double distance) const;

private:
    sdk::Model m_model;
    [[nodiscard]] double wayOf(std::size_t dof, double way) const
    {
        const bool isTurned = m_isPeriodic[dof] != 0 && std::abs(way) > std::numbers::pi;
        return (isTurned ? std::remainder(way, 2 * std::numbers::pi) : way) * m_perUnit[dof];
    }

    double m_length = 1;
    std::vector<double> m_unit, m_perUnit; ///< (nv) and its reciprocal
    std::vector<char> m_isPeriodic;        ///< (nv) whole turns do not count
    std::vector<std::size_t> m_periodic;   ///< those, as coordinates
    std::vector<std::size_t> m_periodicDof;
    bool m_isPlain = true; ///< no quaternions: coordinates and DOFs are the same
};

} // namespace tendon

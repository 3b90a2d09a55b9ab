#pragma once

#include "solvers/dls/LinkTree.h"
#include "solvers/dls/TreeMatrix.h"

#include <span>
#include <vector>

namespace tendon::dls {

/// Limits as walls that are felt before they are touched: the sum over all limits of b(room / width), with
///
///     b(x) = -log x + (x - 1) - 1/2 (x - 1)^2   for x < 1, else 0
///
/// which is smooth to its second derivative and infinite at the limit. At first a wall is felt over the whole range, at
/// last only nearer than the reference is, and at most over half the range: so the reference itself feels none and can
/// be the answer. Where the reference stands at a limit, that is no wall at last, but holds what presses it.
class LimitWalls
{
public:
    void prepare(const sdk::Model& model);

    /// Takes the limits of the columns of `tree`, around a reference (nq) within them. `length` is what counts as much
    /// as a radian [m].
    void build(const LinkTree& tree, double length, std::span<const double> reference);

    /// How far walls are felt from now on: 1 everywhere, 0 as at last.
    void setReach(double reach) { m_reach = reach; }

    /// Moves `q` (nq) off the limits that it is at, so that the walls have a value there.
    void enter(const LinkTree& tree, std::span<double> q) const;

    /// The sum at `q`; infinite beyond a limit.
    [[nodiscard]] double energy(const LinkTree& tree, std::span<const double> q) const;

    /// Adds `weight` times its derivatives by the columns, in units of their metric. The curvature of a ball's swing
    /// and twist themselves is left out.
    void differentiate(const LinkTree& tree, std::span<const double> q, double weight, std::span<double> gradient,
                       TreeMatrix& hessian) const;

    /// The share of the step `dv` that goes nearly to the next wall at most, 0 ... 1. Of balls energy() tells.
    [[nodiscard]] double shareWithin(const LinkTree& tree, std::span<const double> q, std::span<const double> dv) const;

    /// Marks the columns that stand at a limit, without a wall, and that the way down `gradient` would press against
    /// it. True if there is one.
    bool hold(const LinkTree& tree, std::span<const double> q, std::span<const double> gradient,
              std::span<std::uint8_t> isHeld) const;

private:
    /// Of a DOF with a coordinate of its own.
    struct Wall
    {
        std::int32_t column = 0;
        double inward = 1; ///< the room is inward * (coordinate - at)
        double at = 0;
        double width = 0; ///< at last; 0: no wall
        double range = 0; ///< its width at first
    };

    /// Of a ball: the swing by the square of its level in the ellipse, and the twist to either side.
    struct Ball
    {
        std::int32_t link = 0;
        double semiAxes[4] = {};
        double swingWidth = 1;
        Wall twist[2];
    };

    /// The derivatives of one wall's barrier by its room; 0 where it is not felt.
    struct Felt
    {
        double slope = 0, bend = 0;
    };
    [[nodiscard]] static Felt felt(double room, double width);
    [[nodiscard]] double widthOf(const Wall& wall) const { return wall.width + m_reach * (wall.range - wall.width); }
    [[nodiscard]] double swingWidthOf(const Ball& ball) const
    {
        return ball.swingWidth + m_reach * (1 - ball.swingWidth);
    }
    void addBall(const Link& link, int index, std::span<const double> reference);
    void differentiate(const Ball& ball, const LinkTree& tree, std::span<const double> q, double weight,
                       std::span<double> gradient, TreeMatrix& hessian) const;

    const sdk::Model* m_model = nullptr;
    std::vector<Wall> m_walls;
    std::vector<Ball> m_balls;
    double m_reach = 1;
};

} // namespace tendon::dls

#include "solvers/dls/LimitWalls.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>

namespace tendon::dls {

namespace {

constexpr double kOpen = 4;          ///< [rad], or lengths: the range of a limit without another opposite
constexpr double kLeastWidth = 1e-3; ///< of a range: a reference nearer to its limit than this is at it
constexpr double kEntry = 0.05;      ///< of a range: how far inside a solve begins
constexpr double kFaint = 1e-200;    ///< a product that is not yet too small
constexpr double kOfRoom = 0.95;     ///< of the room that a step may use up

double widthAtLast(double room, double range)
{
    const double width = std::min(room, 0.5 * range);
    return width < kLeastWidth * range ? 0 : width;
}

} // namespace

LimitWalls::Felt LimitWalls::felt(double room, double width)
{
    const double x = room / width, less = x - 1;
    if (!(less < 0)) return {};
    return {(-1 / x + 1 - less) / width, (1 / (x * x) - 1) / (width * width)};
}

void LimitWalls::prepare(const sdk::Model& model)
{
    m_model = &model;
    m_walls.reserve(2 * static_cast<std::size_t>(model.dofCount));
    m_balls.reserve(static_cast<std::size_t>(model.bodyCount));
}

void LimitWalls::build(const LinkTree& tree, double length, std::span<const double> reference)
{
    m_walls.clear();
    m_balls.clear();
    const std::span<const Column> columns = tree.columns();
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Column& column = columns[c];
        const double range = std::min(column.upper - column.lower, column.turns ? kOpen : kOpen * length);
        if (column.slot >= 0 || !(range > 0)) continue;
        const double q = reference[column.coordinate];
        const auto index = static_cast<std::int32_t>(c);
        if (std::isfinite(column.lower))
            m_walls.push_back({index, 1, column.lower, widthAtLast(q - column.lower, range), range});
        if (std::isfinite(column.upper))
            m_walls.push_back({index, -1, column.upper, widthAtLast(column.upper - q, range), range});
    }
    for (int i = 0; i < tree.linkCount(); ++i) {
        const Link& link = tree.link(i);
        if (link.columnCount == 3 && kit::isLimitedBall(*m_model, link.body)) addBall(link, i, reference);
    }
}

void LimitWalls::addBall(const Link& link, int index, std::span<const double> reference)
{
    Ball& ball = m_balls.emplace_back();
    ball.link = index;
    const double* semiAxes = &m_model->ballSwing[4 * link.body];
    for (int k = 0; k < 4; ++k) ball.semiAxes[k] = std::max(semiAxes[k], kLeastWidth);
    const kit::SwingTwist split = kit::splitSwingTwist(kit::quaternionAt(reference.data() + m_model->qBegin[link.body]),
                                                       m_model->ballAxis[link.body]);
    const double level = kit::ellipseLevel(split.swingA, split.swingB, ball.semiAxes);
    ball.swingWidth = std::clamp(1 - level * level, kLeastWidth, 0.5);
    const double from = m_model->ballTwist[2 * link.body], to = m_model->ballTwist[2 * link.body + 1];
    const double range = std::max(kLeastWidth, std::min(to - from, kOpen));
    const auto wall = [range](double inward, double at, double room) {
        return Wall{-1, inward, at, std::max(kLeastWidth * range, widthAtLast(room, range)), range};
    };
    ball.twist[0] = wall(1, from, split.twist - from);
    ball.twist[1] = wall(-1, to, to - split.twist);
}

void LimitWalls::enter(const LinkTree& tree, std::span<double> q) const
{
    for (const Wall& wall : m_walls) {
        double& coordinate = q[tree.columns()[static_cast<std::size_t>(wall.column)].coordinate];
        if (wall.inward * (coordinate - wall.at) < kEntry * wall.range)
            coordinate = wall.at + wall.inward * kEntry * wall.range;
    }
    for (const Ball& ball : m_balls) {
        const std::int32_t body = tree.link(ball.link).body;
        double* own = q.data() + m_model->qBegin[body];
        kit::SwingTwist split = kit::splitSwingTwist(kit::quaternionAt(own), m_model->ballAxis[body]);
        const double level = kit::ellipseLevel(split.swingA, split.swingB, ball.semiAxes);
        if (level > 1 - kEntry) {
            split.swingA *= (1 - kEntry) / level;
            split.swingB *= (1 - kEntry) / level;
        }
        for (const Wall& wall : ball.twist)
            if (wall.inward * (split.twist - wall.at) < kEntry * wall.range)
                split.twist = wall.at + wall.inward * kEntry * wall.range;
        kit::store(kit::joinSwingTwist(split, m_model->ballAxis[body]), own);
    }
}

double LimitWalls::energy(const LinkTree& tree, std::span<const double> q) const
{
    double sum = 0, product = 1; // of the x, so that one logarithm does for many
    const auto add = [&](double room, double width) {
        const double x = room / width;
        if (width <= 0 || x >= 1) return;
        if (x <= 0) sum = kit::kInfinity;
        product *= x;
        sum += (x - 1) - 0.5 * (x - 1) * (x - 1);
        if (product > kFaint) return;
        sum -= std::log(product);
        product = 1;
    };
    for (const Wall& wall : m_walls) {
        const double coordinate = q[tree.columns()[static_cast<std::size_t>(wall.column)].coordinate];
        add(wall.inward * (coordinate - wall.at), widthOf(wall));
    }
    for (const Ball& ball : m_balls) {
        const std::int32_t body = tree.link(ball.link).body;
        const kit::SwingTwist split = kit::splitSwingTwist(kit::quaternionAt(q.data() + m_model->qBegin[body]),
                                                           m_model->ballAxis[body]);
        const double level = kit::ellipseLevel(split.swingA, split.swingB, ball.semiAxes);
        add(1 - level * level, swingWidthOf(ball));
        for (const Wall& wall : ball.twist) add(wall.inward * (split.twist - wall.at), widthOf(wall));
    }
    return std::isinf(sum) ? sum : sum - std::log(product);
}

void LimitWalls::differentiate(const LinkTree& tree, std::span<const double> q, double weight,
                               std::span<double> gradient, TreeMatrix& hessian) const
{
    for (const Wall& wall : m_walls) {
        const auto c = static_cast<std::size_t>(wall.column);
        const Column& column = tree.columns()[c];
        const double width = widthOf(wall);
        if (width <= 0) continue;
        const Felt at = felt(wall.inward * (q[column.coordinate] - wall.at), width);
        gradient[c] += weight * wall.inward * at.slope * column.metric;
        hessian.diagonal(c) += weight * at.bend * column.metric * column.metric;
    }
    for (const Ball& ball : m_balls) differentiate(ball, tree, q, weight, gradient, hessian);
}

void LimitWalls::differentiate(const Ball& ball, const LinkTree& tree, std::span<const double> q, double weight,
                               std::span<double> gradient, TreeMatrix& hessian) const
{
    const Link& link = tree.link(ball.link);
    const int t = static_cast<int>(m_model->ballAxis[link.body]), a = (t + 1) % 3, b = (t + 2) % 3;
    const kit::Quaternion rotation = kit::quaternionAt(q.data() + m_model->qBegin[link.body]);
    const kit::SwingTwist split = kit::splitSwingTwist(rotation, m_model->ballAxis[link.body]);

    // By swing a, swing b and twist first.
    Vector3 slope = Vector3::Zero();
    Matrix3 bend = Matrix3::Zero();
    const double alongA = ball.semiAxes[split.swingA >= 0 ? 0 : 1], alongB = ball.semiAxes[split.swingB >= 0 ? 2 : 3];
    const Vector3 outward(split.swingA / (alongA * alongA), split.swingB / (alongB * alongB), 0);
    const Felt swung = felt(1 - outward[0] * split.swingA - outward[1] * split.swingB, swingWidthOf(ball));
    slope -= 2 * swung.slope * outward;
    bend += 4 * swung.bend * outward * outward.transpose();
    bend(0, 0) -= 2 * swung.slope / (alongA * alongA);
    bend(1, 1) -= 2 * swung.slope / (alongB * alongB);
    for (const Wall& wall : ball.twist) {
        const Felt at = felt(wall.inward * (split.twist - wall.at), widthOf(wall));
        slope[2] += wall.inward * at.slope;
        bend(2, 2) += at.bend;
    }
    if (slope.isZero(0)) return;

    // The steps in the turned frame by which each of the three changes by 1 rad, as in kit::BallWays.
    Vector3 swing = Vector3::Zero();
    swing[a] = split.swingA;
    swing[b] = split.swingB;
    const Matrix3 jacobian = kit::leftJacobianInverse(swing).inverse();
    Matrix3 ways;
    ways.col(0) = rotation.conjugate() * Vector3(jacobian.col(a));
    ways.col(1) = rotation.conjugate() * Vector3(jacobian.col(b));
    ways.col(2) = Vector3::Unit(t);
    const Matrix3 changes = ways.inverse();
    const Vector3 bySteps = weight * changes.transpose() * slope;
    const Matrix3 bySquares = weight * changes.transpose() * bend * changes;
    for (int j = 0; j < 3; ++j) {
        const auto column = static_cast<std::size_t>(link.firstColumn + j);
        const double metric = tree.columns()[column].metric;
        gradient[column] += metric * bySteps[j];
        for (int k = 0; k <= j; ++k) {
            const auto other = static_cast<std::size_t>(link.firstColumn + k);
            hessian.row(column)[hessian.depth(other)] += metric * tree.columns()[other].metric * bySquares(j, k);
        }
    }
}

double LimitWalls::shareWithin(const LinkTree& tree, std::span<const double> q, std::span<const double> dv) const
{
    double share = 1;
    for (const Wall& wall : m_walls) {
        if (widthOf(wall) <= 0) continue;
        const double coordinate = q[tree.columns()[static_cast<std::size_t>(wall.column)].coordinate];
        const double room = kOfRoom * wall.inward * (coordinate - wall.at);
        const double toward = -wall.inward * dv[static_cast<std::size_t>(wall.column)];
        if (toward * share > room) share = room / toward;
    }
    return share;
}

bool LimitWalls::hold(const LinkTree& tree, std::span<const double> q, std::span<const double> gradient,
                      std::span<std::uint8_t> isHeld) const
{
    constexpr double kTouching = 1e-12;
    std::fill(isHeld.begin(), isHeld.end(), std::uint8_t{0});
    bool holds = false;
    for (const Wall& wall : m_walls) {
        const auto c = static_cast<std::size_t>(wall.column);
        if (widthOf(wall) > 0 || wall.inward * (q[tree.columns()[c].coordinate] - wall.at) > kTouching) continue;
        if (wall.inward * gradient[c] <= 0) continue;
        isHeld[c] = 1;
        holds = true;
    }
    return holds;
}

} // namespace tendon::dls

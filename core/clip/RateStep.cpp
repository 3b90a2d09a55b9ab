#include "core/clip/RateStep.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <cmath>

namespace tendon {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Steps = std::vector<VectorXd>;

/// The bounds whose last frame is one, side by side.
struct FrameBounds
{
    std::size_t frame = 0;
    std::vector<std::size_t> bounds; ///< their places
    std::array<MatrixXd, 3> rows;    ///< (unknowns x bounds) of the frame, the one before, the one before that; empty
                                     ///< = no bound depends on it
};

std::vector<FrameBounds> byFrame(const RateStep& program)
{
    std::vector<FrameBounds> all(program.sizes.size());
    for (std::size_t b = 0; b < program.bounds.size(); ++b)
        all[static_cast<std::size_t>(program.bounds[b].frame)].bounds.push_back(b);
    for (std::size_t t = 0; t < all.size(); ++t) {
        FrameBounds& own = all[t];
        own.frame = t;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t column = 0; column < own.bounds.size(); ++column) {
                const RateStep::Bound& bound = program.bounds[own.bounds[column]];
                if (static_cast<int>(i) >= bound.frames || bound.row[i].size() == 0) continue;
                if (own.rows[i].size() == 0)
                    own.rows[i].setZero(bound.row[i].size(), static_cast<Eigen::Index>(own.bounds.size()));
                own.rows[i].col(static_cast<Eigen::Index>(column)) = bound.row[i];
            }
    }
    return all;
}

/// A symmetric matrix of blocks that reaches from each frame to the two before, and its factor.
class BandedBlocks
{
public:
    explicit BandedBlocks(const std::vector<int>& sizes) : m_sizes(sizes), m_blocks(sizes.size()) {}

    void setDiagonal(double value)
    {
        for (std::size_t t = 0; t < m_sizes.size(); ++t)
            for (std::size_t k = 0; k < 3; ++k)
                if (k <= t) m_blocks[t][k].setZero(m_sizes[t], m_sizes[t - k]);
        for (auto& block : m_blocks) block[0].diagonal().setConstant(value);
    }

    /// The sum of factor * row row' over the bounds of one frame: as products of matrices, which are far quicker.
    void add(const FrameBounds& bounds, const VectorXd& factors)
    {
        for (std::size_t k = 0; k < 3; ++k) {
            if (bounds.rows[k].size() == 0) continue;
            m_weighted.noalias() = bounds.rows[k] * factors.asDiagonal();
            for (std::size_t i = 0; i <= k; ++i)
                if (bounds.rows[i].size() != 0)
                    m_blocks[bounds.frame - i][k - i].noalias() += bounds.rows[i] * m_weighted.transpose();
        }
    }

    /// Blocks become those of the factor L of L L'.
    void factorise()
    {
        for (std::size_t t = 0; t < m_blocks.size(); ++t) {
            if (t > 1) solveRight(t - 2, m_blocks[t][2]);
            if (t > 0) {
                if (t > 1) m_blocks[t][1].noalias() -= m_blocks[t][2] * m_blocks[t - 1][1].transpose();
                solveRight(t - 1, m_blocks[t][1]);
                m_blocks[t][0].noalias() -= m_blocks[t][1] * m_blocks[t][1].transpose();
            }
            if (t > 1) m_blocks[t][0].noalias() -= m_blocks[t][2] * m_blocks[t][2].transpose();
            if (m_sizes[t] > 0) Eigen::LLT<Eigen::Ref<MatrixXd>> factor(m_blocks[t][0]);
        }
    }

    void solve(Steps& x) const
    {
        const std::size_t frames = m_blocks.size();
        for (std::size_t t = 0; t < frames; ++t) {
            for (std::size_t k = 1; k < 3 && k <= t; ++k) x[t].noalias() -= m_blocks[t][k] * x[t - k];
            if (m_sizes[t] > 0) m_blocks[t][0].triangularView<Eigen::Lower>().solveInPlace(x[t]);
        }
        for (std::size_t t = frames; t-- > 0;) {
            for (std::size_t k = 1; k < 3 && t + k < frames; ++k)
                x[t].noalias() -= m_blocks[t + k][k].transpose() * x[t + k];
            if (m_sizes[t] > 0) m_blocks[t][0].triangularView<Eigen::Lower>().transpose().solveInPlace(x[t]);
        }
    }

private:
    /// block = block L[t]^-T
    void solveRight(std::size_t t, MatrixXd& block) const
    {
        if (block.size() == 0) return; // a frame at which nothing is open
        m_blocks[t][0].triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(block);
    }

    const std::vector<int>& m_sizes;
    MatrixXd m_weighted;
    std::vector<std::array<MatrixXd, 3>> m_blocks; ///< (frames) of it and itself, the one before, the one before that
};

/// What the bounds of a frame move by with y.
VectorXd along(const FrameBounds& bounds, const Steps& y)
{
    VectorXd values = VectorXd::Zero(static_cast<Eigen::Index>(bounds.bounds.size()));
    for (std::size_t i = 0; i < 3; ++i)
        if (bounds.rows[i].size() != 0) values.noalias() += bounds.rows[i].transpose() * y[bounds.frame - i];
    return values;
}

void addAlong(const FrameBounds& bounds, const VectorXd& factors, Steps& to)
{
    for (std::size_t i = 0; i < 3; ++i)
        if (bounds.rows[i].size() != 0) to[bounds.frame - i].noalias() += bounds.rows[i] * factors;
}

/// Of one side of a bound: how much room there is, and how hard the bound presses.
struct Side
{
    double slack = 1, press = 1, slackStep = 0, pressStep = 0;
};

} // namespace

std::vector<Eigen::VectorXd> RateStep::solve() const
{
    constexpr int kMostIterations = 40;
    constexpr double kDone = 1e-6, kUnmet = 1e-9, kShorten = 0.99, kStart = 0.1;
    constexpr double kNearly = 1e-4; ///< of what exceeded bounds cost, where they cannot all be kept
    constexpr double kQuick = 0.02, kUsual = 0.1, kSlow = 0.3; ///< of the gap, by how much of the last step was taken
    Steps y, step;
    for (const int size : sizes) y.push_back(VectorXd::Zero(size));
    if (bounds.empty()) return y;
    const std::size_t count = bounds.size();
    std::vector<Side> sides(2 * count); // each bound's upper, then its lower one
    const auto room = [&](std::size_t b, int side, double value) {
        return side == 0 ? bounds[b].upper - value : value - bounds[b].lower;
    };
    std::vector<double> values(count), steps(count);
    // It begins where room + press / firmness = slack and slack press = gap for every side, however far beyond its
    // bound a value is; from elsewhere most steps would be cut short.
    double start = weight;
    for (std::size_t b = 0; b < count; ++b)
        for (int s = 0; s < 2; ++s) {
            const double beyond = std::max(0.0, -room(b, s, bounds[b].offset));
            start = std::max(start, kStart * bounds[b].firmness * beyond * beyond);
        }
    for (std::size_t b = 0; b < count; ++b)
        for (int s = 0; s < 2; ++s) {
            Side& side = sides[2 * b + static_cast<std::size_t>(s)];
            const double own = room(b, s, bounds[b].offset), share = start / bounds[b].firmness;
            const double root = std::sqrt(own * own + 4 * share);
            side.slack = own > 0 ? 0.5 * (own + root) : 2 * share / (root - own);
            side.press = start / side.slack;
        }
    const std::vector<FrameBounds> frames = byFrame(*this);
    const auto spread = [&](const Steps& of, std::vector<double>& to) { // what each bound moves by
        for (const FrameBounds& own : frames) {
            const VectorXd moved = along(own, of);
            for (std::size_t i = 0; i < own.bounds.size(); ++i) to[own.bounds[i]] = moved[static_cast<Eigen::Index>(i)];
        }
    };
    BandedBlocks matrix(sizes);
    double length = 1; // of the last step
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
        double gap = 0, unmet = 0, given = 0; // given: what bounds that are exceeded cost
        spread(y, values);
        for (std::size_t b = 0; b < count; ++b) values[b] += bounds[b].offset;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const Side& side = sides[i];
            gap += side.slack * side.press;
            given += 0.5 * side.press * side.press / bounds[i / 2].firmness;
            unmet = std::max(unmet, std::abs(room(i / 2, static_cast<int>(i % 2), values[i / 2]) +
                                             side.press / bounds[i / 2].firmness - side.slack));
        }
        const bool isNear = gap < kNearly * given;
        gap /= static_cast<double>(sides.size());
        if ((isNear || gap < kDone * weight) && unmet < kUnmet) break;
        if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) break;
        // s = room + press / firmness and s press = target, to first order: each side presses
        //   press + factor (target / press - room - press / firmness + way), factor = 1 / (s / press + 1 / firmness).
        const double target = (length > 0.9 ? kQuick : length > 0.5 ? kUsual : kSlow) * gap;
        matrix.setDiagonal(weight);
        step.clear();
        for (const VectorXd& now : y) step.push_back(-weight * now);
        const auto aim = [&](std::size_t b, int s, double& factor) { // of press, where values do not move
            const Side& side = sides[2 * b + static_cast<std::size_t>(s)];
            factor = 1 / (side.slack / side.press + 1 / bounds[b].firmness);
            return side.press +
                   factor * (target / side.press - room(b, s, values[b]) - side.press / bounds[b].firmness);
        };
        for (const FrameBounds& own : frames) {
            VectorXd stiffness(static_cast<Eigen::Index>(own.bounds.size())), press(stiffness.size());
            for (std::size_t i = 0; i < own.bounds.size(); ++i) {
                double up = 0, down = 0;
                const double pressUp = aim(own.bounds[i], 0, up), pressDown = aim(own.bounds[i], 1, down);
                stiffness[static_cast<Eigen::Index>(i)] = up + down;
                press[static_cast<Eigen::Index>(i)] = pressDown - pressUp;
            }
            matrix.add(own, stiffness);
            addAlong(own, press, step);
        }
        matrix.factorise();
        matrix.solve(step);
        length = 1;
        spread(step, steps);
        for (std::size_t b = 0; b < count; ++b) {
            for (int s = 0; s < 2; ++s) {
                Side& side = sides[2 * b + static_cast<std::size_t>(s)];
                double factor = 0;
                const double pressed = aim(b, s, factor) + factor * (s == 0 ? steps[b] : -steps[b]);
                side.pressStep = pressed - side.press;
                side.slackStep = (target - side.slack * side.press - side.slack * side.pressStep) / side.press;
                if (side.pressStep < 0) length = std::min(length, -kShorten * side.press / side.pressStep);
                if (side.slackStep < 0) length = std::min(length, -kShorten * side.slack / side.slackStep);
            }
        }
        for (Side& side : sides) {
            side.slack += length * side.slackStep;
            side.press += length * side.pressStep;
        }
        for (std::size_t t = 0; t < y.size(); ++t) y[t] += length * step[t];
    }
    return y;
}

} // namespace tendon

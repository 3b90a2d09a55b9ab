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

    void add(const RateStep::Bound& bound, double factor)
    {
        for (int i = 0; i < bound.frames; ++i)
            for (int k = i; k < bound.frames; ++k) {
                if (bound.row[i].size() == 0 || bound.row[k].size() == 0) continue;
                m_blocks[static_cast<std::size_t>(bound.frame - i)][static_cast<std::size_t>(k - i)].noalias() +=
                    factor * bound.row[i] * bound.row[k].transpose();
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
    std::vector<std::array<MatrixXd, 3>> m_blocks; ///< (frames) of it and itself, the one before, the one before that
};

double along(const RateStep::Bound& bound, const Steps& y)
{
    double value = 0;
    for (int i = 0; i < bound.frames; ++i)
        if (bound.row[i].size() != 0) value += bound.row[i].dot(y[static_cast<std::size_t>(bound.frame - i)]);
    return value;
}

void addAlong(const RateStep::Bound& bound, double factor, Steps& to)
{
    for (int i = 0; i < bound.frames; ++i)
        if (bound.row[i].size() != 0) to[static_cast<std::size_t>(bound.frame - i)] += factor * bound.row[i];
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
    constexpr double kDone = 1e-6, kUnmet = 1e-9, kShorten = 0.99;
    Steps y, step;
    for (const int size : sizes) y.push_back(VectorXd::Zero(size));
    if (bounds.empty()) return y;
    const std::size_t count = bounds.size();
    std::vector<Side> sides(2 * count); // each bound's upper, then its lower one
    const auto room = [&](std::size_t b, int side, double value) {
        return side == 0 ? bounds[b].upper - value : value - bounds[b].lower;
    };
    std::vector<double> values(count), steps(count);
    for (std::size_t b = 0; b < count; ++b)
        for (int s = 0; s < 2; ++s) {
            Side& side = sides[2 * b + static_cast<std::size_t>(s)];
            side.slack = std::max(room(b, s, bounds[b].offset), 0.1);
            side.press = weight;
        }
    BandedBlocks matrix(sizes);
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
        double gap = 0, unmet = 0;
        for (std::size_t b = 0; b < count; ++b) values[b] = bounds[b].offset + along(bounds[b], y);
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const Side& side = sides[i];
            gap += side.slack * side.press;
            unmet = std::max(unmet, std::abs(room(i / 2, static_cast<int>(i % 2), values[i / 2]) +
                                             side.press / firmness - side.slack));
        }
        gap /= static_cast<double>(sides.size());
        if (gap < kDone * weight && unmet < kUnmet) break;
        if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) break;
        // s = room + press / firmness and s press = target, to first order: each side presses
        //   press + factor (target / press - room - press / firmness + way), factor = 1 / (s / press + 1 / firmness).
        const double target = 0.1 * gap;
        matrix.setDiagonal(weight);
        step.clear();
        for (const VectorXd& now : y) step.push_back(-weight * now);
        const auto aim = [&](std::size_t b, int s, double& factor) { // of press, where values do not move
            const Side& side = sides[2 * b + static_cast<std::size_t>(s)];
            factor = 1 / (side.slack / side.press + 1 / firmness);
            return side.press + factor * (target / side.press - room(b, s, values[b]) - side.press / firmness);
        };
        for (std::size_t b = 0; b < count; ++b) {
            double up = 0, down = 0;
            const double pressUp = aim(b, 0, up), pressDown = aim(b, 1, down);
            matrix.add(bounds[b], up + down);
            addAlong(bounds[b], pressDown - pressUp, step);
        }
        matrix.factorise();
        matrix.solve(step);
        double length = 1;
        for (std::size_t b = 0; b < count; ++b) {
            steps[b] = along(bounds[b], step);
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

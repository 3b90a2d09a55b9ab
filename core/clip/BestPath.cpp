#include "core/clip/BestPath.h"

#include <algorithm>
#include <limits>

namespace tendon {
namespace {

constexpr double kMissed = 100; ///< cost of a frame whose goals are missed
constexpr double kAway = 1e-4;  ///< of distance from the reference, squared
constexpr double kHaste = 0.5;  ///< of each frame at which a rate is exceeded by as much again

constexpr std::size_t kFew = 32; ///< candidates of a frame, of which all pairs are looked at

/// What steps, and candidates by themselves, cost.
class Costs
{
public:
    Costs(const AnswerSpace& space, std::span<const PathFrame> frames, double typical, double slack)
        : m_space(space), m_frames(frames), m_haste(1 / std::max(1e-8, typical * typical)), m_slack(slack)
    {
    }

    [[nodiscard]] const double* at(std::size_t frame, std::size_t i) const
    {
        return m_frames[frame].candidates->at(i, m_space.coordinates());
    }

    [[nodiscard]] double own(std::size_t frame, std::size_t i) const
    {
        return (sdk::isSuccess(m_frames[frame].candidates->statuses[i]) ? 0 : kMissed) +
               kAway * m_frames[frame].frames * m_space.squared(at(frame, i), m_frames[frame].reference);
    }

    /// `before`, and to candidate j of a frame from candidate i of the one before. A step costs its square, and one
    /// that is larger than usual more than the same way in several. One over several frames costs what equal ones from
    /// frame to frame would.
    [[nodiscard]] double step(std::size_t frame, std::size_t i, std::size_t j, double before) const
    {
        const AnswerSpace::Way way = m_space.way(at(frame - 1, i), at(frame, j), m_frames[frame].ofReference.data());
        const double n = m_frames[frame].frames, each = std::max(0.0, way.largest - m_slack) / n;
        return before + way.squared / n + n * m_haste * each * each * each * each +
               (way.largest > m_frames[frame].allowance ? kJumpCost * (1 + way.largest) : 0);
    }

private:
    const AnswerSpace& m_space;
    std::span<const PathFrame> m_frames;
    double m_haste;
    double m_slack; ///< [rad] that does not count in what is larger than usual
};

/// With regard to changes of steps: what is chosen from are pairs of candidates of two frames in succession.
std::vector<std::size_t> bestPathOfPairs(const AnswerSpace& space, const Costs& costs,
                                         std::span<const PathFrame> frames, const Rates& rates)
{
    const auto count = [&](std::size_t t) { return frames[t].candidates->count(); };
    struct Pair
    {
        double cost = std::numeric_limits<double>::infinity();
        std::uint32_t from = 0; ///< candidate of the frame before
        Rates::Steps steps;
    };
    std::vector<std::vector<std::uint32_t>> from(frames.size()); // (pairs) the first of (i, j) is from i * count + j
    std::vector<Pair> pairs, next;
    for (std::size_t t = 1; t < frames.size(); ++t) {
        next.assign(count(t - 1) * count(t), {});
        for (std::size_t i = 0; i < count(t - 1); ++i)
            for (std::size_t j = 0; j < count(t); ++j) {
                Pair& pair = next[i * count(t) + j];
                pair.steps = rates.steps(space, costs.at(t - 1, i), costs.at(t, j));
                const double own = costs.step(t, i, j, costs.own(t, j)) + kHaste * rates.haste(pair.steps);
                if (t == 1) pair.cost = costs.own(0, i) + own;
                for (std::size_t h = 0; t > 1 && h < count(t - 2); ++h) {
                    const Pair& before = pairs[h * count(t - 1) + i];
                    if (before.cost + own >= pair.cost) continue;
                    const double cost = before.cost + own + kHaste * rates.haste(before.steps, pair.steps);
                    if (cost >= pair.cost) continue;
                    pair.cost = cost;
                    pair.from = static_cast<std::uint32_t>(h);
                }
            }
        for (const Pair& pair : next) from[t].push_back(pair.from);
        std::swap(pairs, next);
    }
    std::size_t best = 0;
    for (std::size_t e = 1; e < pairs.size(); ++e)
        if (pairs[e].cost < pairs[best].cost) best = e;
    std::vector<std::size_t> path(frames.size());
    for (std::size_t t = frames.size() - 1; t > 0; --t) {
        const std::size_t i = best / count(t), j = best % count(t);
        path[t] = j;
        path[t - 1] = i;
        if (t > 1) best = from[t][best] * count(t - 1) + i;
    }
    return path;
}

} // namespace

std::vector<std::size_t> bestPath(const AnswerSpace& space, std::span<const PathFrame> frames, double typical,
                                  const Rates& rates, double apart, double slack)
{
    const Costs costs(space, frames, typical, slack);
    const bool areFew = std::all_of(frames.begin(), frames.end(),
                                    [](const PathFrame& frame) { return frame.candidates->count() <= kFew; });
    const bool isOpen = apart > 0;
    if (!rates.isEmpty() && !isOpen && areFew && frames.size() > 1) return bestPathOfPairs(space, costs, frames, rates);
    std::vector<std::vector<std::uint32_t>> from(frames.size());
    std::vector<double> cost, next;
    for (std::size_t t = 0; t < frames.size(); ++t) {
        const std::size_t count = frames[t].candidates->count();
        next.assign(count, 0);
        from[t].assign(count, 0);
        for (std::size_t j = 0; j < count; ++j) {
            double best = t == 0 ? 0 : std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < cost.size(); ++i) {
                if (cost[i] >= best) continue;
                double total = costs.step(t, i, j, cost[i]);
                if (!rates.isEmpty() && total < best) {
                    const Rates::Steps steps = rates.steps(space, costs.at(t - 1, i), costs.at(t, j));
                    const double usual = frames[t].frames * typical;
                    total += isOpen ? usual * usual * rates.effort(steps, frames[t].frames)
                                    : kHaste * rates.haste(steps);
                }
                if (total >= best) continue;
                best = total;
                from[t][j] = static_cast<std::uint32_t>(i);
            }
            next[j] = best + costs.own(t, j);
        }
        std::swap(cost, next);
    }
    std::vector<std::size_t> path(frames.size());
    std::size_t best = 0;
    for (std::size_t j = 1; j < cost.size(); ++j)
        if (cost[j] < cost[best]) best = j;
    for (std::size_t t = frames.size(); t-- > 0;) {
        path[t] = best;
        best = from[t][best];
    }
    return path;
}

double costOfPath(const AnswerSpace& space, std::span<const PathFrame> frames, double typical,
                  std::span<const std::size_t> path)
{
    const Costs costs(space, frames, typical, 0);
    double sum = 0;
    for (std::size_t t = 0; t < frames.size(); ++t) {
        sum += costs.own(t, path[t]);
        if (t > 0) sum = costs.step(t, path[t - 1], path[t], sum);
    }
    return sum;
}

} // namespace tendon

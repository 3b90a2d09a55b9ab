#include "core/clip/BestPath.h"

#include <limits>

namespace tendon {
namespace {

constexpr double kMissed = 100; ///< cost of a frame whose goals are missed
constexpr double kAway = 1e-4;  ///< of distance from the reference, squared
constexpr double kJump = 5;     ///< of a jump, and of each radian of it

} // namespace

std::vector<std::size_t> bestPath(const AnswerSpace& space, std::span<const PathFrame> frames, double typical)
{
    const std::size_t nq = space.coordinates();
    // A step costs its square, and one that is larger than usual more than the same way in several.
    const double haste = 1 / std::max(1e-8, typical * typical);
    std::vector<std::vector<std::uint32_t>> from(frames.size());
    std::vector<double> cost, next;
    for (std::size_t t = 0; t < frames.size(); ++t) {
        const Candidates& now = *frames[t].candidates;
        next.assign(now.count(), 0);
        from[t].assign(now.count(), 0);
        for (std::size_t j = 0; j < now.count(); ++j) {
            const double* q = now.at(j, nq);
            const double own = (sdk::isSuccess(now.statuses[j]) ? 0 : kMissed) +
                               kAway * space.squared(q, frames[t].reference);
            double best = t == 0 ? 0 : std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < cost.size(); ++i) {
                if (cost[i] >= best) continue;
                const AnswerSpace::Way way = space.way(frames[t - 1].candidates->at(i, nq), q,
                                                       frames[t].ofReference.data());
                const double total = cost[i] + way.squared +
                                     haste * way.largest * way.largest * way.largest * way.largest +
                                     (way.largest > frames[t].allowance ? kJump * (1 + way.largest) : 0);
                if (total >= best) continue;
                best = total;
                from[t][j] = static_cast<std::uint32_t>(i);
            }
            next[j] = best + own;
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

} // namespace tendon

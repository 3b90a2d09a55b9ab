#include "core/clip/LeapSpreading.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {
namespace {

constexpr double kNearSpread =
    0.1; ///< [rad] the way back onto the goals may be so long, and as far again as the way drawn

/// What one leap asks of the frames about it.
struct Spread
{
    int frame = 0;
    int before = 0, after = 0;  ///< frames that take part to either side
    double shareBefore = 0.5;   ///< of the leap that is taken before it
    std::vector<double> excess; ///< (nv) what the step is longer than the one that follows
};

/// How many frames before `frame` (by = -1: from the one before it on) or from it on may move, at most `most`.
int freeFrames(std::span<const char> isKept, std::span<const char> isStill, int frame, int by, int most)
{
    int count = 0;
    for (int t = by < 0 ? frame - 1 : frame; count < most; t += by, ++count) {
        if (t < 0 || t >= static_cast<int>(isKept.size())) return most; // the ends go on for ever
        const auto place = static_cast<std::size_t>(t);
        if (isKept[place] != 0 || isStill[place] != 0) break;
    }
    return count;
}

double weightAt(double place) { return place >= 1 ? 0 : 0.5 * (1 + std::cos(std::numbers::pi * place)); }

} // namespace

void spreadLeaps(const ClipTask& task, const AnswerSpace& space, Crew& crew, std::span<const PathLeap> leaps,
                 std::span<const char> isKept, std::span<const char> isStill, ClipPath& path)
{
    const std::size_t nq = space.coordinates(), nv = space.dofs();
    std::vector<Spread> spreads(leaps.size());
    crew.run(static_cast<int>(leaps.size()), [&](CandidateFinder& finder, int i) {
        const PathLeap& leap = leaps[static_cast<std::size_t>(i)];
        Spread spread{leap.frame, 0, 0, 0.5, std::vector<double>(nv)};
        spread.before = freeFrames(isKept, isStill, leap.frame, -1, leap.half);
        spread.after = freeFrames(isKept, isStill, leap.frame, 1, leap.half);
        if (spread.before + spread.after == 0) return;
        std::vector<double> next(nq);
        const sdk::Status status = finder.followOn(leap.frame - 1, path.at(leap.frame - 1), leap.frame, next.data());
        if (!finder.isAnswer(leap.frame, status, next.data())) return;
        space.difference(next.data(), path.at(leap.frame), spread.excess.data());
        spread.shareBefore = static_cast<double>(spread.before) / (spread.before + spread.after);
        spreads[static_cast<std::size_t>(i)] = std::move(spread);
    });
    ClipPath next = path;
    crew.runFrames(path.frames(), [&](CandidateFinder& finder, int t) {
        if (isKept[static_cast<std::size_t>(t)] != 0 || !sdk::isUsable(path.statusAt(t))) return;
        std::vector<double> way;
        for (const Spread& spread : spreads) { // by frame
            if (spread.excess.empty() || spread.frame + spread.after <= t) continue;
            if (spread.frame - spread.before > t) continue;
            const double share = t < spread.frame
                                     ? spread.shareBefore * weightAt((spread.frame - t - 0.5) / spread.before)
                                     : (spread.shareBefore - 1) * weightAt((t - spread.frame + 0.5) / spread.after);
            way.resize(nv, 0);
            for (std::size_t v = 0; v < nv; ++v) way[v] += share * spread.excess[v];
        }
        double largest = 0;
        for (const double own : way) largest = std::max(largest, std::abs(own));
        if (largest == 0) return;
        std::vector<double> trial(nq), q(nq);
        space.move(path.at(t), way.data(), 1, task.problem(t).locked, trial.data());
        const sdk::Status status = finder.follow(t, trial.data(), q.data());
        if (!space.isWithin(trial.data(), q.data(), 2 * largest + kNearSpread) || !finder.isAnswer(t, status, q.data()))
            return;
        std::copy(q.begin(), q.end(), next.at(t));
        next.statusAt(t) = status;
    });
    path = std::move(next);
}

} // namespace tendon

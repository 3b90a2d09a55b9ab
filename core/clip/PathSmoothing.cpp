#include "core/clip/PathSmoothing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {
namespace {

constexpr double kNear = 0.1; ///< [rad] the way back onto the goals may be so long, and as far again as the way drawn

/// Weights of frames at a distance: a raised cosine.
std::vector<double> weightsByDistance()
{
    std::vector<double> weights;
    for (int k = 0; k <= kSmoothingHalf; ++k)
        weights.push_back(0.5 * (1 + std::cos(std::numbers::pi * k / (kSmoothingHalf + 1))));
    return weights;
}

/// One pass over a path, which it does not change.
class Pass
{
public:
    Pass(const ClipTask& task, const AnswerSpace& space, const ClipPath& path, double leap)
        : m_task(task), m_space(space), m_path(path), m_weights(weightsByDistance()),
          m_isBreak(static_cast<std::size_t>(path.frames()), false)
    {
        if (!std::isinf(leap))
            for (const int frame : path.jumps(space, leap)) m_isBreak[static_cast<std::size_t>(frame)] = true;
    }

    /// One frame, into `q` and `status`; false = it stays as it is.
    bool smooth(CandidateFinder& finder, int frame, double share, double* q, sdk::Status& status) const
    {
        if (!sdk::isUsable(m_path.statusAt(frame))) return false;
        const std::size_t nv = m_space.dofs();
        const int last = m_path.frames() - 1;
        std::vector<double> way(nv), ofReference(nv), mean(nv, 0), trial(m_space.coordinates());
        const sdk::Problem problem = m_task.problem(frame);
        double total = m_weights[0];
        for (int k = 1; k <= kSmoothingHalf && !isBreak(frame - k + 1) && !isBreak(frame + k); ++k) {
            const double weight = m_weights[static_cast<std::size_t>(k)];
            total += 2 * weight;
            for (const int other : {std::max(0, frame - k), std::min(last, frame + k)}) { // the ends go on for ever
                m_space.difference(m_path.at(frame), m_path.at(other), way.data());
                m_space.difference(problem.seed.data(), m_task.problem(other).seed.data(), ofReference.data());
                for (std::size_t v = 0; v < nv; ++v) mean[v] += weight * (way[v] - ofReference[v]);
            }
        }
        double largest = 0;
        for (double& own : mean) largest = std::max(largest, std::abs(own *= share / total));
        if (largest == 0 || !finder.isOpen(frame)) return false;
        m_space.move(m_path.at(frame), mean.data(), 1, problem.locked, trial.data());
        status = finder.follow(frame, trial.data(), q);
        return m_space.isWithin(trial.data(), q, 2 * largest + kNear) && finder.isAnswer(frame, status, q);
    }

private:
    [[nodiscard]] bool isBreak(int frame) const
    {
        return frame > 0 && frame < m_path.frames() && m_isBreak[static_cast<std::size_t>(frame)];
    }

    const ClipTask& m_task;
    const AnswerSpace& m_space;
    const ClipPath& m_path;
    std::vector<double> m_weights;
    std::vector<bool> m_isBreak; ///< (frames) a jump leads to it
};

} // namespace

void smoothPath(const ClipTask& task, const AnswerSpace& space, Crew& crew, std::span<const double> share, double leap,
                ClipPath& path)
{
    const std::size_t nq = space.coordinates();
    for (int number = 0; number < kSmoothingPasses; ++number) {
        ClipPath next = path;
        const Pass pass(task, space, path, leap);
        crew.runFrames(path.frames(), [&](CandidateFinder& finder, int t) {
            const double own = share[static_cast<std::size_t>(t)];
            if (own <= 0) return;
            std::vector<double> q(nq);
            sdk::Status status{};
            if (!pass.smooth(finder, t, own, q.data(), status)) return;
            std::copy(q.begin(), q.end(), next.at(t));
            next.statusAt(t) = status;
        });
        path = std::move(next);
    }
}

} // namespace tendon

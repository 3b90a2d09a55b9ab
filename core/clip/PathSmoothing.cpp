#include "core/clip/PathSmoothing.h"

#include <cmath>
#include <numbers>

namespace tendon {
namespace {

/// Weights of frames at a distance, a raised cosine.
std::vector<double> weightsByDistance()
{
    std::vector<double> weights;
    for (int k = 0; k <= kSmoothingHalf; ++k)
        weights.push_back(0.5 * (1 + std::cos(std::numbers::pi * k / (kSmoothingHalf + 1))));
    return weights;
}

/// One pass over one path.
class Pass
{
public:
    Pass(const ClipTask& task, const AnswerSpace& space, const ClipPath& path)
        : m_task(task), m_space(space), m_path(path), m_frames(static_cast<int>(path.statuses.size())),
          m_weights(weightsByDistance())
    {
    }

    /// One frame; false = it stays.
    bool smooth(CandidateFinder& finder, int frame, double share, double* q, sdk::Status& status) const
    {
        const std::size_t nv = m_space.dofs();
        std::vector<double> step(nv), ofReference(nv), mean(nv, 0), trial(m_space.coordinates());
        const sdk::Problem problem = m_task.problem(frame);
        double total = m_weights[0];
        for (int k = 1; k <= kSmoothingHalf && runsOn(frame, k); ++k) {
            total += 2 * m_weights[static_cast<std::size_t>(k)];
            for (const int other : {std::max(0, frame - k), std::min(m_frames - 1, frame + k)}) {
                m_space.difference(at(frame), at(other), step.data());
                m_space.difference(problem.seed.data(), m_task.problem(other).seed.data(), ofReference.data());
                for (std::size_t v = 0; v < nv; ++v)
                    mean[v] += m_weights[static_cast<std::size_t>(k)] * (step[v] - ofReference[v]);
            }
        }
        double largest = 0;
        for (double& way : mean) largest = std::max(largest, std::abs(way *= share / total));
        if (largest == 0) return false;
        m_space.move(at(frame), mean.data(), 1, problem.locked, trial.data());
        status = finder.follow(frame, trial.data(), q);
        const bool isWorse = !sdk::isSuccess(status) && sdk::isSuccess(m_path.statuses[static_cast<std::size_t>(frame)]);
        return !isWorse && m_space.largest(trial.data(), q) <= 2 * largest + kNear;
    }

private:
    static constexpr double kNear = 0.1; ///< [rad] the way back onto the goals may be so long

    [[nodiscard]] const double* at(int frame) const
    {
        return m_path.q.data() + static_cast<std::size_t>(frame) * m_space.coordinates();
    }

    /// True if the frames `by` before and after are there and no jump lies just before them.
    [[nodiscard]] bool runsOn(int frame, int by) const
    {
        return isStep(frame - by, frame - by + 1) && isStep(frame + by - 1, frame + by);
    }
    [[nodiscard]] bool isStep(int from, int to) const
    {
        if (from < 0 || to >= m_frames) return true; // the first and the last frame go on for ever
        return m_space.isWithin(at(from), at(to), m_path.allowance[static_cast<std::size_t>(to)]);
    }

    const ClipTask& m_task;
    const AnswerSpace& m_space;
    const ClipPath& m_path;
    int m_frames;
    std::vector<double> m_weights;
};

} // namespace

void smoothPath(const ClipTask& task, const AnswerSpace& space, Crew& crew, std::span<const double> share,
                ClipPath& path)
{
    const std::size_t nq = space.coordinates();
    const int frames = static_cast<int>(path.statuses.size());
    for (int number = 0; number < kSmoothingPasses; ++number) {
        ClipPath next = path;
        const Pass pass(task, space, path);
        crew.runFrames(frames, [&](CandidateFinder& finder, int t) {
            const auto place = static_cast<std::size_t>(t);
            if (share[place] <= 0) return;
            std::vector<double> q(nq);
            sdk::Status status{};
            if (!pass.smooth(finder, t, share[place], q.data(), status)) return;
            std::copy(q.begin(), q.end(), next.q.begin() + t * static_cast<std::ptrdiff_t>(nq));
            next.statuses[place] = status;
        });
        path = std::move(next);
    }
}

} // namespace tendon

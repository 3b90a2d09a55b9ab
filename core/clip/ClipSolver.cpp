#include "core/clip/ClipSolver.h"

#include "core/clip/AnswerSpace.h"
#include "core/clip/BestPath.h"
#include "core/clip/BranchSearch.h"
#include "core/clip/ClipJumps.h"
#include "core/clip/PathSmoothing.h"
#include "core/clip/RateLimiter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace tendon {
namespace {

constexpr int kTypicalBlock = kClipGrid; ///< frames of which steps are compared with what is typical about them
constexpr double kLeap = 0.1;            ///< [rad] by which answers may part although one follows from the other
/// A step is rough if it is larger than so many times the one that follows from the frame before, and this [rad].
constexpr double kHurried = 1.25, kRough = 0.01;

class ClipSolver
{
public:
    ClipSolver(const ClipSolver&) = delete; // others look into it
    ClipSolver& operator=(const ClipSolver&) = delete;

    explicit ClipSolver(const ClipTask& task)
        : m_task(task), m_space(task.model, task.base.empty() ? task.problem(0).base : task.base),
          m_crew(m_task, m_space), m_rates(task.model, task.rates)
    {
    }

    /// `isPart`: without jumps and hastes.
    ClipAnswer run(bool isPart)
    {
        solveEach();
        compare();
        const bool isNarrow = m_crew.own().leastFreedom(0) <= 1;
        bool areBranches = !m_leaps.empty() && isNarrow;
        const ClipPath own = m_rates.isEmpty() ? ClipPath() : m_path;
        bool isLocal = findPath(areBranches, {});
        if (m_rates.excess(m_path) > 0) {
            isLocal = false;
            limitRates(m_task, m_space, m_rates, m_crew, m_path);
            if (const double left = m_rates.excess(m_path);
                left > 0) { // another branch, or an even path, may hold them
                ClipPath best = std::exchange(m_path, own);
                m_share.assign(m_share.size(), 1);
                (void)findPath(isNarrow, m_rates);
                limitRates(m_task, m_space, m_rates, m_crew, m_path);
                if (m_rates.excess(m_path) < left)
                    areBranches = isNarrow;
                else
                    m_path = std::move(best);
            }
        }

        ClipAnswer answer;
        answer.isLocal = isLocal && m_path.jumps(m_space, areBranches ? BranchSearch::kLeap : kLeap).empty();
        if (!isPart && !m_crew.isCancelled()) judge(answer);
        answer.q = std::move(m_path.q);
        answer.statuses = std::move(m_path.statuses);
        return answer;
    }

private:
    /// From the own answers to the path, with regard to some rates. False if a far frame may change it.
    bool findPath(bool areBranches, const Rates& rates)
    {
        if (areBranches) {
            m_path = BranchSearch(m_task, m_space, rates, m_crew, m_path).run();
            std::fill(m_share.begin(), m_share.end(), 1.0);
        }
        const double leap = areBranches ? BranchSearch::kLeap : kLeap;
        m_space.unroll(m_path.q, m_path.jumps(m_space, leap), m_task.problem(0).seed.data());
        smoothPath(m_task, m_space, m_crew, m_share, areBranches ? leap : kAcrossAll, m_path);
        constexpr int kFarthest = 4 * kSmoothingHalf;
        bool goesRound = false;
        for (int about = kSmoothingHalf; !areBranches && about <= kFarthest && goRoundJumps(about); about *= 2)
            goesRound = true;
        return !areBranches && !goesRound;
    }

    void judge(ClipAnswer& answer)
    {
        std::vector<std::uint8_t> marks(m_path.statuses.size());
        ClipJumps jumps(m_task, m_space, [&](int frame) { return m_path.at(frame); });
        jumps.mark(0, m_path.frames(), marks);
        answer.jumps = jumps.gather(marks);
        for (ClipJump& jump : answer.jumps)
            if (!m_crew.isCancelled()) jump.reason = jumps.reasonOf(jump, true, m_crew.own());
        if (!m_rates.isEmpty()) answer.hastes = m_rates.hastes(m_path, marks);
    }

    /// The solver's own answer to each frame.
    void solveEach()
    {
        const auto frames = static_cast<std::size_t>(m_task.frameCount);
        m_path.q.resize(frames * m_space.coordinates());
        m_path.statuses.resize(frames);
        m_path.usual.assign(frames, 0);
        m_path.ofReference.assign(frames * m_space.dofs(), 0);
        m_share.assign(frames, 0);
        m_crew.runFrames(m_task.frameCount, [&](CandidateFinder& finder, int t) {
            m_path.statusAt(t) = m_task.own ? m_task.own(t, m_path.at(t)) : finder.solve(t, m_path.at(t));
            if (t == 0) return;
            double* way = m_path.ofReference.data() + static_cast<std::size_t>(t) * m_space.dofs();
            m_space.difference(m_task.problem(t - 1).seed.data(), m_task.problem(t).seed.data(), way);
        });
        m_ownAnswers = m_path.q;
        m_ownStatuses = m_path.statuses;
        m_task.own = [this](int frame, double* q) {
            std::copy_n(m_ownAnswers.data() + static_cast<std::size_t>(frame) * m_space.coordinates(),
                        m_space.coordinates(), q);
            return m_ownStatuses[static_cast<std::size_t>(frame)];
        };
    }

    /// How far one answer moves to the next frame, and where the next frame's own answer is another one.
    void compare()
    {
        std::vector<double> parted(m_path.usual.size(), 0);
        m_crew.runFrames(m_task.frameCount, [&](CandidateFinder& finder, int t) {
            if (t == 0 || isSame(m_task.problem(t - 1), m_task.problem(t))) return;
            std::vector<double> next(m_space.coordinates());
            const sdk::Status status = finder.followOn(t - 1, m_path.at(t - 1), t, next.data());
            const bool isMissed = !sdk::isSuccess(m_path.statusAt(t - 1)) && !sdk::isSuccess(m_path.statusAt(t));
            if (isMissed && !finder.isAnswer(t, status, next.data())) return; // it does not lead on
            const auto place = static_cast<std::size_t>(t);
            m_path.usual[place] = m_space.largest(m_path.at(t - 1), next.data(), m_path.ofReferenceAt(t));
            parted[place] = m_space.largest(next.data(), m_path.at(t));
            const bool isLost = !sdk::isSuccess(m_path.statusAt(t)) && sdk::isSuccess(status);
            if (isLost) parted[place] = std::numeric_limits<double>::infinity();
        });
        m_path.typical = medianOf(1, m_task.frameCount);
        for (int begin = 0; begin < m_task.frameCount; begin += kTypicalBlock)
            m_typical.push_back(medianOf(begin - 2 * kTypicalBlock, begin + 3 * kTypicalBlock));
        for (int t = 1; t < m_task.frameCount; ++t) {
            const auto place = static_cast<std::size_t>(t);
            const double most = 4 * typicalAt(t); // at its end a branch throws far
            m_path.usual[place] = std::min(m_path.usual[place], most);
            if (parted[place] > kLeap + m_path.usual[place]) m_leaps.push_back(t);
            if (m_path.step(m_space, t) > kRough + kHurried * m_path.usual[place]) smoothAbout(t);
        }
    }

    /// True if the same is asked to the bit, and so the same answered.
    [[nodiscard]] static bool isSame(const sdk::Problem& a, const sdk::Problem& b)
    {
        const auto same = [](std::span<const double> x, std::span<const double> y) {
            return std::equal(x.begin(), x.end(), y.begin(), y.end());
        };
        const auto sameGoal = [&](const sdk::Goal& x, const sdk::Goal& y) {
            return same(x.targetPosition, y.targetPosition) && same(x.targetRotation, y.targetRotation) &&
                   same(x.offset, y.offset) && same(x.axis, y.axis) && x.twist == y.twist &&
                   x.positionWeight == y.positionWeight && x.rotationWeight == y.rotationWeight &&
                   x.positionTolerance == y.positionTolerance && x.rotationTolerance == y.rotationTolerance;
        };
        if (!same(a.seed, b.seed) || !same(a.base, b.base)) return false;
        for (auto x = a.goals.begin(), y = b.goals.begin(); x != a.goals.end() && y != b.goals.end(); ++x, ++y)
            if (!sameGoal(*x, *y)) return false;
        return true;
    }

    /// The median of m_path.usual over some frames, those that there are [rad].
    [[nodiscard]] double medianOf(int begin, int end) const
    {
        constexpr double kLeast = 1e-4; // where all stand still
        const int first = std::max(begin, 1), last = std::min(end, m_task.frameCount);
        if (first >= last) return kLeast;
        std::vector<double> some(m_path.usual.begin() + first, m_path.usual.begin() + last);
        const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
        std::nth_element(some.begin(), middle, some.end());
        return std::max(kLeast, *middle);
    }

    /// About a frame.
    [[nodiscard]] double typicalAt(int frame) const
    {
        return m_typical[static_cast<std::size_t>(frame / kTypicalBlock)];
    }

    /// Fully as far as half way, less and less beyond, so that no step is left at the end.
    void smoothAbout(int frame)
    {
        const int end = std::min(m_task.frameCount, frame + kSmoothingHalf);
        for (int t = std::max(0, frame - kSmoothingHalf); t < end; ++t) {
            const double away = std::abs(t + 0.5 - frame) / kSmoothingHalf;
            double& share = m_share[static_cast<std::size_t>(t)];
            share = std::max(share, std::min(1.0, 2 * (1 - away)));
        }
    }

    /// Where the path still jumps: on from before as far as the way lasts, or back from after, within `about` frames;
    /// then smoothed again. False if it does not jump.
    bool goRoundJumps(int about)
    {
        std::vector<std::pair<int, int>> windows; // first and last frame, which stay
        for (const int frame : m_path.jumps(m_space, kLeap)) {
            const int begin = std::max(0, frame - about), end = std::min(m_task.frameCount - 1, frame + about);
            if (!windows.empty() && begin <= windows.back().second)
                windows.back().second = end;
            else
                windows.emplace_back(begin, end);
        }
        if (windows.empty()) return false;
        m_crew.run(static_cast<int>(windows.size()), [&](CandidateFinder& finder, int i) {
            const auto [begin, end] = windows[static_cast<std::size_t>(i)];
            goRound(finder, begin, end);
        });
        std::fill(m_share.begin(), m_share.end(), 0);
        for (const auto& [begin, end] : windows)
            for (int t = begin; t <= end; t += kSmoothingHalf / 2) smoothAbout(t);
        smoothPath(m_task, m_space, m_crew, m_share, kAcrossAll, m_path);
        return true;
    }

    void goRound(CandidateFinder& finder, int begin, int end)
    {
        const std::size_t nq = m_space.coordinates();
        std::vector<int> frames;
        std::vector<Candidates> found;
        for (int t = begin; t <= end; ++t) {
            frames.push_back(t);
            found.push_back({{m_path.at(t), m_path.at(t) + nq}, {m_path.statusAt(t)}});
        }
        finder.search(frames, false, found);
        found.front().keepFirst(nq);
        found.back().keepFirst(nq);
        std::vector<PathFrame> steps;
        for (std::size_t i = 0; i < frames.size(); ++i)
            steps.push_back({&found[i],
                             m_path.at(frames[i]),
                             {m_path.ofReferenceAt(frames[i]), m_path.ofReferenceAt(frames[i]) + m_space.dofs()},
                             kLeap + 2 * m_path.usualAt(frames[i])});
        const std::vector<std::size_t> path = bestPath(m_space, steps, typicalAt(begin));
        for (std::size_t i = 0; i < frames.size(); ++i) m_path.take(frames[i], found[i], path[i], m_space);
    }

    ClipTask m_task; ///< with the own answers, once they are known
    AnswerSpace m_space;
    Crew m_crew;
    Rates m_rates;
    ClipPath m_path;
    std::vector<double> m_ownAnswers; ///< (frames x nq)
    std::vector<sdk::Status> m_ownStatuses;
    std::vector<double> m_share;   ///< (frames) how much the path is smoothed
    std::vector<double> m_typical; ///< (blocks) [rad] the median step about each
    std::vector<int> m_leaps;      ///< the first frames whose own answers do not follow from the ones before
};

} // namespace

ClipAnswer solveClip(const ClipTask& task)
{
    if (task.frameCount == 0) return {};
    return ClipSolver(task).run(false);
}

ClipAnswer solvePart(const ClipTask& task)
{
    if (task.frameCount == 0) return {};
    return ClipSolver(task).run(true);
}

} // namespace tendon

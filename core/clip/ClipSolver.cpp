#include "core/clip/ClipSolver.h"

#include "core/clip/BestPath.h"
#include "core/clip/PathSmoothing.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr int kBlock = 48;           ///< frames that are searched together
constexpr int kLongestStride = 8;    ///< a power of two
constexpr double kStridden = 0.12;   ///< [rad] what an answer may move from one searched frame to the next
constexpr double kLeap = 0.1;        ///< [rad] by which answers may part although one follows from the other
constexpr double kRough = 0.01;      ///< [rad] and by which they may part and count as smooth

class ClipSolver
{
public:
    explicit ClipSolver(const ClipTask& task)
        : m_task(task), m_space(task.model, task.problem(0).base), m_crew(task, m_space), m_frames(task.frameCount),
          m_nq(m_space.coordinates())
    {
    }

    ClipAnswer run()
    {
        solveOwn();
        compareOwn();
        if (!m_leaps.empty()) m_isDiscrete = m_crew.own().freedom(m_leaps.front(), at(m_leaps.front())) <= 1;
        if (m_isDiscrete) choosePath();
        else std::fill(m_path.allowance.begin(), m_path.allowance.end(), 10.0);
        m_space.unroll(m_path.q, jumps(), m_task.problem(0).seed.data());
        smoothPath(m_task, m_space, m_crew, m_share, m_path);
        for (int about = kSmoothingHalf; !m_isDiscrete && about <= 4 * kSmoothingHalf && goRoundJumps(about);) about *= 2;
        ClipAnswer answer;
        for (const int frame : jumps()) answer.jumps.push_back({frame, m_space.largest(at(frame - 1), at(frame))});
        answer.q = std::move(m_path.q);
        answer.statuses = std::move(m_path.statuses);
        return answer;
    }

private:
    [[nodiscard]] const double* at(int frame) const { return m_path.q.data() + static_cast<std::size_t>(frame) * m_nq; }
    [[nodiscard]] double* at(int frame) { return m_path.q.data() + static_cast<std::size_t>(frame) * m_nq; }
    [[nodiscard]] sdk::Status& statusAt(int frame) { return m_path.statuses[static_cast<std::size_t>(frame)]; }

    /// The first frame after each step that is more than its allowance.
    [[nodiscard]] std::vector<int> jumps() const
    {
        std::vector<int> result;
        for (int t = 1; t < m_frames; ++t)
            if (!m_space.isWithin(at(t - 1), at(t), m_path.allowance[static_cast<std::size_t>(t)])) result.push_back(t);
        return result;
    }

    void solveOwn()
    {
        m_path.q.resize(static_cast<std::size_t>(m_frames) * m_nq);
        m_path.statuses.resize(static_cast<std::size_t>(m_frames));
        m_crew.runFrames(m_frames, [&](CandidateFinder& finder, int t) { statusAt(t) = finder.solve(t, at(t)); });
        m_own = m_path;
    }

    /// Where does one answer follow from the one before, and how far does it move?
    void compareOwn()
    {
        m_usual.assign(static_cast<std::size_t>(m_frames), 0);
        m_share.assign(static_cast<std::size_t>(m_frames), 0);
        std::vector<double> parted(m_usual.size(), 0);
        m_crew.runFrames(m_frames, [&](CandidateFinder& finder, int t) {
            if (t == 0) return;
            std::vector<double> q(m_nq);
            const sdk::Status status = finder.follow(t, at(t - 1), q.data());
            const auto place = static_cast<std::size_t>(t);
            m_usual[place] = m_space.largest(at(t - 1), q.data());
            parted[place] = m_space.largest(q.data(), at(t));
            if (!sdk::isSuccess(statusAt(t)) && sdk::isSuccess(status)) parted[place] = std::max(parted[place], 1.0);
        });
        std::vector<double> sorted(m_usual.begin() + std::min(m_frames, 1), m_usual.end());
        std::sort(sorted.begin(), sorted.end());
        m_typical = sorted.empty() ? 0 : std::max(1e-4, sorted[sorted.size() / 2]);
        m_path.allowance.resize(m_usual.size());
        for (std::size_t t = 0; t < m_usual.size(); ++t) {
            m_usual[t] = std::min(m_usual[t], 4 * m_typical); // a branch's end may throw the next answer anywhere
            m_path.allowance[t] = kLeap + 2 * m_usual[t];
            if (parted[t] > kLeap + m_usual[t]) m_leaps.push_back(static_cast<int>(t));
            if (parted[t] > kRough) roughen(static_cast<int>(t));
        }
    }

    /// Where the path still jumps: the way on from before, and the way back from after, whichever part least.
    bool goRoundJumps(int about)
    {
        for (std::size_t t = 0; t < m_usual.size(); ++t) m_path.allowance[t] = kLeap + 2 * m_usual[t];
        const std::vector<int> left = jumps();
        if (left.empty()) return false;
        std::vector<std::pair<int, int>> windows; // first and last frame, which stay
        for (const int frame : left) {
            const int begin = std::max(0, frame - about), end = std::min(m_frames - 1, frame + about);
            if (!windows.empty() && begin <= windows.back().second)
                windows.back().second = end;
            else
                windows.push_back({begin, end});
        }
        m_crew.run(static_cast<int>(windows.size()), [&](CandidateFinder& finder, int i) {
            const auto [begin, end] = windows[static_cast<std::size_t>(i)];
            Block block;
            for (int t = begin; t <= end; ++t) {
                block.frames.push_back(t);
                block.found.push_back({{at(t), at(t) + m_nq}, {statusAt(t)}});
            }
            finder.search(block.frames, false, block.found);
            std::vector<PathFrame> steps;
            for (int t = begin; t <= end; ++t)
                steps.push_back({&block.found[static_cast<std::size_t>(t - begin)], at(t), m_path.allowance[static_cast<std::size_t>(t)]});
            block.found.front() = {{at(begin), at(begin) + m_nq}, {statusAt(begin)}};
            block.found.back() = {{at(end), at(end) + m_nq}, {statusAt(end)}};
            const std::vector<std::size_t> path = bestPath(m_space, steps, m_typical);
            for (int t = begin; t <= end; ++t) {
                const auto place = static_cast<std::size_t>(t - begin);
                std::copy_n(block.found[place].at(path[place], m_nq), m_nq, at(t));
                statusAt(t) = block.found[place].statuses[path[place]];
            }
        });
        std::fill(m_share.begin(), m_share.end(), 0);
        for (const auto& [begin, end] : windows)
            for (int t = begin; t <= end; t += kSmoothingHalf / 2) roughen(t);
        std::fill(m_path.allowance.begin(), m_path.allowance.end(), 10.0);
        smoothPath(m_task, m_space, m_crew, m_share, m_path);
        for (std::size_t t = 0; t < m_usual.size(); ++t) m_path.allowance[t] = kLeap + 2 * m_usual[t];
        return true;
    }

    /// The path is to be smoothed about a frame.
    void roughen(int frame)
    {
        for (int t = std::max(0, frame - kSmoothingHalf); t < std::min(m_frames, frame + kSmoothingHalf); ++t)
            m_share[static_cast<std::size_t>(t)] = 1;
    }

    struct Block
    {
        std::vector<int> frames; ///< that are looked at
        std::vector<Candidates> found;
        int stride = 1;
        bool isSearched = false; ///< or to be
        bool isDone = false;
    };

    void choosePath()
    {
        const int count = std::max(1, (m_frames - 1 + kBlock - 1) / kBlock);
        m_blocks.resize(static_cast<std::size_t>(count));
        for (const int leap : m_leaps)
            for (int b = std::max(0, (leap - 1) / kBlock - 1); b <= std::min(count - 1, leap / kBlock + 1); ++b)
                m_blocks[static_cast<std::size_t>(b)].isSearched = true;
        for (int b = 0; b < count; ++b) {
            Block& block = m_blocks[static_cast<std::size_t>(b)];
            block.isSearched |= m_isDiscrete;
            lay(block, b, m_isDiscrete ? strideOf(b) : 1);
        }
        for (bool isAgain = true; isAgain && !m_crew.isCancelled();) {
            m_crew.run(count, [&](CandidateFinder& finder, int b) {
                Block& block = m_blocks[static_cast<std::size_t>(b)];
                if (block.isSearched && !block.isDone) finder.search(block.frames, m_isDiscrete, block.found);
                block.isDone = true;
            });
            if (m_crew.isCancelled()) return;
            isAgain = !takeBest();
        }
        if (m_isDiscrete) std::fill(m_share.begin(), m_share.end(), 1.0);
        for (int t = 1; t < m_frames; ++t)
            if (!m_isDiscrete && m_space.largest(at(t - 1), at(t)) > kRough + 2 * m_usual[static_cast<std::size_t>(t)]) roughen(t);
    }

    [[nodiscard]] int strideOf(int b) const
    {
        std::vector<double> usual(m_usual.begin() + b * kBlock, m_usual.begin() + std::min(m_frames, (b + 1) * kBlock));
        std::sort(usual.begin(), usual.end());
        int stride = kLongestStride;
        while (stride > 1 && stride * usual[usual.size() / 2] > kStridden) stride /= 2;
        return stride;
    }

    void lay(Block& block, int b, int stride)
    {
        const int begin = b * kBlock, end = std::min(m_frames - 1, begin + kBlock);
        block.stride = stride;
        block.isDone = false;
        block.frames.clear();
        for (int t = begin; t < end; t += stride) block.frames.push_back(t);
        block.frames.push_back(end);
        block.found.clear();
        for (const int t : block.frames) {
            const double* own = m_own.q.data() + static_cast<std::size_t>(t) * m_nq;
            block.found.push_back({{own, own + m_nq}, {m_own.statuses[static_cast<std::size_t>(t)]}});
        }
    }

    /// Takes the best path through what has been found. False if a block has to be looked at frame by frame; it is laid
    /// out for that.
    bool takeBest()
    {
        // Where blocks meet, both have found answers to one frame.
        std::vector<int> frames;
        std::vector<Candidates> joined;
        for (const Block& block : m_blocks)
            for (std::size_t i = 0; i < block.frames.size(); ++i) {
                if (!frames.empty() && frames.back() == block.frames[i]) {
                    for (std::size_t k = 1; k < block.found[i].count(); ++k) { // the first is the solver's own
                        joined.back().q.insert(joined.back().q.end(), block.found[i].at(k, m_nq),
                                               block.found[i].at(k, m_nq) + m_nq);
                        joined.back().statuses.push_back(block.found[i].statuses[k]);
                    }
                    continue;
                }
                frames.push_back(block.frames[i]);
                joined.push_back(block.found[i]);
            }
        std::vector<PathFrame> steps(frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i) {
            double moved = 0;
            for (int t = i == 0 ? frames[i] : frames[i - 1] + 1; t <= frames[i]; ++t) moved += m_usual[static_cast<std::size_t>(t)];
            steps[i] = {&joined[i], m_task.problem(frames[i]).seed.data(),
                        (m_isDiscrete ? 1.6 * CandidateFinder::kSpacing : kLeap) + 2 * moved};
        }
        const std::vector<std::size_t> path = bestPath(m_space, steps, m_typical);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            std::copy_n(joined[i].at(path[i], m_nq), m_nq, at(frames[i]));
            statusAt(frames[i]) = joined[i].statuses[path[i]];
        }
        if (m_isDiscrete)
            for (int t = 0; t < m_frames; ++t)
                m_path.allowance[static_cast<std::size_t>(t)] = 1.6 * CandidateFinder::kSpacing + 2 * m_usual[static_cast<std::size_t>(t)];
        // Between the frames that were looked at, the way from one to the next.
        return fill(frames, steps);
    }

    bool fill(const std::vector<int>& frames, const std::vector<PathFrame>& steps)
    {
        std::vector<char> isGood(frames.size(), 1);
        m_crew.run(static_cast<int>(frames.size()) - 1, [&](CandidateFinder& finder, int i) {
            const int begin = frames[static_cast<std::size_t>(i)], end = frames[static_cast<std::size_t>(i) + 1];
            if (end == begin + 1) return;
            std::vector<double> step(m_space.dofs()), trial(m_nq);
            m_space.difference(at(begin), at(end), step.data());
            bool good = m_space.isWithin(at(begin), at(end), steps[static_cast<std::size_t>(i) + 1].allowance);
            for (int t = begin + 1; t < end && good; ++t) {
                const sdk::Problem problem = m_task.problem(t);
                m_space.move(at(begin), step.data(), static_cast<double>(t - begin) / (end - begin), problem.locked, trial.data());
                statusAt(t) = finder.follow(t, trial.data(), at(t));
                good = sdk::isSuccess(statusAt(t)) && m_space.isWithin(trial.data(), at(t), CandidateFinder::kSpacing);
            }
            isGood[static_cast<std::size_t>(i)] = good;
        });
        bool isDone = true;
        for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
            if (isGood[i]) continue;
            const int b = frames[i] / kBlock;
            Block& block = m_blocks[static_cast<std::size_t>(b)];
            if (block.stride == 1) continue;
            lay(block, b, 1);
            isDone = false;
        }
        return isDone;
    }

    const ClipTask& m_task;
    AnswerSpace m_space;
    Crew m_crew;
    int m_frames;
    std::size_t m_nq;
    ClipPath m_path, m_own;
    std::vector<double> m_usual; ///< (frames) [rad] how far an answer moves from the frame before
    std::vector<double> m_share; ///< (frames) how much the path is smoothed
    double m_typical = 0;        ///< [rad] the median of m_usual
    std::vector<int> m_leaps;    ///< the first frames whose own answers do not follow from the ones before
    std::vector<Block> m_blocks;
    bool m_isDiscrete = false;   ///< the goals leave at most one direction open
};

} // namespace

ClipAnswer solveClip(const ClipTask& task)
{
    if (task.frameCount == 0) return {};
    return ClipSolver(task).run();
}

} // namespace tendon

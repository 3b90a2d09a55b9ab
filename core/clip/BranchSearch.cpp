#include "core/clip/BranchSearch.h"

#include "core/clip/EqualFrames.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace tendon {
namespace {

constexpr int kBlock = 48;         ///< frames that are searched together
constexpr int kLongestStride = 8;  ///< a power of two
constexpr double kStridden = 0.12; ///< [rad] what an answer may move from one searched frame to the next
constexpr int kMostTellings = 8;   ///< in which blocks tell each other what they have found
/// [rad] An answer that is farther than this from all that are known is new.
constexpr double kNew = 1.5 * CandidateFinder::kSpacing;
constexpr double kFarFaster = 4; ///< times what is typical
constexpr double kFine = 0.01;   ///< [rad] answers nearer to each other are not looked for

} // namespace

BranchSearch::BranchSearch(const ClipTask& task, const AnswerSpace& space, const Rates& rates, Crew& crew,
                           const ClipPath& own, std::span<const char> isStill)
    : m_task(task), m_space(space), m_rates(rates), m_crew(crew), m_own(own), m_path(own),
      m_isOpen(crew.own().isOpen(0)), m_firstEqual(firstEqualFrames(task)), m_comesAgain(m_firstEqual.size(), 0),
      m_isTied(m_firstEqual.size(), 0)
{
    findPlaces(isStill);
    for (const int by : {1, -1})
        if (!m_isOpen) m_sweeps.push_back(sweep(by));
    const int count = std::max(1, (own.frames() - 1 + kBlock - 1) / kBlock);
    m_blocks.resize(static_cast<std::size_t>(count));
    for (int block = 0; block < count; ++block) lay(block, strideOf(block));
}

/// The answers that lead on from one end of the clip as they have moved, through singular poses, as far as they do; and
/// on from the own answer where they end. Blocks by themselves may lose a way that goes through all of them.
ClipPath BranchSearch::sweep(int by)
{
    ClipPath path = m_own;
    std::vector<double> way(m_space.dofs()), seed(m_space.coordinates());
    const int last = path.frames() - 1, first = by > 0 ? 0 : last;
    int begun = first; // the frame whose own answer it leads on from
    for (int t = first + by; t >= 0 && t <= last && !m_crew.isCancelled(); t += by) {
        std::vector<double> q(m_space.coordinates());
        sdk::Status status = sdk::Status::Stalled;
        if (t - by != begun) {
            m_space.difference(path.at(t - 2 * by), path.at(t - by), way.data());
            m_space.move(path.at(t - by), way.data(), 1, m_task.problem(t).locked, seed.data());
            status = m_crew.own().follow(t, seed.data(), q.data());
        }
        if (!sdk::isSuccess(status)) status = m_crew.own().followOn(t - by, path.at(t - by), t, q.data());
        if (sdk::isSuccess(status)) {
            m_space.centre(m_task.problem(t).seed.data(), q.data());
            std::copy(q.begin(), q.end(), path.at(t));
            path.statusAt(t) = status;
        } else
            begun = t;
    }
    return path;
}

/// How many frames apart a block is looked at, by its median step.
int BranchSearch::strideOf(int block) const
{
    if (isOfRates()) return 1; // they are of steps from frame to frame
    const auto begin = m_own.usual.begin() + block * kBlock;
    std::vector<double> usual(begin, begin + std::min(kBlock, m_own.frames() - block * kBlock));
    std::nth_element(usual.begin(), usual.begin() + static_cast<std::ptrdiff_t>(usual.size() / 2), usual.end());
    int stride = kLongestStride;
    while (stride > 1 && stride * usual[usual.size() / 2] > kStridden) stride /= 2;
    return stride;
}

void BranchSearch::lay(int number, int stride)
{
    Block& block = m_blocks[static_cast<std::size_t>(number)];
    const int begin = number * kBlock, end = std::min(m_own.frames() - 1, begin + kBlock);
    block = {};
    block.stride = stride;
    for (int t = begin; t < end; ++t)
        if ((t - begin) % stride == 0 || comesAgain(t)) block.frames.push_back(t);
    block.frames.push_back(end);
    for (const int t : block.frames) {
        Candidates& found = block.found.emplace_back();
        found.add(m_own.at(t), m_space.coordinates(), m_own.statusAt(t));
        for (const ClipPath& path : m_sweeps)
            if (sdk::isSuccess(path.statusAt(t)) && !m_space.isWithin(m_own.at(t), path.at(t), kFine))
                found.add(path.at(t), m_space.coordinates(), path.statusAt(t));
    }
}

/// Candidates along an open direction stand so far apart that what they cost is rough. So several paths are taken, each
/// with another part of that left out of account; when they have been refined the one that hurries least often is the
/// best, of these the one that costs least.
ClipPath BranchSearch::run()
{
    std::vector<double> slacks{0};
    if (m_isOpen && m_rates.isEmpty()) slacks.push_back(0.5 * CandidateFinder::kSpacing);
    ClipPath best = m_own;
    std::vector<char> isTied = m_isTied;
    std::pair least{std::numeric_limits<int>::max(), 0.0};
    std::vector<double> before; // of the last one, before it was refined
    for (const double slack : slacks) {
        if (!findPath(slack)) return m_own;
        if (m_path.q == before) continue;
        before = m_path.q;
        refine();
        if (slacks.size() == 1) return std::move(m_path);
        const std::pair own{hurried(), cost()};
        if (own < least) {
            least = own;
            best = m_path;
            isTied = m_isTied;
        }
    }
    m_isTied = std::move(isTied);
    return best;
}

/// The best way through candidates of all frames, into m_path. False if the task is cancelled.
bool BranchSearch::findPath(double slack)
{
    bool isDone = false;
    while (!isDone) {
        m_crew.run(static_cast<int>(m_blocks.size()), [&](CandidateFinder& finder, int b) {
            Block& block = m_blocks[static_cast<std::size_t>(b)];
            if (!block.isSearched) finder.search(block.frames, true, block.found, isOfRates(), !m_rates.isEmpty());
            block.isSearched = true;
        });
        for (int round = 0; round < kMostTellings && passOn(); ++round) {}
        if (m_crew.isCancelled()) return false;
        join();
        takeBest(slack);
        isDone = fill();
    }
    return !m_crew.isCancelled();
}

/// Frame by frame, where each has a few candidates.
std::vector<PathFrame> BranchSearch::stepsOf(std::span<const Candidates> found) const
{
    std::vector<PathFrame> steps;
    for (int t = 0; t < m_path.frames(); ++t)
        steps.push_back({&found[static_cast<std::size_t>(t)],
                         m_task.problem(t).seed.data(),
                         {m_path.ofReferenceAt(t), m_path.ofReferenceAt(t) + m_space.dofs()},
                         kLeap + 2 * m_path.usualAt(t)});
    return steps;
}

/// At how many frames m_path goes far faster than is usual, as where it changes over between branches that meet nearly.
int BranchSearch::hurried() const
{
    int count = 0;
    for (int t = 1; t < m_path.frames(); ++t) count += m_path.step(m_space, t) > kFarFaster * m_path.typical ? 1 : 0;
    return count;
}

/// What m_path costs.
double BranchSearch::cost() const
{
    std::vector<Candidates> found(static_cast<std::size_t>(m_path.frames()));
    for (int t = 0; t < m_path.frames(); ++t)
        found[static_cast<std::size_t>(t)].add(m_path.at(t), m_space.coordinates(), m_path.statusAt(t));
    const std::vector<std::size_t> only(found.size(), 0);
    return costOfPath(m_space, stepsOf(found), m_path.typical, only);
}

/// What one block has found where it meets another, and that one has not, is led on through that one. False if there is
/// nothing.
bool BranchSearch::passOn()
{
    const std::size_t nq = m_space.coordinates();
    const auto newOf = [&](const Candidates& from, const Candidates& known) {
        Candidates result;
        for (std::size_t i = 0; i < from.count(); ++i) {
            bool isKnown = !sdk::isSuccess(from.statuses[i]);
            for (std::size_t k = 0; k < known.count() && !isKnown; ++k)
                isKnown = m_space.isWithin(from.at(i, nq), known.at(k, nq), kNew);
            for (std::size_t k = 0; k < result.count() && !isKnown; ++k)
                isKnown = m_space.isWithin(from.at(i, nq), result.at(k, nq), kNew);
            if (!isKnown) result.add(from.at(i, nq), nq, from.statuses[i]);
        }
        return result;
    };
    struct News
    {
        std::size_t block = 0;
        Candidates atFirst, atLast;
    };
    std::vector<News> news;
    for (std::size_t b = 0; b < m_blocks.size(); ++b) {
        News own{b, {}, {}};
        if (b > 0) own.atFirst = newOf(m_blocks[b - 1].found.back(), m_blocks[b].found.front());
        if (b + 1 < m_blocks.size()) own.atLast = newOf(m_blocks[b + 1].found.front(), m_blocks[b].found.back());
        if (own.atFirst.count() + own.atLast.count() > 0) news.push_back(std::move(own));
    }
    m_crew.run(static_cast<int>(news.size()), [&](CandidateFinder& finder, int i) {
        const News& own = news[static_cast<std::size_t>(i)];
        Block& block = m_blocks[own.block];
        for (const bool isBack : {false, true})
            if (const Candidates& starts = isBack ? own.atLast : own.atFirst; starts.count() > 0)
                finder.lead(block.frames, isBack, starts, block.found, isOfRates(), !m_rates.isEmpty());
    });
    return !news.empty();
}

/// Answers along an open direction stand apart: the best path through finer and finer ones about the path.
void BranchSearch::refine()
{
    const std::size_t nq = m_space.coordinates();
    for (double beside = 0.5 * CandidateFinder::kSpacing; beside > kFine; beside *= 0.7) {
        std::vector<Candidates> found(static_cast<std::size_t>(m_path.frames()));
        m_crew.runFrames(m_path.frames(), [&](CandidateFinder& finder, int t) {
            Candidates& own = found[static_cast<std::size_t>(t)];
            own.add(m_path.at(t), nq, m_path.statusAt(t));
            if (!isTied(t)) finder.addBeside(t, beside, own);
        });
        if (m_crew.isCancelled()) return;
        const std::vector<std::size_t> path = bestPath(m_space, stepsOf(found), m_path.typical, m_rates, beside);
        for (int t = 0; t < m_path.frames(); ++t) {
            const auto place = static_cast<std::size_t>(t);
            m_path.take(t, found[place], path[place], m_space);
        }
    }
}

/// All blocks one after the other. Where two meet, both have found answers to one frame.
void BranchSearch::join()
{
    m_frames.clear();
    m_found.clear();
    m_allowance.clear();
    for (const Block& block : m_blocks)
        for (std::size_t i = 0; i < block.frames.size(); ++i) {
            const Candidates& found = block.found[i];
            if (!m_frames.empty() && m_frames.back() == block.frames[i]) {
                for (std::size_t k = 1; k < found.count(); ++k) // the first is the solver's own
                    m_found.back().add(found.at(k, m_space.coordinates()), m_space.coordinates(), found.statuses[k]);
                continue;
            }
            double moved = 0;
            for (int t = m_frames.empty() ? block.frames[i] : m_frames.back() + 1; t <= block.frames[i]; ++t)
                moved += m_own.usualAt(t);
            m_frames.push_back(block.frames[i]);
            m_found.push_back(found);
            m_allowance.push_back(kLeap + 2 * moved);
        }
}

void BranchSearch::takeBest(double slack)
{
    std::vector<PathFrame> steps;
    for (std::size_t i = 0; i < m_frames.size(); ++i) {
        const double* reference = m_task.problem(m_frames[i]).seed.data();
        steps.push_back({&m_found[i], reference, std::vector<double>(m_space.dofs(), 0), m_allowance[i]});
        if (i > 0) steps[i].frames = m_frames[i] - m_frames[i - 1];
        if (i > 0)
            m_space.difference(m_task.problem(m_frames[i - 1]).seed.data(), reference, steps[i].ofReference.data());
    }
    const double apart = m_isOpen ? CandidateFinder::kSpacing : 0;
    std::vector<std::size_t> path = bestPath(m_space, steps, m_own.typical, m_rates, apart, slack);
    if (m_rates.isEmpty()) path = tieEqualFrames(steps, std::move(path), slack);
    for (std::size_t i = 0; i < m_frames.size(); ++i) m_path.take(m_frames[i], *steps[i].candidates, path[i], m_space);
}

/// Frames that ask the same are to have the same pose: one of those that the path has at them, unless that costs as
/// much more as a jump. All places are tried together, then one by one.
std::vector<std::size_t> BranchSearch::tieEqualFrames(std::vector<PathFrame>& steps, std::vector<std::size_t> path,
                                                      double slack)
{
    constexpr std::size_t kMostTied = 8;           // places one by one: each is another search of the clip
    std::map<int, std::vector<std::size_t>> equal; // places in m_frames
    for (std::size_t i = 0; i < m_frames.size(); ++i)
        if (comesAgain(m_frames[i])) equal[m_firstEqual[static_cast<std::size_t>(m_frames[i])]].push_back(i);
    std::fill(m_isTied.begin(), m_isTied.end(), 0);
    m_chosen.clear();
    if (equal.empty()) return path;
    const double allowed = costOfPath(m_space, steps, m_own.typical, path) + kJumpCost;
    const auto isTried = [&](std::span<const std::vector<std::size_t>> groups) {
        double least = allowed;
        const std::vector<PathFrame> before = steps;
        const std::vector<std::size_t> poses = path;
        for (const bool isFirst : {true, false}) {
            std::vector<PathFrame> trial = before;
            for (const std::vector<std::size_t>& places : groups) {
                const std::size_t from = isFirst ? places.front() : places.back();
                const Candidates& own = *before[from].candidates;
                m_chosen.emplace_back().add(own.at(poses[from], m_space.coordinates()), m_space.coordinates(),
                                            own.statuses[poses[from]]);
                for (const std::size_t i : places) trial[i].candidates = &m_chosen.back();
            }
            std::vector<std::size_t> tied = bestPath(m_space, trial, m_own.typical, m_rates, 0, slack);
            const double cost = costOfPath(m_space, trial, m_own.typical, tied);
            if (cost >= least) continue;
            least = cost;
            steps = std::move(trial);
            path = std::move(tied);
        }
        if (least == allowed) return false;
        for (const std::vector<std::size_t>& places : groups)
            for (const std::size_t i : places) m_isTied[static_cast<std::size_t>(m_frames[i])] = 1;
        return true;
    };
    std::vector<std::vector<std::size_t>> groups;
    for (auto& [first, places] : equal) groups.push_back(std::move(places));
    if (isTried(groups) || groups.size() == 1) return path;
    for (std::size_t i = 0; i < std::min(kMostTied, groups.size()) && !m_crew.isCancelled(); ++i)
        (void)isTried({&groups[i], 1});
    return path;
}

/// The frames that are come to again as places: what stands there, or what is not part of a way that is gone again.
void BranchSearch::findPlaces(std::span<const char> isStill)
{
    const int last = static_cast<int>(m_firstEqual.size()) - 1;
    const auto firstAt = [&](int t) { return m_firstEqual[static_cast<std::size_t>(t)]; };
    const auto goAlong = [&](int a, int b) {
        for (const int x : {a - 1, a + 1})
            for (const int y : {b - 1, b + 1})
                if (std::min(x, y) >= 0 && std::max(x, y) <= last && firstAt(x) == firstAt(y) &&
                    firstAt(x) != firstAt(a))
                    return true;
        return false;
    };
    std::map<int, std::vector<int>> equal;
    for (int t = 0; t <= last; ++t) equal[firstAt(t)].push_back(t);
    for (const auto& [first, frames] : equal) {
        bool isPlace = false, isOnAWay = false;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            isPlace = isPlace || isStill[static_cast<std::size_t>(frames[i])] != 0;
            isOnAWay = isOnAWay || (i > 0 && goAlong(frames[i - 1], frames[i]));
        }
        if (frames.size() == 1 || (isOnAWay && !isPlace)) continue;
        for (const int t : frames) m_comesAgain[static_cast<std::size_t>(t)] = 1;
    }
}

/// The frames between those that were looked at. False if a block has to be looked at frame by frame: it is laid out
/// for that.
bool BranchSearch::fill()
{
    std::vector<char> isGood(m_frames.size(), 1);
    m_crew.run(static_cast<int>(m_frames.size()) - 1, [&](CandidateFinder& finder, int i) {
        isGood[static_cast<std::size_t>(i)] = fillBetween(finder, static_cast<std::size_t>(i));
    });
    bool isDone = true;
    for (std::size_t i = 0; i + 1 < m_frames.size(); ++i) {
        const int block = m_frames[i] / kBlock;
        if (isGood[i] || m_blocks[static_cast<std::size_t>(block)].stride == 1) continue;
        lay(block, 1);
        isDone = false;
    }
    return isDone;
}

/// The frames after m_frames[place], along the way to the next one. False if that way leaves the goals.
bool BranchSearch::fillBetween(CandidateFinder& finder, std::size_t place)
{
    const int begin = m_frames[place], end = m_frames[place + 1];
    if (end == begin + 1) return true;
    std::vector<double> way(m_space.dofs()), trial(m_space.coordinates());
    m_space.difference(m_task.problem(begin).seed.data(), m_task.problem(end).seed.data(), way.data());
    if (m_space.largest(m_path.at(begin), m_path.at(end), way.data()) > m_allowance[place + 1]) return false;
    m_space.difference(m_path.at(begin), m_path.at(end), way.data());
    for (int t = begin + 1; t < end; ++t) {
        const double part = static_cast<double>(t - begin) / (end - begin);
        m_space.move(m_path.at(begin), way.data(), part, m_task.problem(t).locked, trial.data());
        m_path.statusAt(t) = finder.follow(t, trial.data(), m_path.at(t));
        const bool isNear = m_space.isWithin(trial.data(), m_path.at(t), CandidateFinder::kSpacing);
        if (!sdk::isSuccess(m_path.statusAt(t)) || !isNear) return false;
    }
    return true;
}

} // namespace tendon

#include "core/clip/ClipSolver.h"

#include "core/clip/AnswerSpace.h"
#include "core/clip/BestPath.h"
#include "core/clip/BranchSearch.h"
#include "core/clip/ClipJumps.h"
#include "core/clip/EqualFrames.h"
#include "core/clip/Landing.h"
#include "core/clip/LeapSpreading.h"
#include "core/clip/PathSmoothing.h"
#include "core/clip/RateLimiter.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace tendon {
namespace {

constexpr int kTypicalBlock = kClipGrid; ///< frames of which steps are compared with what is typical about them
constexpr double kLeap = 0.1;            ///< [rad] by which answers may part although one follows from the other
/// A step is rough if it is larger than so many times the one that follows from the frame before, and this [rad].
constexpr double kHurried = 1.25, kRough = 0.01;
constexpr double kStandsOut = 2; ///< and if it is larger than so many times those about it,
constexpr double kUnlike = 0.5;  ///< or if what it is larger by differs by this share from what its neighbours are
constexpr int kAboutStep = 6;    ///< [frames] to either side
/// A frame is still if what is asked moves there by less than this share of what it does about there, before and after.
constexpr double kStill = 0.25;
/// Or if what is asked changes its way there by more than this share of its steps, and so many times what it does so
/// near to it [frames].
constexpr double kCorner = 0.5, kSharply = 4;
constexpr int kAboutCorner = 3;
constexpr int kAboutStill = 12, kGently = 8; ///< [frames] to either side; over which smoothing sets in beside it
/// [rad] Answers that move faster than this from frame to frame are not compared with their neighbours.
constexpr double kFast = 0.1;
constexpr double kSlowest = 0.02, kFastest = 0.15; ///< [rad] of a leap that is spread, from frame to frame
constexpr double kSpreadStep = 0.5;                ///< of the steps about it, where these are small
constexpr int kFewest = 3;                         ///< [frames] to either side of it
constexpr double kFarBeyond = 30;                  ///< times the excess of rates of the first path: not worth a try
constexpr double kFarLeap = 0.35;                  ///< [rad] that is looked at once more
constexpr double kWorthwhileShare = 0.6;           ///< of the largest step
constexpr std::size_t kMany = 3;                   ///< leaps within the reach of smoothing
constexpr int kSome = 2;                           ///< where steps are too fast
constexpr int kApart = 4;                          ///< [frames] nearer to each other they are one
constexpr int kFarRound = 4 * kSmoothingHalf;      ///< [frames] of a way round a jump, to either side
constexpr double kTooFast = 2;                     ///< times what is typical
constexpr double kFarLess = 0.5;                   ///< of an excess

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
        if (const double before = m_rates.excess(m_path); before > 0) {
            isLocal = false;
            limitRates(m_task, m_space, m_rates, m_crew, m_path);
            if (const double left = m_rates.excess(m_path);
                left > 0) { // another branch, or an even path, may hold them
                ClipPath best = std::exchange(m_path, own);
                m_share.assign(m_share.size(), 1);
                (void)findPath(isNarrow, m_rates);
                if (m_rates.excess(m_path) <= kFarBeyond * before) limitRates(m_task, m_space, m_rates, m_crew, m_path);
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
            BranchSearch search(m_task, m_space, rates, m_crew, m_path, m_isStill);
            m_path = search.run();
            std::fill(m_share.begin(), m_share.end(), 1.0);
            for (int t = 0; t < m_task.frameCount; ++t) {
                m_isTied[static_cast<std::size_t>(t)] = search.isTied(t) ? 1 : 0;
                if (search.isTied(t)) setInGently(t);
            }
        }
        const double leap = areBranches ? BranchSearch::kLeap : kLeap;
        m_space.unroll(m_path.q, m_path.jumps(m_space, leap), m_task.problem(0).seed.data());
        if (areBranches || !rates.isEmpty()) {
            if (areBranches)
                smoothBranches(leap);
            else
                smoothPath(m_task, m_space, m_crew, m_share, kAcrossAll, m_path);
            if (areBranches && rates.isEmpty()) evenSteps();
            return false;
        }
        spread(m_rough);
        smoothRest();
        if (!goRoundAll()) return true;
        goThroughKeys();
        goThroughEnds();
        return false;
    }

    /// Ways round the jumps that are left, or through the places where they are. False if there is nothing to go round.
    bool goRoundAll()
    {
        bool isAny = false;
        findAgain();
        for (int about = kSmoothingHalf; about <= kFarRound && goRoundJumps(about); about *= 2) isAny = true;
        isAny |= goOnThroughLeaps();
        isAny |= smoothHasty(isAny);
        return isAny;
    }

    [[nodiscard]] std::size_t jumpCount()
    {
        std::vector<std::uint8_t> marks(m_path.statuses.size());
        ClipJumps jumps(m_task, m_space, [&](int frame) { return m_path.at(frame); });
        jumps.mark(0, m_path.frames(), marks);
        return jumps.gather(marks).size();
    }

    /// Last of all the ends of a clip give way, where that leaves fewer jumps, or steps that are far less too fast: a
    /// hold that is added beyond an end is not to change what comes before it.
    void goThroughEnds()
    {
        const std::size_t jumps = jumpCount();
        const double before = excess(m_path);
        if (jumps == 0 && before == 0) return;
        const std::vector<char> isStill = m_isStill;
        for (const std::size_t end : {std::size_t{0}, m_isStill.size() - 1})
            if (m_isAgain[end] == 0) m_isStill[end] = 0;
        if (m_isStill == isStill) return;
        ClipPath path = m_path;
        (void)goRoundAll();
        const std::size_t left = jumpCount();
        if (left < jumps || (left == jumps && excess(m_path) < kFarLess * before)) return;
        m_path = std::move(path);
        m_isStill = isStill;
    }

    /// [rad^2] By how much the steps of a path are faster than usual, all together.
    [[nodiscard]] double excess(const ClipPath& path) const
    {
        double sum = 0;
        for (int t = 1; t < m_task.frameCount; ++t) sum += excessAt(path, t) * excessAt(path, t);
        return sum;
    }
    [[nodiscard]] double excessAt(const ClipPath& path, int t) const
    {
        return std::max(0.0, path.step(m_space, t) - kTooFast * typicalAt(t));
    }

    /// Where jumps are left, frames at which what is asked stands give way, but for those that others ask the same as:
    /// a key that is not come to again has a pose that may be another one. If that leaves fewer jumps.
    void goThroughKeys()
    {
        const std::size_t before = jumpCount();
        if (before == 0) return;
        const std::vector<char> isStill = m_isStill;
        for (std::size_t t = 1; t + 1 < m_isStill.size(); ++t)
            if (m_isAgain[t] == 0) m_isStill[t] = 0;
        ClipPath path = m_path;
        (void)goRoundAll();
        if (jumpCount() >= before) m_path = std::move(path);
        m_isStill = isStill;
    }

    /// Where answers leap again and again, or spread leaps make haste, there is none to go back to: the path is evened
    /// out.
    void smoothRest()
    {
        std::vector<int> first; // of each row of rough steps
        int last = -kApart;
        for (const int t : m_rough) {
            if (m_calm[static_cast<std::size_t>(t)] > kFast) continue;
            if (t - last >= kApart) first.push_back(t);
            last = t;
        }
        std::fill(m_share.begin(), m_share.end(), 0);
        for (std::size_t i = 0; i + kMany <= first.size(); ++i)
            if (first[i + kMany - 1] - first[i] <= 2 * kSmoothingHalf) {
                for (std::size_t k = i; k < i + kMany; ++k) smoothAbout(first[k]);
                for (int t = first[i]; t <= first[i + kMany - 1]; t += kSmoothingHalf / 2) smoothAbout(t);
            }
        const auto leapsAbout = [&](int t) {
            return std::upper_bound(first.begin(), first.end(), t + kSmoothingHalf) -
                   std::lower_bound(first.begin(), first.end(), t - kSmoothingHalf);
        };
        for (int t = 1; t < m_task.frameCount; ++t)
            if (m_calm[static_cast<std::size_t>(t)] < kFast && leapsAbout(t) >= kSome &&
                m_path.step(m_space, t) > kRough + kTooFast * typicalAt(t))
                smoothAbout(t);
        restrain();
        smoothPath(m_task, m_space, m_crew, m_share, kAcrossAll, m_path);
    }

    /// Frames that stay have no share, and those beside still ones a small one.
    void restrain()
    {
        for (std::size_t t = 0; t < m_share.size(); ++t)
            if (m_isKept[t] != 0) m_share[t] = 0;
        for (int t = 0; t < m_task.frameCount; ++t)
            if (m_isStill[static_cast<std::size_t>(t)] != 0) setInGently(t);
    }

    /// Frames that others ask the same as, and that show their own answers, have no share, and those beside them a
    /// small one.
    void keepOwn()
    {
        for (int t = 0; t < m_task.frameCount; ++t)
            if (m_isAgain[static_cast<std::size_t>(t)] != 0 && isOwn(t)) setInGently(t);
    }

    /// True if a frame shows the solver's own answer.
    [[nodiscard]] bool isOwn(int frame) const
    {
        constexpr double kOwn = 1e-6; // [rad]
        const double* own = m_ownAnswers.data() + static_cast<std::size_t>(frame) * m_space.coordinates();
        return m_space.isWithin(own, m_path.at(frame), kOwn);
    }

    /// No share for a frame, and a small one for those beside it.
    void setInGently(int frame)
    {
        for (int t = std::max(0, frame - kGently); t <= std::min(m_task.frameCount - 1, frame + kGently); ++t) {
            double& share = m_share[static_cast<std::size_t>(t)];
            share = std::min(share, static_cast<double>(std::abs(t - frame)) / kGently);
        }
    }

    /// What is still faster than usual although what follows is not, after leaps have been gone round (`anywhere`) or
    /// where the path has been evened out: evened out again, as long as that helps. Equal own answers stay equal there,
    /// too. False if there is nothing to even out.
    bool smoothHasty(bool anywhere)
    {
        constexpr int kRounds = 3;
        double before = excess(m_path);
        if (before == 0) return false;
        for (int round = 0; round < kRounds && before > 0 && !m_crew.isCancelled(); ++round) {
            std::fill(m_share.begin(), m_share.end(), 0);
            bool isAny = false;
            for (int t = 1; t < m_task.frameCount; ++t) {
                if (excessAt(m_path, t) <= 0 || m_path.step(m_space, t) <= kRough + kHurried * m_path.usualAt(t))
                    continue;
                if (!anywhere && (isOwn(t - 1) || isOwn(t))) continue;
                smoothAbout(t);
                isAny = true;
            }
            if (!isAny) return round > 0;
            keepOwn();
            restrain();
            ClipPath even = m_path;
            smoothPath(m_task, m_space, m_crew, m_share, kAcrossAll, even);
            const double after = excess(even);
            if (after >= before) return true;
            before = after;
            m_path = std::move(even);
        }
        return true;
    }

    /// Where branches nearly meet, what is evened out frame by frame may come down on another one here and there: the
    /// path stays there as it was chosen.
    void smoothBranches(double leap)
    {
        constexpr int kRounds = 4;
        const ClipPath chosen = m_path;
        const auto largestAbout = [&](int t) {
            double largest = 0;
            for (int k = std::max(1, t - kGently); k <= std::min(m_task.frameCount - 1, t + kGently); ++k)
                largest = std::max(largest, chosen.step(m_space, k));
            return largest;
        };
        for (int round = 0; round < kRounds && !m_crew.isCancelled(); ++round) {
            m_path = chosen;
            smoothPath(m_task, m_space, m_crew, m_share, leap, m_path);
            bool isWorse = false;
            for (int t = 1; t < m_task.frameCount; ++t) {
                if (m_path.step(m_space, t) <= kRough + largestAbout(t)) continue;
                setInGently(t - 1);
                setInGently(t);
                isWorse = true;
            }
            if (!isWorse) return;
        }
    }

    /// Single steps of a chosen path that stand out from those about them, as it comes past a singular pose: spread, if
    /// that makes the largest about there smaller.
    void evenSteps()
    {
        const auto standsOut = [&](int t) {
            const double step = m_path.step(m_space, t);
            return step > kRough + kHurried * m_path.usualAt(t) && step > kStandsOut * medianAbout(t, nullptr);
        };
        for (int t = 1; t < m_task.frameCount && !m_crew.isCancelled(); ++t) {
            if (!standsOut(t)) continue;
            const double excess = m_path.step(m_space, t) - medianAbout(t, nullptr), slow = slowAt(t);
            const int half = std::clamp(static_cast<int>(std::ceil(std::numbers::pi / 4 * excess / slow)), kFewest,
                                        kSpreadHalf);
            const std::vector<PathLeap> leap{{t, half}};
            ClipPath trial = m_path;
            spreadLeaps(m_task, m_space, m_crew, leap, m_isKept, m_isTied, trial);
            const auto largest = [&](const ClipPath& path) {
                double step = 0;
                for (int k = std::max(1, t - half - 1); k <= std::min(m_task.frameCount - 1, t + half + 1); ++k)
                    step = std::max(step, path.step(m_space, k));
                return step;
            };
            if (largest(trial) < largest(m_path)) m_path = std::move(trial);
        }
    }

    /// [rad] By how much a leap that is spread may add to the steps about a frame.
    [[nodiscard]] double slowAt(int t) const
    {
        const double calm = m_calm[static_cast<std::size_t>(t)];
        return std::clamp(calm * std::clamp(calm / kFast, kSpreadStep, 1.0), kSlowest, kFastest);
    }

    /// The steps to some frames, each over so many frames that they do not stand out.
    void spread(const std::vector<int>& frames)
    {
        std::vector<PathLeap> leaps;
        for (const int t : frames) {
            const double excess = m_path.step(m_space, t) - m_path.usualAt(t);
            const double slow = slowAt(t);
            const int half = static_cast<int>(std::ceil(std::numbers::pi / 4 * excess / slow));
            leaps.push_back({t, std::clamp(half, kFewest, kSpreadHalf)});
        }
        spreadLeaps(m_task, m_space, m_crew, leaps, m_isKept, m_isStill, m_path);
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
        m_isKept.assign(frames, 0);
        m_isTied.assign(frames, 0);
        m_crew.runFrames(m_task.frameCount, [&](CandidateFinder& finder, int t) {
            m_path.statusAt(t) = m_task.own ? m_task.own(t, m_path.at(t)) : finder.solve(t, m_path.at(t));
            const std::span<const double> seed = m_task.problem(t).seed;
            m_isKept[static_cast<std::size_t>(t)] = sdk::isSuccess(m_path.statusAt(t)) &&
                                                            std::equal(seed.begin(), seed.end(), m_path.at(t))
                                                        ? 1
                                                        : 0;
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
        m_excess.assign(m_path.usual.size() * m_space.dofs(), 0);
        m_isSame.assign(m_path.usual.size(), 0);
        m_crew.runFrames(m_task.frameCount, [&](CandidateFinder& finder, int t) {
            if (t == 0) return;
            if (asksTheSame(m_task.problem(t - 1), m_task.problem(t))) {
                m_isSame[static_cast<std::size_t>(t)] = 1;
                return;
            }
            std::vector<double> next(m_space.coordinates());
            const sdk::Status status = finder.followOn(t - 1, m_path.at(t - 1), t, next.data());
            const bool isMissed = !sdk::isSuccess(m_path.statusAt(t - 1)) && !sdk::isSuccess(m_path.statusAt(t));
            if (isMissed && !finder.isAnswer(t, status, next.data())) return; // it does not lead on
            const auto place = static_cast<std::size_t>(t);
            m_path.usual[place] = m_space.largest(m_path.at(t - 1), next.data(), m_path.ofReferenceAt(t));
            m_space.difference(next.data(), m_path.at(t), m_excess.data() + place * m_space.dofs());
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
        }
        findRough();
        findStill();
    }

    /// True if a frame keeps its own answer where leaps are gone through or round.
    [[nodiscard]] bool stays(int frame) const
    {
        return m_isKept[static_cast<std::size_t>(frame)] != 0 || m_isStill[static_cast<std::size_t>(frame)] != 0;
    }

    /// The frames at which what is asked stands, as it does at most keys. They are what is seen longest, and what comes
    /// again: they keep their own answers. Where it stands for longer than a frame they do so whatever it costs.
    void findStill()
    {
        const int last = m_task.frameCount - 1;
        std::vector<double> asked(m_path.usual.size(), 0), turned(m_path.usual.size(), 0);
        m_crew.runFrames(m_task.frameCount, [&](CandidateFinder&, int t) {
            const sdk::Problem here = m_task.problem(t);
            if (t > 0) asked[static_cast<std::size_t>(t)] = askedBetween(m_task.problem(t - 1), here);
            if (t > 0 && t < last)
                turned[static_cast<std::size_t>(t)] = turnBetween(m_task.problem(t - 1), here, m_task.problem(t + 1));
        });
        const auto most = [&](int begin, int end) { // of the steps to these frames
            double step = 0;
            for (int t = std::max(begin, 1); t <= std::min(end, last); ++t)
                step = std::max(step, asked[static_cast<std::size_t>(t)]);
            return step;
        };
        m_isStill.assign(m_path.usual.size(), 0);
        for (int t = 0; t <= last; ++t) {
            const auto place = static_cast<std::size_t>(t);
            const bool isHeld = (t > 0 && m_isSame[place] != 0) || (t < last && m_isSame[place + 1] != 0);
            if (isHeld && sdk::isUsable(m_path.statusAt(t))) m_isKept[place] = 1;
            const bool comesSlowly = most(t, t) <= kStill * most(t - kAboutStill + 1, t),
                       goesSlowly = most(t + 1, t + 1) <= kStill * most(t + 1, t + kAboutStill);
            bool isCorner = turned[place] > kCorner * most(t, t + 1);
            for (int other = std::max(0, t - kAboutCorner); other <= std::min(last, t + kAboutCorner); ++other)
                isCorner = isCorner &&
                           (other == t || turned[place] > kSharply * turned[static_cast<std::size_t>(other)]);
            if ((comesSlowly && goesSlowly) || isCorner) m_isStill[place] = 1;
        }
        m_isStill.front() = m_isStill.back() = 1; // what is asked stands beyond it
    }

    /// The frames that others ask the same as.
    void findAgain()
    {
        if (!m_isAgain.empty()) return;
        const std::vector<int> first = firstEqualFrames(m_task);
        m_isAgain.assign(first.size(), 0);
        for (std::size_t t = 0; t < first.size(); ++t)
            if (const auto other = static_cast<std::size_t>(first[t]); other != t) m_isAgain[t] = m_isAgain[other] = 1;
    }

    /// How far what is asked goes from one frame to another: goals in units of the chain's length and radians, the
    /// reference, and what carries the chain.
    [[nodiscard]] double askedBetween(const sdk::Problem& a, const sdk::Problem& b) const
    {
        double ofGoals = 0, ofBase = 0;
        for (auto x = a.goals.begin(), y = b.goals.begin(); x != a.goals.end() && y != b.goals.end(); ++x, ++y) {
            const kit::Vector3 way = kit::vectorAt(x->targetPosition) - kit::vectorAt(y->targetPosition);
            const double turn =
                kit::quaternionAt(x->targetRotation).angularDistance(kit::quaternionAt(y->targetRotation));
            ofGoals = std::max(ofGoals, way.norm() / m_space.length() + turn + std::abs(x->twist - y->twist));
        }
        for (std::size_t i = 0; i < std::min(a.base.size(), b.base.size()); ++i)
            ofBase = std::max(ofBase, std::abs(a.base[i] - b.base[i]));
        return ofGoals + ofBase + m_space.largest(a.seed.data(), b.seed.data());
    }

    /// The steps that do not follow, and what steps about a frame are without them.
    void findRough()
    {
        std::vector<char> isRough(m_path.usual.size(), 0);
        for (int t = 1; t < m_task.frameCount; ++t) {
            const auto place = static_cast<std::size_t>(t);
            const double step = m_path.step(m_space, t);
            if (step <= kRough + kHurried * m_path.usual[place]) continue;
            const double about = medianAbout(t, nullptr);
            isRough[place] = step > kStandsOut * about || (about < kFast && isIrregular(t));
        }
        m_calm.assign(m_path.usual.size(), 0);
        for (int t = 1; t < m_task.frameCount; ++t) {
            m_calm[static_cast<std::size_t>(t)] = std::max(typicalAt(t), medianAbout(t, isRough.data()));
            if (isRough[static_cast<std::size_t>(t)]) m_rough.push_back(t);
        }
    }

    /// How much what is asked changes its way at a frame, from what it does before to what it does after, as
    /// askedBetween() counts it.
    [[nodiscard]] double turnBetween(const sdk::Problem& before, const sdk::Problem& here,
                                     const sdk::Problem& after) const
    {
        double ofGoals = 0, ofBase = 0, ofReference = 0;
        const auto turn = [](const double* from, const double* to) {
            return kit::logMap(kit::Quaternion(kit::quaternionAt(from).conjugate() * kit::quaternionAt(to)));
        };
        auto x = before.goals.begin(), y = here.goals.begin(), z = after.goals.begin();
        for (; x != before.goals.end() && y != here.goals.end() && z != after.goals.end(); ++x, ++y, ++z) {
            const kit::Vector3 bend = kit::vectorAt(x->targetPosition) - 2 * kit::vectorAt(y->targetPosition) +
                                      kit::vectorAt(z->targetPosition);
            const kit::Vector3 spin = turn(y->targetRotation, z->targetRotation) -
                                      turn(x->targetRotation, y->targetRotation);
            ofGoals = std::max(ofGoals, bend.norm() / m_space.length() + spin.norm() +
                                            std::abs(x->twist - 2 * y->twist + z->twist));
        }
        for (std::size_t i = 0; i < std::min({before.base.size(), here.base.size(), after.base.size()}); ++i)
            ofBase = std::max(ofBase, std::abs(before.base[i] - 2 * here.base[i] + after.base[i]));
        std::vector<double> come(m_space.dofs()), go(m_space.dofs());
        m_space.difference(before.seed.data(), here.seed.data(), come.data());
        m_space.difference(here.seed.data(), after.seed.data(), go.data());
        for (std::size_t v = 0; v < come.size(); ++v) ofReference = std::max(ofReference, std::abs(go[v] - come[v]));
        return ofGoals + ofBase + ofReference;
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

    /// [rad] The median of the steps within some frames of one, but for its own; of those that are rough, what follows.
    [[nodiscard]] double medianAbout(int frame, const char* isRough) const
    {
        std::vector<double> steps;
        for (int t = std::max(1, frame - kAboutStep); t <= std::min(m_task.frameCount - 1, frame + kAboutStep); ++t)
            if (t != frame)
                steps.push_back(isRough != nullptr && isRough[t] ? m_path.usualAt(t) : m_path.step(m_space, t));
        if (steps.empty()) return 0;
        const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
        std::nth_element(steps.begin(), middle, steps.end());
        return *middle;
    }

    /// True if what a step is longer than the one that follows is not what its neighbours are: answers that change
    /// smoothly, however fast, are like their neighbours.
    [[nodiscard]] bool isIrregular(int frame) const
    {
        const std::size_t nv = m_space.dofs();
        const auto excess = [&](int t) { return m_excess.data() + static_cast<std::size_t>(t) * nv; };
        double own = 0, least = std::numeric_limits<double>::infinity();
        for (std::size_t v = 0; v < nv; ++v) own = std::max(own, std::abs(excess(frame)[v]));
        for (const int other : {frame - 1, frame + 1}) {
            if (other < 1 || other >= m_task.frameCount) continue;
            double most = 0;
            for (std::size_t v = 0; v < nv; ++v) most = std::max(most, std::abs(excess(frame)[v] - excess(other)[v]));
            least = std::min(least, most);
        }
        return least > kUnlike * own;
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

    /// The answer nearest to that of the frame before: where the solver itself goes another way, as it may where a goal
    /// passes the chain's start, straight onto the goals.
    [[nodiscard]] bool goOn(ClipPath& path, int t)
    {
        const sdk::Problem problem = m_task.problem(t);
        std::vector<double> q(m_space.coordinates());
        m_space.move(path.at(t - 1), path.ofReferenceAt(t), 1, problem.locked, q.data());
        if (!Landing(m_space).land(problem, q.data())) return false;
        path.statusAt(t) = m_crew.own().follow(t, q.data(), path.at(t));
        return sdk::isSuccess(path.statusAt(t)) && m_space.isWithin(q.data(), path.at(t), kRough);
    }

    /// Where the path still jumps, as a spread leap does not come through a place where branches meet: on through that
    /// place, and over to the own answers where that is easier.
    /// False if nowhere.
    bool goOnThroughLeaps()
    {
        bool isAny = false;
        for (int frame = 1; frame < m_task.frameCount && !m_crew.isCancelled(); ++frame) {
            const double own = m_path.step(m_space, frame);
            if (own <= kFarLeap || own <= kStandsOut * medianAbout(frame, nullptr)) continue;
            const int end = std::min(m_task.frameCount - 1, frame + kSmoothingHalf / 2);
            ClipPath trial = m_path;
            bool goesOn = true;
            for (int t = frame; t <= end && goesOn; ++t) goesOn = !stays(t) && goOn(trial, t);
            if (!goesOn) continue;
            if (end + 1 < m_task.frameCount) {
                const std::vector<PathLeap> back{{end + 1, kSmoothingHalf / 2}};
                spreadLeaps(m_task, m_space, m_crew, back, m_isKept, m_isStill, trial);
            }
            const auto largest = [&](const ClipPath& path) {
                double step = 0;
                for (int t = std::max(1, frame - kSmoothingHalf);
                     t <= std::min(m_task.frameCount - 1, end + kSmoothingHalf); ++t)
                    step = std::max(step, path.step(m_space, t));
                return step;
            };
            if (largest(trial) >= kWorthwhileShare * largest(m_path)) continue;
            m_path = std::move(trial);
            isAny = true;
        }
        return isAny;
    }

    /// Where the path still jumps: on from before as far as the way lasts, or back from after, within `about` frames;
    /// then smoothed again. False if it does not jump.
    bool goRoundJumps(int about)
    {
        std::vector<std::pair<int, int>> windows; // first and last frame, which stay
        for (const int frame : m_path.jumps(m_space, kLeap)) {
            int begin = frame - 1, end = frame;
            while (begin > std::max(0, frame - about) && !stays(begin)) --begin;
            while (end < std::min(m_task.frameCount - 1, frame + about) && !stays(end)) ++end;
            const bool isOne = !windows.empty() &&
                               (begin < windows.back().second || (begin == windows.back().second && !stays(begin)));
            if (isOne)
                windows.back().second = std::max(windows.back().second, end);
            else
                windows.emplace_back(begin, end);
        }
        if (windows.empty()) return false;
        m_crew.run(static_cast<int>(windows.size()), [&](CandidateFinder& finder, int i) {
            const auto [begin, end] = windows[static_cast<std::size_t>(i)];
            goRound(finder, begin, end);
        });
        spread(m_path.jumps(m_space, kLeap));
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
        for (std::size_t i = 1; i + 1 < frames.size(); ++i) m_path.take(frames[i], found[i], path[i], m_space);
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
    std::vector<double> m_excess;  ///< (frames x nv) by which own answers differ from those that follow
    std::vector<double> m_calm;    ///< (frames) [rad] the median step about each, but for rough ones
    std::vector<int> m_rough;      ///< frames that a step leads to which is rough
    std::vector<char> m_isKept;    ///< (frames) the reference meets the goals, and so is the answer; or it is held
    std::vector<char> m_isSame;    ///< (frames) the same is asked as at the frame before
    std::vector<char> m_isStill;   ///< (frames) what is asked stands there
    std::vector<char> m_isAgain;   ///< (frames) another asks the same; empty: not known yet
    std::vector<char> m_isTied;    ///< (frames) others ask the same, and have the same pose of a chosen path
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

#include "core/solve/ClipSettler.h"

#include "core/base/Parallel.h"
#include "core/clip/AnswerSpace.h"
#include "core/clip/ClipJumps.h"
#include "core/clip/ClipSolver.h"
#include "core/clip/Rates.h"
#include "core/runtime/KeySampling.h"
#include "core/solve/GroupSolver.h"
#include "core/solve/Settings.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>
#include <stdexcept>

namespace tendon {
namespace {

constexpr int kFramesAtOnce = 16;   ///< frames that a thread takes at once
constexpr double kSameFrame = 1e-6; ///< [frames]

struct FrameSpan
{
    std::int32_t first = 0, count = 1;
    bool operator==(const FrameSpan&) const = default;
};

/// All frames from the clip's first key to its last.
FrameSpan framesOf(const Scene& scene, const Clip& clip)
{
    const auto first = static_cast<std::int32_t>(std::floor(scene.fps.frameAt(clip.begin()) + kSameFrame));
    const auto last = static_cast<std::int32_t>(std::ceil(scene.fps.frameAt(clip.end()) - kSameFrame));
    return {first, std::max(last - first + 1, 1)};
}

/// A solver that could be made before cannot be made again: its plugin has failed meanwhile.
struct SolverLost : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

using Moments = std::vector<GroupMoment>; ///< (groups)

/// Frames begin ... end - 1 of a group, at which the same is asked.
struct Run
{
    std::int32_t begin = 0, end = 0;
    bool isLocal = false;
    std::vector<std::uint8_t> marks; ///< (frames of the run) of ClipJumps
    std::vector<ClipJump> jumps;     ///< by frame of the run
};

/// Some frames of a run, begin ... end - 1.
struct Part
{
    std::int32_t begin = 0, end = 0;
};

/// What is known of a group over a clip. Its path is that of all frames.
struct GroupMemory
{
    ClipSolution::Path path;
    std::vector<Run> runs;
};

/// The frames at which a channel leaps: a hold ends, or a cycle begins, with another value.
struct ChannelCuts
{
    Shared<KeyList> keys;
    std::vector<std::int32_t> frames; ///< from the clip's first one
};

} // namespace

struct ClipSettler::Memory
{
    SettledClipPtr settled; ///< what it is of
    std::map<ChannelId, ChannelCuts> cuts;
    std::vector<Moments> moments; ///< (frames) each group's as if it had no path, after those of the groups before it
    std::vector<GroupMemory> groups;
};

namespace {

/// The settling of one clip.
class Settling
{
public:
    /// `memory` is of the same frames and groups, or empty; it becomes that of this clip. Frames in `changed` may ask
    /// something else than it knows.
    template <class Memory>
    Settling(const Scene& scene, const Clip& clip, const SolverRegistry& solvers,
             const std::vector<std::unique_ptr<Evaluator>>& evaluators, Memory& memory,
             std::vector<std::uint8_t> changed, const std::atomic<bool>* cancelled)
        : m_scene(scene), m_clip(clip), m_solvers(solvers), m_evaluators(evaluators), m_cancelled(cancelled),
          m_rig(*evaluators.front()->rig()), m_groups(evaluators.front()->groups()), m_moments(memory.moments),
          m_known(memory.groups), m_cutsOfChannels(memory.cuts), m_isChanged(std::move(changed))
    {
        const FrameSpan frames = framesOf(scene, clip);
        m_solution.fps = scene.fps;
        m_solution.firstFrame = frames.first;
        m_solution.frames = frames.count;
        m_moments.resize(static_cast<std::size_t>(frames.count), Moments(m_groups.size()));
        m_known.resize(m_groups.size());
        m_hasMoved.resize(m_groups.size());
        m_jumps.resize(m_groups.size());
        m_hastes.resize(m_groups.size());
    }

    [[nodiscard]] ClipSolution run()
    {
        std::vector<std::int32_t> frames;
        for (std::int32_t frame = 0; frame < m_solution.frames; ++frame)
            if (isChanged(frame)) frames.push_back(frame);
        std::vector<std::size_t> all(m_groups.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        solveEach(frames, all);
        findCuts();
        for (const std::vector<std::size_t>& level : levels()) {
            if (isCancelled()) break; // groups of the level before may not be settled
            solveAfterOthers(level);
            for (const std::size_t g : level)
                if (!isCancelled()) settle(g);
        }
        if (!isCancelled()) gather();
        std::stable_sort(m_solution.jumps.begin(), m_solution.jumps.end(),
                         [](const PoseJump& a, const PoseJump& b) { return a.frame < b.frame; });
        std::stable_sort(m_solution.hastes.begin(), m_solution.hastes.end(),
                         [](const PoseHaste& a, const PoseHaste& b) { return a.first < b.first; });
        return std::move(m_solution);
    }

private:
    [[nodiscard]] bool isChanged(std::int32_t frame) const { return m_isChanged[static_cast<std::size_t>(frame)] != 0; }

    /// True if the settled answer of a group is another than it had been, or than its solver gives from the FK pose.
    [[nodiscard]] bool hasMoved(std::size_t group, std::int32_t frame) const
    {
        const auto at = static_cast<std::size_t>(frame);
        const std::vector<std::uint8_t>&isOwn = m_known[group].path.isOwn, &moved = m_hasMoved[group];
        return isOwn[at] == 0 || (!moved.empty() && moved[at] != 0);
    }

    /// The groups by how many others have to be settled before them, one after the other. Those of one level do not
    /// depend on each other. Holding and motion look at other frames, so they come after all before them.
    [[nodiscard]] std::vector<std::vector<std::size_t>> levels()
    {
        std::vector<SolveGroup> groups;
        for (const auto& group : m_groups) groups.push_back(group->group());
        m_dependsOn = dependenciesOf(m_rig, groups);
        std::vector<std::size_t> levelOf(groups.size(), 0);
        std::vector<std::vector<std::size_t>> levels;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const std::vector<std::size_t>& handles = groups[g].handles;
            const bool holds = std::any_of(handles.begin(), handles.end(), [&](std::size_t h) {
                return m_rig.handles[h].unreachable == Unreachable::Hold;
            });
            if (holds || m_groups[g]->wantsMotion()) {
                m_dependsOn[g].resize(g);
                std::iota(m_dependsOn[g].begin(), m_dependsOn[g].end(), std::size_t{0});
            }
            for (const std::size_t other : m_dependsOn[g]) levelOf[g] = std::max(levelOf[g], levelOf[other] + 1);
            if (levelOf[g] == levels.size()) levels.emplace_back();
            levels[levelOf[g]].push_back(g);
        }
        return levels;
    }

    /// Solves the groups of a level anew where others that they depend on have other answers now.
    void solveAfterOthers(const std::vector<std::size_t>& level)
    {
        std::vector<std::size_t> waiting;
        for (const std::size_t g : level)
            if (!m_dependsOn[g].empty()) waiting.push_back(g);
        std::vector<std::int32_t> frames;
        for (std::int32_t frame = 0; frame < m_solution.frames && !waiting.empty(); ++frame)
            if (isChanged(frame) && std::any_of(waiting.begin(), waiting.end(), [&](std::size_t g) {
                    return std::any_of(m_dependsOn[g].begin(), m_dependsOn[g].end(),
                                       [&](std::size_t other) { return hasMoved(other, frame); });
                }))
                frames.push_back(frame);
        if (!frames.empty()) solveEach(frames, waiting);
    }

    /// The solution of all groups, in their order.
    void gather()
    {
        m_solution.paths.clear();
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            const ClipSolution::Path& path = m_known[g].path;
            if (std::find(path.isOwn.begin(), path.isOwn.end(), 0) != path.isOwn.end())
                m_solution.paths.push_back(path);
            m_solution.jumps.insert(m_solution.jumps.end(), m_jumps[g].begin(), m_jumps[g].end());
            m_solution.hastes.insert(m_solution.hastes.end(), m_hastes[g].begin(), m_hastes[g].end());
        }
    }

    [[nodiscard]] bool isCancelled() const
    {
        return m_cancelled != nullptr && m_cancelled->load(std::memory_order_relaxed);
    }

    [[nodiscard]] int threads() const { return static_cast<int>(m_evaluators.size()); }

    [[nodiscard]] const GroupMoment& moment(std::int32_t frame, std::size_t group) const
    {
        return m_moments[static_cast<std::size_t>(frame)][group];
    }

    /// The moments of some groups at some frames, by the paths that there are so far.
    void solveEach(const std::vector<std::int32_t>& frames, const std::vector<std::size_t>& groups)
    {
        // Other groups are solved only where these depend on them.
        std::vector<std::uint8_t> isSolved(m_groups.size(), 0);
        std::vector<std::size_t> open = groups;
        while (!open.empty()) {
            const std::size_t g = open.back();
            open.pop_back();
            if (std::exchange(isSolved[g], std::uint8_t{1}) == 0 && !m_dependsOn.empty())
                open.insert(open.end(), m_dependsOn[g].begin(), m_dependsOn[g].end());
        }
        const auto soFar = m_solution.paths.empty() ? nullptr : std::make_shared<const ClipSolution>(m_solution);
        const auto count = static_cast<int>(frames.size());
        std::vector<SolvedFrame> results(m_evaluators.size());
        std::vector<Moments> captured(m_evaluators.size());
        for (const auto& evaluator : m_evaluators) evaluator->follow(soFar);
        inParallel(threads(), (count + kFramesAtOnce - 1) / kFramesAtOnce, m_cancelled, [&](int thread, int chunk) {
            const auto own = static_cast<std::size_t>(thread);
            Evaluator& evaluator = *m_evaluators[own];
            for (int i = chunk * kFramesAtOnce; i < std::min(count, (chunk + 1) * kFramesAtOnce) && !isCancelled();
                 ++i) {
                const std::int32_t frame = frames[static_cast<std::size_t>(i)];
                evaluator.capture(&captured[own], isSolved);
                evaluator.evaluate(m_scene, &m_clip, {}, m_scene.fps.timeOf(m_solution.firstFrame + frame),
                                   results[own], m_cancelled);
                for (const std::size_t g : groups) m_moments[static_cast<std::size_t>(frame)][g] = captured[own][g];
            }
            evaluator.capture(nullptr);
        });
        for (const auto& evaluator : m_evaluators) evaluator->follow(nullptr);
    }

    /// The frames at which the channels of an object leap. Channels whose keys are known are not looked at again.
    void findCuts()
    {
        for (auto known = m_cutsOfChannels.begin(); known != m_cutsOfChannels.end();)
            known = m_clip.channels.count(known->first) == 0 ? m_cutsOfChannels.erase(known) : std::next(known);
        for (const auto& [channel, keys] : m_clip.channels) {
            if (isSpace(channel.property)) continue; // goals go on between spaces without a leap
            const auto [known, isNew] = m_cutsOfChannels.try_emplace(channel);
            if (isNew || !known->second.keys.isSame(keys)) known->second = {keys, cutsOf(*keys, channel.property)};
            const std::vector<std::int32_t>& frames = known->second.frames;
            if (!frames.empty()) m_cuts[channel.target].insert(frames.begin(), frames.end());
        }
    }

    [[nodiscard]] std::vector<std::int32_t> cutsOf(const KeyList& keys, Property property) const
    {
        constexpr double kHeld = 1.5; // [frames] a key at every frame is no hold
        std::vector<std::int32_t> cuts;
        const FrameRate fps = m_scene.fps;
        const Time from = std::min(fps.timeOf(m_solution.firstFrame), keys.front().time);
        const Time to = std::max(fps.timeOf(m_solution.firstFrame + m_solution.frames), keys.back().time);
        for (const RepeatedKey& key : keysWithin(keys, property, from, to, fps.timeOf(1))) {
            if (!(fps.frameAt(key.held) >= kHeld)) continue; // also what does not jump
            // The first frame that has the new value.
            const double frame = fps.frameAt(key.time);
            const double cut = key.jumpsAfter ? std::floor(frame + kSameFrame) + 1 : std::ceil(frame - kSameFrame);
            cuts.push_back(static_cast<std::int32_t>(cut) - m_solution.firstFrame);
        }
        return cuts;
    }

    /// The cuts of what a group depends on: its handles, the joints that these follow, and all above its joints.
    [[nodiscard]] std::set<std::int32_t> cutsOf(const SolveGroup& group) const
    {
        std::set<std::int32_t> cuts;
        if (m_cuts.empty()) return cuts;
        const auto add = [&](ObjectId object) {
            if (const auto found = m_cuts.find(object); found != m_cuts.end())
                cuts.insert(found->second.begin(), found->second.end());
        };
        const auto addAbove = [&](JointIndex joint) {
            for (; joint >= 0; joint = m_rig.parent[at(joint)]) add(m_rig.id[at(joint)].value);
        };
        for (const std::size_t h : group.handles) {
            add(m_rig.handles[h].id.value);
            for (const JointIndex followed : m_rig.followed[h]) addAbove(followed);
        }
        for (const JointIndex joint : group.joints) addAbove(joint);
        return cuts;
    }

    /// Solves the clip for one group. Frames whose answers change by that are changed from then on.
    void settle(std::size_t g)
    {
        const GroupSolver& group = *m_groups[g];
        const auto nq = static_cast<std::size_t>(group.model().coordinateCount);
        const auto frames = static_cast<std::size_t>(m_solution.frames);
        GroupMemory before = std::exchange(m_known[g], {});
        ClipSolution::Path& path = m_known[g].path;
        for (const std::size_t h : group.group().handles) path.handles.push_back(m_rig.handles[h].id);
        path.coordinates = nq;
        path.q.resize(frames * nq);
        path.isOwn.assign(frames, 1);
        path.isBreak.assign(frames, 0);

        const std::set<std::int32_t> cuts = cutsOf(group.group());
        for (std::int32_t begin = 0, end = 0; begin < m_solution.frames && !isCancelled(); begin = end) {
            for (end = begin + 1; end < m_solution.frames && cuts.count(end) == 0; ++end)
                if (!moment(end, g).asksAs(moment(begin, g))) break;
            path.isBreak[static_cast<std::size_t>(begin)] = 1;
            if (!moment(begin, g).isAsked) continue;
            Run run{begin, end, false, {}, {}};
            const auto known = std::find_if(before.runs.begin(), before.runs.end(), [&](const Run& other) {
                return other.begin == run.begin && other.end == run.end;
            });
            const Run* knownRun = known == before.runs.end() ? nullptr : &*known;
            judge(g, run, knownRun, solveRun(g, run, knownRun, before.path), path);
            m_known[g].runs.push_back(std::move(run));
        }
        if (isCancelled()) return;
        for (std::size_t frame = 0; frame < before.path.isOwn.size(); ++frame) {
            const bool isSame = before.path.isOwn[frame] == path.isOwn[frame] &&
                                (path.isOwn[frame] != 0 || isSameAt(frame, before.path, path));
            if (isSame) continue;
            m_hasMoved[g].resize(m_isChanged.size(), 0);
            m_isChanged[frame] = m_hasMoved[g][frame] = 1;
        }
        if (std::find(path.isOwn.begin(), path.isOwn.end(), 0) != path.isOwn.end()) m_solution.paths.push_back(path);
    }

    static bool isSameAt(std::size_t frame, const ClipSolution::Path& a, const ClipSolution::Path& b)
    {
        const std::size_t at = frame * a.coordinates;
        return std::memcmp(a.q.data() + at, b.q.data() + at, a.coordinates * sizeof(double)) == 0;
    }

    /// Solves a run; again, if it is known, where what has changed reaches. Returns the frames that are new.
    [[nodiscard]] Part solveRun(std::size_t g, Run& run, const Run* known, const ClipSolution::Path& before)
    {
        Part changed{run.begin, run.end};
        while (known != nullptr && changed.begin < run.end && !isChanged(changed.begin)) ++changed.begin;
        while (known != nullptr && changed.end > changed.begin && !isChanged(changed.end - 1)) --changed.end;
        if (!m_groups[g]->canFollow()) return changed;
        if (known != nullptr)
            if (const auto part = solveAgain(g, run, *known, changed, before)) return *part;
        take(g, run, solve(g, run, run.begin, run.end), run.begin, run.begin, run.end);
        return {run.begin, run.end};
    }

    /// Nothing: the run has to be solved whole.
    [[nodiscard]] std::optional<Part> solveAgain(std::size_t g, Run& run, const Run& known, const Part& changed,
                                                 const ClipSolution::Path& before)
    {
        if (changed.begin < changed.end && !known.isLocal) return std::nullopt;
        ClipSolution::Path& path = m_known[g].path;
        const auto copy = [&] {
            const auto from = static_cast<std::ptrdiff_t>(run.begin), to = static_cast<std::ptrdiff_t>(run.end);
            const auto nq = static_cast<std::ptrdiff_t>(path.coordinates);
            std::copy(before.q.begin() + from * nq, before.q.begin() + to * nq, path.q.begin() + from * nq);
            std::copy(before.isOwn.begin() + from, before.isOwn.begin() + to, path.isOwn.begin() + from);
            run.isLocal = known.isLocal;
        };
        if (changed.begin == changed.end) {
            copy();
            return changed;
        }
        const std::int32_t begin = std::max(run.begin, changed.begin - kClipReach),
                           end = std::min(run.end, changed.end + kClipReach);
        const std::int32_t partBegin = std::max(run.begin,
                                                run.begin + (begin - kClipMargin - run.begin) / kClipGrid * kClipGrid);
        const std::int32_t partEnd = std::min(run.end, end + kClipMargin);
        if (partEnd - partBegin >= run.end - run.begin) return std::nullopt;
        const ClipAnswer answer = solve(g, run, partBegin, partEnd);
        if (isCancelled() || !answer.isLocal) return std::nullopt;
        const auto meets = [&](std::int32_t frame) {
            const auto nq = static_cast<std::ptrdiff_t>(path.coordinates);
            return std::equal(answer.q.begin() + (frame - partBegin) * nq,
                              answer.q.begin() + (frame - partBegin + 1) * nq, before.q.begin() + frame * nq);
        };
        if ((begin > run.begin && !meets(begin - 1)) || (end < run.end && !meets(end))) return std::nullopt;
        copy();
        take(g, run, answer, partBegin, begin, end);
        return Part{begin, end};
    }

    /// Of an answer that begins at frame `from`, the frames begin ... end - 1.
    void take(std::size_t g, Run& run, const ClipAnswer& answer, std::int32_t from, std::int32_t begin,
              std::int32_t end)
    {
        if (isCancelled()) return;
        ClipSolution::Path& path = m_known[g].path;
        for (std::int32_t frame = begin; frame < end; ++frame) {
            const auto place = static_cast<std::size_t>(frame);
            const double* q = answer.q.data() + static_cast<std::size_t>(frame - from) * path.coordinates;
            const GroupMoment& own = moment(frame, g);
            path.isOwn[place] = std::memcmp(q, own.answer.data(), path.coordinates * sizeof(double)) == 0 ? 1 : 0;
            std::copy_n(q, path.coordinates, path.q.begin() + static_cast<std::ptrdiff_t>(place * path.coordinates));
        }
        run.isLocal = answer.isLocal;
    }

    /// What the joints of a group may do from frame to frame.
    [[nodiscard]] std::vector<ClipRate> ratesOf(std::size_t g) const
    {
        const GroupSolver& group = *m_groups[g];
        const sdk::Model model = group.model();
        const double seconds = 1 / m_scene.fps.perSecond();
        std::vector<ClipRate> rates;
        for (std::int32_t b = 0; b < model.bodyCount; ++b)
            for (std::int32_t v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v) {
                const JointIndex joint = group.jointOfDof(v);
                if (joint < 0) continue;
                const Joint& authored = m_rig.authored[at(joint)];
                const RateLimits& limits = model.dofKind[v] == sdk::DofKind::Sliding ? authored.slidingRates
                                                                                     : authored.turningRates;
                ClipRate rate{.dof = v};
                const bool isQuaternion = v - model.vBegin[b] >= kit::singleDofs(model, b);
                if (isQuaternion) rate.count = 3;
                if (limits.speed > 0) rate.step = limits.speed * seconds;
                if (limits.acceleration > 0) rate.change = limits.acceleration * seconds * seconds;
                if (limits.speed > 0 || limits.acceleration > 0) rates.push_back(rate);
                if (isQuaternion) v += 2;
            }
        return rates;
    }

    /// Frames begin ... end - 1 of a run.
    [[nodiscard]] ClipTask taskOf(std::size_t g, const Run& run, std::int32_t begin, std::int32_t end) const
    {
        const GroupSolver& group = *m_groups[g];
        ClipTask task;
        task.model = group.model();
        task.base = moment(run.begin, g).base;
        task.frameCount = end - begin;
        task.problem = [this, g, begin](int frame) { return m_groups[g]->problemOf(moment(begin + frame, g)); };
        task.own = [this, g, begin](int frame, double* q) {
            const GroupMoment& own = moment(begin + frame, g);
            std::copy(own.answer.begin(), own.answer.end(), q);
            return own.status;
        };
        task.alsoAsked = [this, g, begin](int frame) {
            return askedByCurve(moment(begin + frame - 1, g), moment(begin + frame, g));
        };
        task.makeSolver = [this, g] {
            auto solver = m_groups[g]->makeSolver(m_solvers);
            if (!solver) throw SolverLost(solver.error().message);
            return *std::move(solver);
        };
        task.rates = ratesOf(g);
        task.threads = threads();
        task.cancelled = m_cancelled;
        return task;
    }

    [[nodiscard]] ClipAnswer solve(std::size_t g, const Run& run, std::int32_t begin, std::int32_t end) const
    {
        return solvePart(taskOf(g, run, begin, end));
    }

    /// [rad] What a curve asks that moves, in units of its length.
    static double askedByCurve(const GroupMoment& before, const GroupMoment& now)
    {
        constexpr std::size_t kOthers = 3; // two twists and the offset
        const std::vector<double>&a = before.curve, &b = now.curve;
        if (a.size() != b.size() || a.size() <= kOthers) return 0;
        double length = 0, farthest = 0;
        for (std::size_t i = 0; i + kOthers < a.size(); i += 3) {
            farthest = std::max(farthest, (kit::vectorAt(a.data() + i) - kit::vectorAt(b.data() + i)).norm());
            if (i > 0) length += (kit::vectorAt(b.data() + i) - kit::vectorAt(b.data() + i - 3)).norm();
        }
        double others = 0;
        for (std::size_t i = a.size() - kOthers; i < a.size(); ++i) others += std::abs(a[i] - b[i]);
        return others + (length > 0 ? farthest / length : 0);
    }

    /// Where a run jumps and exceeds rates. `part` are its frames that are new since it was `known`.
    void judge(std::size_t g, Run& run, const Run* known, const Part& part, ClipSolution::Path& path)
    {
        if (isCancelled()) return;
        const bool follows = m_groups[g]->canFollow();
        const auto answer = [&](int frame) {
            const auto at = static_cast<std::size_t>(run.begin + frame) * path.coordinates;
            return follows ? path.q.data() + at : moment(run.begin + frame, g).answer.data();
        };
        const ClipTask task = taskOf(g, run, run.begin, run.end);
        const AnswerSpace space(task.model, task.base);
        std::map<int, std::vector<double>> shown; // of frames that are blended
        for (int frame = 0; frame < task.frameCount; ++frame) {
            const GroupMoment& own = moment(run.begin + frame, g);
            if (own.blend >= 1) continue;
            std::vector<double> q(path.coordinates), way(space.dofs());
            space.difference(own.seed.data(), answer(frame), way.data());
            space.move(own.seed.data(), way.data(), own.blend, own.locked, q.data());
            shown.emplace(frame, std::move(q));
        }
        ClipJumps jumps(task, space, [&](int frame) -> const double* {
            if (shown.empty()) return answer(frame);
            const auto found = shown.find(frame);
            return found == shown.end() ? answer(frame) : found->second.data();
        });
        if (known != nullptr) run.marks = known->marks;
        run.marks.resize(static_cast<std::size_t>(task.frameCount), 0);
        const Part changed{part.begin - run.begin, part.end - run.begin};
        if (changed.begin < changed.end)
            jumps.mark(changed.begin - ClipJumps::kReach, changed.end + ClipJumps::kReach, run.marks);
        run.jumps = jumps.gather(run.marks);
        std::unique_ptr<CandidateFinder> finder;
        for (ClipJump& jump : run.jumps) {
            if (isCancelled()) return;
            const bool isFar = jump.last < changed.begin - ClipJumps::kReasonReach ||
                               jump.frame > changed.end + ClipJumps::kReasonReach || changed.begin == changed.end;
            const ClipJump* same = nullptr;
            if (known != nullptr && isFar)
                for (const ClipJump& other : known->jumps)
                    if (other.frame == jump.frame && other.last == jump.last) same = &other;
            if (same == nullptr && finder == nullptr) finder = std::make_unique<CandidateFinder>(task, space);
            jump.reason = same != nullptr ? same->reason : jumps.reasonOf(jump, follows, *finder);
            note(g, run, jump, path);
        }
        const Rates rates(task.model, task.rates);
        if (rates.isEmpty() || run.isLocal) return; // what is local holds them
        ClipPath answers;
        for (int frame = 0; frame < task.frameCount; ++frame) {
            answers.q.insert(answers.q.end(), answer(frame), answer(frame) + path.coordinates);
            answers.statuses.push_back(moment(run.begin + frame, g).status);
        }
        for (const ClipHaste& haste : rates.hastes(answers, run.marks)) note(g, run, haste, path);
    }

    void note(std::size_t g, const Run& run, const ClipJump& jump, ClipSolution::Path& path)
    {
        for (int frame = jump.frame; frame <= jump.last; ++frame)
            path.isBreak[static_cast<std::size_t>(run.begin + frame)] = 1;
        const std::int32_t first = m_solution.firstFrame + run.begin;
        const JointIndex joint = m_groups[g]->jointOfDof(jump.dof);
        m_jumps[g].push_back({first + jump.frame, first + jump.last, jump.size, jump.reason,
                              causeOf(jump, path.handles.front()), path.handles.front(),
                              joint < 0 ? JointId() : m_rig.id[at(joint)]});
    }

    [[nodiscard]] JumpCause causeOf(const ClipJump& jump, HandleId id) const
    {
        const Handle* handle = m_scene.find(id);
        const SolverInfo* solver = handle == nullptr ? nullptr : m_solvers.find(handle->solver);
        if (jump.reason != JumpReason::Branch || solver == nullptr) return JumpCause::Motion;
        if (handle->hasPole && isUsed(Setting::Pole, *solver)) return JumpCause::Pole;
        return solver->has("follows-seed") ? JumpCause::Motion : JumpCause::Solver;
    }

    void note(std::size_t g, const Run& run, const ClipHaste& haste, const ClipSolution::Path& path)
    {
        const JointIndex joint = m_groups[g]->jointOfDof(ratesOf(g)[haste.rate].dof);
        const std::int32_t first = m_solution.firstFrame + run.begin;
        m_hastes[g].push_back({first + haste.first, first + haste.last, first + haste.worst, m_rig.id[at(joint)],
                               haste.kind, haste.stretch, path.handles.front()});
    }

    const Scene& m_scene;
    const Clip& m_clip;
    const SolverRegistry& m_solvers;
    const std::vector<std::unique_ptr<Evaluator>>& m_evaluators;
    const std::atomic<bool>* m_cancelled;
    const CompiledRig& m_rig;
    const std::vector<std::unique_ptr<GroupSolver>>& m_groups;
    ClipSolution m_solution;
    std::vector<Moments>& m_moments;   ///< (frames)
    std::vector<GroupMemory>& m_known; ///< (groups)
    std::map<ChannelId, ChannelCuts>& m_cutsOfChannels;
    std::vector<std::uint8_t> m_isChanged;             ///< (frames)
    std::vector<std::vector<std::size_t>> m_dependsOn; ///< (groups) those before; empty until levels()
    std::vector<std::vector<std::uint8_t>> m_hasMoved; ///< (groups x frames) its answer is another; empty = nowhere
    std::vector<std::vector<PoseJump>> m_jumps;        ///< (groups)
    std::vector<std::vector<PoseHaste>> m_hastes;      ///< (groups)
    std::map<ObjectId, std::set<std::int32_t>> m_cuts;
};

} // namespace

SettledClip::SettledClip(const Scene& scene, const Clip& clip, ClipSolutionPtr solution)
    : m_joints(scene.joints), m_handles(scene.handles), m_statics(scene.statics), m_fps(scene.fps),
      m_solution(std::move(solution))
{
    const auto kept = std::find_if(scene.clips.begin(), scene.clips.end(),
                                   [&](const Shared<Clip>& each) { return &*each == &clip; });
    m_clip = kept != scene.clips.end() ? *kept : Shared<Clip>(clip);
}

bool SettledClip::isOfStateOf(const Scene& scene) const
{
    return m_joints.isSame(scene.joints) && m_handles.isSame(scene.handles) && m_statics.isSame(scene.statics) &&
           m_fps == scene.fps;
}

bool SettledClip::isOf(const Scene& scene, const Clip& clip) const { return &*m_clip == &clip && isOfStateOf(scene); }

std::optional<std::optional<TimeSpan>> SettledClip::differenceTo(const Scene& scene, const Clip& clip) const
{
    if (!isOfStateOf(scene) || m_clip->id != clip.id) return std::nullopt;
    for (const Handle& handle : *scene.handles) // which takes poses of frames before
        if (handle.unreachable == Unreachable::Hold) return std::nullopt;
    return differenceOf(*m_clip, clip);
}

Result<void> ClipSettler::prepare(const Scene& scene, int threads)
{
    const std::uint64_t revision = m_solvers->revision();
    if (m_rig == nullptr || revision != m_revision || !scene.joints.isSame(m_joints) ||
        !scene.handles.isSame(m_handles)) {
        m_revision = revision;
        m_evaluators.clear();
        auto rig = compile(scene);
        if (!rig) return rig.error();
        m_rig = *rig;
        m_memory.reset();
        m_joints = scene.joints;
        m_handles = scene.handles;
    }
    m_evaluators.resize(std::min(m_evaluators.size(), static_cast<std::size_t>(threads)));
    while (m_evaluators.size() < static_cast<std::size_t>(threads)) {
        auto evaluator = Evaluator::create(m_rig, *m_solvers, m_onBadHandle);
        if (!evaluator) return evaluator.error();
        m_evaluators.push_back(*std::move(evaluator));
    }
    return {};
}

Result<ClipSolutionPtr> ClipSettler::solve(const Scene& scene, const Clip& clip, int threads,
                                           const std::atomic<bool>* cancelled)
{
    static const auto nothing = std::make_shared<const ClipSolution>();
    if (!clip.hasKeys() || scene.handles->empty()) return nothing;
    const double frames = scene.fps.frameAt(clip.end()) - scene.fps.frameAt(clip.begin());
    const int pieces = static_cast<int>(std::min(frames, 1e6)) / kFramesAtOnce;
    if (const auto prepared = prepare(scene, threadCount(threads, pieces)); !prepared) return prepared.error();
    if (frames > kMostFrames || m_evaluators.front()->groups().empty()) return nothing;
    const FrameSpan span = framesOf(scene, clip);
    std::vector<std::uint8_t> changed(static_cast<std::size_t>(span.count), 1);
    const auto known = std::exchange(m_memory, nullptr); // gone, if this is cancelled or fails
    auto memory = std::make_shared<Memory>();
    if (known != nullptr && known->settled->solution()->firstFrame == span.first &&
        known->settled->solution()->frames == span.count)
        if (const auto difference = known->settled->differenceTo(scene, clip)) {
            memory = known;
            std::fill(changed.begin(), changed.end(), 0);
            if (*difference)
                for (std::int32_t frame = 0; frame < span.count; ++frame) {
                    const Time time = scene.fps.timeOf(span.first + frame);
                    // One frame more: objectives of motion look at the frame before.
                    const Time before = scene.fps.timeOf(span.first + frame - 1);
                    if (time >= (*difference)->from && before <= (*difference)->to)
                        changed[static_cast<std::size_t>(frame)] = 1;
                }
        }
    try {
        auto solution = std::make_shared<const ClipSolution>(
            Settling(scene, clip, *m_solvers, m_evaluators, *memory, std::move(changed), cancelled).run());
        if (cancelled != nullptr && *cancelled)
            return Error{ErrorCode::Cancelled, "solving the clip as a whole was cancelled", clip.name};
        memory->settled = std::make_shared<const SettledClip>(scene, clip, solution);
        m_memory = std::move(memory);
        return ClipSolutionPtr(std::move(solution));
    } catch (const SolverLost&) { // and from now on its handles say so themselves
        m_rig.reset();
        return nothing;
    }
}

Result<SettledClipPtr> ClipSettler::settle(const Scene& scene, const Clip& clip, int threads,
                                           const std::atomic<bool>* cancelled)
{
    auto solution = solve(scene, clip, threads, cancelled);
    if (!solution) return solution.error();
    return std::make_shared<const SettledClip>(scene, clip, *std::move(solution));
}

} // namespace tendon

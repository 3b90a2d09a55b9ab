#include "core/solve/ClipSettler.h"

#include "core/base/Parallel.h"
#include "core/clip/AnswerSpace.h"
#include "core/clip/ClipSolver.h"
#include "core/clip/Rates.h"
#include "core/solve/GroupSolver.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>
#include <cstring>
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
    std::vector<ClipJump> jumps; ///< by frame of the run
    std::vector<ClipHaste> hastes;
};

/// What is known of a group over a clip. Its path is that of all frames.
struct GroupMemory
{
    ClipSolution::Path path;
    std::vector<Run> runs;
};

} // namespace

struct ClipSettler::Memory
{
    SettledClipPtr settled;       ///< what it is of
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
          m_known(memory.groups), m_isChanged(std::move(changed))
    {
        const FrameSpan frames = framesOf(scene, clip);
        m_solution.fps = scene.fps;
        m_solution.firstFrame = frames.first;
        m_solution.frames = frames.count;
        m_moments.resize(static_cast<std::size_t>(frames.count), Moments(m_groups.size()));
        m_known.resize(m_groups.size());
        m_hasMoved.assign(m_moments.size(), 0);
    }

    [[nodiscard]] ClipSolution run()
    {
        std::vector<std::int32_t> frames;
        for (std::int32_t frame = 0; frame < m_solution.frames; ++frame)
            if (isChanged(frame)) frames.push_back(frame);
        solveEach(frames, 0);
        findCuts();
        for (std::size_t g = 0; g < m_groups.size() && !isCancelled(); ++g) {
            if (g > 0) {
                frames.clear();
                for (std::int32_t frame = 0; frame < m_solution.frames; ++frame)
                    if (isChanged(frame) && (hasPath(frame) || hasMoved(frame))) frames.push_back(frame);
                solveEach(frames, g);
            }
            settle(g);
        }
        std::stable_sort(m_solution.jumps.begin(), m_solution.jumps.end(),
                         [](const PoseJump& a, const PoseJump& b) { return a.frame < b.frame; });
        std::stable_sort(m_solution.hastes.begin(), m_solution.hastes.end(),
                         [](const PoseHaste& a, const PoseHaste& b) { return a.first < b.first; });
        return std::move(m_solution);
    }

private:
    [[nodiscard]] bool isChanged(std::int32_t frame) const { return m_isChanged[static_cast<std::size_t>(frame)] != 0; }

    /// True if a group so far has another answer than it had.
    [[nodiscard]] bool hasMoved(std::int32_t frame) const { return m_hasMoved[static_cast<std::size_t>(frame)] != 0; }

    /// True if a group so far begins from an answer of its own.
    [[nodiscard]] bool hasPath(std::int32_t frame) const
    {
        return std::any_of(m_solution.paths.begin(), m_solution.paths.end(), [&](const ClipSolution::Path& path) {
            return path.isOwn[static_cast<std::size_t>(frame)] == 0;
        });
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

    /// The moments of some frames, of the groups from `first` on, by the paths that there are so far.
    void solveEach(const std::vector<std::int32_t>& frames, std::size_t first)
    {
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
                evaluator.capture(&captured[own]);
                evaluator.evaluate(m_scene, &m_clip, {}, m_scene.fps.timeOf(m_solution.firstFrame + frame),
                                   results[own], m_cancelled);
                for (std::size_t g = first; g < m_groups.size(); ++g)
                    m_moments[static_cast<std::size_t>(frame)][g] = captured[own][g];
            }
            evaluator.capture(nullptr);
        });
        for (const auto& evaluator : m_evaluators) evaluator->follow(nullptr);
    }

    /// The frames at which the keys of an object end a hold with another value.
    void findCuts()
    {
        constexpr double kHeld = 1.5; // [frames] a key at every frame is no hold
        for (const auto& [channel, keys] : m_clip.channels)
            for (std::size_t i = 1; i < keys->size(); ++i) {
                const Key &before = (*keys)[i - 1], &key = (*keys)[i];
                const double since = m_scene.fps.frameAt(key.time) - m_scene.fps.frameAt(before.time);
                if (before.interpolation != Interpolation::Step || since < kHeld || before.value == key.value) continue;
                const double frame = std::ceil(m_scene.fps.frameAt(key.time) - kSameFrame) - m_solution.firstFrame;
                m_cuts[channel.target].insert(static_cast<std::int32_t>(frame));
            }
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
            addAbove(m_rig.index(m_rig.handles[h].follow));
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
            if (!group.canFollow())
                findJumps(g, run);
            else if (!solveAgain(g, run, before))
                take(g, run, solve(g, run, run.begin, run.end), run.begin, run.begin, run.end);
            const AnswerSpace space(group.model(), moment(begin, g).base);
            for (const ClipJump& jump : run.jumps) addJump(g, space, begin + jump.frame, jump, path);
            for (const ClipHaste& haste : run.hastes) addHaste(g, begin, haste, path);
            m_known[g].runs.push_back(std::move(run));
        }
        if (isCancelled()) return;
        for (std::size_t frame = 0; frame < before.path.isOwn.size(); ++frame) {
            const bool isSame = before.path.isOwn[frame] == path.isOwn[frame] &&
                                (path.isOwn[frame] != 0 || isSameAt(frame, before.path, path));
            if (!isSame) m_isChanged[frame] = m_hasMoved[frame] = 1;
        }
        if (std::find(path.isOwn.begin(), path.isOwn.end(), 0) != path.isOwn.end()) m_solution.paths.push_back(path);
    }

    static bool isSameAt(std::size_t frame, const ClipSolution::Path& a, const ClipSolution::Path& b)
    {
        const std::size_t at = frame * a.coordinates;
        return std::memcmp(a.q.data() + at, b.q.data() + at, a.coordinates * sizeof(double)) == 0;
    }

    /// A run that is known, where what has changed reaches.
    [[nodiscard]] bool solveAgain(std::size_t g, Run& run, const GroupMemory& before)
    {
        const auto known = std::find_if(before.runs.begin(), before.runs.end(), [&](const Run& other) {
            return other.begin == run.begin && other.end == run.end;
        });
        if (known == before.runs.end()) return false;
        std::int32_t first = run.begin, last = run.end - 1; // that have changed
        while (first < run.end && !isChanged(first)) ++first;
        while (last > first && !isChanged(last)) --last;
        if (first < run.end && !known->isLocal) return false;
        ClipSolution::Path& path = m_known[g].path;
        const auto copy = [&](std::int32_t begin, std::int32_t end) {
            const auto from = static_cast<std::ptrdiff_t>(begin), to = static_cast<std::ptrdiff_t>(end);
            const auto nq = static_cast<std::ptrdiff_t>(path.coordinates);
            std::copy(before.path.q.begin() + from * nq, before.path.q.begin() + to * nq, path.q.begin() + from * nq);
            std::copy(before.path.isOwn.begin() + from, before.path.isOwn.begin() + to, path.isOwn.begin() + from);
        };
        if (first == run.end) { // nothing has
            copy(run.begin, run.end);
            run.isLocal = known->isLocal;
            run.jumps = known->jumps;
            run.hastes = known->hastes;
            return true;
        }
        const std::int32_t begin = std::max(run.begin, first - kClipReach),
                           end = std::min(run.end, last + 1 + kClipReach);
        const std::int32_t partBegin = std::max(run.begin,
                                                run.begin + (begin - kClipMargin - run.begin) / kClipGrid * kClipGrid);
        const std::int32_t partEnd = std::min(run.end, end + kClipMargin);
        if (partEnd - partBegin >= run.end - run.begin) return false;
        const ClipAnswer answer = solve(g, run, partBegin, partEnd);
        if (isCancelled() || !answer.isLocal) return false;
        const auto meets = [&](std::int32_t frame) {
            const auto nq = static_cast<std::ptrdiff_t>(path.coordinates);
            return std::equal(answer.q.begin() + (frame - partBegin) * nq,
                              answer.q.begin() + (frame - partBegin + 1) * nq, before.path.q.begin() + frame * nq);
        };
        if ((begin > run.begin && !meets(begin - 1)) || (end < run.end && !meets(end))) return false;
        copy(run.begin, run.end);
        run.isLocal = true;
        take(g, run, answer, partBegin, begin, end);
        return true;
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
        run.jumps = answer.jumps;
        run.hastes = answer.hastes;
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

    void addHaste(std::size_t g, std::int32_t begin, const ClipHaste& haste, const ClipSolution::Path& path)
    {
        const JointIndex joint = m_groups[g]->jointOfDof(ratesOf(g)[haste.rate].dof);
        const std::int32_t first = m_solution.firstFrame + begin;
        m_solution.hastes.push_back({first + haste.first, first + haste.last, first + haste.worst, m_rig.id[at(joint)],
                                     haste.kind, haste.stretch, path.handles.front()});
    }

    /// Frames begin ... end - 1 of a run.
    [[nodiscard]] ClipAnswer solve(std::size_t g, const Run& run, std::int32_t begin, std::int32_t end) const
    {
        const GroupSolver& group = *m_groups[g];
        ClipTask task;
        task.model = group.model();
        task.base = moment(run.begin, g).base;
        task.frameCount = end - begin;
        task.problem = [&](int frame) { return group.problemOf(moment(begin + frame, g)); };
        task.own = [&](int frame, double* q) {
            const GroupMoment& own = moment(begin + frame, g);
            std::copy(own.answer.begin(), own.answer.end(), q);
            return own.status;
        };
        task.makeSolver = [&] {
            auto solver = group.makeSolver(m_solvers);
            if (!solver) throw SolverLost(solver.error().message);
            return *std::move(solver);
        };
        task.rates = ratesOf(g);
        task.threads = threads();
        task.cancelled = m_cancelled;
        return solveClip(task);
    }

    /// Where the answers of a solver that does not follow its seed leap, much farther than before and after, and where
    /// they exceed rates.
    void findJumps(std::size_t g, Run& run) const
    {
        constexpr double kLeap = 0.35; // [rad]
        const AnswerSpace space(m_groups[g]->model(), moment(run.begin, g).base);
        const auto step = [&](std::int32_t frame) {
            if (frame <= run.begin || frame >= run.end) return 0.0;
            return space.largest(moment(frame - 1, g).answer.data(), moment(frame, g).answer.data());
        };
        for (std::int32_t frame = run.begin + 1; frame < run.end; ++frame)
            if (const double size = step(frame); size > kLeap + 3 * std::max(step(frame - 1), step(frame + 1)))
                run.jumps.push_back({frame - run.begin, size, JumpReason::Branch});
        const Rates rates(m_groups[g]->model(), ratesOf(g));
        if (rates.isEmpty()) return;
        ClipPath answers;
        for (std::int32_t frame = run.begin; frame < run.end; ++frame) {
            const GroupMoment& own = moment(frame, g);
            answers.q.insert(answers.q.end(), own.answer.begin(), own.answer.end());
            answers.statuses.push_back(own.status);
        }
        run.hastes = rates.hastes(answers);
    }

    /// Notes a jump, if what is asked does not leap itself.
    void addJump(std::size_t g, const AnswerSpace& space, std::int32_t frame, const ClipJump& jump,
                 ClipSolution::Path& path)
    {
        constexpr double kShare = 3;
        const GroupMoment &before = moment(frame - 1, g), &now = moment(frame, g);
        double asked = space.largest(before.seed.data(), now.seed.data());
        for (std::size_t i = 0; i < now.goals.size(); ++i) {
            const sdk::Goal &a = before.goals[i], &b = now.goals[i];
            const double way = (kit::vectorAt(a.targetPosition) - kit::vectorAt(b.targetPosition)).norm();
            asked = std::max({asked, way / space.length(),
                              kit::quaternionAt(a.targetRotation).angularDistance(kit::quaternionAt(b.targetRotation)),
                              std::abs(a.twist - b.twist)});
        }
        if (jump.size <= kShare * asked) return;
        path.isBreak[static_cast<std::size_t>(frame)] = 1;
        m_solution.jumps.push_back({m_solution.firstFrame + frame, jump.size, jump.reason, path.handles.front()});
    }

    const Scene& m_scene;
    const Clip& m_clip;
    const SolverRegistry& m_solvers;
    const std::vector<std::unique_ptr<Evaluator>>& m_evaluators;
    const std::atomic<bool>* m_cancelled;
    const CompiledRig& m_rig;
    const std::vector<std::unique_ptr<GroupSolver>>& m_groups;
    ClipSolution m_solution;
    std::vector<Moments>& m_moments;       ///< (frames)
    std::vector<GroupMemory>& m_known;     ///< (groups)
    std::vector<std::uint8_t> m_isChanged; ///< (frames)
    std::vector<std::uint8_t> m_hasMoved;  ///< (frames)
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
    if (m_rig == nullptr || !scene.joints.isSame(m_joints) || !scene.handles.isSame(m_handles)) {
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

#include "core/solve/ClipSettler.h"

#include "core/base/Parallel.h"
#include "core/clip/AnswerSpace.h"
#include "core/clip/ClipSolver.h"
#include "core/solve/GroupSolver.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <stdexcept>

namespace tendon {
namespace {

constexpr int kFramesAtOnce = 16;   ///< frames that a thread takes at once
constexpr double kSameFrame = 1e-6; ///< [frames]

/// A solver that could be made before cannot be made again: its plugin has failed meanwhile.
struct SolverLost : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// The settling of one clip.
class Settling
{
public:
    Settling(const Scene& scene, const Clip& clip, const SolverRegistry& solvers,
             const std::vector<std::unique_ptr<Evaluator>>& evaluators, const std::atomic<bool>* cancelled)
        : m_scene(scene), m_clip(clip), m_solvers(solvers), m_evaluators(evaluators), m_cancelled(cancelled),
          m_rig(*evaluators.front()->rig()), m_groups(evaluators.front()->groups())
    {
        m_solution.fps = scene.fps;
        m_solution.firstFrame = static_cast<std::int32_t>(std::floor(scene.fps.frameAt(clip.begin()) + kSameFrame));
        const auto last = static_cast<std::int32_t>(std::ceil(scene.fps.frameAt(clip.end()) - kSameFrame));
        m_solution.frames = std::max(last - m_solution.firstFrame + 1, 1);
    }

    [[nodiscard]] ClipSolution run()
    {
        if (m_groups.empty() || m_solution.frames > ClipSettler::kMostFrames) return std::move(m_solution);
        m_moments.resize(static_cast<std::size_t>(m_solution.frames));
        std::vector<std::int32_t> frames;
        for (std::int32_t frame = 0; frame < m_solution.frames; ++frame) frames.push_back(frame);
        solveEach(frames);
        findCuts();
        for (std::size_t g = 0; g < m_groups.size() && !isCancelled(); ++g) {
            frames = settle(g);
            if (!frames.empty() && g + 1 < m_groups.size()) solveEach(frames);
        }
        std::stable_sort(m_solution.jumps.begin(), m_solution.jumps.end(),
                         [](const PoseJump& a, const PoseJump& b) { return a.frame < b.frame; });
        return std::move(m_solution);
    }

private:
    using Moments = std::vector<GroupMoment>; ///< (groups)

    [[nodiscard]] bool isCancelled() const
    {
        return m_cancelled != nullptr && m_cancelled->load(std::memory_order_relaxed);
    }

    [[nodiscard]] int threads() const { return static_cast<int>(m_evaluators.size()); }

    [[nodiscard]] const GroupMoment& moment(std::int32_t frame, std::size_t group) const
    {
        return m_moments[static_cast<std::size_t>(frame)][group];
    }

    /// The moments of some frames, by the paths that there are so far.
    void solveEach(const std::vector<std::int32_t>& frames)
    {
        const auto soFar = m_solution.paths.empty() ? nullptr : std::make_shared<const ClipSolution>(m_solution);
        const auto count = static_cast<int>(frames.size());
        std::vector<SolvedFrame> results(m_evaluators.size());
        for (const auto& evaluator : m_evaluators) evaluator->follow(soFar);
        inParallel(threads(), (count + kFramesAtOnce - 1) / kFramesAtOnce, m_cancelled, [&](int thread, int chunk) {
            const auto own = static_cast<std::size_t>(thread);
            Evaluator& evaluator = *m_evaluators[own];
            for (int i = chunk * kFramesAtOnce; i < std::min(count, (chunk + 1) * kFramesAtOnce) && !isCancelled();
                 ++i) {
                const std::int32_t frame = frames[static_cast<std::size_t>(i)];
                evaluator.capture(&m_moments[static_cast<std::size_t>(frame)]);
                evaluator.evaluate(m_scene, &m_clip, {}, m_scene.fps.timeOf(m_solution.firstFrame + frame),
                                   results[own], m_cancelled);
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

    /// Solves the clip for one group. Returns the frames whose answers have changed.
    [[nodiscard]] std::vector<std::int32_t> settle(std::size_t g)
    {
        const GroupSolver& group = *m_groups[g];
        const auto nq = static_cast<std::size_t>(group.model().coordinateCount);
        const auto frames = static_cast<std::size_t>(m_solution.frames);
        ClipSolution::Path path;
        for (const std::size_t h : group.group().handles) path.handles.push_back(m_rig.handles[h].id);
        path.coordinates = nq;
        path.q.resize(frames * nq);
        path.isOwn.assign(frames, 1);
        path.isBreak.assign(frames, 0);

        const std::set<std::int32_t> cuts = cutsOf(group.group());
        for (std::int32_t begin = 0, end = 0; begin < m_solution.frames; begin = end) {
            for (end = begin + 1; end < m_solution.frames && cuts.count(end) == 0; ++end)
                if (!moment(end, g).asksAs(moment(begin, g))) break;
            path.isBreak[static_cast<std::size_t>(begin)] = 1;
            if (!moment(begin, g).isAsked) continue;
            if (group.canFollow())
                solveRun(g, begin, end, path);
            else
                findJumps(g, begin, end, path);
        }
        std::vector<std::int32_t> changed;
        for (std::int32_t frame = 0; frame < m_solution.frames; ++frame)
            if (path.isOwn[static_cast<std::size_t>(frame)] == 0) changed.push_back(frame);
        if (!changed.empty()) m_solution.paths.push_back(std::move(path));
        return changed;
    }

    /// Frames begin ... end - 1, at which the same is asked.
    void solveRun(std::size_t g, std::int32_t begin, std::int32_t end, ClipSolution::Path& path)
    {
        const GroupSolver& group = *m_groups[g];
        ClipTask task;
        task.model = group.model();
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
        task.threads = threads();
        task.cancelled = m_cancelled;
        const ClipAnswer answer = solveClip(task);
        if (isCancelled()) return;
        for (std::int32_t frame = begin; frame < end; ++frame) {
            const auto place = static_cast<std::size_t>(frame);
            const double* q = answer.q.data() + static_cast<std::size_t>(frame - begin) * path.coordinates;
            const GroupMoment& own = moment(frame, g);
            path.isOwn[place] = std::memcmp(q, own.answer.data(), path.coordinates * sizeof(double)) == 0 ? 1 : 0;
            std::copy_n(q, path.coordinates, path.q.begin() + static_cast<std::ptrdiff_t>(place * path.coordinates));
        }
        const AnswerSpace space(group.model(), moment(begin, g).base);
        for (const ClipJump& jump : answer.jumps) addJump(g, space, begin + jump.frame, jump.size, jump.reason, path);
    }

    /// Where the answers of a solver that does not follow its seed leap: much farther than before and after.
    void findJumps(std::size_t g, std::int32_t begin, std::int32_t end, ClipSolution::Path& path)
    {
        constexpr double kLeap = 0.35; // [rad]
        const AnswerSpace space(m_groups[g]->model(), moment(begin, g).base);
        const auto step = [&](std::int32_t frame) {
            if (frame <= begin || frame >= end) return 0.0;
            return space.largest(moment(frame - 1, g).answer.data(), moment(frame, g).answer.data());
        };
        for (std::int32_t frame = begin + 1; frame < end; ++frame)
            if (const double size = step(frame); size > kLeap + 3 * std::max(step(frame - 1), step(frame + 1)))
                addJump(g, space, frame, size, JumpReason::Branch, path);
    }

    /// Notes a jump, if what is asked does not leap itself.
    void addJump(std::size_t g, const AnswerSpace& space, std::int32_t frame, double size, JumpReason reason,
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
        if (size <= kShare * asked) return;
        path.isBreak[static_cast<std::size_t>(frame)] = 1;
        m_solution.jumps.push_back({m_solution.firstFrame + frame, size, reason, path.handles.front()});
    }

    const Scene& m_scene;
    const Clip& m_clip;
    const SolverRegistry& m_solvers;
    const std::vector<std::unique_ptr<Evaluator>>& m_evaluators;
    const std::atomic<bool>* m_cancelled;
    const CompiledRig& m_rig;
    const std::vector<std::unique_ptr<GroupSolver>>& m_groups;
    ClipSolution m_solution;
    std::vector<Moments> m_moments; ///< (frames)
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

bool SettledClip::isOf(const Scene& scene, const Clip& clip) const
{
    return &*m_clip == &clip && m_joints.isSame(scene.joints) && m_handles.isSame(scene.handles) &&
           m_statics.isSame(scene.statics) && m_fps == scene.fps;
}

Result<void> ClipSettler::prepare(const Scene& scene, int threads)
{
    if (m_rig == nullptr || !scene.joints.isSame(m_joints) || !scene.handles.isSame(m_handles)) {
        m_evaluators.clear();
        auto rig = compile(scene);
        if (!rig) return rig.error();
        m_rig = *rig;
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
    try {
        auto solution = std::make_shared<const ClipSolution>(
            Settling(scene, clip, *m_solvers, m_evaluators, cancelled).run());
        if (cancelled != nullptr && *cancelled) return Error{ErrorCode::Cancelled, "it was cancelled", clip.name};
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

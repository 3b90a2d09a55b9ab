#include "core/solve/Baker.h"

#include "core/base/Helpers.h"
#include "core/base/Parallel.h"
#include "core/solve/BakeTimes.h"
#include "core/solve/ClipSettler.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <thread>

namespace tendon {
namespace {

constexpr std::size_t kChunk = 16; ///< samples that a thread takes at once
constexpr double kMaxSamples = 1'000'000;

/// One bake: what its threads share. Each sample is written by one thread, into its own place.
class Bake
{
public:
    Bake(const Scene& scene, const Clip& clip, const SolverRegistry& registry, const BakeOptions& options,
         std::shared_ptr<const CompiledRig> rig)
        : m_scene(scene), m_clip(clip), m_registry(registry), m_options(options), m_rig(std::move(rig))
    {
        m_baked.name = clip.name;
        m_baked.sourceAnimation = clip.sourceAnimation;
        m_baked.fps = options.fps;
        m_baked.times = bakeTimes(clip, options.fps, options.from, options.to, options.keys);
        m_baked.joints = m_rig->id;
        const std::size_t entries = m_baked.times.size() * m_rig->jointCount();
        m_baked.locals.resize(entries);
        m_baked.angles.resize(entries);
        m_isReadOff.resize(entries);
        m_baked.handles.resize(m_baked.times.size());
        m_firstFailure = m_baked.times.size();
    }

    Result<BakedClip> run()
    {
        auto evaluator = Evaluator::create(m_rig, m_registry);
        if (!evaluator) return evaluator.error();
        const auto solution = ClipSettler(m_registry, OnBadHandle::Refuse)
                                  .settle(m_scene, m_clip, m_options.threads, m_options.cancelled);
        if (!solution && !isCancelled()) return solution.error();
        if (solution) m_solution = (*solution)->solution();
        {
            const auto help = [this](std::size_t) { workWithOwnEvaluator(); };
            const auto helpers = startHelpers(static_cast<std::size_t>(threadCount() - 1), help);
            work(**evaluator, true);
        } // all have joined
        if (m_crash) std::rethrow_exception(m_crash);
        if (isCancelled()) return Error{ErrorCode::Cancelled, "the bake was cancelled", m_clip.name};
        if (m_firstFailure < m_baked.times.size()) return failure();
        if (m_options.progress) m_options.progress(1);
        for (std::size_t joint = 0; joint < m_rig->jointCount(); ++joint) makeContinuous(joint);
        return std::move(m_baked);
    }

private:
    [[nodiscard]] int threadCount() const
    {
        const auto useful = static_cast<int>((m_baked.times.size() + kChunk - 1) / kChunk);
        return tendon::threadCount(m_options.threads, useful);
    }

    [[nodiscard]] bool isCancelled() const
    {
        return m_options.cancelled != nullptr && m_options.cancelled->load(std::memory_order_relaxed);
    }

    void workWithOwnEvaluator()
    {
        try {
            // The first one could be made, so can this; out of memory is what is left.
            if (auto evaluator = Evaluator::create(m_rig, m_registry)) work(**evaluator, false);
        } catch (...) {
            noteCrash();
        }
    }

    void noteCrash()
    {
        if (!m_hasCrashed.exchange(true)) m_crash = std::current_exception();
    }

    /// Takes chunks in order until there are none. So every sample before a failing one is solved too, and the failure
    /// that is reported does not depend on the threads.
    void work(Evaluator& evaluator, bool isCaller)
    {
        evaluator.follow(m_solution);
        SolvedFrame result;
        while (!isCancelled() && !m_hasCrashed) {
            const std::size_t begin = m_next.fetch_add(kChunk);
            if (begin >= std::min(m_baked.times.size(), m_firstFailure.load())) return;
            const std::size_t end = std::min(begin + kChunk, m_baked.times.size());
            for (std::size_t sample = begin; sample < end && !isCancelled(); ++sample) {
                evaluator.evaluate(m_scene, &m_clip, {}, m_baked.times[sample], result, m_options.cancelled);
                store(result, sample);
            }
            if (isCaller && m_options.progress)
                m_options.progress(static_cast<double>(std::min(m_next.load(), m_baked.times.size())) /
                                   static_cast<double>(m_baked.times.size()));
        }
    }

    void store(const SolvedFrame& result, std::size_t sample)
    {
        const auto at = static_cast<std::ptrdiff_t>(sample * m_rig->jointCount());
        std::copy(result.local.joints.begin(), result.local.joints.end(), m_baked.locals.begin() + at);
        std::copy(result.local.angles.begin(), result.local.angles.end(), m_baked.angles.begin() + at);
        std::copy(result.local.isReadOff.begin(), result.local.isReadOff.end(), m_isReadOff.begin() + at);
        m_baked.handles[sample] = result.handles;
        const bool hasFailed = std::any_of(result.handles.begin(), result.handles.end(),
                                           [](const HandleResult& handle) { return !sdk::isUsable(handle.status); });
        std::size_t first = m_firstFailure.load();
        while (hasFailed && sample < first && !m_firstFailure.compare_exchange_weak(first, sample)) {}
    }

    [[nodiscard]] Error failure() const
    {
        if (const auto sound = checkPlugins(*m_rig, m_registry); !sound) return sound.error();
        const std::size_t sample = m_firstFailure.load();
        for (const HandleResult& handle : m_baked.handles[sample]) {
            if (sdk::isUsable(handle.status)) continue;
            const double frame = std::round(m_options.fps.frameAt(m_baked.times[sample]) * 1000) / 1000;
            const Handle& failed = *m_scene.find(handle.handle);
            std::string number = std::to_string(frame);
            number.erase(number.find_last_not_of('0') + 1);
            if (number.ends_with('.')) number.pop_back();
            return {ErrorCode::Internal,
                    "its solve failed at frame " + number + " (solver " + failed.solver + ": " + reason(handle.status) +
                        "); choose another solver or check the goal there",
                    "handle \"" + failed.name + "\""};
        }
        return {ErrorCode::Internal, "a solve failed", m_clip.name};
    }

    static const char* reason(sdk::Status status)
    {
        switch (status) {
        case sdk::Status::Unsupported: return "the solver does not support what is asked";
        case sdk::Status::InvalidProblem: return "the numbers given to the solver are not valid";
        default: return "numerical failure";
        }
    }

    /// Of a rotation's two quaternions the one near the sample before; angles that were read off rotations likewise.
    void makeContinuous(std::size_t joint)
    {
        const std::size_t n = m_rig->jointCount();
        const Quaternion unturned = m_rig->rest[joint].rotation.conjugate();
        bool isAnimated = false, isAuthored = true;
        for (std::size_t sample = 0; sample < m_baked.times.size(); ++sample)
            isAuthored = isAuthored && m_isReadOff[sample * n + joint] == 0;
        for (std::size_t sample = 1; sample < m_baked.times.size(); ++sample) {
            const LocalTransform& before = m_baked.locals[(sample - 1) * n + joint];
            LocalTransform& now = m_baked.locals[sample * n + joint];
            if (before.rotation.dot(now.rotation) < 0) now.rotation.coeffs() *= -1;
            if (!isAuthored)
                m_baked.angles[sample * n + joint] = anglesFromRotation(unturned * now.rotation, m_rig->order[joint],
                                                                        m_baked.angles[(sample - 1) * n + joint]);
            isAnimated = isAnimated || !(now == m_baked.locals[joint]);
        }
        m_baked.isAnimated.push_back(isAnimated);
    }

    const Scene& m_scene;
    const Clip& m_clip;
    const SolverRegistry& m_registry;
    const BakeOptions& m_options;
    std::shared_ptr<const CompiledRig> m_rig;

    ClipSolutionPtr m_solution;
    BakedClip m_baked;
    std::vector<std::uint8_t> m_isReadOff; ///< (s x n)
    std::atomic<std::size_t> m_next = 0;   ///< first sample that no thread has taken
    std::atomic<std::size_t> m_firstFailure;
    std::atomic<bool> m_hasCrashed = false;
    std::exception_ptr m_crash; ///< an exception of a thread (out of memory), thrown on in the caller's
};

} // namespace

Result<BakedClip> bake(const Scene& scene, const SolverRegistry& registry, const BakeOptions& options)
{
    const Clip* clip = scene.find(options.clip);
    if (clip == nullptr) return Error{ErrorCode::NotFound, "there is no such clip; name one of the scene's", "clip"};
    if (options.fps.numerator <= 0 || options.fps.denominator <= 0)
        return Error{ErrorCode::InvalidArgument, "the frame rate is not positive", clip->name};
    if (options.to < options.from)
        return Error{ErrorCode::InvalidArgument, "the range ends before it begins; give it the other way round",
                     clip->name};
    if ((options.fps.frameAt(options.to) - options.fps.frameAt(options.from)) > kMaxSamples)
        return Error{ErrorCode::LimitExceeded, "the range has over a million frames; bake a shorter one", clip->name};
    auto rig = compile(scene);
    if (!rig) return rig.error();
    return Bake(scene, *clip, registry, options, *rig).run();
}

} // namespace tendon

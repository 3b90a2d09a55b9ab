#include "core/document/ExportJob.h"

#include "core/roles/Roles.h"
#include "core/scene/ClipEdit.h"
#include "core/solve/BakeTimes.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr const char* kPoseClip = "pose";

Result<std::vector<ClipId>> chooseClips(Scene& scene, ClipId currentClip, const ExportRequest& request)
{
    if (!request.clip.empty()) {
        if (const Clip* clip = scene.clipNamed(request.clip)) return std::vector{clip->id};
        std::string names;
        for (const auto& clip : scene.clips) names += (names.empty() ? "" : ", ") + clip->name;
        return Error{ErrorCode::NotFound,
                     "there is no clip \"" + request.clip + "\"; " +
                         (names.empty() ? "the project has no clips" : "the clips are " + names),
                     "clip"};
    }
    if (scene.clips.empty()) {
        auto posed = addClip(scene, kPoseClip);
        if (!posed) return posed.error();
        scene = std::move(*posed);
    }
    if (!request.isAllClips)
        return std::vector{scene.find(currentClip) != nullptr ? currentClip : scene.clips.front()->id};
    std::vector<ClipId> all;
    for (const auto& clip : scene.clips) all.push_back(clip->id);
    return all;
}

} // namespace

bool isValid(const FrameSpan& range)
{
    return range.from <= range.to && std::abs(range.from) <= kMaxFrame && std::abs(range.to) <= kMaxFrame;
}

Result<ExportJob> ExportJob::create(const Scene& scene, ClipId currentClip, const std::string& path,
                                    ExportRequest request)
{
    if (scene.joints->empty() && (!scene.model || scene.model->meshes.empty()))
        return Error{ErrorCode::InvalidArgument, "there is nothing to export: no joint and no mesh", path};
    if (request.fps && !(*request.fps >= ExportRequest::kMinFps && *request.fps <= ExportRequest::kMaxFps))
        return Error{ErrorCode::InvalidArgument, "must be from 0.01 to 10000", "fps"};
    if (request.range && !isValid(*request.range))
        return Error{ErrorCode::InvalidArgument,
                     "must be two frames [from, to] within 10 000 000 of 0, the first not after the second", "range"};
    const auto exporter = exporterFor(scene, path);
    if (!exporter) return exporter.error();
    ExportJob job;
    job.m_path = path;
    job.m_scene = scene;
    job.m_request = std::move(request);
    auto clips = chooseClips(job.m_scene, currentClip, job.m_request);
    if (!clips) return clips.error();
    if (const auto fits = checkClipCount(**exporter, clips->size(), path); !fits) return fits.error();
    job.m_clips = std::move(*clips);
    if (job.m_request.travel) {
        const auto travel = rootMotionOf(job.m_scene, guessRoles(job.m_scene).map(), *job.m_request.travel,
                                         job.m_issues);
        if (!travel) return travel.error();
        job.m_travel = *travel;
    }
    return job;
}

Result<void> ExportJob::bakeClips(const SolverRegistry& solvers, const BakeFunction& bake,
                                  const std::function<void(double)>& progress, const std::atomic<bool>* cancelled)
{
    m_baked.clear();
    for (const ClipId id : m_clips) {
        const Clip& clip = *m_scene.find(id);
        const auto share = [&](double done) {
            if (progress) progress((static_cast<double>(m_baked.size()) + done) / static_cast<double>(m_clips.size()));
        };
        const auto& range = m_request.range;
        auto baked = bake(m_scene, solvers,
                          {.clip = id,
                           .fps = m_request.fps ? FrameRate::fromValue(*m_request.fps) : m_scene.fps,
                           .from = range ? m_scene.fps.timeOf(range->from) : clip.begin(),
                           .to = range ? m_scene.fps.timeOf(range->to) : clip.end(),
                           .keys = m_request.fps && !m_request.keepsAllKeys ? BakedKeys::OnFrames : BakedKeys::All,
                           .cancelled = cancelled,
                           .progress = share});
        if (!baked) return baked.error();
        if (m_travel) baked = withRootMotion(m_scene, std::move(*baked), *m_travel);
        if (!baked) return baked.error();
        m_baked.push_back(std::move(*baked));
    }
    return {};
}

Result<ExportOutcome> ExportJob::write(FileStage& stage) const
{
    auto report = exportAnimation(m_scene, m_baked, m_path, m_request.options, stage);
    if (!report) return report.error();
    ExportOutcome outcome;
    for (const BakedClip& clip : m_baked)
        outcome.clips.push_back({.name = clip.name,
                                 .fps = clip.fps,
                                 .frames = countFrames(clip.times, clip.fps),
                                 .joints = clip.joints.size(),
                                 .from = clip.times.front(),
                                 .to = clip.times.back()});
    outcome.goals = tallyGoals(m_scene, m_baked);
    outcome.report = std::move(*report);
    outcome.issues = m_issues;
    outcome.issues.insert(outcome.issues.end(), outcome.report.issues.begin(), outcome.report.issues.end());
    for (Issues more : {missedGoalIssues(m_scene, outcome.goals), jumpIssues(m_scene, outcome.goals),
                        hasteIssues(outcome.goals), readBackIssues(m_path, outcome.report.readBack)})
        outcome.issues.insert(outcome.issues.end(), more.begin(), more.end());
    return outcome;
}

} // namespace tendon

#include "app/editor/FrameEvaluator.h"

#include "core/runtime/PoseSampler.h"
#include "core/solve/ChainBend.h"
#include "core/solve/CurveFit.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tendon::editor {
namespace {

/// The joints of a handle, start first. Precondition: its end is at or below its start.
std::vector<JointIndex> jointsOf(const CompiledRig& rig, const HandleView& view)
{
    std::vector<JointIndex> joints;
    for (JointIndex joint = view.end; joint >= std::max(view.start, 0); joint = rig.parent[at(joint)])
        joints.push_back(joint);
    std::reverse(joints.begin(), joints.end());
    return joints;
}

HandleView viewOf(const FrameResult& frame, std::size_t index)
{
    const CompiledRig& rig = *frame.rig;
    const Handle& handle = rig.handles[index];
    HandleView view;
    view.handle = handle.id;
    view.start = rig.index(handle.start);
    view.end = rig.index(handle.end);
    view.target = frame.solved.targets[index];
    view.result = frame.solved.handles[index];
    view.effector = *frame.worldFromJoint(handle.end) * handle.offset;
    view.reach = chainLength(frame.solved.model, jointsOf(rig, view), view.effector).reach;
    if (handle.hasCurve()) {
        constexpr int kPerPoint = 24;
        std::vector<Vector3> points = view.target.curve;
        points.front() = frame.worldFromJoint(handle.start)->translation(); // where solvers let it begin
        view.curve = curveSamples(points, kPerPoint * static_cast<int>(points.size()));
    }
    const bool isTurned = (handle.orientationWeight <= 0 && !handle.aimAxis) ||
                          view.result.rotationError <= 2 * handle.rotationTolerance;
    view.isMissed = view.target.isActive() && (!isTurned || view.result.positionError > 2 * handle.positionTolerance);
    view.isSoft = view.isMissed && isTurned && view.result.softened > 0 && view.result.status == sdk::Status::Converged;
    if (view.isSoft || view.result.isHeld) view.isMissed = false;
    return view;
}

/// Says of handles that hold whether it is the FK pose that they show. Those of a solved frame show it to the bit where
/// they are not blended; rounding else.
void noteFkPoses(FrameResult& frame, const Clip* clip, const PendingValues& pending, Time time)
{
    const auto holds = [](const HandleView& view) { return view.target.isActive() && view.result.isHeld; };
    if (std::none_of(frame.handles.begin(), frame.handles.end(), holds)) return;
    PoseSampler sampler(frame.rig);
    sampler.prepare(*frame.scene, clip);
    LocalPose fk;
    sampler.sample(pending, time, fk);
    constexpr double kRounding = 1e-9; // [rad], [m]
    for (HandleView& view : frame.handles) {
        const std::vector<JointIndex> joints = jointsOf(*frame.rig, view);
        view.showsFk = holds(view) && std::all_of(joints.begin(), joints.end(), [&](JointIndex joint) {
                           const LocalTransform &shown = frame.solved.local.joints[at(joint)],
                                                &own = fk.joints[at(joint)];
                           return shown.rotation.angularDistance(own.rotation) < kRounding &&
                                  (shown.translation - own.translation).norm() < kRounding;
                       });
    }
}

void summarise(FrameResult& frame)
{
    frame.iterations = frame.solved.iterations;
    for (const HandleView& view : frame.handles) {
        if (!view.target.isActive()) continue;
        frame.limitHits += static_cast<std::int32_t>(view.result.limitHits.size());
        if (std::isfinite(view.result.positionError) && !view.result.isHeld)
            frame.worstError = std::max(frame.worstError, view.result.positionError);
    }
}

} // namespace

FramePtr FrameEvaluator::evaluate(const FrameRequest& request, const std::atomic<bool>* cancelled)
{
    const auto result = std::make_shared<FrameResult>();
    result->revision = request.revision;
    result->request = request.number;
    result->frame = request.frame;
    result->isPlaying = request.isPlaying;
    result->isDragged = request.isDragged;
    result->isSettling = request.isSettling;
    result->scene = request.scene;
    if (const auto prepared = m_poses.prepare(*request.scene); !prepared) {
        result->issues.push_back({Severity::Error, prepared.error().message, prepared.error().where, 0});
        return result;
    }

    m_poses.take(request.settled);
    m_poses.lookAround(!request.isPlaying);
    const Clip* clip = request.scene->find(request.clip);
    const Time time = request.scene->fps.timeOf(request.frame);
    const auto begin = std::chrono::steady_clock::now();
    const auto pose = m_poses.at(*request.scene, clip, request.pending, time, cancelled);
    result->solveSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    result->rig = m_poses.rig();
    result->solved = **pose;
    result->issues = m_poses.issues();
    result->handles.reserve(result->rig->handles.size());
    for (std::size_t i = 0; i < result->rig->handles.size(); ++i) result->handles.push_back(viewOf(*result, i));
    noteFkPoses(*result, clip, request.pending, time);
    summarise(*result);
    for (const Error& fault : m_solvers.faults())
        result->faults.push_back({Severity::Error, fault.message, fault.where, 0});
    for (const Issue& issue : m_solvers.unconfined()) result->faults.push_back(issue);
    if (const Handle* handle = request.scene->find(request.watched)) {
        auto recording = recordSolve(*request.scene, clip, request.pending, time, handle->id, request.watchedSolvers,
                                     m_solvers, RecordTimes::Skipped, cancelled);
        const bool isWhole = recording && recording->solvers.size() == request.watchedSolvers.size();
        if (isWhole) result->recording = std::make_shared<const SolveRecording>(*std::move(recording));
    }
    return m_reached.shown(result, request.isDragged);
}

} // namespace tendon::editor

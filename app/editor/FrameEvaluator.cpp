#include "app/editor/FrameEvaluator.h"

#include "core/scene/Check.h"

#include <tendon/sdk/SoftReach.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tendon::editor {
namespace {

Vector3 vectorOf(const ChannelValue& value) { return {value[0], value[1], value[2]}; }
Quaternion quaternionOf(const ChannelValue& value)
{
    return Quaternion(value[3], value[0], value[1], value[2]).normalized();
}

/// All bones of a chain stretched out, up to the effector [m].
double reachOf(const FrameResult& frame, const HandleView& view)
{
    const std::vector<Vector3> places = frame.chainOf(view);
    if (places.empty()) return 0;
    double reach = (view.effector - places.back()).norm();
    for (std::size_t i = 1; i < places.size(); ++i) reach += (places[i] - places[i - 1]).norm();
    return reach;
}

/// True when what the handle misses is what its soft reach asks for.
bool isSoftReach(const Handle& handle, const HandleView& view, const Vector3& start)
{
    const double distance = (view.goal - start).norm();
    if (view.result.blockedBy.isValid() || distance > view.reach) return false;
    const double eased = distance - sdk::softReach(distance, view.reach, handle.soft);
    return eased > 0 && view.result.positionError <= eased + 2 * handle.positionTolerance + 1e-3 * view.reach;
}

HandleView viewOf(const FrameRequest& request, const Clip* clip, Time time, const FrameResult& frame, std::size_t index)
{
    const CompiledRig& rig = *frame.rig;
    const Handle& handle = rig.handles[index];
    const auto sampled = [&](Property property) {
        return sampleChannel(*request.scene, clip, request.pending, {handle.id.value, property}, time);
    };
    const auto world = [&](JointId joint) { return *frame.worldFromJoint(joint); };

    HandleView view;
    view.handle = handle.id;
    view.start = rig.index(handle.start);
    view.end = rig.index(handle.end);
    view.goal = vectorOf(sampled(Property::GoalPosition));
    view.goalRotation = quaternionOf(sampled(Property::GoalRotation));
    if (handle.follow.isValid()) {
        view.goal = world(handle.follow) * view.goal;
        view.goalRotation = (rotationOf(world(handle.follow)) * view.goalRotation).normalized();
    }
    view.effector = world(handle.end) * handle.offset;
    view.reach = reachOf(frame, view);
    if (handle.hasPole)
        view.pole = handle.poleTarget.isValid() ? Vector3(world(handle.poleTarget).translation())
                                                : vectorOf(sampled(Property::Pole));
    view.blend = sampled(Property::Blend)[0];
    view.weight = sampled(Property::Weight)[0];
    if (index < frame.pose.handles.size()) view.result = frame.pose.handles[index];
    const bool isTurned = handle.orientationWeight <= 0 || view.result.rotationError <= 2 * handle.rotationTolerance;
    view.isMissed = view.isSolved() && (!isTurned || view.result.positionError > 2 * handle.positionTolerance);
    view.isSoft = view.isMissed && isTurned && isSoftReach(handle, view, world(handle.start).translation());
    if (view.isSoft) view.isMissed = false;
    return view;
}

void summarise(FrameResult& frame)
{
    for (const HandleView& view : frame.handles) {
        if (!view.isSolved()) continue;
        frame.iterations += view.result.iterations;
        frame.limitHits += static_cast<std::int32_t>(view.result.limitHits.size());
        if (std::isfinite(view.result.positionError))
            frame.worstError = std::max(frame.worstError, view.result.positionError);
    }
}

} // namespace

bool FrameEvaluator::prepare(const Scene& scene, FrameResult& result)
{
    const auto refuse = [&](const Error& error) {
        m_rig.reset();
        m_evaluator.reset();
        result.issues.push_back({Severity::Error, error.message, error.where, 0});
        return false;
    };
    if (m_rig == nullptr || !scene.joints.isSame(m_joints) || !scene.handles.isSame(m_handles)) {
        m_evaluator.reset();
        auto rig = compile(scene);
        if (!rig) return refuse(rig.error());
        m_rig = *rig;
        m_joints = scene.joints;
        m_handles = scene.handles;
    }
    if (m_evaluator == nullptr) {
        auto evaluator = Evaluator::create(m_rig, *m_solvers, OnBadHandle::ShowFk);
        if (!evaluator) return refuse(evaluator.error());
        m_evaluator = std::move(*evaluator);
        m_evaluator->watch(m_solving);
    }
    return true;
}

FramePtr FrameEvaluator::evaluate(const FrameRequest& request, const std::atomic<bool>* cancelled)
{
    const auto result = std::make_shared<FrameResult>();
    result->revision = request.revision;
    result->request = request.number;
    result->frame = request.frame;
    result->isPlaying = request.isPlaying;
    result->scene = request.scene;
    if (!prepare(*request.scene, *result)) return result;

    const Clip* clip = request.scene->find(request.clip);
    const Time time = request.scene->fps.timeOf(request.frame);
    const auto begin = std::chrono::steady_clock::now();
    m_evaluator->evaluate(*request.scene, clip, request.pending, time, m_pose, cancelled);
    result->solveSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    result->rig = m_rig;
    result->pose = m_pose;
    result->issues = m_evaluator->issues();
    result->handles.reserve(m_rig->handles.size());
    for (std::size_t i = 0; i < m_rig->handles.size(); ++i)
        result->handles.push_back(viewOf(request, clip, time, *result, i));
    summarise(*result);
    return result;
}

} // namespace tendon::editor

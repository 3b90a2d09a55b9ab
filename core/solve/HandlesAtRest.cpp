#include "core/solve/HandlesAtRest.h"

#include "core/runtime/ForwardKinematics.h"
#include "core/scene/Constraint.h"
#include "core/solve/JointLimits.h"
#include "core/solve/SolveGroups.h"

#include <cmath>

namespace tendon {
namespace {

/// Whether the handle asks for nothing but a goal, which a solver that follows its seed leaves alone once it is met.
bool asksForItsGoalAlone(const Handle& handle, const SolverInfo* solver)
{
    return solver != nullptr && solver->has("follows-seed") && handle.parameters.empty() && !handle.hasCurve() &&
           !handle.hasPole && !handle.objectives.isAny() && handle.soft == 0 && handle.squash == 1 &&
           handle.unreachable == Unreachable::Stretch;
}

bool isMet(const Handle& handle, const GoalPose& goal, const Affine& end)
{
    const Vector3 way = goal.position - end * handle.offset;
    if (handle.aimAxis) {
        const Vector3 axis = aimedInWorld(handle, end, *handle.aimAxis);
        return std::atan2(axis.cross(way).norm(), axis.dot(way)) <= handle.rotationTolerance;
    }
    return way.norm() <= handle.positionTolerance &&
           (!(handle.orientationWeight > 0) ||
            rotationOf(end).angularDistance(goal.rotation) <= handle.rotationTolerance);
}

} // namespace

bool areAtRest(const std::shared_ptr<const CompiledRig>& rig, const Scene& scene, const PendingValues& pending,
               Time time, const SolverRegistry& solvers, SolvedFrame& frame)
{
    for (const Handle& handle : rig->handles)
        if (!asksForItsGoalAlone(handle, solvers.find(handle.solver))) return false;
    PoseSampler sampler(rig);
    sampler.prepare(scene, nullptr);
    frame.time = time;
    sampler.sample(pending, time, frame.local);
    forwardKinematics(*rig, frame.local, frame.model);
    frame.targets.resize(rig->handles.size());
    for (std::size_t h = 0; h < rig->handles.size(); ++h) {
        const Handle& handle = rig->handles[h];
        sampleTarget(*rig, h, sampler, pending, time, frame.model, frame.targets[h]);
        if (!frame.targets[h].isActive()) continue;
        if (!isMet(handle, frame.targets[h].goal, frame.model.modelFromJoint[at(rig->index(handle.end))])) return false;
        for (const JointIndex joint : movableJoints(*rig, handle)) { // a solver would bring them into their limits
            const Joint& authored = rig->authored[at(joint)];
            const JointPose pose{frame.local.joints[at(joint)], frame.local.angles[at(joint)],
                                 frame.local.isReadOff[at(joint)] != 0};
            if (!passedTurningLimits(authored, pose).empty() || !passedSlidingLimits(authored, pose).empty())
                return false;
        }
    }
    frame.handles.assign(rig->handles.size(), {});
    return true;
}

} // namespace tendon

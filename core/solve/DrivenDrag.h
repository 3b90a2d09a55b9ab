#pragma once

#include "core/solve/ChannelWrite.h"
#include "core/solve/Evaluator.h"

namespace tendon {

/// A joint that a handle moves, in a solved pose: dragging or turning it changes what the handle asks for, so that its
/// solve shows the joint where it was put. The handle meets a goal: it follows no curve and does not aim.
struct DrivenJoint
{
    const CompiledRig& rig;
    const SolvedFrame& pose;
    std::size_t handle = 0; ///< index in rig.handles
    JointIndex joint = -1;
    bool usesTwist = false; ///< the handle's solver does
};

/// True for a joint in the middle of a chain that can turn about the line from its start to its end, as a knee or an
/// elbow does: the joint can be dragged while the end stays.
[[nodiscard]] bool canSwing(const DrivenJoint& driven);

/// Swings the chain so that the joint comes as near as that allows to `target` [m, world]: by the pole where the handle
/// has one in the world, else by its twist. The goal stays. Precondition: canSwing().
void appendSwing(const DrivenJoint& driven, const Vector3& target, ChannelWrites& writes);

/// Turns the joint by `by` in the world, with all that is below it, as without the handle: moves the goal about the
/// joint, and the pole so that the joints above stay.
void appendTurn(const DrivenJoint& driven, const Quaternion& by, ChannelWrites& writes);

/// [rad] by which the handle's twist is to change so that the bend faces as it does in `wanted`; `solved` is the frame
/// with what appendTurn() wrote.
[[nodiscard]] double twistToward(const DrivenJoint& driven, const Quaternion& by, const SolvedFrame& solved);

/// The handle that turns a joint, so that its own rotation does not show: it is wholly blended in, and its goal can be
/// turned about the joint. None: the joint's own rotation shows, at least in part, or the handle follows a curve or
/// aims.
[[nodiscard]] const Handle* turningHandle(const CompiledRig& rig, const SolvedFrame& pose, JointIndex joint);
/// The same of the joint's place: the joint slides to where the goal is.
[[nodiscard]] const Handle* slidingHandle(const CompiledRig& rig, const SolvedFrame& pose, JointIndex joint);

} // namespace tendon

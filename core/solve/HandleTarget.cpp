#include "core/solve/HandleTarget.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"
#include "core/math/SmoothStep.h"
#include "core/scene/Constraint.h"
#include "core/scene/Corrections.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>

namespace tendon {
namespace {

ChannelValue valueInWorld(Property property, const ChannelValue& value, const Affine& worldFromSpace)
{
    if (!isQuaternion(property)) return toValue(Vector3(worldFromSpace * toVector(value)));
    return toValue(goalInWorld(worldFromSpace, {Vector3::Zero(), unitQuaternion(toQuaternion(value))}).rotation);
}

/// The way between two keys in different spaces: each goes along with its space and by its own slope, and the one turns
/// into the other. Where both do the same motion, as around a switch that nobody is to see, it is that motion.
Vector3 alongBoth(const Key& left, const Key& right, const KeySegment& slopes, Time time, const Affine& worldFromSpace,
                  const Affine& worldFromNext)
{
    const double since = time.seconds() - left.time.seconds(), until = right.time.seconds() - time.seconds();
    const Vector3 from = worldFromSpace * Vector3(toVector(left.value) + since * toVector(slopes.leaving)),
                  to = worldFromNext * Vector3(toVector(right.value) - until * toVector(slopes.arriving));
    const double u = since / (since + until);
    return from + smoothStep(u) * (to - from);
}

/// The same for a rotation: as the numbers of a quaternion have their slopes.
Quaternion turnedAlongBoth(const Key& left, const Key& right, const KeySegment& slopes, Time time,
                           const Affine& worldFromSpace, const Affine& worldFromNext)
{
    const double since = time.seconds() - left.time.seconds(), until = right.time.seconds() - time.seconds();
    const auto along = [](const Key& key, double seconds, const ChannelValue& slope, const Affine& worldFrom) {
        ChannelValue value = key.value;
        for (std::size_t c = 0; c < value.size(); ++c) value[c] += seconds * slope[c];
        return toQuaternion(valueInWorld(Property::GoalRotation, value, worldFrom));
    };
    const double u = since / (since + until);
    return slerp(along(left, since, slopes.leaving, worldFromSpace),
                 along(right, -until, slopes.arriving, worldFromNext), smoothStep(u));
}

/// A place between two keys in different spaces: both go along with their spaces, and the curve leads from the one to
/// the other, with the slopes that each has in its own space.
ChannelValue between(const PoseSampler::Place& place, Property property, const Affine& worldFromSpace,
                     const Affine& worldFromNext)
{
    Key left = *place.segment.left, right = *place.segment.right;
    left.value = corrected(property, left.value, place.correction, place.weight);
    right.value = corrected(property, right.value, place.correction, place.weight);
    const KeySegment& slopes = place.segment;
    if (left.interpolation == Interpolation::Bezier && isQuaternion(property))
        return toValue(turnedAlongBoth(left, right, slopes, place.inside, worldFromSpace, worldFromNext));
    if (left.interpolation == Interpolation::Bezier)
        return toValue(alongBoth(left, right, slopes, place.inside, worldFromSpace, worldFromNext));
    left.value = valueInWorld(property, left.value, worldFromSpace);
    right.value = valueInWorld(property, right.value, worldFromNext);
    return sampleSegment({&left, &right, {}, {}}, property, place.inside); // held or linear, where no slope counts
}

/// Where handles' goals, poles and curves are in the world at one moment.
struct Places
{
    const CompiledRig& rig;
    PoseSampler& sampler;
    const PendingValues& pending;
    Time time;
    const ModelPose& model;

    /// Of a joint or a handle's goal; the identity for the world. compile() has refused goals that follow in a circle.
    [[nodiscard]] Affine worldFromSpace(ObjectId space) const
    {
        if (space == 0) return Affine::Identity();
        if (const JointIndex joint = rig.index(JointId{space}); joint >= 0) return model.modelFromJoint[at(joint)];
        const auto handle = rig.handleIndex(HandleId{space});
        return handle ? affineOf(goalOf(*handle)) : Affine(Affine::Identity());
    }

    [[nodiscard]] GoalPose goalOf(std::size_t handle) const
    {
        return {toVector(inWorld(handle, Property::GoalPosition)),
                toQuaternion(inWorld(handle, Property::GoalRotation))};
    }

    [[nodiscard]] ChannelValue inWorld(std::size_t handle, Property property) const
    {
        // Static values are in the space of the joint that carries the handle.
        if (const JointIndex carrier = carrierOf(rig, rig.handles[handle]);
            carrier >= 0 && !sampler.isHandleKeyed(handle, property) &&
            pending.count({rig.handles[handle].id.value, property}) == 0)
            return valueInWorld(property, sampler.handleValue(handle, property, pending, time),
                                model.modelFromJoint[at(carrier)]);
        const PoseSampler::Place place = sampler.handlePlace(handle, property, pending, time);
        return place.isBetween ? between(place, property, worldFromSpace(place.space), worldFromSpace(place.nextSpace))
                               : valueInWorld(property, place.value, worldFromSpace(place.space));
    }
};

/// The goal of a constraint that copies in local space: as far from the joint's rest pose as `source` is from its own.
GoalPose copiedLocally(const CompiledRig& rig, const Handle& handle, JointIndex source, const ModelPose& model)
{
    const auto parentOf = [&](JointIndex joint) -> Affine {
        return rig.parent[at(joint)] < 0 ? Affine(Affine::Identity()) : model.modelFromJoint[at(rig.parent[at(joint)])];
    };
    const JointIndex joint = rig.index(handle.end);
    const LocalTransform &rest = rig.rest[at(joint)], &sourceRest = rig.rest[at(source)];
    const Affine sourceNow = parentOf(source).inverse() * model.modelFromJoint[at(source)];
    const Quaternion rotation = rest.rotation * sourceRest.rotation.conjugate() * rotationOf(sourceNow);
    const Vector3 translation = rest.translation + sourceNow.translation() - sourceRest.translation;
    const Vector3 effector = rotation * rest.scale.cwiseProduct(handle.offset);
    return {parentOf(joint) * (translation + effector),
            unitQuaternion(rotationOf(parentOf(joint) * unitQuaternion(rotation)))};
}

} // namespace

JointIndex carrierOf(const CompiledRig& rig, const Handle& handle)
{
    return handle.isCarried() ? rig.parent[at(rig.index(handle.start))] : -1;
}

void sampleTarget(const CompiledRig& rig, std::size_t index, PoseSampler& sampler, const PendingValues& pending,
                  Time time, const ModelPose& model, HandleTarget& target)
{
    const Handle& handle = rig.handles[index];
    const Places places{rig, sampler, pending, time, model};
    const auto value = [&](Property property) { return sampler.handleValue(index, property, pending, time); };
    const auto place = [&](JointId joint) -> std::optional<Vector3> {
        if (!joint.isValid()) return std::nullopt;
        return Vector3(model.modelFromJoint[at(rig.index(joint))].translation());
    };
    target.goal = places.goalOf(index);
    target.worldFromSpace = places.worldFromSpace(sampler.handleSpace(index, Property::GoalPosition, pending, time));
    if (copiesLocally(handle))
        if (const JointIndex source = rig.index(
                JointId{sampler.handleSpace(index, Property::GoalPosition, pending, time)});
            source >= 0)
            target.goal = copiedLocally(rig, handle, source, model);
    target.worldFromPoleSpace = places.worldFromSpace(sampler.handleSpace(index, Property::Pole, pending, time));
    target.pole = !handle.hasPole ? std::nullopt
                  : handle.poleTarget.isValid()
                      ? place(handle.poleTarget)
                      : std::optional<Vector3>(toVector(places.inWorld(index, Property::Pole)));
    target.twist = value(Property::Twist)[0];
    target.roll = value(Property::Roll)[0];
    target.blend = std::clamp(value(Property::Blend)[0], 0.0, 1.0);
    target.weight = std::max(value(Property::Weight)[0], 0.0);
    if (isConstraint(handle)) target.blend *= std::min(target.weight, 1.0); // nothing else for it to weigh against
    target.curve.clear();
    for (int i = 0; i < handle.curvePoints; ++i) target.curve.push_back(toVector(places.inWorld(index, curvePoint(i))));
    target.startUp = place(handle.startUp);
    target.endUp = place(handle.endUp);
}

} // namespace tendon

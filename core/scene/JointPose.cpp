#include "core/scene/JointPose.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"

namespace tendon {

void JointChannels::set(Property property, const ChannelValue& value)
{
    if (property == Property::Rotation) {
        rotation = value;
    } else if (property <= Property::Sz) {
        const auto index = static_cast<std::size_t>(property);
        numbers[index] = value[0];
        isGiven[index] = true;
    }
}

JointPose restPose(const Joint& joint)
{
    JointPose pose;
    pose.local = joint.rest;
    pose.local.rotation = unitQuaternion(joint.rest.rotation);
    return pose;
}

JointPose posed(JointPose pose, const JointChannels& channels, const Quaternion& restRotation, RotationOrder order)
{
    bool hasAngles = false;
    for (int axis = 0; axis < 3; ++axis) {
        const auto given = [&](Property first, double& number) {
            const auto index = static_cast<std::size_t>(offsetBy(first, axis));
            if (channels.isGiven[index]) number = channels.numbers[index];
            return channels.isGiven[index];
        };
        given(Property::Tx, pose.local.translation[axis]);
        given(Property::Sx, pose.local.scale[axis]);
        if (!channels.rotation) hasAngles = given(Property::Rx, pose.angles[axis]) || hasAngles;
    }
    if (channels.rotation) {
        pose.local.rotation = unitQuaternion(toQuaternion(*channels.rotation));
        pose.angles = anglesFromRotation(restRotation.conjugate() * pose.local.rotation, order, Vector3::Zero());
        pose.isReadOff = true;
    } else if (hasAngles) {
        pose.local.rotation = restRotation * rotationFromAngles(pose.angles, order);
        pose.isReadOff = false;
    }
    return pose;
}

Vector3 anglesOf(const Joint& joint, const Quaternion& local, const Vector3& near)
{
    return anglesFromRotation(unitQuaternion(joint.rest.rotation).conjugate() * local, joint.rotationOrder, near);
}

Quaternion localRotation(const Joint& joint, const Vector3& angles)
{
    return unitQuaternion(joint.rest.rotation) * rotationFromAngles(angles, joint.rotationOrder);
}

} // namespace tendon

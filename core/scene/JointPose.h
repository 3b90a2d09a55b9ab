#pragma once

#include "core/scene/Channel.h"
#include "core/scene/Joint.h"

namespace tendon {

/// How a joint is posed: its local transform, and the angles of its rotation.
struct JointPose
{
    LocalTransform local;             ///< parentFromJoint; the rotation is unit
    Vector3 angles = Vector3::Zero(); ///< [rad] about x, y, z from rest, in the joint's rotation order
    bool isReadOff = false; ///< true: posed by a whole rotation; the angles were read off it, those nearest to 0
};

/// The values that one source has for a joint: its static values, its keys at one moment, or what is pending.
struct JointChannels
{
    std::array<double, 9> numbers{}; ///< Tx ... Sz
    std::array<bool, 9> isGiven{};   ///< of numbers
    std::optional<ChannelValue> rotation;

    void set(Property property, const ChannelValue& value); ///< a handle's properties are ignored
};

/// The rest pose of a joint, its rotation made unit.
[[nodiscard]] JointPose restPose(const Joint& joint);

/// The one rule for a joint's rotation. `below` as changed by one more source of values: a number replaces its own; a
/// whole rotation, made unit, replaces all angles; an angle turns from `restRotation`, with the angles of `below` about
/// the other axes. A whole rotation goes before angles of the same source. Sources are applied in the order static,
/// keyed, pending, so that the last one that says anything about the rotation decides.
[[nodiscard]] JointPose posed(JointPose below, const JointChannels& channels, const Quaternion& restRotation,
                              RotationOrder order);

/// The angles [rad] of a joint whose whole local rotation is `local`, nearest to `near`.
[[nodiscard]] Vector3 anglesOf(const Joint& joint, const Quaternion& local, const Vector3& near);

/// The whole local rotation of a joint turned by `angles` [rad] from rest.
[[nodiscard]] Quaternion localRotation(const Joint& joint, const Vector3& angles);

} // namespace tendon

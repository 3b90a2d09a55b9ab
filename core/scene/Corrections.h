#pragma once

#include "core/scene/JointPose.h"

#include <optional>

namespace tendon {

// The corrections of a clip are keys on top of its own keys: an additive layer with a weight. What is shown is the base
// with a share of the correction:
//
//   numbers    base + weight * correction: places, angles, scales, twist, blend, weight, roll
//   rotations  base * correction^weight: the correction turns about the axes that the base has turned
//
// Whole rotations are composed on the right, so that a nod remains a nod whatever the neck does below it, and so that
// the correction keeps its meaning when a goal follows another space. Angles are added one by one, because what is said
// of a joint in angles (limits, hinges, more than one turn) then holds of the sum. Numbers with a range (blend, weight)
// are held to it after the sum. Where the weight is 0, or there is no correction, the base is kept bit by bit.

/// A correction that changes nothing: zeros, or the identity.
[[nodiscard]] ChannelValue noCorrection(Property property);

/// The base with a correction on top.
[[nodiscard]] ChannelValue corrected(Property property, const ChannelValue& base, const ChannelValue& correction,
                                     double weight);

/// The base that becomes `shown` with this correction.
[[nodiscard]] ChannelValue withoutCorrection(Property property, const ChannelValue& shown,
                                             const ChannelValue& correction, double weight);

/// The correction with which `base` becomes `shown` at this weight. None: no correction does, because the weight is 0,
/// or a rotation is too far away for it: it reaches weight * 180 degrees.
[[nodiscard]] std::optional<ChannelValue> correctionFor(Property property, const ChannelValue& base,
                                                        const ChannelValue& shown, double weight);

/// A joint with corrections on top. Angles that correct a whole rotation turn it, on the right, in the joint's order; a
/// whole rotation that corrects angles makes the rotation a whole one.
[[nodiscard]] JointPose corrected(JointPose base, const JointChannels& corrections, double weight,
                                  const Quaternion& restRotation, RotationOrder order);

/// What the corrections of a joint's rotation multiply that of the base with, on the right; none: there are none, or
/// they are angles that are added to angles.
[[nodiscard]] std::optional<Quaternion> correctingTurn(const JointPose& base, const JointChannels& corrections,
                                                       double weight, RotationOrder order);

} // namespace tendon

#pragma once

#include "core/scene/Scene.h"

#include <string>
#include <string_view>

namespace tendon {

/// The name with its side changed: "hand_L" <-> "hand_R", "LeftArm" <-> "RightArm", "mixamorig:LeftHand", "L_Thigh",
/// "Bip01 L Foot", "handL". Words are told apart by punctuation and by a capital after a small letter; a single L or R
/// and left or right in any case count. "" when the name has no side.
[[nodiscard]] std::string otherSide(std::string_view name);

/// The joint on the other side: itself when its name has no side, none when its counterpart is not there.
[[nodiscard]] JointId counterpart(const Scene& scene, JointId joint);

} // namespace tendon

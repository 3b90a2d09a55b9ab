#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tendon {

enum class Side { Centre, Left, Right };

// The names of roles. For a body like ours they are VRM 1.0's humanoid bones: hips, spine, chest, upperChest, neck,
// head, jaw, leftEye, leftShoulder, leftUpperArm, leftLowerArm, leftHand, leftUpperLeg, leftLowerLeg, leftFoot,
// leftToes, leftThumbMetacarpal, leftIndexProximal, ...; see bodyRoles(). Beyond them:
//  - root: the joint above the hips that stands on the floor
//  - tail1, tail2, ...; leftEar1, ...; leftWing1, ...; leftFin1, ...: chains, numbered from the body
//  - of four legs: leftFrontShoulder, leftFrontUpperLeg, leftFrontLowerLeg, leftFrontFoot, leftFrontToes; leftHind...
//  alike
//  - of more legs: leftLeg1Upper, leftLeg1Lower, leftLeg1Foot; leftLeg2Upper, ... from the front
//  - of mechanisms and robots: link1, link2, ...: the joints of one arm or chain; arm2link1, ... of a second

/// VRM 1.0's humanoid bones, from the hips outward.
[[nodiscard]] std::span<const std::string_view> bodyRoles();

/// Whether a role may be called so.
[[nodiscard]] bool isRoleName(std::string_view name);

[[nodiscard]] Side sideOfRole(std::string_view role);

/// A role of a thumb or another finger.
[[nodiscard]] bool isFingerRole(std::string_view role);

/// "leftHand" <-> "rightHand"; a role on the centre line is its own mirror image.
[[nodiscard]] std::string mirroredRole(std::string_view role);

/// "leftUpperArm" in words: "left upper arm".
[[nodiscard]] std::string roleInWords(std::string_view role);

} // namespace tendon

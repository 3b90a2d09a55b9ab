#pragma once

#include "core/math/Transform.h"
#include "core/scene/Joint.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tendon::mannequin {

/// A joint of the mannequin at rest.
///
/// Axes: +Y along the bone; +Z to the front of the body, on feet and toes up, on fingers to the palm; X = Y x Z is the
/// hinge. A right joint is the mirror image of its left joint with X flipped, so that both take the same angle
/// about X and opposite angles about Y and Z.
struct Bone
{
    std::string name; ///< "Hips", "Forearm_L", ...: pairs end in _L and _R
    int parent = -1;  ///< index into the skeleton, less than its own
    Affine modelFromJoint = Affine::Identity();
    Vector3 tail = Vector3::Zero(); ///< [m] model space: where the bone ends
};

/// The point or direction of the right half for one of the left half.
[[nodiscard]] inline Vector3 mirrored(const Vector3& v) { return {-v.x(), v.y(), v.z()}; }

/// [m] Landmarks of the left half of the body; the right half is its mirror image in x = 0. The figure is 1.75 m tall,
/// stands on y = 0 and faces +Z; its left is +X.
struct Landmarks
{
    Vector3 hips{0, 0.965, 0.005}, spine1{0, 1.055, 0}, spine2{0, 1.155, -0.008}, chest{0, 1.265, -0.014};
    Vector3 neck{0, 1.475, -0.024}, head{0, 1.562, -0.006}, crown{0, 1.75, 0.005};
    Vector3 clavicle{0.024, 1.442, 0.012}, shoulder{0.178, 1.430, -0.014}, elbow, wrist, knuckles;
    Vector3 hip{0.091, 0.925, 0}, knee{0.101, 0.500, 0.018}, ankle{0.106, 0.082, -0.024};
    Vector3 ball{0.1195, 0.022, 0.112}, toe{0.1265, 0.016, 0.188};
    /// Thumb, index, middle, ring, little: three joints and the tip.
    std::array<std::array<Vector3, 4>, 5> fingers;
    std::array<Vector3, 5> palmward;        ///< unit, where each finger bends to
    Vector3 handAlong, handPalm, handThumb; ///< unit, square: wrist to knuckles, out of the palm, to the thumb's side
    Vector3 armFront;                       ///< unit, the front of the arm

    Landmarks();
};

inline constexpr std::array<std::string_view, 5> kFingerNames = {"Thumb", "Index", "Middle", "Ring", "Little"};

[[nodiscard]] const std::vector<Bone>& skeleton();
[[nodiscard]] int boneNamed(std::string_view name); ///< Precondition: there is one

/// Sets the anatomical freedoms, limits and preferred angles of the joint with this name.
void setAnatomy(Joint& joint);

} // namespace tendon::mannequin

#pragma once

#include "core/math/Transform.h"

namespace tendon::mannequin {

/// Where the parts of the walking figure are to be at one moment.
struct GaitPose
{
    Affine hips, head;          ///< world from joint
    Affine footLeft, footRight; ///< world from joint
    Affine handLeft, handRight; ///< from joint to the space of the joint Chest
};

/// A walk at an easy pace along +Z on y = 0: frames of 1/24 s, one cycle (two steps) a second. Heel strike, a foot flat
/// on the ground, roll over ball and toe, swing; the pelvis bobs, sways, twists and tilts; arms swing against the legs;
/// the head looks ahead. A foot on the ground turns about a point of its sole that stays where it is.
class Gait
{
public:
    static constexpr double kFramesPerCycle = 24;
    static constexpr double kStride = 1.24;    ///< [m] a cycle
    static constexpr double kFlatFrom = 0.075; ///< [cycles after heel strike] the foot stands flat
    static constexpr double kFlatTo = 0.36;    ///< the heel rises
    static constexpr double kToeOff = 0.62;    ///< the foot leaves the ground

    /// The moment `cycles` after the left heel's strike at 0, when the hips are over z = 0.
    [[nodiscard]] static GaitPose at(double cycles);

    /// The point [m, world] that the foot turns about `cycles` after its strike; only while it is on the ground.
    [[nodiscard]] static Vector3 contact(bool isLeft, double cycles);
};

} // namespace tendon::mannequin

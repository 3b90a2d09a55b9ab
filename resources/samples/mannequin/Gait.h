#pragma once

#include "core/math/Transform.h"

namespace tendon::mannequin {

/// The goals of the walking figure's parts at one time.
struct GaitPose
{
    Affine hips, head;          ///< world from joint
    Affine footLeft, footRight; ///< world from joint
    Affine handLeft, handRight; ///< from joint to the space of the joint Chest
};

/// A walk at an easy pace along +Z on y = 0: frames of 1/24 s, one cycle (two steps) a second. Heel strike, a foot flat
/// on the ground, roll over ball and toe, swing; the pelvis bobs, sways, twists and tilts; arms swing opposite to the
/// legs; the head looks ahead. A foot on the ground rotates about a fixed point of its sole.
class Gait
{
public:
    static constexpr double kFramesPerCycle = 24;
    static constexpr double kStride = 1.24;    ///< [m] a cycle
    static constexpr double kFlatFrom = 0.075; ///< [cycles after heel strike] the foot stands flat
    static constexpr double kFlatTo = 0.36;    ///< the heel rises
    static constexpr double kToeOff = 0.62;    ///< the foot leaves the ground

    /// The pose `cycles` after the left heel's strike at 0, when the hips are above z = 0.
    [[nodiscard]] static GaitPose at(double cycles);

    /// [m, world] The point that the foot rotates about, `cycles` after its strike; only while it is on the ground.
    [[nodiscard]] static Vector3 contact(bool isLeft, double cycles);
};

} // namespace tendon::mannequin

#pragma once

#include "core/roles/LimbFit.h"
#include "core/roles/Roles.h"

#include <optional>
#include <vector>

namespace tendon {

/// Two branches that are alike: candidates for a pair of limbs.
struct LimbPair
{
    NodeIndex a = -1, b = -1;              ///< the topmost joints
    NodeIndex parent = -1;                 ///< the joint that both hang on, directly or not; -1 = the world
    std::vector<NodeIndex> chainA, chainB; ///< the longest ways down, of equal length where the branches are
    double alike = 0;                      ///< 0 ... 1
    LimbFit leg, arm;

    [[nodiscard]] const LimbFit& fit(LimbShape shape) const { return shape == LimbShape::Leg ? leg : arm; }
    [[nodiscard]] double reach(const Skeleton& skeleton) const
    {
        return std::min(skeleton[a].reach + skeleton[a].bone, skeleton[b].reach + skeleton[b].bone);
    }
};

/// Which branches are the limbs of a body.
struct Body
{
    BodyPlan plan = BodyPlan::Other;
    std::optional<LimbPair> legs; ///< of four legs the hind ones
    std::optional<LimbPair> arms; ///< or front legs: `frontShape` says as what they are cut
    LimbShape frontShape = LimbShape::Arm;
    std::vector<LimbPair> moreLegs; ///< of many: all pairs, front first
    double certainty = 0;           ///< 0 ... 1: that these are the limbs and no others
};

[[nodiscard]] Body findBody(const Skeleton& skeleton);

/// The place of the last part that a limb has: its foot or hand, else its lower or upper part.
[[nodiscard]] int lastPart(const LimbFit& fit);

/// The side that most names of a chain have; Centre = they have none, or both alike.
[[nodiscard]] Side sideByNames(const Skeleton& skeleton, const std::vector<NodeIndex>& chain);

/// The direction in which a limb of a pair points, in one pose: unit, the mean of both sides; 0 if it has none.
[[nodiscard]] Vector3 limbDirection(const Skeleton& skeleton, const LimbPair& pair, const LimbFit& fit,
                                    std::size_t pose);

/// The middle between the two joints of a pair where a part begins.
[[nodiscard]] Vector3 middleOf(const Skeleton& skeleton, const LimbPair& pair, int place, std::size_t pose);

} // namespace tendon

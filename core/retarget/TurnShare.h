#pragma once

#include "core/math/Transform.h"
#include "core/retarget/ClipTrack.h"

#include <vector>

namespace tendon {

/// A share of the turn between two joints, along a clip: half a twist of the neck, a third of the chest's. The short
/// way from one rotation to another flips where the turn passes half a turn. Where a clip turns that far, the turn is
/// counted along it instead, about the axis about which it turns most, and only what is beside that axis goes the short
/// way.
class TurnShare
{
public:
    TurnShare() = default; ///< the short way
    /// `turns`: at ascending times of a clip, close enough together that none is half a turn from the one before.
    TurnShare(const std::vector<Time>& times, const std::vector<Quaternion>& turns);

    /// `share` of a turn of this moment, 0 nothing ... 1 all of it.
    [[nodiscard]] Quaternion of(const Quaternion& turn, Time time, double share) const;

private:
    Vector3 m_axis = Vector3::Zero(); ///< unit; zero: the short way
    ClipTrack m_angle;                ///< [rad] about it, counted on beyond half a turn
};

} // namespace tendon

#pragma once

#include <cmath>

namespace tendon::sdk {

/// The easing that Goal::soft asks for: how far from its start a chain should come [m], for a goal at `distance` and a
/// chain that reaches as far as `reach`. Up to the soft zone, the last `share` of the reach, this is the distance
/// itself. Within the zone it approaches the reach without getting there, and without a jump in the first derivative.
/// Formula: A. Nicholas 2009, "Soft IK".
inline double softReach(double distance, double reach, double share)
{
    const double zone = share * reach, begin = reach - zone;
    if (!(zone > 0) || distance <= begin) return distance;
    return begin + zone * (1 - std::exp(-(distance - begin) / zone));
}

} // namespace tendon::sdk

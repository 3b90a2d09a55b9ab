#pragma once

#include <cmath>

namespace tendon::sdk {

/// What Goal::soft asks for: how far from its start a chain is to come [m], for a goal at `distance` and a chain that
/// reaches as far as `reach`. The distance itself up to the soft zone, the last `share` of the reach; in it ever closer
/// to the reach without getting there, with no jump in the first derivative. Formula: A. Nicholas 2009, "Soft IK".
inline double softReach(double distance, double reach, double share)
{
    const double zone = share * reach, begin = reach - zone;
    if (!(zone > 0) || distance <= begin) return distance;
    return begin + zone * (1 - std::exp(-(distance - begin) / zone));
}

} // namespace tendon::sdk

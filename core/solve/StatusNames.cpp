#include "core/solve/StatusNames.h"

#include "core/scene/Check.h"

namespace tendon {

std::string reasonOfMiss(const Scene& scene, const HandleResult& result)
{
    std::string reason;
    const bool isBeyondReach = result.shortfall >= 0.5 * result.positionError && result.shortfall > 0;
    if (isBeyondReach) return reason; // whatever its joints may do
    if (result.blockedBy.isValid()) reason = "joint limits at " + nameOf(scene, result.blockedBy.value);
    if (const Handle* first = scene.find(result.yieldsTo))
        reason += (reason.empty() ? "" : "; ") + first->name + ", which has priority " +
                  std::to_string(first->priority) + ", moves its joints first";
    return reason;
}

} // namespace tendon

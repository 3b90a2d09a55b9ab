#include "core/solve/StatusNames.h"

#include "core/scene/Check.h"

namespace tendon {

std::string reasonOfMiss(const Scene& scene, const HandleResult& result)
{
    std::string reason;
    const bool isBeyondReach = result.shortfall >= 0.5 * result.positionError && result.shortfall > 0;
    if (isBeyondReach) return reason; // whatever its joints may do
    if (result.blockedBy.isValid()) reason = "joint limits at " + nameOf(scene, result.blockedBy.value);
    const auto add = [&reason](const std::string& clause) { reason += (reason.empty() ? "" : "; ") + clause; };
    if (const Handle* first = scene.find(result.yieldsTo))
        add(first->name + ", which has priority " + std::to_string(first->priority) + ", moves its joints first");
    if (result.pullsAgainst.isValid())
        add(nameOf(scene, result.handle.value) + " and " + nameOf(scene, result.pullsAgainst.value) +
            " pull against each other");
    return reason;
}

} // namespace tendon

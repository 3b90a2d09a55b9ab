#include "core/solve/StatusNames.h"

#include "core/math/Degrees.h"
#include "core/scene/Check.h"

#include <cstdio>

namespace tendon {
namespace {

std::string degreesText(double angle, int decimals)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f\u00b0", decimals, angle * kDegrees);
    return text;
}

} // namespace

std::string cautionOf(const HandleResult& result)
{
    if (result.nearPole)
        return "the pole is " + degreesText(*result.nearPole, 1) + " from the handle's line: the bend may swing";
    if (result.poleSwing)
        return "limits keep the bend from its pole: it may swing by " + degreesText(*result.poleSwing, 0);
    if (result.nearUp)
        return "the up joint is " + degreesText(*result.nearUp, 1) + " from the bone that it turns: the bone may twist";
    return {};
}

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

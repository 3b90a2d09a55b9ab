#include "core/retarget/LimbReach.h"

#include <algorithm>
#include <cmath>

namespace tendon {

LimbTurns reachTo(const Vector3& root, const Vector3& middle, const Vector3& end, const Vector3& place,
                  const Vector3& hinge)
{
    LimbTurns turns;
    const Vector3 upper = middle - root, lower = end - middle;
    const double a = upper.norm(), b = lower.norm();
    if (a < 1e-9 || b < 1e-9 || (place - end).norm() < 1e-12) return turns;
    const double wanted = (place - root).norm();
    const double most = a + b, least = std::abs(a - b);
    const double distance = std::clamp(wanted, least, most);
    turns.shortfall = std::abs(wanted - distance);

    // The normal of the limb's plane: its own where it is bent, the hinge while it is all but straight, or a little
    // past.
    constexpr double kBent = 0.64; // sine of 40 degrees
    Vector3 normal = upper.cross(lower) / (a * b);
    const double steady = std::max(0.0, 1 - normal.norm() / kBent);
    normal += steady * steady * hinge;
    if (normal.norm() < 1e-9) normal = upper.unitOrthogonal();
    normal -= upper * (upper.dot(normal) / (a * a));
    if (normal.norm() < 1e-12) normal = upper.unitOrthogonal();
    normal.normalize();

    // The law of cosines: how far the lower bone is bent out of line with the upper one, now and then.
    const double now = std::atan2(normal.dot(upper.cross(lower)), upper.dot(lower));
    const double inPlane = (lower - normal * lower.dot(normal)).norm(); // what of the lower bone the bend turns
    const double cosine = std::clamp((distance * distance - a * a - b * b) / (2 * a * std::max(inPlane, 1e-12)), -1.0,
                                     1.0);
    const double then = std::acos(cosine);
    const Quaternion bend(Eigen::AngleAxisd(then - now, normal));
    const Vector3 bentEnd = middle + bend * lower;
    const Vector3 direction = bentEnd - root, wantedDirection = place - root;
    turns.upper = direction.norm() < 1e-9 || wantedDirection.norm() < 1e-9
                      ? Quaternion::Identity()
                      : shortestRotation(direction, wantedDirection);
    turns.lower = (turns.upper * bend).normalized();
    return turns;
}

} // namespace tendon

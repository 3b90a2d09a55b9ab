#include "core/io/readback/MountedCheck.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

/// Share of a number, and of the distance from the origin: files hold some of them in single precision, and angles in
/// degrees.
constexpr double kNear = 1e-4;

bool isNear(double found, double meant) { return found == meant || std::abs(found - meant) <= kNear * std::abs(meant); }

bool isAlike(const ModelCamera& found, const ModelCamera& meant)
{
    const bool isFlat = meant.projection == ModelCamera::Projection::Orthographic;
    return found.projection == meant.projection && (meant.aspect == 0 || isNear(found.aspect, meant.aspect)) &&
           (isFlat ? isNear(found.halfHeight, meant.halfHeight) : isNear(found.fieldOfView, meant.fieldOfView)) &&
           isNear(found.nearPlane, meant.nearPlane) &&
           (std::isinf(meant.farPlane) || isNear(found.farPlane, meant.farPlane)); // not all formats know infinity
}

bool isAlike(const ModelLight& found, const ModelLight& meant)
{
    if (found.kind != meant.kind || !isNear(found.intensity, meant.intensity)) return false;
    if (!found.colour.isApprox(meant.colour, static_cast<float>(kNear)) && !meant.colour.isZero()) return false;
    if (meant.kind == ModelLight::Kind::Directional) return true;
    if (!isNear(found.range, meant.range)) return false;
    return meant.kind == ModelLight::Kind::Point ||
           (isNear(found.outerCone, meant.outerCone) && std::abs(found.innerCone - meant.innerCone) <= kNear);
}

/// How much of a turn shows: of a light that about its own axis does not, of a point light none.
Eigen::Matrix3d visibleTurn(const ModelLight& light, const Affine& world)
{
    Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();
    if (light.kind != ModelLight::Kind::Point) turn.col(2) = world.linear().col(2);
    return turn;
}
Eigen::Matrix3d visibleTurn(const ModelCamera&, const Affine& world) { return world.linear(); }

template <typename T>
bool standsAlike(const T& what, const Affine& found, const Affine& meant, double radius)
{
    const double reach = radius + meant.translation().norm();
    return (found.translation() - meant.translation()).norm() <= kNear * reach &&
           (visibleTurn(what, found) - visibleTurn(what, meant)).norm() <= 10 * kNear;
}

template <typename T>
void check(const char* kind, const std::vector<Mounted::InWorld<T>>& meant, std::vector<Mounted::InWorld<T>> found,
           ReadBack& result)
{
    for (const auto& [what, world] : meant) {
        const auto counterpart = std::find_if(found.begin(), found.end(), [&](const auto& other) {
            return isAlike(other.what, what) && standsAlike(what, other.worldFromMount, world, result.radius);
        });
        const std::string name = kind + what.name;
        if (counterpart != found.end())
            found.erase(counterpart);
        else if (std::find(result.missing.begin(), result.missing.end(), name) == result.missing.end())
            result.missing.push_back(name);
    }
}

} // namespace

void checkMounted(const Mounted& meant, Mounted found, ReadBack& result)
{
    check("camera ", meant.cameras, std::move(found.cameras), result);
    check("light ", meant.lights, std::move(found.lights), result);
}

} // namespace tendon

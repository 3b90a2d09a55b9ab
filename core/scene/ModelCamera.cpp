#include "core/scene/ModelAsset.h"

#include <cmath>

namespace tendon {
namespace {

bool isPositive(double number) { return number > 0 && std::isfinite(number); }

bool isUsable(const Mount& mount) { return mount.jointFromMount.matrix().allFinite(); }

} // namespace

bool isUsable(const ModelCamera& camera)
{
    const bool isFlat = camera.projection == ModelCamera::Projection::Orthographic;
    const bool hasSize = isFlat
                             ? isPositive(camera.halfHeight) && camera.nearPlane >= 0 && std::isfinite(camera.farPlane)
                             : camera.fieldOfView > 0 && camera.fieldOfView < std::numbers::pi && camera.nearPlane > 0;
    return isUsable(camera.mount) && hasSize && camera.aspect >= 0 && std::isfinite(camera.aspect) &&
           std::isfinite(camera.nearPlane) && camera.farPlane > camera.nearPlane;
}

bool isUsable(const ModelLight& light)
{
    const bool hasCone = light.kind != ModelLight::Kind::Spot ||
                         (light.innerCone >= 0 && light.innerCone <= light.outerCone && light.outerCone > 0 &&
                          light.outerCone <= std::numbers::pi / 2);
    return isUsable(light.mount) && hasCone && light.colour.allFinite() && (light.colour.array() >= 0).all() &&
           light.intensity >= 0 && std::isfinite(light.intensity) && light.range > 0;
}

void multiplyLengths(ModelCamera& camera, double factor)
{
    camera.mount.jointFromMount.translation() *= factor;
    camera.halfHeight *= factor;
    camera.nearPlane *= factor;
    camera.farPlane *= factor;
}

void multiplyLengths(ModelLight& light, double factor)
{
    light.mount.jointFromMount.translation() *= factor;
    light.range *= factor;
}

void multiplyLengths(ModelEmpty& empty, double factor) { empty.mount.jointFromMount.translation() *= factor; }

std::vector<Mount*> mountsOf(ModelAsset& model)
{
    std::vector<Mount*> mounts;
    for (ModelCamera& camera : model.cameras) mounts.push_back(&camera.mount);
    for (ModelLight& light : model.lights) mounts.push_back(&light.mount);
    for (ModelEmpty& empty : model.empties) mounts.push_back(&empty.mount);
    return mounts;
}

} // namespace tendon

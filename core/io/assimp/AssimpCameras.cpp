#include "core/io/assimp/SceneNodes.h"
#include "core/math/Degrees.h"
#include "core/math/FieldOfView.h"

#include <algorithm>
#include <cmath>

namespace tendon::assimp {
namespace {

/// What looks from `position` along `direction`, as a mount looks along -Z.
Affine lookingFrom(const aiVector3D& position, const aiVector3D& direction, const aiVector3D& up)
{
    Affine nodeFromLens = Affine::Identity();
    nodeFromLens.linear().col(1) = vectorOf(up);
    nodeFromLens.linear().col(2) = -vectorOf(direction);
    nodeFromLens.translation() = vectorOf(position);
    return withoutScale(nodeFromLens);
}

/// Of the height of the picture [rad]; 0 when Assimp has none.
double fieldOfViewOf(const aiCamera& camera)
{
    // A COLLADA camera that states only the angle of the height is left with Assimp's default, taken for degrees.
    const double none = radians(std::numbers::pi / 4), horizontal = static_cast<double>(camera.mHorizontalFOV);
    if (std::abs(horizontal - none) < 1e-6) return 0;
    return camera.mAspect > 0 ? fieldOfViewAcross(horizontal, 1 / static_cast<double>(camera.mAspect)) : horizontal;
}

ModelCamera cameraOf(const aiCamera& from)
{
    ModelCamera camera;
    camera.name = from.mName.C_Str();
    camera.mount.jointFromMount = lookingFrom(from.mPosition, from.mLookAt, from.mUp);
    camera.aspect = static_cast<double>(from.mAspect);
    camera.nearPlane = static_cast<double>(from.mClipPlaneNear);
    camera.farPlane = static_cast<double>(from.mClipPlaneFar);
    camera.fieldOfView = fieldOfViewOf(from);
    if (from.mOrthographicWidth > 0) {
        camera.projection = ModelCamera::Projection::Orthographic;
        camera.halfHeight = static_cast<double>(from.mOrthographicWidth) / (camera.aspect > 0 ? camera.aspect : 1);
    }
    return camera;
}

/// Precondition: it is directional, a point or a spot. COLLADA's only angle is where the light ends; Assimp tells it as the
/// inner one and makes an outer one up.
ModelLight lightOf(const aiLight& from, bool hasOneAngle)
{
    ModelLight light;
    light.name = from.mName.C_Str();
    light.kind = from.mType == aiLightSource_DIRECTIONAL ? ModelLight::Kind::Directional
                 : from.mType == aiLightSource_SPOT      ? ModelLight::Kind::Spot
                                                         : ModelLight::Kind::Point;
    const bool hasDirection = light.kind != ModelLight::Kind::Point;
    light.mount.jointFromMount = lookingFrom(from.mPosition, hasDirection ? from.mDirection : aiVector3D(0, 0, -1), hasDirection ? from.mUp : aiVector3D(0, 1, 0));
    const aiColor3D& colour = from.mColorDiffuse; // times the intensity
    const float brightest = std::max({colour.r, colour.g, colour.b});
    light.intensity = static_cast<double>(brightest);
    if (brightest > 0) light.colour = Eigen::Vector3f(colour.r, colour.g, colour.b) / brightest;
    const auto half = [](float cone) { return std::min(static_cast<double>(cone), std::numbers::pi) / 2; };
    light.outerCone = half(hasOneAngle ? from.mAngleInnerCone : from.mAngleOuterCone);
    light.innerCone = std::min(half(from.mAngleInnerCone), light.outerCone);
    return light;
}

} // namespace

void readCamerasAndLights(const aiScene& scene, const SceneNodes& nodes, SourceModel& model)
{
    for (unsigned c = 0; c < scene.mNumCameras; ++c)
        if (const std::int32_t node = nodes.find(scene.mCameras[c]->mName); node >= 0) model.cameras.push_back({node, cameraOf(*scene.mCameras[c])});
    for (unsigned l = 0; l < scene.mNumLights; ++l) {
        const aiLight& light = *scene.mLights[l];
        const std::int32_t node = nodes.find(light.mName);
        const bool isKnown = light.mType == aiLightSource_DIRECTIONAL || light.mType == aiLightSource_POINT || light.mType == aiLightSource_SPOT;
        if (node >= 0 && isKnown) model.lights.push_back({node, lightOf(light, model.format == "dae")});
        else if (node >= 0) model.issues.push_back({Severity::Info, "shines from everywhere or from an area, which is not kept", "light " + std::string(light.mName.C_Str())});
    }
}

} // namespace tendon::assimp

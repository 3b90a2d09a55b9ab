#include "core/io/readers/fbx/FbxLens.h"

#include "core/math/Degrees.h"
#include "core/math/FieldOfView.h"

#include <algorithm>
#include <cmath>

namespace tendon::fbx {
namespace {

constexpr double kMillimetresPerInch = 25.4;

/// Of the height of the picture. [rad]
double fieldOfViewOf(const Object& camera, double aspect)
{
    enum ApertureMode { BothSides, Horizontal, Vertical, FocalLength };
    constexpr int kGateFitHorizontal = 2;
    const double filmWidth = camera.number("FilmWidth", 0.816),
                 filmHeight = camera.number("FilmHeight", 0.612); // [inch]
    const double heightOverWidth = aspect > 0 ? 1 / aspect : filmHeight / filmWidth;
    const double stated = radians(camera.number("FieldOfView", 25.114999771118164));
    switch (camera.choice("ApertureMode", Vertical)) {
    case BothSides: return radians(camera.number("FieldOfViewY", 40));
    case Horizontal: return fieldOfViewAcross(stated, heightOverWidth);
    case FocalLength: {
        const double twiceFocal = 2 * camera.number("FocalLength", 34.89327621672628) / kMillimetresPerInch;
        const bool fitsWidth = camera.choice("GateFit", 0) == kGateFitHorizontal;
        return fitsWidth ? fieldOfViewAcross(2 * std::atan(filmWidth / twiceFocal), heightOverWidth)
                         : 2 * std::atan(filmHeight / twiceFocal);
    }
    default: return stated;
    }
}

Affine nodeFromLens(const Vector3& looksAlong, const Vector3& up)
{
    Affine nodeFromLens = Affine::Identity();
    nodeFromLens.linear() << looksAlong.cross(up), up, -looksAlong;
    return nodeFromLens;
}

} // namespace

ModelCamera cameraOf(const Object& attribute)
{
    ModelCamera camera;
    camera.mount.jointFromMount = nodeFromLens(Vector3::UnitX(), Vector3::UnitY());
    const double width = attribute.number("AspectWidth", 0), height = attribute.number("AspectHeight", 0);
    camera.aspect = width > 0 && height > 0 ? width / height : 0;
    camera.farPlane = attribute.number("FarPlane", 4000);
    camera.nearPlane = std::max(attribute.number("NearPlane", 10), 0.0); // some programs look behind their cameras
    if (attribute.choice("CameraProjectionType", 0) == 1) {
        camera.projection = ModelCamera::Projection::Orthographic;
        camera.halfHeight = attribute.number("OrthoZoom", 1) / 2 /
                            std::max(camera.aspect, 1.0); // that is the longer side
    } else {
        constexpr double kNearest = 1e-6; // of the far plane
        camera.nearPlane = std::max(camera.nearPlane, kNearest * camera.farPlane);
        camera.fieldOfView = fieldOfViewOf(attribute, camera.aspect);
    }
    return camera;
}

bool isPunctual(const Object& attribute) { return attribute.choice("LightType", 0) <= 2; }

ModelLight lightOf(const Object& attribute)
{
    static constexpr ModelLight::Kind kKinds[] = {ModelLight::Kind::Point, ModelLight::Kind::Directional,
                                                  ModelLight::Kind::Spot};
    ModelLight light;
    light.mount.jointFromMount = nodeFromLens(-Vector3::UnitY(), Vector3::UnitZ());
    light.kind = kKinds[attribute.choice("LightType", 0)];
    light.colour = attribute.vector("Color", Vector3::Ones()).cast<float>();
    light.intensity = attribute.number("Intensity", 100) / 100;
    if (attribute.choice("EnableFarAttenuation", 0) != 0)
        light.range = attribute.number("FarAttenuationEnd", light.range);
    // Both angles are of the whole cone; older files call them otherwise.
    light.outerCone = std::min(radians(attribute.number("OuterAngle", attribute.number("Cone angle", 45))),
                               std::numbers::pi) /
                      2;
    light.innerCone = std::min(radians(attribute.number("InnerAngle", attribute.number("HotSpot", 0))) / 2,
                               light.outerCone);
    return light;
}

} // namespace tendon::fbx

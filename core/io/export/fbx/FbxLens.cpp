#include "core/io/export/fbx/FbxScene.h"
#include "core/math/Degrees.h"
#include "core/math/FieldOfView.h"

#include <algorithm>
#include <cmath>

namespace tendon::fbx {
namespace {

constexpr double kMillimetres = 1 / 25.4; ///< [inch]

Node& addLens(Objects& objects, std::string_view name, std::string_view kind, std::int64_t model)
{
    Node& attribute = objects.add("NodeAttribute", name, "NodeAttribute", kind);
    objects.connect(objects.lastId(), model);
    attribute.add("TypeFlags", kind);
    attribute.add("GeometryVersion", 124);
    return attribute;
}

} // namespace

void addCamera(Objects& objects, const ModelCamera& camera, std::string_view name, std::int64_t model)
{
    // Some readers want a shape of the picture, some take the field of view, others the focal length - three.js of a
    // film whose longer side is 35 mm, whatever the file says of it.
    constexpr double kUsualAspect = 16.0 / 9, kFilm = 35, kFarthest = 1e5; // times the near plane
    const double aspect = camera.aspect > 0 ? camera.aspect : kUsualAspect;
    const double filmHeight = kFilm / std::max(aspect, 1.0);
    Node& attribute = addLens(objects, name, "Camera", model);
    Properties properties(attribute);
    properties.number("AspectWidth", 1000 * aspect)
        .number("AspectHeight", 1000)
        .number("FilmWidth", filmHeight * aspect * kMillimetres)
        .number("FilmHeight", filmHeight * kMillimetres)
        .number("FilmAspectRatio", aspect)
        .number("NearPlane", camera.nearPlane)
        .number("FarPlane", std::isfinite(camera.farPlane) ? camera.farPlane : kFarthest * camera.nearPlane);
    if (camera.projection == ModelCamera::Projection::Orthographic) {
        properties.choice("CameraProjectionType", 1).number("OrthoZoom", 2 * camera.halfHeight * std::max(aspect, 1.0));
        return;
    }
    constexpr std::int32_t kVerticalAperture = 2; // FieldOfView is that of the height
    properties.choice("CameraProjectionType", 0)
        .choice("ApertureMode", kVerticalAperture)
        .animated("FieldOfView", degrees(camera.fieldOfView))
        .animated("FieldOfViewX", degrees(fieldOfViewAcross(camera.fieldOfView, aspect)))
        .animated("FieldOfViewY", degrees(camera.fieldOfView))
        .animated("FocalLength", filmHeight / (2 * std::tan(camera.fieldOfView / 2)));
}

void addLight(Objects& objects, const ModelLight& light, std::string_view name, std::int64_t model)
{
    constexpr std::int32_t kPoint = 0, kDirectional = 1, kSpot = 2, kNoDecay = 0, kQuadraticDecay = 2;
    const bool isFromAfar = light.kind == ModelLight::Kind::Directional;
    const Vector3 colour = light.colour.cast<double>();
    Node& attribute = addLens(objects, name, "Light", model);
    Properties properties(attribute);
    properties.choice("LightType", isFromAfar                             ? kDirectional
                                   : light.kind == ModelLight::Kind::Spot ? kSpot
                                                                          : kPoint)
        .flag("CastLight", true)
        .vector("Color", "Color", colour[0], colour[1], colour[2])
        .animated("Intensity", 100 * light.intensity) // per cent, of no unit
        .choice("DecayType", isFromAfar ? kNoDecay : kQuadraticDecay)
        .flag("EnableFarAttenuation", std::isfinite(light.range));
    if (std::isfinite(light.range)) properties.number("FarAttenuationEnd", light.range);
    if (light.kind == ModelLight::Kind::Spot)
        properties.animated("InnerAngle", degrees(2 * light.innerCone))
            .animated("OuterAngle", degrees(2 * light.outerCone));
}

} // namespace tendon::fbx

#include "core/io/readers/gltf/Parts.h"

#include <cmath>

namespace tendon::gltf {
namespace {

constexpr const char* kLights = "KHR_lights_punctual";

ModelCamera readCamera(const Fields& fields)
{
    static const Json none = Json::object();
    ModelCamera camera;
    camera.name = fields.text("name");
    const std::string type = fields.text("type");
    const Json* lens = fields.object(type.c_str());
    const Fields of = fields.inside(lens == nullptr ? none : *lens, type);
    camera.nearPlane = of.number("znear", 0);
    camera.farPlane = of.number("zfar", camera.farPlane);
    if (type == "orthographic") {
        camera.projection = ModelCamera::Projection::Orthographic;
        camera.halfHeight = std::abs(of.number("ymag", 0));
        camera.aspect = std::abs(of.number("xmag", 0)) / camera.halfHeight;
    } else {
        camera.fieldOfView = of.number("yfov", 0);
        camera.aspect = of.number("aspectRatio", 0);
    }
    return camera;
}

ModelLight readLight(const Fields& fields)
{
    ModelLight light;
    light.name = fields.text("name");
    const std::string type = fields.text("type", true);
    if (type == "directional")
        light.kind = ModelLight::Kind::Directional;
    else if (type == "spot")
        light.kind = ModelLight::Kind::Spot;
    else if (type != "point")
        fields.fail("\"type\" must be directional, point or spot");
    if (const auto colour = fields.numbers("color", 3); !colour.empty())
        light.colour = Vector3(colour.data()).cast<float>();
    light.intensity = fields.number("intensity", light.intensity);
    light.range = fields.number("range", light.range);
    if (const Json* spot = fields.object("spot")) {
        const Fields cone = fields.inside(*spot, "spot");
        light.innerCone = cone.number("innerConeAngle", light.innerCone);
        light.outerCone = cone.number("outerConeAngle", light.outerCone);
    }
    return light;
}

/// What an object has of the extension for lights, or null.
const Json* lightsExtension(const Fields& object)
{
    const Json* extensions = object.object("extensions");
    return extensions == nullptr ? nullptr : object.inside(*extensions, "extensions").object(kLights);
}

} // namespace

void readCamerasAndLights(const Fields& root, SourceModel& model)
{
    std::vector<ModelCamera> cameras;
    for (const Json& json : root.objects("cameras"))
        cameras.push_back(readCamera(root.inside(json, "camera " + std::to_string(cameras.size()))));
    std::vector<ModelLight> lights;
    if (const Json* extension = lightsExtension(root))
        for (const Json& json : root.inside(*extension, kLights).objects("lights"))
            lights.push_back(readLight(root.inside(json, "light " + std::to_string(lights.size()))));

    const Json& nodes = root.objects("nodes");
    for (std::size_t n = 0; n < nodes.size() && !root.problem(); ++n) {
        const Fields node = root.inside(nodes[n], "node " + std::to_string(n));
        const Json* extension = lightsExtension(node);
        const std::int64_t camera = node.index("camera", cameras.size());
        const std::int64_t light = extension == nullptr
                                       ? -1
                                       : node.inside(*extension, kLights).index("light", lights.size());
        const SourceNode& source = model.nodes[n];
        if (!source.isInScene) continue;
        const auto add = [&](auto& list, auto seen) { // the node's name is the one that people know
            if (!source.name.empty()) seen.name = source.name;
            list.push_back({static_cast<std::int32_t>(n), std::move(seen)});
        };
        if (camera >= 0) add(model.cameras, cameras[static_cast<std::size_t>(camera)]);
        if (light >= 0) add(model.lights, lights[static_cast<std::size_t>(light)]);
    }
}

} // namespace tendon::gltf

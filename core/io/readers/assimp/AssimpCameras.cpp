#include "core/io/readers/assimp/ColladaText.h"
#include "core/io/readers/assimp/SceneNodes.h"
#include "core/math/Degrees.h"
#include "core/math/FieldOfView.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

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

ModelCamera cameraOf(const aiCamera& from)
{
    ModelCamera camera;
    camera.name = from.mName.C_Str();
    camera.mount.jointFromMount = lookingFrom(from.mPosition, from.mLookAt, from.mUp);
    camera.aspect = static_cast<double>(from.mAspect);
    camera.nearPlane = static_cast<double>(from.mClipPlaneNear);
    camera.farPlane = static_cast<double>(from.mClipPlaneFar);
    const auto acrossWidth = static_cast<double>(from.mHorizontalFOV);
    camera.fieldOfView = camera.aspect > 0 ? fieldOfViewAcross(acrossWidth, 1 / camera.aspect) : acrossWidth;
    if (from.mOrthographicWidth > 0) {
        camera.projection = ModelCamera::Projection::Orthographic;
        camera.halfHeight = static_cast<double>(from.mOrthographicWidth) / (camera.aspect > 0 ? camera.aspect : 1);
    }
    return camera;
}

/// Precondition: it is directional, a point or a spot. COLLADA's only angle is where the light ends; Assimp tells it as
/// the inner one and makes an outer one up.
ModelLight lightOf(const aiLight& from, bool hasOneAngle)
{
    ModelLight light;
    light.name = from.mName.C_Str();
    light.kind = from.mType == aiLightSource_DIRECTIONAL ? ModelLight::Kind::Directional
                 : from.mType == aiLightSource_SPOT      ? ModelLight::Kind::Spot
                                                         : ModelLight::Kind::Point;
    const bool hasDirection = light.kind != ModelLight::Kind::Point;
    light.mount.jointFromMount = lookingFrom(from.mPosition, hasDirection ? from.mDirection : aiVector3D(0, 0, -1),
                                             hasDirection ? from.mUp : aiVector3D(0, 1, 0));
    const aiColor3D& colour = from.mColorDiffuse; // times the intensity
    const float brightest = std::max({colour.r, colour.g, colour.b});
    light.intensity = static_cast<double>(brightest);
    if (brightest > 0) light.colour = Eigen::Vector3f(colour.r, colour.g, colour.b) / brightest;
    const auto half = [](float cone) { return std::min(static_cast<double>(cone), std::numbers::pi) / 2; };
    light.outerCone = half(hasOneAngle ? from.mAngleInnerCone : from.mAngleOuterCone);
    light.innerCone = std::min(half(from.mAngleInnerCone), light.outerCone);
    return light;
}

/// Which camera nodes have: the address of it, "#id", by the node's name.
std::map<std::string_view, std::string_view> camerasOfNodes(std::string_view text)
{
    std::map<std::string_view, std::string_view> cameras;
    std::vector<std::string_view> path;
    for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
        const std::string_view tag = text.substr(at, text.find('>', at) - at);
        if (tag.starts_with("</node")) {
            if (!path.empty()) path.pop_back();
        } else if (tag.starts_with("<node") && !tag.ends_with("/")) {
            path.push_back(attribute(tag, "node", " name"));
        } else if (tag.starts_with("<instance_camera") && !path.empty()) {
            cameras.emplace(path.back(), attribute(tag, "instance_camera", "url"));
        }
    }
    return cameras;
}

/// The number in an element such as <yfov sid="y">60</yfov>; 0 when it is not there.
double numberIn(std::string_view text, std::string_view element)
{
    const std::size_t begin = text.find("<" + std::string(element));
    const std::size_t digits = begin == text.npos ? begin : text.find_first_of("0123456789.-", text.find('>', begin));
    double number = 0;
    if (digits != text.npos) std::from_chars(text.data() + digits, text.data() + text.size(), number);
    return number;
}

std::string_view opticsOf(std::string_view text, std::string_view address)
{
    for (std::size_t at = text.find("<camera "); at != text.npos; at = text.find("<camera ", at + 1)) {
        const std::string_view camera = text.substr(at, text.find("</camera>", at) - at);
        if (address == "#" + std::string(attribute(camera, "camera", " id"))) return camera;
    }
    return {};
}

} // namespace

void readColladaOptics(std::span<const std::uint8_t> file, SourceModel& model)
{
    if (model.cameras.empty()) return;
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    const auto addresses = camerasOfNodes(text);
    for (auto& [node, camera] : model.cameras) {
        const auto address = addresses.find(model.nodes[static_cast<std::size_t>(node)].name);
        const std::string_view optics = address == addresses.end() ? std::string_view()
                                                                   : opticsOf(text, address->second);
        if (optics.empty()) continue; // then as Assimp has it
        const bool isFlat = optics.find("<orthographic") != optics.npos;
        const double aspect = numberIn(optics, "aspect_ratio");
        // half of the picture, or the tangent of half its angle
        const double across = isFlat ? numberIn(optics, "xmag") : std::tan(radians(numberIn(optics, "xfov")) / 2);
        const double upright = isFlat ? numberIn(optics, "ymag") : std::tan(radians(numberIn(optics, "yfov")) / 2);
        camera.projection = isFlat ? ModelCamera::Projection::Orthographic : ModelCamera::Projection::Perspective;
        camera.aspect = aspect > 0 ? aspect : across > 0 && upright > 0 ? across / upright : 0;
        camera.halfHeight = upright > 0 ? upright : camera.aspect > 0 ? across / camera.aspect : across;
        if (!isFlat) camera.fieldOfView = 2 * std::atan(std::exchange(camera.halfHeight, 1));
    }
}

void readCamerasAndLights(const aiScene& scene, const SceneNodes& nodes, SourceModel& model)
{
    for (unsigned c = 0; c < scene.mNumCameras; ++c)
        if (const std::int32_t node = nodes.find(scene.mCameras[c]->mName); node >= 0)
            model.cameras.push_back({node, cameraOf(*scene.mCameras[c])});
    for (unsigned l = 0; l < scene.mNumLights; ++l) {
        const aiLight& light = *scene.mLights[l];
        const std::int32_t node = nodes.find(light.mName);
        if (node < 0) continue;
        if (light.mType == aiLightSource_DIRECTIONAL || light.mType == aiLightSource_POINT ||
            light.mType == aiLightSource_SPOT)
            model.lights.push_back({node, lightOf(light, model.format == "dae")});
        else
            model.issues.push_back({Severity::Info, "is an ambient or area light, which is not imported",
                                    "light " + std::string(light.mName.C_Str())});
    }
}

} // namespace tendon::assimp

#include "core/io/model/Intermediate.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace tendon {
namespace {

bool areFinite(const std::vector<double>& numbers)
{
    return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

template <typename Vector>
bool allFinite(const std::vector<Vector>& vectors)
{
    return std::all_of(vectors.begin(), vectors.end(), [](const Vector& v) { return v.allFinite(); });
}

bool isIn(std::int32_t index, std::size_t count) { return index >= 0 && static_cast<std::size_t>(index) < count; }
bool isInOrNone(std::int32_t index, std::size_t count) { return index == -1 || isIn(index, count); }

/// Null when all is well, else what is not.
using Fault = const char*;

Fault faultOf(const SourceNode& node, std::size_t nodeCount)
{
    if (!isUtf8(node.name)) return "a name is not UTF-8";
    if (!isInOrNone(node.parent, nodeCount)) return "a parent does not exist";
    for (const LocalTransform* local : {&node.local, &node.pose}) {
        if (!local->translation.allFinite() || !local->scale.allFinite() || !local->rotation.coeffs().allFinite())
            return "a transform is not finite";
        if (std::abs(local->rotation.norm() - 1) > 1e-6) return "a rotation is not a unit quaternion";
    }
    return nullptr;
}

bool hasCycle(const std::vector<SourceNode>& nodes)
{
    std::vector<std::uint8_t> state(nodes.size(), 0); // 1 on the way up, 2 known to lead to a root
    for (std::size_t start = 0; start < nodes.size(); ++start) {
        std::vector<std::size_t> path;
        for (auto at = static_cast<std::int32_t>(start); at >= 0; at = nodes[static_cast<std::size_t>(at)].parent) {
            std::uint8_t& seen = state[static_cast<std::size_t>(at)];
            if (seen == 2) break;
            if (seen == 1) return true;
            seen = 1;
            path.push_back(static_cast<std::size_t>(at));
        }
        for (const std::size_t node : path) state[node] = 2;
    }
    return false;
}

Fault faultOfSkin(const SourceMesh& source, std::size_t nodeCount)
{
    const Skin& skin = source.mesh.skin;
    if (skin.jointFromMesh.size() != source.jointNodes.size()) return "a skin lacks bind matrices";
    if (source.jointNodes.size() > limits::kJoints) return "a skin has too many joints";
    for (const std::int32_t node : source.jointNodes)
        if (!isIn(node, nodeCount)) return "a skin's joint does not exist";
    for (const Affine& matrix : skin.jointFromMesh)
        if (!matrix.matrix().allFinite() || matrix.matrix().row(3) != Eigen::RowVector4d(0, 0, 0, 1))
            return "a bind matrix is invalid";
    if (source.jointNodes.empty() != skin.influenceBegin.empty()) return "a skin lacks influences";
    if (skin.influenceBegin.empty())
        return skin.influenceJoint.empty() && skin.influenceWeight.empty() ? nullptr
                                                                           : "a mesh without a skin has influences";
    if (skin.influenceBegin.size() != source.mesh.positions.size() + 1 || skin.influenceBegin.front() != 0 ||
        skin.influenceBegin.back() != skin.influenceJoint.size() ||
        skin.influenceWeight.size() != skin.influenceJoint.size() ||
        !std::is_sorted(skin.influenceBegin.begin(), skin.influenceBegin.end()))
        return "the influences do not match the vertices";
    for (const std::uint16_t joint : skin.influenceJoint)
        if (joint >= source.jointNodes.size()) return "an influence refers to a joint that does not exist";
    for (const float weight : skin.influenceWeight)
        if (!(weight > 0) || !std::isfinite(weight)) return "a weight is not a positive number";
    return nullptr;
}

Fault faultOf(const SourceMesh& source, const SourceModel& model)
{
    const Mesh& mesh = source.mesh;
    const std::size_t vertices = mesh.positions.size();
    const auto fits = [vertices](const auto& attribute) { return attribute.empty() || attribute.size() == vertices; };
    if (!isUtf8(mesh.name)) return "a name is not UTF-8";
    if (!isIn(source.node, model.nodes.size())) return "a mesh has no node";
    if (!isInOrNone(mesh.material, model.materials.size())) return "a material does not exist";
    if (!fits(mesh.normals) || !fits(mesh.textureCoordinates) || !fits(mesh.colours))
        return "attributes have different numbers of vertices";
    if (!allFinite(mesh.positions) || !allFinite(mesh.normals) || !allFinite(mesh.textureCoordinates) ||
        !allFinite(mesh.colours))
        return "a vertex is not finite";
    if (mesh.indices.size() % 3 != 0) return "a triangle is incomplete";
    for (const std::uint32_t index : mesh.indices)
        if (index >= vertices) return "a triangle refers to a vertex that does not exist";
    for (const MorphTarget& target : mesh.morphTargets)
        if (!isUtf8(target.name) || !std::isfinite(target.restWeight) || target.positionDeltas.size() != vertices ||
            !fits(target.normalDeltas) || !allFinite(target.positionDeltas) || !allFinite(target.normalDeltas))
            return "a morph target does not match its mesh";
    return faultOfSkin(source, model.nodes.size());
}

Fault faultOf(const Material& m, std::size_t textures)
{
    if (!isUtf8(m.name)) return "a name is not UTF-8";
    if (!m.baseColour.allFinite() || !m.emissive.allFinite() || !std::isfinite(m.metallic) ||
        !std::isfinite(m.roughness))
        return "a colour is not finite";
    if (!std::isfinite(m.normalScale) || !std::isfinite(m.occlusionStrength) || !std::isfinite(m.alphaCutoff))
        return "a texture's strength is not finite";
    for (const std::int32_t texture :
         {m.baseColourTexture, m.normalTexture, m.metallicRoughnessTexture, m.emissiveTexture, m.occlusionTexture})
        if (!isInOrNone(texture, textures)) return "a texture does not exist";
    return nullptr;
}

Fault faultOf(const SourceChannel& channel, std::size_t nodeCount)
{
    if (!isIn(channel.node, nodeCount)) return "a channel's node does not exist";
    if (channel.path > SourcePath::Scale || channel.interpolation > SourceInterpolation::Cubic)
        return "a channel has an unknown kind";
    const std::size_t perKey = (channel.path == SourcePath::Rotation ? 4 : 3) *
                               (channel.interpolation == SourceInterpolation::Cubic ? 3 : 1);
    if (channel.times.empty() || channel.values.size() != channel.times.size() * perKey) return "keys lack values";
    if (!areFinite(channel.times) || !areFinite(channel.values)) return "a key is not finite";
    if (!std::is_sorted(channel.times.begin(), channel.times.end())) return "keys are out of order";
    if (std::max(std::abs(channel.times.front()), std::abs(channel.times.back())) > limits::kLastSecond)
        return "a key is too far away";
    if (channel.path != SourcePath::Rotation) return nullptr;
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
        const double* q = channel.values.data() + k * perKey + (perKey == 12 ? 4 : 0);
        if (std::abs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) > 1e-6)
            return "a rotation key is not a unit quaternion";
    }
    return nullptr;
}

Fault faultOf(const MorphCurve& channel, const std::vector<SourceMesh>& meshes)
{
    if (!isIn(channel.mesh, meshes.size()) ||
        !isIn(channel.target, meshes[static_cast<std::size_t>(channel.mesh)].mesh.morphTargets.size()))
        return "a channel's morph target does not exist";
    if (channel.times.empty() || channel.weights.size() != channel.times.size()) return "keys lack values";
    if (!areFinite(channel.times) || !areFinite(channel.weights)) return "a key is not finite";
    if (!std::is_sorted(channel.times.begin(), channel.times.end())) return "keys are out of order";
    if (std::max(std::abs(channel.times.front()), std::abs(channel.times.back())) > limits::kLastSecond)
        return "a key is too far away";
    return nullptr;
}

Fault faultOf(const SourceFreedoms& freedoms, std::size_t nodeCount)
{
    if (!isIn(freedoms.node, nodeCount)) return "a moving node does not exist";
    for (const auto* axes : {&freedoms.turning, &freedoms.sliding})
        for (const AxisFreedom& axis : *axes)
            if (!std::isfinite(axis.from) || !std::isfinite(axis.to)) return "a limit is not finite";
    for (const double speed : {freedoms.turningSpeed, freedoms.slidingSpeed})
        if (!std::isfinite(speed) || speed < 0) return "a speed limit is invalid";
    const Segment& segment = freedoms.segment;
    if (segment.shape < Segment::Shape::None || segment.shape > Segment::Shape::Cone || !segment.size.allFinite() ||
        (segment.size.array() < 0).any() || !segment.offset.allFinite() || !segment.rotation.coeffs().allFinite() ||
        std::abs(segment.rotation.norm() - 1) > 1e-6 || !std::isfinite(segment.mass) || segment.mass < 0)
        return "a segment is invalid";
    return nullptr;
}

/// Of a camera or a light.
template <typename Mounted>
Fault faultOf(std::int32_t node, const Mounted& mounted, std::size_t nodeCount)
{
    if (!isIn(node, nodeCount)) return "a camera or a light has no node";
    if (!isUtf8(mounted.name)) return "a name is not UTF-8";
    return isUsable(mounted) ? nullptr : "a camera or a light is invalid";
}

constexpr Fault kTooLarge =
    "the model is too large: more than 16 million vertices (as FBX counts them: one for each corner of "
    "a triangle), 16 million triangles or 20 million keys";

Fault faultOf(const SourceModel& model)
{
    if (model.format.empty() ||
        model.format.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") != std::string::npos)
        return "the format is invalid";
    const std::size_t nodes = model.nodes.size();
    if (nodes == 0 || nodes > limits::kNodes || model.meshes.size() > limits::kMeshes)
        return "counts are beyond the limits";
    if (!(model.metresPerUnit > 0) || !std::isfinite(model.metresPerUnit) || model.upAxis < 0 || model.upAxis > 2)
        return "the unit or the up axis is invalid";
    if (!(model.framesPerSecond >= 0) || model.framesPerSecond > 1e6) return "the frame rate is invalid";
    for (const SourceNode& node : model.nodes)
        if (Fault fault = faultOf(node, nodes)) return fault;
    if (hasCycle(model.nodes)) return "a node is its own ancestor";
    for (const std::int32_t joint : model.skinJoints)
        if (!isIn(joint, nodes)) return "a joint does not exist";
    for (const SourceFreedoms& freedoms : model.freedoms)
        if (Fault fault = faultOf(freedoms, nodes)) return fault;
    std::set<std::string> roles;
    std::set<std::int32_t> nodesWithRoles;
    for (const SourceRole& role : model.roles) {
        const bool isWord = !role.role.empty() && role.role.size() <= 60 &&
                            std::all_of(role.role.begin(), role.role.end(),
                                        [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
        if (!isWord || !isIn(role.node, nodes)) return "a role is invalid";
        if (!roles.insert(role.role).second || !nodesWithRoles.insert(role.node).second) return "a role is given twice";
    }
    std::size_t vertices = 0, indices = 0, keys = 0;
    for (const SourceMesh& mesh : model.meshes) {
        if (Fault fault = faultOf(mesh, model)) return fault;
        vertices += mesh.mesh.positions.size();
        indices += mesh.mesh.indices.size();
    }
    for (const Material& material : model.materials)
        if (Fault fault = faultOf(material, model.textures.size())) return fault;
    for (const Texture& texture : model.textures)
        if (!isUtf8(texture.name) || !isUtf8(texture.mimeType)) return "a name is not UTF-8";
    for (const auto& [node, camera] : model.cameras) {
        if (camera.projection > ModelCamera::Projection::Orthographic) return "a camera has an unknown kind";
        if (Fault fault = faultOf(node, camera, nodes)) return fault;
    }
    for (const auto& [node, light] : model.lights) {
        if (light.kind > ModelLight::Kind::Spot) return "a light has an unknown kind";
        if (Fault fault = faultOf(node, light, nodes)) return fault;
    }
    for (const SourceAnimation& animation : model.animations) {
        if (!isUtf8(animation.name)) return "a name is not UTF-8";
        for (const SourceChannel& channel : animation.channels) {
            if (Fault fault = faultOf(channel, nodes)) return fault;
            keys += channel.times.size();
        }
        for (const MorphCurve& channel : animation.morphs) {
            if (Fault fault = faultOf(channel, model.meshes)) return fault;
            keys += channel.times.size();
        }
    }
    if (vertices > limits::kVertices || indices > limits::kIndices || keys > limits::kKeys) return kTooLarge;
    for (const Issue& issue : model.issues)
        if (!isUtf8(issue.text) || !isUtf8(issue.where) || issue.severity > Severity::Error)
            return "a message is not UTF-8";
    return nullptr;
}

} // namespace

bool isUtf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return false;
        std::uint32_t code = lead & (0xFFu >> (length + 1));
        for (std::size_t k = 1; k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            if ((next & 0xC0) != 0x80) return false;
            code = code << 6 | (next & 0x3Fu);
        }
        constexpr std::uint32_t kMinCodePoint[] = {0, 0, 0x80, 0x800, 0x10000};
        if (code < kMinCodePoint[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
        i += length;
    }
    return true;
}

Result<void> check(const SourceModel& model)
{
    const Fault fault = faultOf(model);
    if (fault == kTooLarge) return Error{ErrorCode::LimitExceeded, fault, ""};
    if (fault != nullptr)
        return Error{ErrorCode::Internal, std::string("the reader returned inconsistent data: ") + fault, ""};
    return {};
}

} // namespace tendon

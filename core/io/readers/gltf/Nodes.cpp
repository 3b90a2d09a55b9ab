#include "core/io/readers/gltf/Parts.h"
#include "core/math/Convert.h"

#include <algorithm>
#include <cmath>

namespace tendon::gltf {
namespace {

constexpr double kFarthest = 1e9;       ///< [m] and as a factor: what is beyond is no model but damage
constexpr double kUnitTolerance = 1e-3; ///< a quaternion this far from length 1 is worth a word

std::string nodePlace(std::size_t index) { return "node " + std::to_string(index); }

void checkReach(const Fields& node, const LocalTransform& local)
{
    if (local.translation.cwiseAbs().maxCoeff() > kFarthest) node.fail("is more than 1e9 m from its parent");
    if (local.scale.cwiseAbs().maxCoeff() > kFarthest) node.fail("is scaled by more than 1e9");
}

LocalTransform fromMatrix(const Fields& node, const std::vector<double>& m, Issues& issues)
{
    Affine matrix = Affine::Identity();
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 3; ++r) matrix(r, c) = m[static_cast<std::size_t>(c * 4 + r)];
    const double size = matrix.linear().cwiseAbs().maxCoeff();
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) node.fail("the last row of \"matrix\" is not 0 0 0 1");
    if (!(std::abs(matrix.linear().determinant()) > 1e-12 * size * size * size)) {
        node.fail("\"matrix\" flattens space");
        return {};
    }
    const LocalTransform local = decompose(matrix);
    if (!local.parentFromJoint().matrix().isApprox(matrix.matrix(), 1e-5))
        issues.push_back(
            {Severity::Warning, "its matrix shears, which a joint cannot hold; the shear was dropped", node.place()});
    return local;
}

LocalTransform readTransform(const Fields& node, Issues& issues)
{
    const std::vector<double> matrix = node.numbers("matrix", 16);
    const std::vector<double> translation = node.numbers("translation", 3);
    const std::vector<double> rotation = node.numbers("rotation", 4);
    const std::vector<double> scale = node.numbers("scale", 3);
    if (node.problem()) return {};
    if (!matrix.empty()) return fromMatrix(node, matrix, issues);

    LocalTransform local;
    if (!translation.empty()) local.translation = toVector(translation);
    if (!scale.empty()) local.scale = toVector(scale);
    if (!rotation.empty()) {
        const Quaternion given = toQuaternion(rotation);
        const double norm = given.norm();
        if (!(norm > 1e-6)) {
            node.fail("\"rotation\" is zero");
            return {};
        }
        if (std::abs(norm - 1) > kUnitTolerance)
            issues.push_back(
                {Severity::Warning, "its rotation was not a unit quaternion; it was normalised", node.place()});
        local.rotation = given.normalized();
    }
    return local;
}

void linkChildren(const Fields& node, std::size_t parent, SourceModel& model)
{
    for (const std::int32_t child : node.indices("children", model.nodes.size())) {
        SourceNode& below = model.nodes[static_cast<std::size_t>(child)];
        if (below.parent >= 0)
            return node.fail("its child, node " + std::to_string(child) + ", already belongs to node " +
                             std::to_string(below.parent));
        below.parent = static_cast<std::int32_t>(parent);
    }
}

/// With one parent at most each, nodes that no root leads to go round in a circle.
void checkNoCycles(const Fields& root, const SourceModel& model)
{
    enum : std::uint8_t { New, OnPath, Done };
    std::vector<std::uint8_t> state(model.nodes.size(), New);
    for (std::size_t start = 0; start < model.nodes.size(); ++start) {
        std::vector<std::size_t> path;
        for (auto at = static_cast<std::int32_t>(start); at >= 0 && state[static_cast<std::size_t>(at)] != Done;
             at = model.nodes[static_cast<std::size_t>(at)].parent) {
            if (state[static_cast<std::size_t>(at)] == OnPath)
                return root.fail(nodePlace(static_cast<std::size_t>(at)) + " is its own ancestor");
            state[static_cast<std::size_t>(at)] = OnPath;
            path.push_back(static_cast<std::size_t>(at));
        }
        for (const std::size_t node : path) state[node] = Done;
    }
}

/// Marks what the default scene shows: the named one, else the first, else everything.
void markScene(const Fields& root, SourceModel& model)
{
    const Json& scenes = root.objects("scenes");
    std::int64_t chosen = root.index("scene", scenes.size());
    if (root.problem() || scenes.empty()) return;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const auto nodes = root.inside(scenes[i], "scene " + std::to_string(i)).indices("nodes", model.nodes.size());
        if (static_cast<std::int64_t>(i) != std::max<std::int64_t>(chosen, 0)) continue;
        for (SourceNode& node : model.nodes) node.isInScene = false;
        for (const std::int32_t node : nodes) model.nodes[static_cast<std::size_t>(node)].isInScene = true;
    }
    // Below what is in the scene, all is. Parents may follow their children in the file, so each climbs on its own.
    std::vector<std::int8_t> known(model.nodes.size(), -1);
    for (std::size_t start = 0; start < model.nodes.size(); ++start) {
        std::vector<std::size_t> path;
        bool isIn = false;
        for (auto at = static_cast<std::int32_t>(start); at >= 0;
             at = model.nodes[static_cast<std::size_t>(at)].parent) {
            const auto node = static_cast<std::size_t>(at);
            if (known[node] >= 0 || model.nodes[node].isInScene) {
                isIn = known[node] >= 0 ? known[node] == 1 : true;
                path.push_back(node);
                break;
            }
            path.push_back(node);
        }
        for (const std::size_t node : path) known[node] = isIn ? 1 : 0;
    }
    for (std::size_t i = 0; i < model.nodes.size(); ++i) model.nodes[i].isInScene = known[i] == 1;
}

} // namespace

void readNodes(const Fields& root, SourceModel& model)
{
    const Json& nodes = root.objects("nodes");
    if (nodes.size() > limits::kNodes)
        return root.problem().set(Error{ErrorCode::LimitExceeded,
                                        "it has " + std::to_string(nodes.size()) + " nodes; at most " +
                                            std::to_string(limits::kNodes) + " are read",
                                        ""});
    model.nodes.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size() && !root.problem(); ++i) {
        const Fields fields = root.inside(nodes[i], nodePlace(i));
        SourceNode& node = model.nodes[i];
        node.name = fields.text("name");
        node.local = readTransform(fields, model.issues);
        checkReach(fields, node.local);
        linkChildren(fields, i, model);
    }
    if (!root.problem()) checkNoCycles(root, model);
    if (!root.problem()) markScene(root, model);
}

std::vector<SkinTable> readSkins(const Fields& root, const Asset& asset, SourceModel& model)
{
    std::vector<SkinTable> skins;
    std::vector<bool> isJoint(model.nodes.size(), false);
    for (const Json& json : root.objects("skins")) {
        const Fields fields = root.inside(json, "skin " + std::to_string(skins.size()));
        SkinTable skin;
        skin.joints = fields.indices("joints", model.nodes.size());
        if (fields.problem()) return {};
        if (skin.joints.empty()) fields.fail("has no joints");
        std::vector<std::int32_t> sorted = skin.joints;
        std::sort(sorted.begin(), sorted.end());
        const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
        if (twice != sorted.end()) fields.fail("names node " + std::to_string(*twice) + " twice");
        skin.jointFromMesh.assign(skin.joints.size(), Affine::Identity());

        static_cast<void>(fields.index("skeleton", model.nodes.size()));
        const std::int64_t matrices = fields.index("inverseBindMatrices", asset.accessors.size());
        if (matrices >= 0 && !fields.problem()) {
            const auto index = static_cast<std::size_t>(matrices);
            if (asset.accessors[index].components != 16) fields.fail("its inverse bind matrices are not MAT4");
            if (asset.accessors[index].count < skin.joints.size())
                fields.fail("has fewer inverse bind matrices than joints");
            const auto numbers = fields.problem() ? std::vector<float>() : readFloats(asset, index);
            if (!numbers) fields.problem().set(numbers.error());
            for (std::size_t j = 0; j < skin.joints.size() && !fields.problem(); ++j) {
                const float* m = numbers->data() + j * 16;
                if (m[15] == 0 || std::abs(m[3]) + std::abs(m[7]) + std::abs(m[11]) > 1e-4f * std::abs(m[15]))
                    fields.fail("inverse bind matrix " + std::to_string(j) + " is not an invertible transform");
                for (int c = 0; c < 4; ++c)
                    for (int r = 0; r < 3; ++r)
                        skin.jointFromMesh[j](r, c) = static_cast<double>(m[c * 4 + r]) / static_cast<double>(m[15]);
            }
        }
        if (fields.problem()) return {};
        for (const std::int32_t joint : skin.joints) {
            if (!isJoint[static_cast<std::size_t>(joint)]) model.skinJoints.push_back(joint);
            isJoint[static_cast<std::size_t>(joint)] = true;
        }
        skins.push_back(std::move(skin));
    }
    return skins;
}

} // namespace tendon::gltf

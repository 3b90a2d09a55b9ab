#include "core/io/export/gltf/SourceNodes.h"

#include "core/io/export/gltf/EditableGltf.h"

#include "core/io/export/prepare/SteppedPaths.h"
#include "core/math/Convert.h"
#include "core/runtime/ForwardKinematics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tendon::gltf {

namespace {

template <std::size_t N>
bool readNumbers(const Json& node, const char* name, std::array<double, N>& out)
{
    const Json& values = arrayOf(node, name);
    if (values.size() != N) return false;
    for (std::size_t i = 0; i < N; ++i) {
        if (!values[i].is_number()) return false;
        out[i] = values[i].get<double>();
    }
    return true;
}

LocalTransform localOf(const Json& node)
{
    std::array<double, 16> matrix{};
    if (readNumbers(node, "matrix", matrix)) {
        Affine affine;
        affine.matrix() = Eigen::Map<const Eigen::Matrix4d>(matrix.data()); // both column by column
        affine.makeAffine();
        return decompose(affine);
    }
    LocalTransform local;
    std::array<double, 3> v{};
    std::array<double, 4> q{};
    if (readNumbers(node, "translation", v)) local.translation = toVector(v);
    if (readNumbers(node, "rotation", q)) local.rotation = toQuaternion(q).normalized();
    if (readNumbers(node, "scale", v)) local.scale = toVector(v);
    return local;
}

constexpr double kEvenTolerance = 1e-6; // exporters write even scales that differ in the last digit of a float

bool isIdentity(const Affine& affine) { return affine.matrix() == Eigen::Matrix4d::Identity(); }

/// Where a joint's node hangs: below the node of its own parent joint, with only constant nodes between (then its local
/// transforms carry over directly), or elsewhere in the file than in the scene (then only world poses do).
struct Place
{
    std::size_t node = 0;
    bool isDirect = false;
    bool isPlain = false; ///< direct, and nothing lies between
    Affine jointFromBetween =
        Affine::Identity(); ///< inverse of the constant nodes between, rotation and scale apart below
    Quaternion turn = Quaternion::Identity();
    double scale = 1;
};

class SourcePose
{
public:
    SourcePose(const Scene& scene, const BakedClip& clip, const SourceNodes& nodes, Issues& issues)
        : m_scene(scene), m_clip(clip), m_nodes(nodes), m_issues(issues), m_jointOf(nodes.parent.size(), -1)
    {
        for (std::size_t j = 0; j < clip.joints.size(); ++j) {
            m_indexOf[clip.joints[j]] = static_cast<int>(j);
            const Joint* joint = scene.find(clip.joints[j]);
            const auto node = joint != nullptr ? static_cast<std::size_t>(joint->sourceNode) : nodes.parent.size();
            if (joint != nullptr && joint->sourceNode >= 0 && node < nodes.parent.size() && m_jointOf[node] < 0)
                m_jointOf[node] = static_cast<int>(j);
        }
        if (scene.model) {
            m_unit = scene.model->metresPerUnit;
            m_worldFromSource = upright(scene.model->upAxis);
        }
    }

    Result<std::vector<NodeTrack>> run()
    {
        std::vector<NodeTrack> tracks;
        bool isAllDirect = true;
        for (std::size_t n = 0; n < m_jointOf.size(); ++n) {
            if (m_jointOf[n] < 0) continue;
            m_places.push_back(placeOf(n));
            isAllDirect = isAllDirect && m_places.back().isDirect;
            tracks.push_back({.node = n, .locals = {}, .isStepped = {}});
            tracks.back().locals.resize(m_clip.times.size());
            if (m_places.back().isDirect)
                tracks.back().isStepped = steppedPaths(m_scene, m_clip,
                                                       m_clip.joints[static_cast<std::size_t>(m_jointOf[n])]);
        }
        for (std::size_t t = 0; t < tracks.size(); ++t)
            if (m_places[t].isDirect) carryOver(m_places[t], tracks[t]);
        if (isAllDirect) return tracks;
        if (const auto done = throughTheWorld(tracks); !done) return done.error();
        return tracks;
    }

private:
    const LocalTransform& local(std::size_t sample, std::size_t joint) const
    {
        return m_clip.locals[sample * m_clip.joints.size() + joint];
    }

    Place placeOf(std::size_t node) const
    {
        Place place{.node = node};
        Affine between = Affine::Identity();
        int above = m_nodes.parent[node];
        for (; above >= 0 && m_jointOf[static_cast<std::size_t>(above)] < 0;
             above = m_nodes.parent[static_cast<std::size_t>(above)])
            between = m_nodes.local[static_cast<std::size_t>(above)].parentFromJoint() * between;
        if (above < 0) between = Affine(m_worldFromSource) * between;

        const Joint* joint = m_scene.find(m_clip.joints[static_cast<std::size_t>(m_jointOf[node])]);
        const auto parent = m_indexOf.find(joint->parent);
        const int parentJoint = parent == m_indexOf.end() ? -1 : parent->second;
        const int jointAbove = above < 0 ? -1 : m_jointOf[static_cast<std::size_t>(above)];
        if (parentJoint != jointAbove) return place;

        // Only a rotation and one factor between can be taken out of translation, rotation and scale one by one.
        place.isPlain = isIdentity(between);
        const Eigen::Matrix3d axes = between.linear();
        place.scale = std::cbrt(axes.determinant());
        if (!(std::abs(place.scale) > 1e-12)) return place;
        const Eigen::Matrix3d turn = axes / place.scale;
        if (!(turn.transpose() * turn).isApprox(Eigen::Matrix3d::Identity(), kEvenTolerance)) return place;
        place.isDirect = true;
        place.turn = Quaternion(turn).normalized().conjugate();
        place.jointFromBetween = between.inverse();
        return place;
    }

    void carryOver(const Place& place, NodeTrack& track) const
    {
        const auto joint = static_cast<std::size_t>(m_jointOf[place.node]);
        for (std::size_t s = 0; s < track.locals.size(); ++s) {
            LocalTransform result = local(s, joint);
            if (m_unit != 1) result.translation /= m_unit;
            if (!place.isPlain) {
                result.translation = place.jointFromBetween * result.translation;
                result.rotation = place.turn * result.rotation;
                result.scale /= place.scale;
            }
            track.locals[s] = result;
        }
    }

    /// The nodes that hang elsewhere: their world pose, seen from their parent node's.
    Result<void> throughTheWorld(std::vector<NodeTrack>& tracks)
    {
        const auto rig = compile(m_scene);
        if (!rig) return rig.error();
        std::vector<int> trackOf(m_jointOf.size(), -1);
        for (std::size_t t = 0; t < tracks.size(); ++t) trackOf[tracks[t].node] = static_cast<int>(t);

        LocalPose pose;
        pose.joints = (*rig)->rest;
        ModelPose model;
        std::vector<Affine> sourceFromNode(m_nodes.parent.size());
        for (std::size_t s = 0; s < m_clip.times.size(); ++s) {
            for (std::size_t j = 0; j < m_clip.joints.size(); ++j)
                pose.joints[static_cast<std::size_t>((*rig)->index(m_clip.joints[j]))] = local(s, j);
            forwardKinematics(**rig, pose, model);
            for (const int node : m_nodes.parentsFirst) {
                const auto n = static_cast<std::size_t>(node);
                const Affine above = m_nodes.parent[n] < 0
                                         ? Affine::Identity()
                                         : sourceFromNode[static_cast<std::size_t>(m_nodes.parent[n])];
                if (m_jointOf[n] < 0) {
                    sourceFromNode[n] = above * m_nodes.local[n].parentFromJoint();
                    continue;
                }
                const JointId joint = m_clip.joints[static_cast<std::size_t>(m_jointOf[n])];
                sourceFromNode[n] = toSource(model.modelFromJoint[static_cast<std::size_t>((*rig)->index(joint))]);
                const auto t = static_cast<std::size_t>(trackOf[n]);
                if (!m_places[t].isDirect) tracks[t].locals[s] = seenFrom(above, sourceFromNode[n], joint);
            }
        }
        return {};
    }

    Affine toSource(const Affine& worldFromJoint) const
    {
        Affine result;
        result.linear() = m_worldFromSource.transpose() * worldFromJoint.linear();
        result.translation() = m_worldFromSource.transpose() * worldFromJoint.translation() / m_unit;
        result.makeAffine();
        return result;
    }

    LocalTransform seenFrom(const Affine& above, const Affine& node, JointId joint)
    {
        const double size = above.linear().norm();
        if (!(std::abs(above.linear().determinant()) > 1e-12 * size * size * size)) {
            report(joint, "hangs below a node of the file that is scaled to nothing, where it cannot be placed");
            return {};
        }
        const Affine local = above.inverse() * node;
        const LocalTransform parts = decompose(local);
        if (!parts.parentFromJoint().matrix().isApprox(local.matrix(), 1e-6))
            report(joint, "would be sheared by the non-uniform scale above it in the file, which glTF cannot hold; the "
                          "shear was dropped");
        return parts;
    }

    void report(JointId joint, const char* what)
    {
        const Issue issue{Severity::Warning, what, "clip " + m_clip.name + ", joint " + m_scene.find(joint)->name,
                          joint.value};
        if (std::find(m_issues.begin(), m_issues.end(), issue) == m_issues.end()) m_issues.push_back(issue);
    }

    const Scene& m_scene;
    const BakedClip& m_clip;
    const SourceNodes& m_nodes;
    Issues& m_issues;
    std::vector<int> m_jointOf; ///< per node: index into clip.joints, -1 = none
    std::map<JointId, int> m_indexOf;
    std::vector<Place> m_places; ///< one per track
    double m_unit = 1;
    Eigen::Matrix3d m_worldFromSource = Eigen::Matrix3d::Identity();
};

} // namespace

Eigen::Matrix3d upright(int upAxis)
{
    Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
    if (upAxis == 0) turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    if (upAxis == 2) turn << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    return turn;
}

SourceNodes sourceNodes(const Json& json)
{
    const Json& nodes = arrayOf(json, "nodes");
    SourceNodes result;
    result.parent.assign(nodes.size(), -1);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        result.local.push_back(localOf(nodes[n]));
        for (const Json& child : arrayOf(nodes[n], "children"))
            result.parent[child.get<std::size_t>()] = static_cast<int>(n);
    }
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (result.parent[n] < 0) result.parentsFirst.push_back(static_cast<int>(n));
    for (std::size_t i = 0; i < result.parentsFirst.size(); ++i)
        for (const Json& child : arrayOf(nodes[static_cast<std::size_t>(result.parentsFirst[i])], "children"))
            result.parentsFirst.push_back(child.get<int>());
    return result;
}

void splitMatrix(Json& node)
{
    if (!node.contains("matrix")) return;
    const LocalTransform local = localOf(node);
    const auto numbers = [](std::span<const double> values) {
        return std::vector<double>(values.begin(), values.end());
    };
    Json split = Json::object();
    for (const auto& [name, value] : node.items()) {
        if (name != "matrix") {
            split[name] = value;
            continue;
        }
        split["translation"] = numbers({local.translation.data(), 3});
        split["rotation"] = numbers({local.rotation.coeffs().data(), 4});
        split["scale"] = numbers({local.scale.data(), 3});
    }
    node = std::move(split);
}

Result<std::vector<NodeTrack>> tracksForSource(const Scene& scene, const BakedClip& clip, const SourceNodes& nodes,
                                               Issues& issues)
{
    return SourcePose(scene, clip, nodes, issues).run();
}

} // namespace tendon::gltf

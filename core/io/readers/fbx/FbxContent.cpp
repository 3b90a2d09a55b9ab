#include "core/io/readers/fbx/FbxContent.h"

#include "core/io/formats/fbx/FbxTime.h"
#include "core/io/readers/fbx/FbxLens.h"
#include "core/io/readers/fbx/FbxTake.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace tendon::fbx {
namespace {

constexpr std::size_t kMaxNodeDepth = 1000;
constexpr double kSameRest = 1e-3; ///< of a length, or [rad]: how near to the saved pose a bind pose is the same
constexpr double kUnlike = 2;      ///< times as long: another bone

double frameRateOf(const Object* settings)
{
    constexpr double kUsual = 30;
    if (settings == nullptr) return kUsual;
    const int number = settings->choice("TimeMode", 0);
    for (const TimeMode& mode : kTimeModes)
        if (mode.number == number) return mode.framesPerSecond;
    const double rate = settings->number("CustomFrameRate", 0);
    return rate >= 1 && rate <= 1000 ? rate : kUsual;
}

/// 16 numbers, column by column; nothing when they are no affine transform.
bool readMatrix(const Record* record, Affine& matrix)
{
    const std::vector<double> numbers = record == nullptr ? std::vector<double>() : record->numbers();
    if (numbers.size() != 16) return false;
    matrix.matrix() = Eigen::Map<const Eigen::Matrix4d>(numbers.data());
    matrix.makeAffine();
    return matrix.matrix().allFinite() && std::abs(matrix.linear().determinant()) > 0;
}

/// What Maya's and MotionBuilder's own rigs are steered by; no part of the skeleton.
bool isEffector(const Object& model) { return model.subtype == "IKEffector" || model.subtype == "FKEffector"; }

class ContentReader
{
public:
    explicit ContentReader(const Document& document) : m_document(document) {}

    Result<Content> read()
    {
        if (const auto nodes = readNodes(); !nodes) return nodes.error();
        for (std::size_t n = 0; n < m_objects.size(); ++n) {
            readMesh(static_cast<std::int32_t>(n));
            readLens(static_cast<std::int32_t>(n));
        }
        readBindPose();
        m_content.hasBones = std::find(m_isBone.begin(), m_isBone.end(), true) != m_isBone.end();
        m_content.framesPerSecond = m_targets.framesPerSecond = frameRateOf(m_document.settings());
        m_content.ownNodes = m_objects.size();
        m_targets.leafOf.assign(m_objects.size(), -1);
        std::vector<std::int32_t> sheared = readMotion();
        if (!sheared.empty()) {
            split(sheared);
            sheared = readMotion();
        }
        m_content.leafOf = m_targets.leafOf;
        m_content.issues.insert(m_content.issues.end(), m_takeIssues.begin(), m_takeIssues.end());
        if (!sheared.empty())
            m_content.issues.push_back(
                {Severity::Warning, "a node below a non-uniform scale would have to shear; the nearest scale is used",
                 ""});
        return std::move(m_content);
    }

private:
    /// Rest poses and takes; the nodes that would have to be sheared.
    std::vector<std::int32_t> readMotion()
    {
        std::vector<std::int32_t> sheared = readRests();
        m_content.animations.clear();
        m_takeIssues.clear();
        for (const Object& object : m_document.objects()) {
            if (object.kind != "AnimationStack") continue;
            const Take take(m_document, object, m_targets);
            SourceAnimation animation = take.replay(sheared);
            m_takeIssues.insert(m_takeIssues.end(), take.issues().begin(), take.issues().end());
            animation.index = static_cast<std::int32_t>(m_content.animations.size());
            if (!animation.channels.empty() || !animation.morphs.empty())
                m_content.animations.push_back(std::move(animation));
        }
        return sheared;
    }

    /// Splits what is above nodes that would be sheared, from where scales are no longer even, and all below.
    void split(const std::vector<std::int32_t>& sheared)
    {
        std::vector<bool> isSplit(m_objects.size(), false);
        for (const std::int32_t node : sheared)
            for (std::int32_t at = node; at >= 0; at = m_targets.parents[static_cast<std::size_t>(at)]) {
                isSplit[static_cast<std::size_t>(at)] = true;
                const std::int32_t above = m_targets.parents[static_cast<std::size_t>(at)];
                if (at != node && (above < 0 || !isScaled(above))) break;
            }
        for (std::size_t n = 0; n < m_objects.size(); ++n) { // parents first
            const std::int32_t parent = m_targets.parents[n];
            if (parent >= 0 && isSplit[static_cast<std::size_t>(parent)]) isSplit[n] = true;
            if (!isSplit[n]) continue;
            m_targets.leafOf[n] = static_cast<std::int32_t>(m_content.nodes.size());
            ContentNode leaf;
            leaf.name = m_content.nodes[n].name + "_scale";
            leaf.parent = static_cast<std::int32_t>(n);
            m_content.nodes.push_back(std::move(leaf));
        }
    }

    /// It scales unevenly at rest, or a take drives its scale.
    [[nodiscard]] bool isScaled(std::int32_t node) const
    {
        const Vector3& scale = m_targets.shapes[static_cast<std::size_t>(node)].rest().scale;
        if ((scale.array() - scale[0]).abs().maxCoeff() > 1e-6 * std::abs(scale[0])) return true;
        for (const auto& [curves, property] :
             m_document.below(m_objects[static_cast<std::size_t>(node)]->id, "AnimationCurveNode"))
            if (property == "Lcl Scaling") return true;
        return false;
    }

    /// Depth first, as nodes are connected; what is met twice stands where it is met first.
    Result<void> readNodes()
    {
        struct Waiting
        {
            const Object* object;
            std::int32_t parent;
            std::size_t depth;
        };
        std::vector<Waiting> waiting;
        const auto push = [&](std::int64_t id, std::int32_t parent, std::size_t depth) {
            const auto children = m_document.below(id, "Model");
            for (auto child = children.rbegin(); child != children.rend(); ++child)
                if (child->property.empty() && !isEffector(*child->object))
                    waiting.push_back({child->object, parent, depth});
        };
        push(0, -1, 0);
        while (!waiting.empty()) {
            const Waiting next = waiting.back();
            waiting.pop_back();
            const auto node = static_cast<std::int32_t>(m_objects.size());
            if (!m_targets.nodeOf.emplace(next.object->id, node).second) continue;
            if (next.depth > kMaxNodeDepth || m_objects.size() >= limits::kNodes)
                return Error{ErrorCode::LimitExceeded, "it has more nodes than are supported", ""};
            m_objects.push_back(next.object);
            m_targets.shapes.emplace_back(*next.object);
            m_targets.parents.push_back(next.parent);
            ContentNode& read = m_content.nodes.emplace_back();
            read.name = next.object->name;
            read.parent = next.parent;
            read.nodeFromGeometry = m_targets.shapes.back().nodeFromGeometry();
            push(next.object->id, node, next.depth + 1);
        }
        return {};
    }

    /// Rest transforms as matrices multiply; the nodes for which those are not exact.
    std::vector<std::int32_t> readRests()
    {
        std::vector<std::int32_t> sheared;
        std::vector<WorldScale> world(m_objects.size());
        for (std::size_t n = 0; n < m_objects.size(); ++n) {
            const NodeShape& shape = m_targets.shapes[n];
            const LocalTransform own = shape.local(shape.rest());
            m_content.nodes[n].rest = own;
            m_content.nodes[n].saved.reset();
            const std::int32_t parent = m_targets.parents[n];
            const WorldScale above = parent < 0 ? WorldScale() : world[static_cast<std::size_t>(parent)];
            const Vector3 parentScale = parent < 0 ? Vector3(Vector3::Ones())
                                                   : m_targets.shapes[static_cast<std::size_t>(parent)].rest().scale;
            world[n] = worldScaleOf(above, parentScale, own, shape.inheritance());
            bool isExact = true;
            if (m_targets.isSplit(static_cast<std::int32_t>(n))) {
                const std::int32_t whole = m_targets.wholeAbove(static_cast<std::int32_t>(n));
                const double even = whole < 0 ? 1 : evenScaleOf(world[static_cast<std::size_t>(whole)]);
                const SplitTransform parts = splitTransform(above, m_targets.isSplit(parent), world[n], own, even,
                                                            isExact);
                m_content.nodes[n].rest = parts.node;
                m_content.nodes[static_cast<std::size_t>(m_targets.leafOf[n])].rest = parts.leaf;
                if (!isExact) sheared.push_back(static_cast<std::int32_t>(n));
                continue;
            }
            if (shape.inheritance() == ScaleInheritance::AsMatrices) continue;
            m_content.nodes[n].rest = asMatricesMultiply(above, world[n], own, isExact);
            if (!isExact) sheared.push_back(static_cast<std::int32_t>(n));
        }
        restInBindPose();
        return sheared;
    }

    /// Where nodes were in the world when meshes were bound to them: as the skins say, else as the file's bind pose
    /// does.
    void readBindPose()
    {
        m_bindPose.assign(m_objects.size(), std::nullopt);
        m_isBone.assign(m_objects.size(), false);
        for (std::size_t n = 0; n < m_objects.size(); ++n)
            m_isBone[n] = m_objects[n]->subtype == "LimbNode" || m_objects[n]->subtype == "Limb" ||
                          m_objects[n]->subtype == "Root";
        const auto learn = [&](std::int64_t model, const Record* matrix, bool isBound) {
            const auto node = m_targets.nodeOf.find(model);
            if (node == m_targets.nodeOf.end()) return;
            const auto n = static_cast<std::size_t>(node->second);
            if (isBound) m_isBone[n] = true;
            if (Affine world; !m_bindPose[n] && readMatrix(matrix, world)) m_bindPose[n] = world;
        };
        for (const Object& object : m_document.objects())
            if (object.kind == "Deformer" && object.subtype == "Cluster")
                for (const auto& [joint, unused] : m_document.below(object.id, "Model"))
                    learn(joint->id, object.record().find("TransformLink"), true);
        for (const Object& object : m_document.objects()) {
            if (object.kind != "Pose" || object.subtype != "BindPose") continue;
            for (const Record& entry : object.record().children)
                if (const Record* node = entry.name == "PoseNode" ? entry.find("Node") : nullptr; node != nullptr)
                    learn(node->integerAt(0), entry.find("Matrix"), false);
        }
    }

    /// Bones rest in the bind pose: the pose in which a file was saved is any frame of an animation. What the bind pose
    /// does not know rests as it was saved.
    void restInBindPose()
    {
        m_targets.bound.assign(m_objects.size(), std::nullopt);
        std::vector<Affine> world(m_objects.size());
        std::vector<std::optional<LocalTransform>> bound(m_objects.size());
        std::size_t bones = 0, unlike = 0;
        for (std::size_t n = 0; n < m_objects.size(); ++n) {
            const LocalTransform& saved = m_content.nodes[n].rest;
            const std::int32_t parent = m_targets.parents[n];
            const auto p = static_cast<std::size_t>(std::max(parent, 0));
            const Affine above = parent < 0 ? Affine::Identity() : world[p];
            world[n] = above * saved.parentFromJoint();
            if (!m_isBone[n] || !m_bindPose[n] || m_targets.isSplit(static_cast<std::int32_t>(n))) continue;
            const Affine parentInBind = parent >= 0 && m_bindPose[p] ? *m_bindPose[p] : above;
            if (!(std::abs(parentInBind.linear().determinant()) > 0)) continue;
            const Affine local = parentInBind.inverse() * *m_bindPose[n];
            const LocalTransform rest = decompose(local);
            if (!rest.parentFromJoint().matrix().isApprox(local.matrix(), kSameRest)) continue; // it would shear
            world[n] = above * rest.parentFromJoint();
            const double length = rest.translation.norm(), savedLength = saved.translation.norm();
            ++bones;
            if (std::max(length, savedLength) > kUnlike * std::min(length, savedLength)) ++unlike;
            const bool isSame = (rest.translation - saved.translation).norm() <=
                                    kSameRest * std::max(length, savedLength) &&
                                rest.rotation.angularDistance(saved.rotation) <= kSameRest &&
                                (rest.scale - saved.scale).norm() <= kSameRest * saved.scale.norm();
            if (!isSame) bound[n] = rest;
        }
        if (2 * unlike > bones) return; // bones do not grow: this bind pose is of something else
        for (std::size_t n = 0; n < m_objects.size(); ++n)
            if (bound[n]) m_content.nodes[n].saved = std::exchange(m_content.nodes[n].rest, *bound[n]);
        m_targets.bound = std::move(bound);
    }

    void readMesh(std::int32_t node)
    {
        ContentNode& read = m_content.nodes[static_cast<std::size_t>(node)];
        for (const auto& [geometry, unused] :
             m_document.below(m_objects[static_cast<std::size_t>(node)]->id, "Geometry"))
            for (const auto& [deformer, none] : m_document.below(geometry->id, "Deformer")) {
                if (deformer->subtype == "Skin") readSkin(*deformer, read);
                if (deformer->subtype == "BlendShape") readShapes(*deformer, node, read);
            }
    }

    void readLens(std::int32_t node)
    {
        const Object& object = *m_objects[static_cast<std::size_t>(node)];
        for (const auto& [attribute, unused] : m_document.below(object.id, "NodeAttribute")) {
            if (attribute->subtype == "Camera") {
                m_content.cameras.push_back({node, cameraOf(*attribute)});
                m_content.cameras.back().camera.name = object.name;
            } else if (attribute->subtype == "Light" && isPunctual(*attribute)) {
                m_content.lights.push_back({node, lightOf(*attribute)});
                m_content.lights.back().light.name = object.name;
            } else if (attribute->subtype == "Light") {
                m_content.issues.push_back(
                    {Severity::Info, "is an area or volume light, which is not imported", "light " + object.name});
            }
        }
    }

    void readSkin(const Object& skin, ContentNode& read)
    {
        if (const Record* type = skin.record().find("SkinningType");
            type != nullptr && type->textAt(0) != "Linear" && type->textAt(0) != "Rigid")
            m_content.issues.push_back(
                {Severity::Warning,
                 "is skinned with dual quaternions; it is drawn and exported with linear blend skinning",
                 "mesh " + read.name});
        for (const auto& [cluster, unused] : m_document.below(skin.id, "Deformer")) {
            Affine jointFromNode;
            if (!readMatrix(cluster->record().find("Transform"), jointFromNode)) continue;
            for (const auto& [joint, none] : m_document.below(cluster->id, "Model"))
                if (const auto index = m_targets.nodeOf.find(joint->id); index != m_targets.nodeOf.end())
                    read.bindings.emplace_back(index->second, jointFromNode);
        }
    }

    void readShapes(const Object& deformer, std::int32_t node, ContentNode& read)
    {
        for (const auto& [channel, unused] : m_document.below(deformer.id, "Deformer")) {
            const std::size_t count = m_document.below(channel->id, "Geometry").size();
            const Record* full = channel->record().find("FullWeights");
            std::vector<double> fullAt = full == nullptr ? std::vector<double>() : full->numbers();
            fullAt.resize(count, 100);
            const Record* percent = channel->record().find("DeformPercent");
            const double atRest = percent == nullptr ? channel->number("DeformPercent", 0) : percent->numberAt(0);
            for (std::size_t s = 0; s < count; ++s) {
                const TakeTargets::Morph morph{node, static_cast<std::int32_t>(read.shapeWeights.size()), fullAt, s};
                read.shapeWeights.push_back(std::isfinite(atRest) ? morph.weightAt(atRest) : 0);
                m_targets.morphsOf.emplace(channel->id, morph);
            }
        }
    }

    const Document& m_document;
    Content m_content;
    TakeTargets m_targets;
    std::vector<const Object*> m_objects;          ///< by node
    std::vector<std::optional<Affine>> m_bindPose; ///< by node, in the world
    std::vector<bool> m_isBone;                    ///< by node
    Issues m_takeIssues;
};

} // namespace

Result<Content> readContent(std::span<const std::uint8_t> file)
{
    const auto document = Document::read(file);
    if (!document) return document.error();
    if (document->objects().empty()) return Error{ErrorCode::InvalidArgument, "the file has no objects", ""};
    return ContentReader(*document).read();
}

} // namespace tendon::fbx

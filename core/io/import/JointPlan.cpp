#include "core/io/import/JointPlan.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

/// Exporters write even scales that differ in the last digit of a float. Well below the error that a reader may make.
constexpr double kEvenTolerance = 1e-6;

struct Motion
{
    bool isAnimated = false;
    bool turnsOrScales = false;
};

std::vector<Motion> motionOfNodes(const SourceModel& model)
{
    std::vector<Motion> motions(model.nodes.size());
    for (const SourceAnimation& animation : model.animations)
        for (const SourceChannel& channel : animation.channels) {
            Motion& motion = motions[static_cast<std::size_t>(channel.node)];
            motion.isAnimated = true;
            motion.turnsOrScales = motion.turnsOrScales || channel.path != SourcePath::Translation;
        }
    return motions;
}

/// True if a vertex of a skinned mesh has no weight: it follows the mesh's node.
bool hasUnweightedVertices(const SourceMesh& source)
{
    const std::vector<std::uint32_t>& begin = source.mesh.skin.influenceBegin;
    return !source.jointNodes.empty() && std::adjacent_find(begin.begin(), begin.end()) != begin.end();
}

/// Nodes at the ends of branches that are there for a camera or a light alone.
std::vector<bool> lensNodes(const SourceModel& model)
{
    std::vector<bool> isLens(model.nodes.size(), false);
    for (const SourceCamera& camera : model.cameras) isLens[static_cast<std::size_t>(camera.node)] = true;
    for (const SourceLight& light : model.lights) isLens[static_cast<std::size_t>(light.node)] = true;
    for (const SourceMesh& mesh : model.meshes) isLens[static_cast<std::size_t>(mesh.node)] = false;
    for (const SourceNode& node : model.nodes)
        if (node.parent >= 0) isLens[static_cast<std::size_t>(node.parent)] = false;
    return isLens;
}

std::vector<bool> chooseJoints(const SourceModel& model, const std::vector<Motion>& motions)
{
    const bool hasSkeleton = !model.skinJoints.empty();
    const std::vector<bool> isLens = lensNodes(model);
    std::vector<bool> isJoint(model.nodes.size(), false);
    for (const std::int32_t node : model.skinJoints) isJoint[static_cast<std::size_t>(node)] = true;
    for (std::size_t n = 0; n < isJoint.size(); ++n)
        if (model.nodes[n].isInScene && (motions[n].isAnimated || (!hasSkeleton && !isLens[n]))) isJoint[n] = true;
    const auto isBelowJoint = [&](std::int32_t node) {
        while (node >= 0 && !isJoint[static_cast<std::size_t>(node)])
            node = model.nodes[static_cast<std::size_t>(node)].parent;
        return node >= 0;
    };
    for (const SourceMesh& mesh : model.meshes)
        if (hasUnweightedVertices(mesh) && !isBelowJoint(mesh.node))
            isJoint[static_cast<std::size_t>(mesh.node)] = true;
    return isJoint;
}

/// Nodes with parents first; siblings in the file's order.
std::vector<std::int32_t> topDown(const SourceModel& model)
{
    std::vector<std::vector<std::int32_t>> children(model.nodes.size() + 1);
    for (std::size_t n = model.nodes.size(); n-- > 0;) // last first, because a stack turns them round
        children[static_cast<std::size_t>(model.nodes[n].parent + 1)].push_back(static_cast<std::int32_t>(n));
    std::vector<std::int32_t> order, stack = children[0];
    while (!stack.empty()) {
        const std::int32_t node = stack.back();
        stack.pop_back();
        order.push_back(node);
        const auto& below = children[static_cast<std::size_t>(node) + 1];
        stack.insert(stack.end(), below.begin(), below.end());
    }
    return order;
}

bool isShearFree(const Affine& transform)
{
    return decompose(transform).parentFromJoint().matrix().isApprox(transform.matrix(), kEvenTolerance);
}

/// Makes joints of the nodes that keep `node` from taking in what is folded into it. False when there are none.
bool promoteAbove(std::int32_t node, const SourceModel& model, std::vector<bool>& isJoint,
                  std::vector<std::int32_t>& promoted)
{
    bool isAny = false;
    for (std::int32_t at = model.nodes[static_cast<std::size_t>(node)].parent;
         at >= 0 && !isJoint[static_cast<std::size_t>(at)]; at = model.nodes[static_cast<std::size_t>(at)].parent)
        if (!asEvenTransform(model.nodes[static_cast<std::size_t>(at)].local.parentFromJoint())) {
            isJoint[static_cast<std::size_t>(at)] = true;
            promoted.push_back(at);
            isAny = true;
        }
    return isAny;
}

/// Folds what is no joint; true when that is exact for all. Otherwise some nodes have become joints and it is to be
/// done again.
bool fold(const SourceModel& model, const std::vector<std::int32_t>& order, const std::vector<Motion>& motions,
          const Affine& worldFromFile, std::vector<bool>& isJoint, JointPlan& plan, std::vector<std::int32_t>& promoted)
{
    plan.joints.clear();
    plan.entryOfNode.assign(model.nodes.size(), -1);
    // For every node the joint above the space its children live in, and the transform to it.
    std::vector<JointPlan::Anchor> below(model.nodes.size());
    bool isExact = true;
    for (const std::int32_t node : order) {
        const auto n = static_cast<std::size_t>(node);
        const SourceNode& source = model.nodes[n];
        const JointPlan::Anchor above = source.parent < 0 ? JointPlan::Anchor{-1, worldFromFile}
                                                          : below[static_cast<std::size_t>(source.parent)];
        if (!isJoint[n]) {
            below[n] = {above.entry, above.anchorFromNode * source.local.parentFromJoint()};
            continue;
        }
        JointPlan::Entry entry{node, above.entry, above.anchorFromNode, source.local};
        if (const auto even = asEvenTransform(above.anchorFromNode)) {
            if (!even->isIdentity) {
                entry.rest.translation = above.anchorFromNode * source.local.translation;
                entry.rest.rotation = (even->rotation * source.local.rotation).normalized();
                entry.rest.scale = even->factor * source.local.scale;
            }
        } else {
            const Affine folded = above.anchorFromNode * source.local.parentFromJoint();
            if ((motions[n].turnsOrScales || !isShearFree(folded)) && promoteAbove(node, model, isJoint, promoted))
                isExact = false;
            entry.rest = decompose(folded);
        }
        plan.entryOfNode[n] = static_cast<std::int32_t>(plan.joints.size());
        below[n] = {plan.entryOfNode[n], Affine::Identity()};
        plan.joints.push_back(entry);
    }
    return isExact;
}

} // namespace

std::optional<EvenTransform> asEvenTransform(const Affine& transform)
{
    EvenTransform even;
    even.translation = transform.translation();
    even.isIdentity = transform.matrix() == Affine::MatrixType::Identity();
    if (even.isIdentity) return even;
    const Eigen::Matrix3d linear = transform.linear();
    const double determinant = linear.determinant();
    even.factor = std::cbrt(determinant);
    if (!(std::abs(even.factor) > 1e-12)) return std::nullopt;
    const Eigen::Matrix3d rotation = linear / even.factor;
    if (!(rotation.transpose() * rotation).isApprox(Eigen::Matrix3d::Identity(), kEvenTolerance)) return std::nullopt;
    even.rotation = Quaternion(rotation).normalized();
    return even;
}

JointPlan::Anchor JointPlan::anchorOf(std::int32_t node, const SourceModel& model, const Affine& worldFromFile) const
{
    Anchor anchor;
    for (std::int32_t at = node; at >= 0; at = model.nodes[static_cast<std::size_t>(at)].parent) {
        anchor.entry = entryOfNode[static_cast<std::size_t>(at)];
        if (anchor.entry >= 0) return anchor;
        anchor.anchorFromNode = model.nodes[static_cast<std::size_t>(at)].local.parentFromJoint() *
                                anchor.anchorFromNode;
    }
    anchor.anchorFromNode = worldFromFile * anchor.anchorFromNode;
    return anchor;
}

JointPlan planJoints(const SourceModel& model, const Affine& worldFromFile, Issues& issues)
{
    const std::vector<Motion> motions = motionOfNodes(model);
    const std::vector<std::int32_t> order = topDown(model);
    std::vector<bool> isJoint = chooseJoints(model, motions);
    std::vector<std::int32_t> promoted;
    JointPlan plan;
    while (!fold(model, order, motions, worldFromFile, isJoint, plan, promoted)) {}
    for (const std::int32_t node : promoted)
        issues.push_back(
            {Severity::Info, "scales non-uniformly above joints; it was kept as a joint so that they do not move",
             "node " + std::to_string(node) + " (" + model.nodes[static_cast<std::size_t>(node)].name + ")"});
    return plan;
}

} // namespace tendon

#include "core/io/import/SceneBuilder.h"

#include "core/base/Counted.h"

#include <cmath>

namespace tendon {
namespace {

constexpr double kSumTolerance = 0.01; ///< sums closer to 1 are rounding

struct Findings
{
    std::size_t unweighted = 0, unequal = 0;
};

/// Appends the influences of one vertex, scaled to sum to 1.
void appendNormalised(const Skin& from, std::size_t vertex, Skin& to, Findings& findings)
{
    double sum = 0;
    for (std::uint32_t i = from.influenceBegin[vertex]; i < from.influenceBegin[vertex + 1]; ++i)
        sum += static_cast<double>(from.influenceWeight[i]);
    if (std::abs(sum - 1) > kSumTolerance) ++findings.unequal;
    for (std::uint32_t i = from.influenceBegin[vertex]; i < from.influenceBegin[vertex + 1]; ++i) {
        const auto weight = static_cast<float>(static_cast<double>(from.influenceWeight[i]) / sum);
        if (weight <= 0) continue;
        to.influenceJoint.push_back(from.influenceJoint[i]);
        to.influenceWeight.push_back(weight);
    }
}

/// The place in `skin` of what unweighted vertices follow: the joint at or above the mesh's node, which carries that
/// node. The plan sees to it that there is one.
std::uint16_t placeForUnweighted(const JointPlan::Anchor& anchor, const std::vector<JointId>& ids, Skin& skin)
{
    skin.joints.push_back(ids[static_cast<std::size_t>(anchor.entry)]);
    skin.jointFromMesh.push_back(anchor.anchorFromNode);
    return static_cast<std::uint16_t>(skin.joints.size() - 1);
}

void bindSkinned(const Skin& weights, const JointPlan::Anchor& anchor, const std::vector<JointId>& ids, Skin& skin,
                 Findings& findings)
{
    std::int32_t unweightedPlace = -1;
    const std::size_t vertices = weights.influenceBegin.size() - 1;
    skin.influenceBegin = {0};
    for (std::size_t v = 0; v < vertices; ++v) {
        const std::size_t before = skin.influenceJoint.size();
        if (weights.influenceBegin[v] != weights.influenceBegin[v + 1]) appendNormalised(weights, v, skin, findings);
        if (skin.influenceJoint.size() == before) {
            if (unweightedPlace < 0) unweightedPlace = placeForUnweighted(anchor, ids, skin);
            skin.influenceJoint.push_back(static_cast<std::uint16_t>(unweightedPlace));
            skin.influenceWeight.push_back(1);
            ++findings.unweighted;
        }
        skin.influenceBegin.push_back(static_cast<std::uint32_t>(skin.influenceJoint.size()));
    }
}

void report(const Findings& findings, const std::string& mesh, Issues& issues)
{
    const std::string where = "mesh " + mesh;
    if (findings.unequal > 0)
        issues.push_back({Severity::Info,
                          counted(static_cast<std::size_t>(findings.unequal), "vertex has", "vertices have") +
                              " weights that do not sum to 1; they were normalised",
                          where});
    if (findings.unweighted > 0)
        issues.push_back({Severity::Warning,
                          counted(static_cast<std::size_t>(findings.unweighted), "vertex has no weights and follows",
                                  "vertices have no weights and follow") +
                              " the mesh's node",
                          where});
}

} // namespace

Mesh bindMesh(SourceMesh source, const SourceModel& model, const JointPlan& plan, const std::vector<JointId>& ids,
              const Affine& worldFromFile, Issues& issues)
{
    const JointPlan::Anchor anchor = plan.anchorOf(source.node, model, worldFromFile);
    Mesh mesh = std::move(source.mesh);
    if (plan.entryOfNode[static_cast<std::size_t>(source.node)] < 0)
        mesh.node = model.nodes[static_cast<std::size_t>(source.node)].name;
    if (source.jointNodes.empty()) {
        mesh.skin = {};
        if (anchor.entry < 0) {
            mesh.skin.worldFromMesh = anchor.anchorFromNode;
        } else {
            mesh.skin.joints = {ids[static_cast<std::size_t>(anchor.entry)]};
            mesh.skin.jointFromMesh = {anchor.anchorFromNode};
        }
        return mesh;
    }
    const Skin weights = std::move(mesh.skin);
    mesh.skin = {};
    mesh.skin.jointFromMesh = weights.jointFromMesh;
    for (const std::int32_t node : source.jointNodes)
        mesh.skin.joints.push_back(ids[static_cast<std::size_t>(plan.entryOfNode[static_cast<std::size_t>(node)])]);
    Findings findings;
    bindSkinned(weights, anchor, ids, mesh.skin, findings);
    report(findings, mesh.name, issues);
    return mesh;
}

} // namespace tendon

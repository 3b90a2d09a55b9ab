#include "core/io/readback/OriginalMeshes.h"

#include "core/scene/SegmentMesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tendon {
namespace {

/// The skin with the `most` heaviest joints of every vertex. Notes the vertices that lose some.
Skin cappedSkin(const Skin& skin, std::size_t most, OriginalMeshes::Entry::Capped& lost)
{
    Skin capped{skin.joints, skin.jointFromMesh, {0}, {}, {}, skin.worldFromMesh};
    for (std::size_t v = 0; v + 1 < skin.influenceBegin.size(); ++v) {
        std::map<std::uint16_t, double> weightOf;
        for (std::uint32_t i = skin.influenceBegin[v]; i < skin.influenceBegin[v + 1]; ++i)
            if (skin.influenceWeight[i] > 0) weightOf[skin.influenceJoint[i]] += double(skin.influenceWeight[i]);
        std::vector<std::pair<double, std::uint16_t>> heaviest;
        for (const auto& [joint, weight] : weightOf) heaviest.emplace_back(-weight, joint);
        std::sort(heaviest.begin(), heaviest.end());
        double whole = 0, sum = 0;
        for (std::size_t i = 0; i < heaviest.size(); ++i) {
            whole -= heaviest[i].first;
            if (i < most) sum -= heaviest[i].first;
        }
        if (heaviest.size() > most) {
            for (std::size_t i = 0; i < heaviest.size(); ++i) {
                const auto& [weight, joint] = heaviest[i];
                lost.joint.push_back(joint);
                lost.change.push_back(weight / whole - (i < most ? weight / sum : 0));
            }
            lost.vertices.push_back(static_cast<std::uint32_t>(v));
            lost.begin.push_back(static_cast<std::uint32_t>(lost.joint.size()));
            heaviest.resize(most);
        }
        for (const auto& [weight, joint] : heaviest) {
            capped.influenceJoint.push_back(joint);
            capped.influenceWeight.push_back(static_cast<float>(-weight / sum));
        }
        capped.influenceBegin.push_back(static_cast<std::uint32_t>(capped.influenceJoint.size()));
    }
    return capped;
}

/// The curve's weight; nothing where it jumps.
std::optional<double> weightAt(const MorphCurve& curve, double seconds)
{
    const double moment = 1e-6 * std::max(1.0, std::abs(seconds)); // [s] below what a float holds
    std::size_t next = 0;
    while (next < curve.times.size() && curve.times[next] <= seconds) ++next;
    for (std::size_t k = 1; k < curve.times.size(); ++k)
        if (curve.times[k] - curve.times[k - 1] <= moment && std::abs(curve.times[k] - seconds) <= 2 * moment &&
            curve.weights[k] != curve.weights[k - 1])
            return std::nullopt;
    if (next == 0) return curve.weights.front();
    if (next == curve.times.size()) return curve.weights.back();
    const double share = (seconds - curve.times[next - 1]) / (curve.times[next] - curve.times[next - 1]);
    return (1 - share) * curve.weights[next - 1] + share * curve.weights[next];
}

} // namespace

MorphWeights morphWeightsAt(const ModelAsset& model, std::size_t mesh, std::int32_t sourceAnimation, double seconds)
{
    MorphWeights weights;
    for (const MorphTarget& target : model.meshes[mesh].morphTargets)
        weights.push_back(static_cast<double>(target.restWeight));
    for (const MorphAnimation& animation : model.morphAnimations)
        for (const MorphCurve& curve : animation.curves)
            if (sourceAnimation >= 0 && animation.sourceAnimation == sourceAnimation &&
                curve.mesh == static_cast<std::int32_t>(mesh))
                weights[static_cast<std::size_t>(curve.target)] = weightAt(curve, seconds);
    return weights;
}

std::vector<Eigen::Vector3f> morphed(const Mesh& mesh, std::span<const double> weights)
{
    std::vector<Eigen::Vector3f> positions = mesh.positions;
    for (std::size_t t = 0; t < std::min(weights.size(), mesh.morphTargets.size()); ++t)
        for (std::size_t v = 0; weights[t] != 0 && v < positions.size(); ++v)
            positions[v] += static_cast<float>(weights[t]) * mesh.morphTargets[t].positionDeltas[v];
    return positions;
}

MorphsToCompare morphsToCompare(const MorphWeights& original, const MorphWeights& found)
{
    MorphsToCompare morphs;
    for (std::size_t t = 0; t < original.size(); ++t) {
        const std::optional<double> inFile = t < found.size() ? found[t] : 0;
        const bool isKnown = original[t] && inFile;
        morphs.original.push_back(isKnown ? *original[t] : 0);
        morphs.found.push_back(isKnown ? *inFile : 0);
    }
    return morphs;
}

std::vector<Affine> worldFromMesh(const SkinBinding& binding, const ModelPose& pose)
{
    std::vector<Affine> matrices;
    for (std::size_t k = 0; k < binding.joints.size(); ++k) matrices.push_back(modelFromMesh(binding, pose, k));
    return matrices;
}

OriginalMeshes::OriginalMeshes(const Original& original, const CompiledRig& rig) : m_original(original), m_rig(rig)
{
    if (original.hasModel && original.scene.model)
        for (const Mesh& mesh : original.scene.model->meshes)
            if (!mesh.positions.empty())
                add(mesh.name, mesh, &mesh, static_cast<std::size_t>(&mesh - original.scene.model->meshes.data()));
    if (!original.hasSegments) return;
    for (const Joint& joint : *original.scene.joints) {
        Mesh mesh = segmentMesh(joint.segment);
        if (mesh.positions.empty()) continue;
        mesh.skin.joints = {joint.id};
        mesh.skin.jointFromMesh = {Affine::Identity()};
        add(joint.name + " segment", mesh, nullptr, 0);
    }
}

void OriginalMeshes::add(std::string name, const Mesh& mesh, const Mesh* source, std::size_t index)
{
    Entry entry{.name = std::move(name),
                .capped = {},
                .source = source,
                .index = index,
                .binding = bindSkin(m_rig, mesh.skin),
                .lost = {}};
    entry.capped.positions = mesh.positions;
    entry.capped.indices = mesh.indices;
    entry.capped.skin = mesh.skin.isRigid() ? mesh.skin : cappedSkin(mesh.skin, m_original.maxInfluences, entry.lost);
    m_entries.push_back(std::move(entry));
}

MorphWeights OriginalMeshes::weights(std::size_t i, const BakedClip& clip, double seconds) const
{
    const Entry& entry = m_entries[i];
    if (entry.source == nullptr) return {};
    return morphWeightsAt(*m_original.scene.model, entry.index, clip.sourceAnimation, seconds);
}

std::vector<Eigen::Vector3f> OriginalMeshes::vertices(std::size_t i, const ModelPose& pose,
                                                      std::span<const double> weights)
{
    Entry& entry = m_entries[i];
    std::vector<Eigen::Vector3f> result(entry.capped.positions.size());
    if (entry.source != nullptr) entry.capped.positions = morphed(*entry.source, weights);
    skinVertices(entry.capped, entry.binding, pose, result);
    return result;
}

double OriginalMeshes::costOfCapping(std::size_t i, const BakedClip& clip, std::size_t sample,
                                     const ModelPose& pose) const
{
    const Entry& entry = m_entries[i];
    const Entry::Capped& lost = entry.lost;
    if (lost.vertices.empty()) return 0;
    const MorphWeights morphs = weights(i, clip, clip.times[sample].seconds());
    const std::vector<Affine> matrices = worldFromMesh(entry.binding, pose);
    double largest = 0;
    for (std::size_t n = 0; n < lost.vertices.size(); ++n) {
        const std::uint32_t v = lost.vertices[n];
        Vector3 bound = entry.source->positions[v].cast<double>();
        for (std::size_t t = 0; t < morphs.size(); ++t)
            if (const double weight = morphs[t].value_or(0); weight != 0)
                bound += weight * entry.source->morphTargets[t].positionDeltas[v].cast<double>();
        Vector3 moved = Vector3::Zero();
        for (std::uint32_t k = lost.begin[n]; k < lost.begin[n + 1]; ++k)
            moved += lost.change[k] * (matrices[lost.joint[k]] * bound);
        const double distance = moved.norm();
        if (!(distance <= largest)) largest = std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
    }
    return largest;
}

} // namespace tendon

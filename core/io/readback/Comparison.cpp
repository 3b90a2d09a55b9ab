#include "core/io/readback/Comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tendon {

Mounted mountedIn(const ModelAsset* model, const CompiledRig& rig, const ModelPose& pose)
{
    Mounted mounted;
    if (model == nullptr) return mounted;
    const auto add = [&](auto& list, const auto& what) {
        const JointIndex joint = what.mount.joint.isValid() ? rig.index(what.mount.joint) : -1;
        const Affine worldFromJoint = joint < 0 ? Affine::Identity()
                                                : pose.modelFromJoint[static_cast<std::size_t>(joint)];
        list.push_back({what, withoutScale(worldFromJoint * what.mount.jointFromMount)});
    };
    for (const ModelCamera& camera : model->cameras) add(mounted.cameras, camera);
    for (const ModelLight& light : model->lights) add(mounted.lights, light);
    return mounted;
}

std::string placeOf(const BakedClip& clip, std::size_t sample)
{
    std::array<char, 32> frame{};
    std::snprintf(frame.data(), frame.size(), "%.6g", sampleFrame(clip, sample));
    return "clip " + clip.name + ", frame " + frame.data();
}

bool isVertexSample(std::size_t sample, std::size_t count)
{
    constexpr std::size_t kSamples = 5;
    for (std::size_t i = 0; i < kSamples; ++i)
        if (sample == i * (count - 1) / (kSamples - 1)) return true;
    return false;
}

double radiusOf(const Scene& scene, const std::vector<BakedClip>& clips, BakedPoses& poses)
{
    const double skeleton = skeletonRadius(clips, poses);
    if (skeleton > 1e-9) return skeleton;
    double size = 0; // joints in one place: of what hangs on them
    if (scene.model)
        for (const Mesh& mesh : scene.model->meshes)
            for (const Eigen::Vector3f& position : mesh.positions) {
                const Affine& placed = !mesh.skin.isRigid() || mesh.skin.joints.empty() ? mesh.skin.worldFromMesh
                                                                                        : mesh.skin.jointFromMesh[0];
                size = std::max(size, (placed * position.cast<double>()).norm());
            }
    return size > 0 ? size : 1;
}

int levelsOf(const CompiledRig& rig)
{
    std::vector<int> levels(rig.jointCount(), 1);
    for (std::size_t i = 0; i < levels.size(); ++i)
        if (rig.parent[i] >= 0) levels[i] = levels[at(rig.parent[i])] + 1;
    return levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end());
}

double JointErrors::turnBetween(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b)
{
    constexpr double kFlat = 1e-3; // of the longest: its direction is the rounding of the others
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (b.col(axis).norm() <= kFlat * b.colwise().norm().maxCoeff()) continue;
        const double angle = std::atan2(a.col(axis).cross(b.col(axis)).norm(), a.col(axis).dot(b.col(axis)));
        if (!(angle <= largest)) largest = angle;
    }
    return largest;
}

void VertexErrors::report(ReadBack& result) const
{
    result.vertexError = m_error.value;
    result.vertexAt = m_error.at;
    result.vertices = m_vertices;
}

CappingCost::CappingCost(const OriginalMeshes& meshes, std::size_t maxInfluences)
    : m_meshes(meshes), m_maxInfluences(maxInfluences)
{
    for (std::size_t i = 0; i < meshes.size(); ++i)
        if (!meshes[i].lost.vertices.empty()) m_capped.push_back(i);
}

void CappingCost::add(const BakedClip& clip, std::size_t sample, const ModelPose& pose)
{
    for (const std::size_t i : m_capped)
        m_worst.add(m_meshes.costOfCapping(i, clip, sample, pose),
                    [&] { return placeOf(clip, sample) + ", mesh " + m_meshes[i].name; });
}

void CappingCost::report(ReadBack& result) const
{
    result.maxInfluences = m_maxInfluences;
    for (const std::size_t i : m_capped)
        result.cappedVertices += static_cast<std::int64_t>(m_meshes[i].lost.vertices.size());
    result.cappingError = m_worst.value;
    result.cappingAt = m_worst.at;
}

void JointErrors::report(ReadBack& result) const
{
    result.jointError = m_place.value;
    result.jointAt = m_place.at;
    result.turnError = m_hasTurns ? m_turn.value : -1;
    result.turnAt = m_turn.at;
    result.samples = m_samples;
}

} // namespace tendon

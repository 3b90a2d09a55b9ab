#include "core/io/readback/GltfCheck.h"

#include "core/io/readback/Comparison.h"
#include "core/io/readback/GltfPlayback.h"
#include "core/io/readback/OriginalMeshes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon {

namespace {

/// Compares one file with the original.
class PlaybackCheck
{
public:
    PlaybackCheck(const GltfPlayback& file, const Original& original, const GltfJoints& joints, BakedPoses& poses,
                  ReadBack& result)
        : m_file(file), m_original(original), m_joints(joints), m_poses(poses), m_meshes(original, poses.rig()),
          m_capping(m_meshes, original.maxInfluences), m_result(result)
    {
    }

    void run()
    {
        for (const auto& [joint, node] : m_joints.nodeOf)
            if (node >= m_file.nodeCount()) m_result.missing.push_back("joint " + m_original.scene.find(joint)->name);
        if (!m_result.missing.empty()) return;
        for (std::size_t i = 0; i < m_meshes.size(); ++i) m_pairs.push_back({boundVertices(m_meshes[i]), nullptr});
        for (std::size_t c = 0; c < m_original.clips.size(); ++c) checkClip(m_original.clips[c], c);
        m_jointErrors.report(m_result);
        m_vertexErrors.report(m_result);
        m_capping.report(m_result);
    }

private:
    struct Pair
    {
        std::vector<bool> isBound;                ///< per vertex: the rig has all joints that it hangs on
        const GltfPlayback::Part* part = nullptr; ///< the counterpart, found at the first sample
    };

    static std::vector<bool> boundVertices(const OriginalMeshes::Entry& entry)
    {
        const Skin& skin = entry.capped.skin;
        std::vector<bool> isBound(entry.capped.positions.size(), true);
        for (std::size_t v = 0; !skin.isRigid() && v < isBound.size(); ++v)
            for (std::uint32_t i = skin.influenceBegin[v]; i < skin.influenceBegin[v + 1]; ++i)
                if (entry.binding.joints[skin.influenceJoint[i]] < 0) isBound[v] = false;
        if (skin.isRigid() && !skin.joints.empty() && entry.binding.joints[0] < 0)
            isBound.assign(isBound.size(), false);
        return isBound;
    }

    void checkClip(const BakedClip& clip, std::size_t index)
    {
        const int animation = m_file.animationNamed(clip.name);
        if (animation < 0) {
            m_result.missing.push_back("clip " + clip.name);
            return;
        }
        const double end = clip.times.back().seconds();
        if (std::abs(m_file.lastKey(animation) - end) > 1e-6 * std::max(1.0, end))
            m_result.missing.push_back("the end of clip " + clip.name);
        const std::size_t count = clip.times.size();
        for (std::size_t s = 0; s < count; ++s) {
            const auto seconds = static_cast<float>(clip.times[s].seconds());
            if (s + 1 < count && static_cast<float>(clip.times[s + 1].seconds()) == seconds)
                continue; // one moment in the file
            const auto filePose = m_file.pose(animation, static_cast<double>(seconds));
            const ModelPose& pose = m_poses.at(clip, s);
            m_jointErrors.begin(index, sampleFrame(clip, s));
            for (const auto& [joint, node] : m_joints.nodeOf)
                m_jointErrors.add(
                    m_joints.sceneFromFile * Affine(filePose[node]), m_poses.world(joint),
                    [&, id = joint] { return placeOf(clip, s) + ", joint " + m_original.scene.find(id)->name; });
            m_capping.add(clip, s, pose);
            if (isVertexSample(s, count))
                for (std::size_t i = 0; i < m_meshes.size(); ++i)
                    checkMesh(i, clip, s, pose, {animation, static_cast<double>(seconds), filePose});
            if (s == 0 && m_original.hasModel)
                checkMounted(mountedIn(m_original.scene.model.get(), m_poses.rig(), pose), mountedInFile(filePose),
                             m_result);
        }
    }

    [[nodiscard]] Mounted mountedInFile(const std::vector<Eigen::Matrix4d>& filePose) const
    {
        Mounted mounted;
        const double metresPerUnit = std::cbrt(m_joints.sceneFromFile.linear().determinant());
        const auto add = [&](auto& list, std::size_t node, auto what) {
            multiplyLengths(what, metresPerUnit);
            list.push_back({std::move(what), withoutScale(m_joints.sceneFromFile * Affine(filePose[node]))});
        };
        for (const auto& [node, camera] : m_file.cameras()) add(mounted.cameras, node, camera);
        for (const auto& [node, light] : m_file.lights()) add(mounted.lights, node, light);
        return mounted;
    }

    /// A moment of the file.
    struct Moment
    {
        int animation = -1;
        double seconds = 0;
        const std::vector<Eigen::Matrix4d>& pose;
    };

    /// The largest distance of a part's vertices from the original. [m]
    double distance(std::size_t i, const BakedClip& clip, const ModelPose& pose, const GltfPlayback::Part& part,
                    const Moment& moment)
    {
        const std::vector<double> inFile = m_file.weights(part.node, moment.animation, moment.seconds);
        const MorphWeights found(inFile.begin(), inFile.end());
        MorphWeights meant = m_meshes.weights(i, clip, moment.seconds);
        if (clip.sourceAnimation < 0 && m_original.keepsOtherMotion)
            std::copy_n(found.begin(), std::min(found.size(), meant.size()), meant.begin());
        const MorphsToCompare morphs = morphsToCompare(meant, found);
        const std::vector<Eigen::Vector3f> original = m_meshes.vertices(i, pose, morphs.original);
        const std::vector<Vector3> vertices = m_file.vertices(part, moment.pose, morphs.found);
        double largest = 0;
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            if (m_pairs[i].isBound[v]) addDistance(largest, m_joints.sceneFromFile * vertices[v], original[v]);
        }
        return largest;
    }

    static void addDistance(double& largest, const Vector3& a, const Eigen::Vector3f& b)
    {
        const double distance = (a - b.cast<double>()).norm();
        largest = distance <= largest    ? largest
                  : std::isnan(distance) ? std::numeric_limits<double>::infinity()
                                         : distance;
    }

    void checkMesh(std::size_t i, const BakedClip& clip, std::size_t s, const ModelPose& pose, const Moment& moment)
    {
        Pair& pair = m_pairs[i];
        if (pair.part == nullptr && !findCounterpart(i, clip, pose, moment)) return;
        m_vertexErrors.add(distance(i, clip, pose, *pair.part, moment),
                           [&] { return placeOf(clip, s) + ", mesh " + m_meshes[i].name; });
    }

    /// The nearest part of the file with as many vertices: writers order meshes as they like.
    bool findCounterpart(std::size_t i, const BakedClip& clip, const ModelPose& pose, const Moment& moment)
    {
        Pair& pair = m_pairs[i];
        double best = std::numeric_limits<double>::infinity();
        for (const GltfPlayback::Part& part : m_file.parts()) {
            if (part.positions.size() != pair.isBound.size()) continue;
            const double error = distance(i, clip, pose, part, moment);
            if (pair.part != nullptr && error >= best) continue;
            best = error;
            pair.part = &part;
        }
        if (pair.part != nullptr) {
            m_vertexErrors.addMesh(std::count(pair.isBound.begin(), pair.isBound.end(), true));
            return true;
        }
        const std::string name = "mesh " + m_meshes[i].name;
        if (m_file.unreadableParts().empty() &&
            std::find(m_result.missing.begin(), m_result.missing.end(), name) == m_result.missing.end())
            m_result.missing.push_back(name);
        return false;
    }

    const GltfPlayback& m_file;
    const Original& m_original;
    const GltfJoints& m_joints;
    BakedPoses& m_poses;
    OriginalMeshes m_meshes;
    CappingCost m_capping;
    ReadBack& m_result;
    std::vector<Pair> m_pairs; ///< one per mesh of the original
    JointErrors m_jointErrors;
    VertexErrors m_vertexErrors;
};

} // namespace

Result<ReadBack> checkGltf(const std::string& path, const Original& original, const GltfJoints& joints, Issues& issues)
{
    auto poses = BakedPoses::of(original.scene);
    if (!poses) return poses.error();
    ReadBack result{.reader = "Tendon's glTF playback", .jointAt = {}, .vertexAt = {}, .missing = {}};
    result.radius = radiusOf(original.scene, original.clips, *poses);
    result.levels = levelsOf(poses->rig());
    const auto file = GltfPlayback::load(path);
    if (!file) {
        result.missing.push_back("the whole file: " + file.error().text());
        return result;
    }
    PlaybackCheck(*file, original, joints, *poses, result).run();
    if (!file->unreadableParts().empty())
        issues.push_back({.severity = Severity::Info,
                          .text = "is compressed; its vertices could not be checked",
                          .where = "mesh " + file->unreadableParts().front()});
    return result;
}

} // namespace tendon

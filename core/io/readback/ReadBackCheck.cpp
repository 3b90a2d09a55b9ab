#include "core/io/readback/ReadBackCheck.h"

#include "core/io/readback/GltfPlayback.h"
#include "core/io/readback/JointErrors.h"
#include "core/runtime/Skinning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon {

namespace {

/// Compares one file with what was meant.
class PlaybackCheck
{
public:
    PlaybackCheck(const GltfPlayback& file, const Expected& expected, BakedPoses& poses, ReadBack& result)
        : m_file(file), m_expected(expected), m_poses(poses), m_result(result)
    {
    }

    void run()
    {
        for (const auto& [joint, node] : m_expected.nodeOf)
            if (node >= m_file.nodeCount()) m_result.missing.push_back("joint " + m_expected.scene.find(joint)->name);
        if (!m_result.missing.empty()) return;
        bindMeshes();
        for (std::size_t c = 0; c < m_expected.clips.size(); ++c) checkClip(m_expected.clips[c], c);
        for (const Pair& pair : m_pairs) m_vertex.add(pair.worst.value, [&] { return pair.worst.at; });
        m_joints.tell(m_result);
        m_result.vertexError = m_vertex.value;
        for (const Pair& pair : m_pairs)
            if (pair.part != nullptr) m_result.vertices += std::count(pair.isBound.begin(), pair.isBound.end(), true);
        m_result.vertexAt = m_vertex.at;
    }

private:
    struct Pair
    {
        const Mesh* mesh = nullptr;
        SkinBinding binding;
        std::vector<bool> isBound;                ///< per vertex: all joints it hangs on are there
        const GltfPlayback::Part* part = nullptr; ///< its counterpart, found at the first sample
        WorstError worst;
    };

    void bindMeshes()
    {
        if (!m_expected.scene.model) return;
        for (const Mesh& mesh : m_expected.scene.model->meshes) {
            if (mesh.positions.empty()) continue;
            Pair pair{.mesh = &mesh,
                      .binding = bindSkin(m_poses.rig(), mesh.skin),
                      .isBound = {},
                      .part = nullptr,
                      .worst = {}};
            pair.isBound.assign(mesh.positions.size(), true);
            const Skin& skin = mesh.skin;
            for (std::size_t v = 0; !skin.isRigid() && v < mesh.positions.size(); ++v)
                for (std::uint32_t i = skin.influenceBegin[v]; i < skin.influenceBegin[v + 1]; ++i)
                    if (pair.binding.joints[skin.influenceJoint[i]] < 0) pair.isBound[v] = false;
            if (skin.isRigid() && !skin.joints.empty() && pair.binding.joints[0] < 0)
                pair.isBound.assign(mesh.positions.size(), false);
            m_pairs.push_back(std::move(pair));
        }
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
            m_joints.begin(index, sampleFrame(clip, s));
            for (const auto& [joint, node] : m_expected.nodeOf)
                m_joints.add(m_expected.sceneFromFile * Affine(filePose[node]), m_poses.world(joint), [&, id = joint] {
                    return placeOf(clip, s) + ", joint " + m_expected.scene.find(id)->name;
                });
            if (isVertexSample(s, count)) checkVertices(clip, s, pose, filePose);
            if (s == 0)
                checkMounted(mountedIn(m_expected.scene.model.get(), m_poses.rig(), pose), mountedInFile(filePose),
                             m_result);
        }
    }

    [[nodiscard]] Mounted mountedInFile(const std::vector<Eigen::Matrix4d>& filePose) const
    {
        Mounted mounted;
        const double metresPerUnit = std::cbrt(m_expected.sceneFromFile.linear().determinant());
        const auto add = [&](auto& list, std::size_t node, auto what) {
            multiplyLengths(what, metresPerUnit);
            list.push_back({std::move(what), withoutScale(m_expected.sceneFromFile * Affine(filePose[node]))});
        };
        for (const auto& [node, camera] : m_file.cameras()) add(mounted.cameras, node, camera);
        for (const auto& [node, light] : m_file.lights()) add(mounted.lights, node, light);
        return mounted;
    }

    static double distance(const Vector3& a, const Vector3& b)
    {
        const double d = (a - b).norm();
        return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
    }

    void checkVertices(const BakedClip& clip, std::size_t s, const ModelPose& pose,
                       const std::vector<Eigen::Matrix4d>& filePose)
    {
        std::vector<std::vector<Vector3>> found;
        for (const GltfPlayback::Part& part : m_file.parts()) found.push_back(m_file.vertices(part, filePose));
        for (Pair& pair : m_pairs) {
            std::vector<Eigen::Vector3f> meant(pair.mesh->positions.size());
            skinVertices(*pair.mesh, pair.binding, pose, meant);
            if (pair.part == nullptr && !findCounterpart(pair, meant, found)) continue;
            const auto index = static_cast<std::size_t>(pair.part - m_file.parts().data());
            pair.worst.add(largest(pair, meant, found[index]),
                           [&] { return placeOf(clip, s) + ", mesh " + pair.mesh->name; });
        }
    }

    double largest(const Pair& pair, const std::vector<Eigen::Vector3f>& meant, const std::vector<Vector3>& found) const
    {
        double worst = 0;
        for (std::size_t v = 0; v < meant.size(); ++v)
            if (pair.isBound[v])
                worst = std::max(worst, distance(m_expected.sceneFromFile * found[v], meant[v].cast<double>()));
        return worst;
    }

    /// The part of the file with as many vertices, the nearest of them. Readers order meshes as they like.
    bool findCounterpart(Pair& pair, const std::vector<Eigen::Vector3f>& meant,
                         const std::vector<std::vector<Vector3>>& found)
    {
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i].size() != meant.size()) continue;
            const double error = largest(pair, meant, found[i]);
            if (pair.part != nullptr && error >= best) continue;
            best = error;
            pair.part = &m_file.parts()[i];
        }
        const bool isKnown = pair.part != nullptr || !m_file.unreadableParts().empty();
        const std::string name = "mesh " + pair.mesh->name;
        if (!isKnown && std::find(m_result.missing.begin(), m_result.missing.end(), name) == m_result.missing.end())
            m_result.missing.push_back(name);
        return pair.part != nullptr;
    }

    const GltfPlayback& m_file;
    const Expected& m_expected;
    BakedPoses& m_poses;
    ReadBack& m_result;
    std::vector<Pair> m_pairs;
    JointErrors m_joints;
    WorstError m_vertex;
};

} // namespace

Result<ReadBack> checkGltf(const std::string& path, const Expected& expected, Issues& issues)
{
    auto poses = BakedPoses::of(expected.scene);
    if (!poses) return poses.error();
    ReadBack result{.reader = "Tendon's glTF playback", .jointAt = {}, .vertexAt = {}, .missing = {}};
    result.radius = radiusOf(expected.scene, expected.clips, *poses);
    const auto file = GltfPlayback::load(path);
    if (!file) {
        result.missing.push_back("the whole file: " + file.error().text());
        return result;
    }
    PlaybackCheck(*file, expected, *poses, result).run();
    if (!file->unreadableParts().empty())
        issues.push_back({.severity = Severity::Info,
                          .text = "is compressed; its vertices could not be checked",
                          .where = "mesh " + file->unreadableParts().front()});
    return result;
}

} // namespace tendon

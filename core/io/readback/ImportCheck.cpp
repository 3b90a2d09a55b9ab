#include "core/io/readback/ImportCheck.h"

#include "core/io/import/ModelImport.h"
#include "core/io/readback/JointErrors.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"
#include "core/runtime/Skinning.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon {
namespace {

/// Plays the imported file beside what was meant.
class ReimportCheck
{
public:
    ReimportCheck(const Scene& file, std::shared_ptr<const CompiledRig> rig, const Scene& scene, BakedPoses& poses,
                  ReadBack& result, TurnsFrom turnsFrom)
        : m_file(file), m_rig(rig), m_sampler(std::move(rig)), m_scene(scene), m_poses(poses), m_result(result),
          m_turnsFrom(turnsFrom)
    {
    }

    void run(const std::vector<BakedClip>& clips, const std::map<JointId, std::string>& nameOf)
    {
        std::map<std::string, JointIndex> indexOf;
        for (const Joint& joint : *m_file.joints) indexOf[joint.name] = m_rig->index(joint.id);
        for (const auto& [joint, name] : nameOf) {
            const auto found = indexOf.find(name);
            if (found == indexOf.end())
                m_result.missing.push_back("joint " + name);
            else
                m_pairs.push_back({joint, found->second,
                                   m_turnsFrom == TurnsFrom::Rest
                                       ? rotationOf(worldInRestPose(m_scene, joint)).conjugate()
                                       : Quaternion::Identity()});
        }
        bindMeshes();
        for (std::size_t c = 0; c < clips.size(); ++c) checkClip(clips[c], c);
        m_joints.tell(m_result);
        m_result.vertexError = m_vertex.value;
        m_result.vertexAt = m_vertex.at;
    }

private:
    struct JointPair
    {
        JointId joint;
        JointIndex found;
        Quaternion fromRest; ///< what takes the joint's axes at rest back to the world's
    };
    struct MeshPair
    {
        const Mesh* meant = nullptr;
        SkinBinding meantBinding;
        std::ptrdiff_t found = -1; ///< in m_found, paired at the first sample
    };
    struct FoundMesh
    {
        const Mesh* mesh = nullptr;
        SkinBinding binding;
        bool isTaken = false;
    };

    void bindMeshes()
    {
        if (m_file.model)
            for (const Mesh& mesh : m_file.model->meshes) m_found.push_back({&mesh, bindSkin(*m_rig, mesh.skin)});
        if (!m_scene.model) return;
        for (const Mesh& mesh : m_scene.model->meshes)
            if (!mesh.positions.empty() && !mesh.indices.empty())
                m_meshes.push_back({&mesh, bindSkin(m_poses.rig(), mesh.skin)});
    }

    void checkClip(const BakedClip& clip, std::size_t index)
    {
        const Clip* found = m_file.clipNamed(clip.name);
        const std::size_t count = clip.times.size();
        if (found == nullptr && count > 1) {
            m_result.missing.push_back("clip " + clip.name);
            return;
        }
        const Time first = found == nullptr ? Time{} : found->begin(); // a single pose may have become the rest pose
        const double begin = clip.times.front().seconds(), end = clip.times.back().seconds();
        const double length = found == nullptr ? 0 : found->end().seconds() - first.seconds();
        if (std::abs(length - (end - begin)) > 1e-3 / clip.fps.perSecond())
            m_result.missing.push_back("the end of clip " + clip.name);
        m_sampler.prepare(m_file, found);
        for (std::size_t s = 0; s < count; ++s) {
            // Importers of the format count time from a clip's first key.
            m_sampler.sample({}, Time{first.ticks + clip.times[s].ticks - clip.times.front().ticks}, m_local);
            forwardKinematics(*m_rig, m_local, m_model);
            const ModelPose& meant = m_poses.at(clip, s);
            m_joints.begin(index, sampleFrame(clip, s));
            for (const JointPair& pair : m_pairs) checkJoint(pair, clip, s);
            if (isVertexSample(s, count)) checkVertices(clip, s, meant);
            if (s == 0)
                checkMounted(mountedIn(m_scene.model.get(), m_poses.rig(), meant),
                             mountedIn(m_file.model.get(), *m_rig, m_model), m_result);
        }
    }

    void checkJoint(const JointPair& pair, const BakedClip& clip, std::size_t s)
    {
        const Affine &read = m_model.modelFromJoint[static_cast<std::size_t>(pair.found)],
                     &meant = m_poses.world(pair.joint);
        const auto where = [&] { return placeOf(clip, s) + ", joint " + m_scene.find(pair.joint)->name; };
        if (m_turnsFrom == TurnsFrom::World) return m_joints.add(read, meant, where);
        m_joints.add(Vector3(read.translation()), Vector3(meant.translation()), where);
        m_joints.addTurn(read.linear(), (rotationOf(meant) * pair.fromRest).toRotationMatrix(), where);
    }

    void checkVertices(const BakedClip& clip, std::size_t s, const ModelPose& pose)
    {
        std::vector<std::vector<Eigen::Vector3f>> found;
        for (const FoundMesh& mesh : m_found) {
            found.emplace_back(mesh.mesh->positions.size());
            skinVertices(*mesh.mesh, mesh.binding, m_model, found.back());
        }
        for (MeshPair& pair : m_meshes) {
            std::vector<Eigen::Vector3f> meant(pair.meant->positions.size());
            skinVertices(*pair.meant, pair.meantBinding, pose, meant);
            if (pair.found < 0 && !findCounterpart(pair, meant, found)) continue;
            m_vertex.add(largest(*pair.meant, meant, static_cast<std::size_t>(pair.found), found),
                         [&] { return placeOf(clip, s) + ", mesh " + pair.meant->name; });
        }
    }

    /// Corner by corner: importers give each corner of a triangle a vertex of its own, or join those that are alike.
    double largest(const Mesh& mesh, const std::vector<Eigen::Vector3f>& meant, std::size_t other,
                   const std::vector<std::vector<Eigen::Vector3f>>& found) const
    {
        double worst = 0;
        for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
            const Eigen::Vector3f &a = meant[mesh.indices[i]], &b = found[other][m_found[other].mesh->indices[i]];
            const auto d = static_cast<double>((a - b).norm());
            worst = d <= worst ? worst : d == d ? d : std::numeric_limits<double>::infinity();
        }
        return worst;
    }

    /// The mesh with as many triangles, the nearest of those that are left: importers order and name meshes as they
    /// like.
    bool findCounterpart(MeshPair& pair, const std::vector<Eigen::Vector3f>& meant,
                         const std::vector<std::vector<Eigen::Vector3f>>& found)
    {
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < m_found.size(); ++i) {
            if (m_found[i].isTaken || m_found[i].mesh->indices.size() != pair.meant->indices.size()) continue;
            const double error = largest(*pair.meant, meant, i, found);
            if (pair.found >= 0 && error >= best) continue;
            best = error;
            pair.found = static_cast<std::ptrdiff_t>(i);
        }
        if (pair.found >= 0) {
            m_found[static_cast<std::size_t>(pair.found)].isTaken = true;
            m_result.vertices += static_cast<std::int64_t>(meant.size());
            return true;
        }
        const std::string name = "mesh " + pair.meant->name;
        if (std::find(m_result.missing.begin(), m_result.missing.end(), name) == m_result.missing.end())
            m_result.missing.push_back(name);
        return false;
    }

    const Scene& m_file;
    std::shared_ptr<const CompiledRig> m_rig;
    PoseSampler m_sampler;
    LocalPose m_local;
    ModelPose m_model;
    const Scene& m_scene;
    BakedPoses& m_poses;
    ReadBack& m_result;
    TurnsFrom m_turnsFrom;
    std::vector<JointPair> m_pairs;
    std::vector<FoundMesh> m_found;
    std::vector<MeshPair> m_meshes;
    JointErrors m_joints;
    WorstError m_vertex;
};

} // namespace

Result<ReadBack> checkByImport(const std::string& path, const Scene& scene, const std::vector<BakedClip>& clips,
                               const std::map<JointId, std::string>& nameOf, const ImportOptions& options,
                               TurnsFrom turnsFrom)
{
    auto poses = BakedPoses::of(scene);
    if (!poses) return poses.error();
    ReadBack result{.reader = "Tendon's import, by Assimp", .jointAt = {}, .vertexAt = {}, .missing = {}};
    result.radius = radiusOf(scene, clips, *poses);
    const auto imported = importModel(path, options);
    if (!imported) {
        result.missing.push_back("the whole file: " + imported.error().text());
        return result;
    }
    const auto rig = compile(imported->scene);
    if (!rig) return rig.error();
    ReimportCheck(imported->scene, *rig, scene, *poses, result, turnsFrom).run(clips, nameOf);
    return result;
}

} // namespace tendon

#include "core/io/readback/ImportCheck.h"

#include "core/io/import/ModelImport.h"
#include "core/io/readback/Comparison.h"
#include "core/io/readback/OriginalMeshes.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"
#include "core/runtime/StepTimes.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tendon {
namespace {

/// Plays the imported file beside the original.
class ReimportCheck
{
public:
    ReimportCheck(const Scene& file, std::shared_ptr<const CompiledRig> rig, const Original& original,
                  BakedPoses& poses, ReadBack& result, TurnsFrom turnsFrom)
        : m_file(file), m_rig(rig), m_sampler(std::move(rig)), m_original(original), m_poses(poses),
          m_meshes(original, poses.rig()), m_capping(m_meshes, original.maxInfluences), m_result(result),
          m_turnsFrom(turnsFrom)
    {
    }

    void run(const std::map<JointId, std::string>& nameOf)
    {
        std::map<std::string, JointIndex> indexOf;
        for (const Joint& joint : *m_file.joints) indexOf[joint.name] = m_rig->index(joint.id);
        const std::vector<Affine> rest = worldInRestPose(m_original.scene);
        for (const auto& [joint, name] : nameOf) {
            const auto found = indexOf.find(name);
            if (found == indexOf.end())
                m_result.missing.push_back("joint " + name);
            else
                m_joints.push_back({joint, found->second,
                                    m_turnsFrom == TurnsFrom::Rest
                                        ? rotationOf(rest[m_original.scene.joints->placeOf(joint)]).conjugate()
                                        : Quaternion::Identity()});
        }
        bindMeshes();
        for (std::size_t c = 0; c < m_original.clips.size(); ++c) checkClip(m_original.clips[c], c);
        m_jointErrors.report(m_result);
        m_vertexErrors.report(m_result);
        m_capping.report(m_result);
    }

private:
    struct JointPair
    {
        JointId joint;
        JointIndex found;
        Quaternion fromRest; ///< turns the joint's axes at rest to the world's
    };
    struct MeshPair
    {
        std::size_t original = 0;  ///< in m_meshes
        std::ptrdiff_t found = -1; ///< in m_found, paired at the first sample
    };
    struct FoundMesh
    {
        const Mesh* mesh = nullptr;
        SkinBinding binding;
        bool isTaken = false;
    };
    struct Moment
    {
        const BakedClip& clip;
        std::size_t sample = 0;
        std::int32_t sourceAnimation = -1; ///< of the file's clip
        double seconds = 0;                ///< in the file's clip
        const ModelPose& original;
    };

    void bindMeshes()
    {
        if (m_file.model)
            for (const Mesh& mesh : m_file.model->meshes) m_found.push_back({&mesh, bindSkin(*m_rig, mesh.skin)});
        for (std::size_t i = 0; i < m_meshes.size(); ++i)
            if (!m_meshes[i].capped.indices.empty()) m_pairs.push_back({i, -1});
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
            if (isBesideStep(clip.times, s)) continue; // these formats have steps at their frames alone
            // Importers of the format count time from a clip's first key.
            const Time time{first.ticks + clip.times[s].ticks - clip.times.front().ticks};
            m_sampler.sample({}, time, m_local);
            forwardKinematics(*m_rig, m_local, m_model);
            const ModelPose& original = m_poses.at(clip, s);
            m_jointErrors.begin(index, sampleFrame(clip, s));
            for (const JointPair& pair : m_joints) checkJoint(pair, clip, s);
            m_capping.add(clip, s, original);
            if (isVertexSample(s, count))
                checkVertices({clip, s, found == nullptr ? -1 : found->sourceAnimation, time.seconds(), original});
            if (s == 0 && m_original.hasModel)
                checkMounted(mountedIn(m_original.scene.model.get(), m_poses.rig(), original),
                             mountedIn(m_file.model.get(), *m_rig, m_model), m_result);
        }
    }

    void checkJoint(const JointPair& pair, const BakedClip& clip, std::size_t s)
    {
        const Affine &read = m_model.modelFromJoint[static_cast<std::size_t>(pair.found)],
                     &original = m_poses.world(pair.joint);
        const auto where = [&] { return placeOf(clip, s) + ", joint " + m_original.scene.find(pair.joint)->name; };
        if (m_turnsFrom == TurnsFrom::World) return m_jointErrors.add(read, original, where);
        m_jointErrors.add(Vector3(read.translation()), Vector3(original.translation()), where);
        m_jointErrors.addTurn(read.linear(), (rotationOf(original) * pair.fromRest).toRotationMatrix(), where);
    }

    void checkVertices(const Moment& moment)
    {
        for (MeshPair& pair : m_pairs) {
            if (pair.found < 0 && !findCounterpart(pair, moment)) continue;
            m_vertexErrors.add(distance(pair.original, m_found[static_cast<std::size_t>(pair.found)], moment), [&] {
                return placeOf(moment.clip, moment.sample) + ", mesh " + m_meshes[pair.original].name;
            });
        }
    }

    /// The largest distance from the original. Corner by corner: importers give each corner of a triangle a vertex of
    /// its own, or join vertices that are alike. Where the file holds the mirror image of the original's mesh, its
    /// triangles have to face the other way: their second and third corners are exchanged. [m]
    double distance(std::size_t original, const FoundMesh& found, const Moment& moment)
    {
        const auto index = static_cast<std::size_t>(found.mesh - m_file.model->meshes.data());
        const MorphsToCompare morphs = morphsToCompare(
            m_meshes.weights(original, moment.clip, moment.clip.times[moment.sample].seconds()),
            morphWeightsAt(*m_file.model, index, moment.sourceAnimation, moment.seconds));
        const std::vector<Eigen::Vector3f> meant = m_meshes.vertices(original, moment.original, morphs.original);
        Mesh posed;
        posed.positions = morphed(*found.mesh, morphs.found);
        posed.skin = found.mesh->skin;
        std::vector<Eigen::Vector3f> read(posed.positions.size());
        skinVertices(posed, found.binding, m_model, read);
        const std::vector<std::uint32_t>& corners = m_meshes[original].capped.indices;
        const std::array<std::size_t, 3> order = isMirrored(m_meshes[original], found, moment)
                                                     ? std::array<std::size_t, 3>{0, 2, 1}
                                                     : std::array<std::size_t, 3>{0, 1, 2};
        double largest = 0;
        for (std::size_t i = 0; i < corners.size(); ++i)
            addDistance(largest, read[found.mesh->indices[i - i % 3 + order[i % 3]]], meant[corners[i]]);
        return largest;
    }

    /// True when the file's mesh becomes what is drawn by a mirror and the original's does not, or the other way round.
    /// Where a pose has no volume it does not count.
    [[nodiscard]] bool isMirrored(const OriginalMeshes::Entry& original, const FoundMesh& found,
                                  const Moment& moment) const
    {
        const std::vector<Affine> meant = worldFromMesh(original.binding, moment.original),
                                  read = worldFromMesh(found.binding, m_model);
        const std::vector<std::uint32_t>&corners = original.capped.indices, &others = found.mesh->indices;
        double sum = 0; // of triangles whose first corners agree, minus those that do not
        for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
            sum += volumeAt(original.capped.skin, meant, corners[i]) * volumeAt(found.mesh->skin, read, others[i]);
        return sum < 0;
    }

    /// The volume to which skinning turns a unit cube at a vertex, as a share of the product of its edges: -1 ... 1.
    static double volumeAt(const Skin& skin, const std::vector<Affine>& worldFromMesh, std::uint32_t vertex)
    {
        Eigen::Matrix3d linear = worldFromMesh[0].linear();
        if (!skin.isRigid()) {
            linear.setZero();
            for (std::uint32_t i = skin.influenceBegin[vertex]; i < skin.influenceBegin[vertex + 1]; ++i)
                linear += static_cast<double>(skin.influenceWeight[i]) * worldFromMesh[skin.influenceJoint[i]].linear();
        }
        const double edges = linear.colwise().norm().prod();
        return edges > 0 ? linear.determinant() / edges : 0;
    }

    static void addDistance(double& largest, const Eigen::Vector3f& a, const Eigen::Vector3f& b)
    {
        const auto distance = static_cast<double>((a - b).norm());
        largest = distance <= largest    ? largest
                  : std::isnan(distance) ? std::numeric_limits<double>::infinity()
                                         : distance;
    }

    /// The nearest mesh with as many triangles of those that have no counterpart yet: importers order and name meshes
    /// as they like.
    bool findCounterpart(MeshPair& pair, const Moment& moment)
    {
        const OriginalMeshes::Entry& entry = m_meshes[pair.original];
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < m_found.size(); ++i) {
            if (m_found[i].isTaken || m_found[i].mesh->indices.size() != entry.capped.indices.size()) continue;
            const double error = distance(pair.original, m_found[i], moment);
            if (pair.found >= 0 && error >= best) continue;
            best = error;
            pair.found = static_cast<std::ptrdiff_t>(i);
        }
        if (pair.found >= 0) {
            m_found[static_cast<std::size_t>(pair.found)].isTaken = true;
            m_vertexErrors.addMesh(static_cast<std::int64_t>(entry.capped.positions.size()));
            return true;
        }
        const std::string name = "mesh " + entry.name;
        if (std::find(m_result.missing.begin(), m_result.missing.end(), name) == m_result.missing.end())
            m_result.missing.push_back(name);
        return false;
    }

    const Scene& m_file;
    std::shared_ptr<const CompiledRig> m_rig;
    PoseSampler m_sampler;
    LocalPose m_local;
    ModelPose m_model;
    const Original& m_original;
    BakedPoses& m_poses;
    OriginalMeshes m_meshes;
    CappingCost m_capping;
    ReadBack& m_result;
    TurnsFrom m_turnsFrom;
    std::vector<JointPair> m_joints;
    std::vector<FoundMesh> m_found;
    std::vector<MeshPair> m_pairs;
    JointErrors m_jointErrors;
    VertexErrors m_vertexErrors;
};

} // namespace

Result<ReadBack> checkByImport(const std::string& path, const Original& original,
                               const std::map<JointId, std::string>& nameOf, const ImportOptions& options,
                               TurnsFrom turnsFrom)
{
    auto poses = BakedPoses::of(original.scene);
    if (!poses) return poses.error();
    ReadBack result{.reader = "Tendon's import, by Assimp", .jointAt = {}, .vertexAt = {}, .missing = {}};
    result.radius = radiusOf(original.scene, original.clips, *poses);
    result.levels = levelsOf(poses->rig());
    const auto imported = importModel(path, options);
    if (!imported) {
        result.missing.push_back("the whole file: " + imported.error().text());
        return result;
    }
    const auto rig = compile(imported->scene);
    if (!rig) return rig.error();
    ReimportCheck(imported->scene, *rig, original, *poses, result, turnsFrom).run(nameOf);
    return result;
}

} // namespace tendon

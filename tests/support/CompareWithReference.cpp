#include "tests/support/CompareWithReference.h"

#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"
#include "tests/support/GltfReference.h"

#include <algorithm>
#include <limits>

namespace tendon::test {
namespace {

class Comparison
{
public:
    Comparison(const ImportedModel& model, const QString& path) : m_scene(model.scene), m_reference(path)
    {
        auto rig = compile(m_scene);
        if (!rig) qFatal("%s", rig.error().text().c_str());
        m_rig = *rig;
        m_sampler = std::make_unique<PoseSampler>(m_rig);
    }

    Deviation run(int perClip)
    {
        comparePose(nullptr, 0);
        for (const auto& clip : m_scene.clips)
            for (int i = 0; i < perClip; ++i)
                comparePose(&*clip, m_reference.duration(clip->sourceAnimation) * i / std::max(perClip - 1, 1));
        return m_deviation;
    }

private:
    void comparePose(const Clip* clip, double seconds)
    {
        LocalPose local;
        m_sampler->prepare(m_scene, clip);
        m_sampler->sample({}, Time::fromSeconds(seconds), local);
        forwardKinematics(*m_rig, local, m_pose);
        const auto world = m_reference.world(clip ? clip->sourceAnimation : -1, seconds);
        ++m_deviation.poses;
        double radius = 1e-9;
        for (std::size_t i = 0; i < m_rig->jointCount(); ++i)
            for (std::size_t k = 0; k < m_rig->jointCount() && i == 0; ++k)
                radius = std::max(radius, (joint(k).translation() - joint(0).translation()).norm());
        if (m_rig->jointCount() == 1) radius = std::max(radius, joint(0).translation().norm());
        if (radius <= 1e-9) radius = 1;
        const auto note = [&](double& worst, double error, const std::string& what) {
            if (error <= worst) return;
            worst = error;
            m_deviation.worst = QString("%1 in %2 at %3 s")
                                    .arg(QString::fromStdString(what),
                                         clip ? QString::fromStdString(clip->name) : "the rest pose")
                                    .arg(seconds);
        };
        for (std::size_t i = 0; i < m_rig->jointCount(); ++i) {
            const Eigen::Affine3d& expected = world[static_cast<std::size_t>(m_rig->authored[i].sourceNode)];
            note(m_deviation.joints, (joint(i).translation() - expected.translation()).norm() / radius,
                 "joint " + m_rig->authored[i].name);
        }
        const auto expected = m_reference.vertices(world);
        if (expected.size() != m_scene.model->meshes.size()) {
            note(m_deviation.vertices, std::numeric_limits<double>::infinity(), "the number of meshes");
            return;
        }
        for (std::size_t m = 0; m < expected.size(); ++m) {
            const Mesh& mesh = m_scene.model->meshes[m];
            if (mesh.positions.size() != expected[m].size())
                note(m_deviation.vertices, std::numeric_limits<double>::infinity(), "vertices of " + mesh.name);
            for (std::size_t v = 0; v < std::min(mesh.positions.size(), expected[m].size()); ++v)
                note(m_deviation.vertices, (placed(mesh, v) - expected[m][v]).norm() / radius,
                     "vertex " + std::to_string(v) + " of mesh " + mesh.name);
        }
    }

    const Affine& joint(std::size_t i) const { return m_pose.modelFromJoint[i]; }

    Vector3 placed(const Mesh& mesh, std::size_t vertex) const
    {
        const Skin& skin = mesh.skin;
        const Vector3 position = mesh.positions[vertex].cast<double>();
        const auto through = [&](std::size_t k) {
            return Vector3(joint(static_cast<std::size_t>(m_rig->index(skin.joints[k]))) *
                           (skin.jointFromMesh[k] * position));
        };
        if (skin.isRigid()) return skin.joints.empty() ? Vector3(skin.worldFromMesh * position) : through(0);
        Vector3 sum = Vector3::Zero();
        for (std::uint32_t i = skin.influenceBegin[vertex]; i < skin.influenceBegin[vertex + 1]; ++i)
            sum += static_cast<double>(skin.influenceWeight[i]) * through(skin.influenceJoint[i]);
        return sum;
    }

    const Scene& m_scene;
    GltfReference m_reference;
    std::shared_ptr<const CompiledRig> m_rig;
    std::unique_ptr<PoseSampler> m_sampler;
    ModelPose m_pose;
    Deviation m_deviation;
};

} // namespace

Deviation compareWithReference(const ImportedModel& model, const QString& path, int perClip)
{
    return Comparison(model, path).run(perClip);
}

} // namespace tendon::test

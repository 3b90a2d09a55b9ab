#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"
#include "core/runtime/Skinning.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <functional>

using namespace tendon;
using namespace tendon::test;

namespace {

/// A random tree of joints with random rest poses.
TestRig randomTree(std::mt19937& random, int count)
{
    TestRig test;
    std::vector<JointId> ids;
    for (int i = 0; i < count; ++i) {
        const auto pick = std::uniform_int_distribution<int>(-1, i - 1)(random);
        ids.push_back(test.joint("j" + std::to_string(i), pick < 0 ? JointId{} : ids[static_cast<std::size_t>(pick)],
                                 randomVector(random)));
        test.edit(ids.back()).rest.rotation = randomRotation(random);
        test.edit(ids.back()).rest.scale = Vector3::Ones() + 0.3 * randomVector(random);
    }
    return test;
}

LocalPose restPose(const Scene& scene)
{
    PoseSampler sampler(*compile(scene));
    sampler.prepare(scene, nullptr);
    LocalPose pose;
    sampler.sample({}, {}, pose);
    return pose;
}

/// World matrix written out by hand, from the authored tree and 4 x 4 products.
Eigen::Matrix4d worldOf(const Scene& scene, JointId id)
{
    const Joint& joint = *scene.find(id);
    const auto& q = joint.rest.rotation;
    const double x = q.x(), y = q.y(), z = q.z(), w = q.w();
    Eigen::Matrix4d rotation = Eigen::Matrix4d::Identity(), move = rotation, grow = rotation;
    rotation.topLeftCorner<3, 3>() << 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
        2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 2 * (x * z - y * w), 2 * (y * z + x * w),
        1 - 2 * (x * x + y * y);
    move.topRightCorner<3, 1>() = joint.rest.translation;
    for (int c = 0; c < 3; ++c) grow(c, c) = joint.rest.scale[c];
    const Eigen::Matrix4d local = move * rotation * grow;
    return joint.parent.isValid() ? Eigen::Matrix4d(worldOf(scene, joint.parent) * local) : local;
}

} // namespace

class TestForwardKinematics : public QObject
{
    Q_OBJECT

private slots:
    void matchesMatrixProductsWrittenByHand()
    {
        std::mt19937 random(31);
        const TestRig test = randomTree(random, 60);
        const auto rig = *compile(test.scene);
        ModelPose model;
        forwardKinematics(*rig, restPose(test.scene), model);
        for (std::size_t i = 0; i < rig->jointCount(); ++i) {
            const Eigen::Matrix4d expected = worldOf(test.scene, rig->id[i]);
            QVERIFY((model.modelFromJoint[i].matrix() - expected).norm() < 1e-12 * (1 + expected.norm()));
        }
    }

    void rotatingAJointDoesNotChangeABitOfJointsThatAreNotBelowIt()
    {
        std::mt19937 random(32);
        const TestRig test = randomTree(random, 60);
        const auto rig = *compile(test.scene);
        LocalPose local = restPose(test.scene);
        ModelPose before, after;
        forwardKinematics(*rig, local, before);
        for (JointIndex turned = 0; turned < 60; ++turned) {
            LocalPose moved = local;
            Quaternion& rotation = moved.joints[static_cast<std::size_t>(turned)].rotation;
            rotation = rotation * Quaternion(Eigen::AngleAxisd(0.5, Vector3::UnitZ()));
            forwardKinematics(*rig, moved, after);
            ModelPose partial = before;
            forwardKinematics(*rig, moved, partial, turned, rig->subtreeEnd[static_cast<std::size_t>(turned)]);
            for (JointIndex j = 0; j < 60; ++j) {
                const auto i = static_cast<std::size_t>(j);
                QVERIFY(partial.modelFromJoint[i].matrix() == after.modelFromJoint[i].matrix());
                const bool isSame = before.modelFromJoint[i].matrix() == after.modelFromJoint[i].matrix();
                QCOMPARE(isSame, !rig->isAtOrBelow(j, turned));
            }
        }
    }

    void skinnedVerticesFollowTheirJointsByWeight()
    {
        std::mt19937 random(33);
        TestRig test = randomTree(random, 10);
        const auto rig = *compile(test.scene);
        LocalPose local = restPose(test.scene);
        ModelPose bind, posed;
        forwardKinematics(*rig, local, bind);

        Mesh mesh;
        mesh.skin.influenceBegin = {0};
        for (std::size_t i = 0; i < 10; ++i) {
            mesh.skin.joints.push_back(rig->id[9 - i]);
            mesh.skin.jointFromMesh.push_back(bind.modelFromJoint[9 - i].inverse());
        }
        for (int v = 0; v < 40; ++v) {
            mesh.positions.push_back(randomVector(random).cast<float>());
            const float share = static_cast<float>(v) / 40.0f;
            for (const float weight : {share, 1 - share}) {
                mesh.skin.influenceJoint.push_back(static_cast<std::uint16_t>(random() % 10));
                mesh.skin.influenceWeight.push_back(weight);
            }
            mesh.skin.influenceBegin.push_back(static_cast<std::uint32_t>(mesh.skin.influenceJoint.size()));
        }
        const SkinBinding binding = bindSkin(*rig, mesh.skin);
        std::vector<Eigen::Vector3f> out(40);

        // In the bind pose the skin changes nothing.
        skinVertices(mesh, binding, bind, out);
        for (std::size_t v = 0; v < 40; ++v) QVERIFY((out[v] - mesh.positions[v]).norm() < 1e-5f);

        // In another pose, the GPU's palette gives the same result as the CPU.
        for (auto& joint : local.joints) joint.rotation = randomRotation(random);
        forwardKinematics(*rig, local, posed);
        skinVertices(mesh, binding, posed, out);
        std::vector<Eigen::Matrix4f> palette(10);
        skinPalette(binding, posed, palette);
        for (std::size_t v = 0; v < 40; ++v) {
            Eigen::Vector4f sum = Eigen::Vector4f::Zero();
            for (std::uint32_t i = mesh.skin.influenceBegin[v]; i < mesh.skin.influenceBegin[v + 1]; ++i)
                sum += mesh.skin.influenceWeight[i] *
                       (palette[mesh.skin.influenceJoint[i]] * mesh.positions[v].homogeneous());
            QVERIFY((out[v] - sum.head<3>()).norm() < 1e-4f);
        }

        // A vertex with one influence moves rigidly with its joint.
        const auto only = mesh.skin.influenceJoint[1]; // v = 0 has weights 0 and 1
        const Vector3 rigid = posed.modelFromJoint[static_cast<std::size_t>(9 - only)] * mesh.skin.jointFromMesh[only] *
                              mesh.positions[0].cast<double>();
        QVERIFY((out[0].cast<double>() - rigid).norm() < 1e-5);
    }

    void rigidMeshesFollowTheirJointOrStayInTheWorld()
    {
        TestRig test;
        const JointId id = test.joint("j", {}, {1, 0, 0});
        const auto rig = *compile(test.scene);
        ModelPose model;
        forwardKinematics(*rig, restPose(test.scene), model);
        Mesh mesh;
        mesh.positions = {{0, 1, 0}};
        std::vector<Eigen::Vector3f> out(1);
        mesh.skin.worldFromMesh = Affine(Eigen::Translation3d(0, 0, 4));
        skinVertices(mesh, bindSkin(*rig, mesh.skin), model, out);
        QCOMPARE(out[0], Eigen::Vector3f(0, 1, 4));
        mesh.skin.joints = {id};
        mesh.skin.jointFromMesh = {Affine::Identity()};
        skinVertices(mesh, bindSkin(*rig, mesh.skin), model, out);
        QCOMPARE(out[0], Eigen::Vector3f(1, 1, 0));
    }
};

TENDON_TEST(TestForwardKinematics)
#include "tst_forward_kinematics.moc"

#include "core/io/export/prepare/MeshPlaces.h"
#include "core/io/export/prepare/RestScales.h"
#include "core/scene/RestPose.h"
#include "tests/support/TestProgram.h"

using namespace tendon;

namespace {

/// Two joints under a root of scale 100, a mesh bound away from where they rest.
Scene smallSkeleton()
{
    Scene scene;
    std::vector<Joint> joints(2);
    joints[0].id = JointId{scene.takeId()};
    joints[0].name = "root";
    joints[0].rest.scale = Vector3(100, 100, 100);
    joints[0].rest.rotation = Quaternion(Eigen::AngleAxisd(0.7, Vector3::UnitX()));
    joints[1].id = JointId{scene.takeId()};
    joints[1].name = "tip";
    joints[1].parent = joints[0].id;
    joints[1].rest.translation = Vector3(0.001, 0.01, -0.002);
    ModelAsset model;
    Mesh& mesh = model.meshes.emplace_back();
    mesh.positions = {{1, 2, 3}, {-1, 0.5f, 0.25f}, {0, 1, 0}};
    mesh.indices = {0, 1, 2};
    mesh.skin.joints = {joints[0].id, joints[1].id};
    const Affine placed = Eigen::Translation3d(0.3, -0.2, 0.1) * Eigen::AngleAxisd(1.1, Vector3::UnitZ()) *
                          Eigen::Scaling(0.01);
    mesh.skin.jointFromMesh = {placed, placed};
    mesh.skin.influenceBegin = {0, 1, 2, 4};
    mesh.skin.influenceJoint = {0, 1, 0, 1};
    mesh.skin.influenceWeight = {1, 1, 0.5f, 0.5f};
    scene.joints = std::move(joints);
    scene.model = std::make_shared<const ModelAsset>(std::move(model));
    return scene;
}

std::vector<Vector3> verticesAtRest(const Scene& scene)
{
    const std::vector<Affine> world = worldInRestPose(scene);
    const Mesh& mesh = scene.model->meshes[0];
    std::vector<Vector3> places;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        Vector3 place = Vector3::Zero();
        for (auto i = mesh.skin.influenceBegin[v]; i < mesh.skin.influenceBegin[v + 1]; ++i) {
            const auto j = mesh.skin.influenceJoint[i];
            place += static_cast<double>(mesh.skin.influenceWeight[i]) *
                     (world[j] * mesh.skin.jointFromMesh[j] * mesh.positions[v].cast<double>());
        }
        places.push_back(place);
    }
    return places;
}

double farthest(const std::vector<Vector3>& a, const std::vector<Vector3>& b)
{
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
    return worst;
}

} // namespace

class ExportShapes : public QObject
{
    Q_OBJECT

private slots:
    void scalesAtRestBecomeLengths()
    {
        const Scene scene = smallSkeleton();
        BakedClip clip;
        clip.joints = {(*scene.joints)[0].id, (*scene.joints)[1].id};
        clip.locals = {(*scene.joints)[0].rest, (*scene.joints)[1].rest};
        const auto [scaled, clips] = withoutRestScales(scene, {clip});
        for (const Joint& joint : *scaled.joints) QVERIFY((joint.rest.scale - Vector3::Ones()).norm() < 1e-12);
        QVERIFY(farthest(verticesAtRest(scene), verticesAtRest(scaled)) < 1e-9);
        QVERIFY((worldInRestPose(scene)[1].translation() - worldInRestPose(scaled)[1].translation()).norm() < 1e-12);
        QVERIFY((clips[0].locals[1].translation - 100 * clip.locals[1].translation).norm() < 1e-12);
        QVERIFY((clips[0].locals[0].scale - Vector3::Ones()).norm() < 1e-12);
    }

    void nonUniformScalesOfEndJointsMoveIntoTheirMeshes_data()
    {
        QTest::addColumn<bool>("isSkinned");
        QTest::newRow("by a skin, as it was bound") << true;
        QTest::newRow("rigidly, as it rests") << false;
    }
    void nonUniformScalesOfEndJointsMoveIntoTheirMeshes()
    {
        QFETCH(bool, isSkinned);
        const Vector3 scale(2, 0.5, 3);
        Scene scene = smallSkeleton();
        std::vector<Joint> joints(scene.joints->begin(), scene.joints->end());
        joints[1].rest.scale = isSkinned ? Vector3(2 * scale) : scale;
        scene.joints = joints;
        ModelAsset model = *scene.model;
        Skin& skin = model.meshes[0].skin;
        skin.jointFromMesh[1] = scale.cwiseInverse().asDiagonal() * Affine(Eigen::AngleAxisd(0.4, Vector3::UnitY()));
        if (!isSkinned) { // joint and all influences out of it
            skin.joints = {joints[1].id};
            skin.jointFromMesh = {skin.jointFromMesh[1]};
            skin.influenceBegin.clear(), skin.influenceJoint.clear(), skin.influenceWeight.clear();
        }
        scene.model = std::make_shared<const ModelAsset>(model);
        BakedClip clip;
        clip.joints = {joints[0].id, joints[1].id};
        clip.locals = {joints[0].rest, joints[1].rest, joints[0].rest, joints[1].rest};
        clip.locals[3].scale = Vector3(4, 0, 3);
        const auto [scaled, clips] = withoutEndScales(scene, {clip});
        QCOMPARE((*scaled.joints)[1].rest.scale, Vector3(1, 1, 1));
        QVERIFY(clips[0].locals[1].scale.isApprox(isSkinned ? Vector3(2, 2, 2) : Vector3(1, 1, 1), 1e-12));
        for (const std::size_t sample : {1u, 3u}) {
            const Affine before = clip.locals[sample].parentFromJoint() * model.meshes[0].skin.jointFromMesh.back();
            const Affine after = clips[0].locals[sample].parentFromJoint() *
                                 scaled.model->meshes[0].skin.jointFromMesh.back();
            QVERIFY(before.isApprox(after, 1e-12));
        }
        const Joint resting = (*withoutEndScales(scene, {}).scene.joints)[1]; // nothing else says it then
        QVERIFY(resting.rest.scale.isApprox(isSkinned ? Vector3(2, 2, 2) : Vector3(1, 1, 1), 1e-12));
        QVERIFY(clips[0].locals[3].scale.isApprox(Vector3(2, 0, 1), 1e-12));
    }

    void anEndJointThatIsFlatAtRestIsFlatOnlyInItsClips()
    {
        Scene scene = smallSkeleton();
        std::vector<Joint> joints(scene.joints->begin(), scene.joints->end());
        joints[1].rest.scale = Vector3(1, 1e-12, 1);
        scene.joints = joints;
        BakedClip clip;
        clip.joints = {joints[0].id, joints[1].id};
        clip.locals = {joints[0].rest, joints[1].rest};
        const auto [scaled, clips] = withoutEndScales(scene, {clip});
        QCOMPARE((*scaled.joints)[1].rest.scale, Vector3(1, 1, 1));
        QVERIFY(clips[0].locals[1].scale.isApprox(Vector3(1, 1e-12, 1), 1e-12));
    }

    void nonUniformScalesAboveOtherJointsStay()
    {
        Scene scene = smallSkeleton();
        std::vector<Joint> joints(scene.joints->begin(), scene.joints->end());
        joints[0].rest.scale = Vector3(100, 50, 100);
        scene.joints = joints;
        const auto [scaled, clips] = withoutRestScales(scene, {});
        QCOMPARE((*scaled.joints)[0].rest.scale, Vector3(100, 50, 100));
    }

    void meshesAreBoundInTheRestPoseOfTheirJoints()
    {
        const Scene scene = withoutRestScales(smallSkeleton(), {}).scene;
        const Scene moved = withMeshesAtRest(scene);
        QVERIFY(farthest(verticesAtRest(scene), verticesAtRest(moved)) < 1e-5);
        // The joint that most weight is on was bound where it rests; the first of two alike.
        const Affine bound = moved.model->meshes[0].skin.jointFromMesh[0].inverse();
        QVERIFY(bound.matrix().isApprox(worldInRestPose(moved)[0].matrix(), 1e-9));
    }
};

TENDON_TEST(ExportShapes)
#include "tst_export_shapes.moc"

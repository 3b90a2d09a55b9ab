#include "core/io/export/AnimationExport.h"
#include "core/io/export/gltf/GltfPatcher.h"
#include "core/io/export/gltf/GltfWriter.h"
#include "core/io/import/ModelImport.h"
#include "core/io/readback/GltfCheck.h"
#include "core/math/FieldOfView.h"
#include "core/scene/JointEdit.h"
#include "core/scene/RestPose.h"
#include "core/solve/Baker.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TinyGltf.h"

#include <QTemporaryDir>

#include <cmath>
#include <numbers>

using namespace tendon;
using namespace tendon::test;

namespace {

using GltfJson = nlohmann::ordered_json;

constexpr double kPi = std::numbers::pi;

Vector3 vectorIn(const GltfJson& node, const char* member, const Vector3& otherwise)
{
    if (!node.contains(member)) return otherwise;
    return Vector3(node[member].get<std::vector<double>>().data());
}

GltfJson turned(double radians, const Vector3& axis)
{
    const Eigen::Vector4d q = Quaternion(Eigen::AngleAxisd(radians, axis)).coeffs();
    return {q[0], q[1], q[2], q[3]};
}

/// Where a node of the file stands, by its JSON alone.
Affine worldOf(const TinyGltf& gltf, int index)
{
    const GltfJson& node = gltf.json["nodes"][static_cast<std::size_t>(index)];
    Affine local = Affine::Identity();
    local.translate(vectorIn(node, "translation", Vector3::Zero()));
    if (node.contains("rotation"))
        local.rotate(Quaternion(Eigen::Vector4d(node["rotation"].get<std::vector<double>>().data())));
    local.scale(vectorIn(node, "scale", Vector3::Ones()));
    for (std::size_t parent = 0; parent < gltf.json["nodes"].size(); ++parent)
        for (const GltfJson& child : gltf.json["nodes"][parent].value("children", GltfJson::array()))
            if (child.get<int>() == index) return worldOf(gltf, static_cast<int>(parent)) * local;
    return local;
}

/// An arm that turns, below a joint that does not; what looks and shines on it, beside it, and on a node that moves by
/// itself.
struct FilmSet : TinyGltf
{
    int eye = 0, lamp = 0, bulb = 0, sun = 0, plan = 0, crane = 0;

    FilmSet()
    {
        json["extensionsUsed"] = GltfJson::array({"KHR_lights_punctual"});
        json["cameras"] = GltfJson::parse(
            R"([{"type": "perspective", "perspective": {"yfov": 0.7, "aspectRatio": 1.5, "znear": 0.1, "zfar": 50}},
            {"type": "orthographic", "orthographic": {"xmag": 3, "ymag": 2, "znear": 0, "zfar": 20}}])");
        json["extensions"]["KHR_lights_punctual"]["lights"] = GltfJson::parse(R"([
            {"type": "spot", "color": [1, 0.5, 0.25], "intensity": 40, "range": 7, "spot": {"innerConeAngle": 0.2, "outerConeAngle": 0.6}},
            {"type": "directional", "intensity": 3}, {"type": "point", "color": [0.5, 0.5, 1], "intensity": 12}])");
        const auto light = [](int index) {
            return GltfJson::object({{"KHR_lights_punctual", GltfJson::object({{"light", index}})}});
        };
        const int rig = node(
            {{"name", "rig"}, {"rotation", turned(0.5 * kPi, Vector3::UnitY())}, {"scale", {2, 2, 2}}});
        const int arm = node(
            {{"name", "arm"}, {"translation", {0, 1, 0}}, {"rotation", turned(0.3, Vector3(1, 2, 2) / 3)}}, rig);
        eye = node({{"name", "eye"},
                    {"translation", {0, 0.5, 0}},
                    {"rotation", turned(-kPi / 6, Vector3::UnitX())},
                    {"scale", {1, 3, 1}},
                    {"camera", 0}},
                   arm);
        lamp = node({{"name", "lamp"},
                     {"translation", {0.25, 0, 0}},
                     {"rotation", turned(1, Vector3::UnitY())},
                     {"extensions", light(0)}},
                    arm);
        bulb = node({{"name", "bulb"}, {"translation", {0, 0, -1}}, {"extensions", light(2)}}, arm);
        sun = node({{"name", "sun"}, {"rotation", turned(-0.4 * kPi, Vector3::UnitX())}, {"extensions", light(1)}});
        plan = node({{"name", "plan"},
                     {"translation", {0, 5, 0}},
                     {"rotation", turned(-0.5 * kPi, Vector3::UnitX())},
                     {"camera", 1}});
        crane = node({{"name", "crane"}, {"translation", {1, 2, 3}}, {"camera", 0}});
        channel(0, arm, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f});
        channel(0, crane, "translation", "LINEAR", {0, 1}, {1, 2, 3, 4, 2, 3});
        channel(0, crane, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0, 1, 0, 0});
        json["animations"][0]["name"] = "pan";
    }
};

/// Cameras and a spot light on a joint, in centimetres.
const char* const kCollada =
    R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">)"
    R"(<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>)"
    R"(<library_cameras><camera id="c" name="c"><optics><technique_common><perspective>)"
    R"(<xfov>60</xfov><aspect_ratio>2</aspect_ratio><znear>10</znear><zfar>1000</zfar></perspective></technique_common></optics></camera>)"
    R"(<camera id="high" name="high"><optics><technique_common><perspective>)"
    R"(<yfov sid="y">50</yfov><znear>10</znear><zfar>90</zfar></perspective></technique_common></optics></camera>)"
    R"(<camera id="flat" name="flat"><optics><technique_common><orthographic>)"
    R"(<xmag>300</xmag><aspect_ratio>1.5</aspect_ratio><znear>10</znear><zfar>90</zfar></orthographic></technique_common></optics></camera>)"
    R"(</library_cameras>)"
    R"(<library_lights><light id="l" name="l"><technique_common><spot><color>2 1 0.5</color><falloff_angle>40</falloff_angle></spot></technique_common></light></library_lights>)"
    R"(<library_visual_scenes><visual_scene id="s" name="s"><node id="root" name="root" type="JOINT"><translate>0 100 0</translate>)"
    R"(<node id="eye" name="eye"><rotate>0 1 0 90</rotate><instance_camera url="#c"/></node>)"
    R"(<node id="lamp" name="lamp"><translate>0 50 0</translate><rotate>1 0 0 -90</rotate><instance_light url="#l"/></node>)"
    R"(<node id="n1" name="above"><instance_camera url="#high"/></node><node id="n2" name="plan"><instance_camera url="#flat"/></node>)"
    R"(</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

template <typename T>
const T& named(const std::vector<T>& list, const std::string& name)
{
    for (const T& entry : list)
        if (entry.name == name) return entry;
    qFatal("there is no %s", name.c_str());
}

Affine worldAtRest(const Scene& scene, const Mount& mount)
{
    return mount.joint.isValid() ? Affine(worldInRestPose(scene, mount.joint) * mount.jointFromMount)
                                 : mount.jointFromMount;
}

/// It stands where the node stands, looks along its -Z, and its +Y is up, as far as scales leave it so.
bool looksAs(const Affine& world, const Affine& node)
{
    const auto isSame = [](const Vector3& a, const Vector3& b) {
        return (a.normalized() - b.normalized()).norm() < 1e-5;
    };
    return (world.translation() - node.translation()).norm() < 1e-5 &&
           isSame(world.linear().col(2), node.linear().col(2)) && isSame(world.linear().col(1), node.linear().col(1));
}

BakedClip baked(const Scene& scene)
{
    const SolverRegistry none;
    const Clip& clip = *scene.clips.front();
    auto result = bake(scene, none,
                       {.clip = clip.id, .fps = scene.fps, .from = clip.begin(), .to = clip.end(), .progress = {}});
    if (!result) qFatal("%s", result.error().text().c_str());
    return std::move(*result);
}

/// The same scene, but made here: it has no file to be patched.
Scene madeHere(Scene scene)
{
    ModelAsset model = *scene.model;
    model.source = {};
    scene.model = std::make_shared<const ModelAsset>(std::move(model));
    for (Joint& joint : scene.joints.edit()) joint.sourceNode = -1;
    return scene;
}

} // namespace

class TestCameras : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    FilmSet m_set;

    ImportedModel import(const QByteArray& bytes, const char* name)
    {
        test::writeFile(m_folder.filePath(name), bytes);
        return importFile(name);
    }
    ImportedModel importFile(const char* name)
    {
        auto model = importModel(m_folder.filePath(name).toStdString());
        if (!model) qFatal("%s", model.error().text().c_str());
        return std::move(*model);
    }
    ReadBack written(const Scene& scene, const char* name)
    {
        const auto report = exportAnimation(scene, {baked(scene)}, m_folder.filePath(name).toStdString(), {});
        if (!report) qFatal("%s", report.error().text().c_str());
        return report->readBack;
    }

    /// Everything of the film set by value.
    void compareWithSet(const Scene& scene)
    {
        const ModelAsset& model = *scene.model;
        QCOMPARE(model.cameras.size(), std::size_t(3));
        QCOMPARE(model.lights.size(), std::size_t(3));
        const auto isNear = [](double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(b); };
        for (const auto& [name, node] : {std::pair("eye", m_set.eye), std::pair("crane", m_set.crane)}) {
            // Made unique in an FBX file, where the joint is called crane.
            const bool isRenamed = std::none_of(model.cameras.begin(), model.cameras.end(),
                                                [&](const auto& c) { return c.name == name; });
            const ModelCamera& camera = named(model.cameras, isRenamed ? std::string(name) + "_2" : name);
            QVERIFY(camera.projection == ModelCamera::Projection::Perspective);
            QVERIFY(isNear(camera.fieldOfView, 0.7) && isNear(camera.aspect, 1.5) && isNear(camera.nearPlane, 0.1) &&
                    isNear(camera.farPlane, 50));
            QVERIFY(camera.mount.joint.isValid());
            QVERIFY2(looksAs(worldAtRest(scene, camera.mount), worldOf(m_set, node)), name);
        }
        const ModelCamera& plan = named(model.cameras, "plan");
        QVERIFY(plan.projection == ModelCamera::Projection::Orthographic && !plan.mount.joint.isValid());
        QVERIFY(isNear(plan.halfHeight, 2) && isNear(plan.aspect, 1.5) && plan.nearPlane < 1e-4 &&
                isNear(plan.farPlane, 20));
        QVERIFY((worldAtRest(scene, plan.mount).linear().col(2) - Vector3::UnitY()).norm() < 1e-6); // down

        const ModelLight &lamp = named(model.lights, "lamp"), &sun = named(model.lights, "sun"),
                         &bulb = named(model.lights, "bulb");
        QVERIFY(lamp.kind == ModelLight::Kind::Spot && sun.kind == ModelLight::Kind::Directional &&
                bulb.kind == ModelLight::Kind::Point);
        QVERIFY(isNear(lamp.intensity, 40) && isNear(sun.intensity, 3) && isNear(bulb.intensity, 12));
        QVERIFY(isNear(lamp.range, 7) && std::isinf(bulb.range) && isNear(lamp.innerCone, 0.2) &&
                isNear(lamp.outerCone, 0.6));
        QVERIFY(lamp.colour.isApprox(Eigen::Vector3f(1, 0.5f, 0.25f)) &&
                bulb.colour.isApprox(Eigen::Vector3f(0.5f, 0.5f, 1)));
        for (const auto& [light, node] : {std::pair(&lamp, m_set.lamp), std::pair(&sun, m_set.sun)}) {
            const Vector3 shines = worldAtRest(scene, light->mount).linear().col(2).normalized(),
                          meant = worldOf(m_set, node).linear().col(2).normalized();
            QVERIFY((shines - meant).norm() < 1e-5);
        }
        QVERIFY((worldAtRest(scene, bulb.mount).translation() - worldOf(m_set, m_set.bulb).translation()).norm() <
                1e-5);
    }

private slots:
    void camerasAndLightsOfAGltfModelAreImported() { compareWithSet(import(m_set.glb(), "set.glb").scene); }

    void aNewGltfHasTheSameCamerasAndLights_data()
    {
        QTest::addColumn<QByteArray>("file");
        for (const char* file : {"again.glb", "again.gltf", "again.fbx"}) QTest::newRow(file) << QByteArray(file);
    }
    void aNewGltfHasTheSameCamerasAndLights()
    {
        QFETCH(QByteArray, file);
        const Scene scene = madeHere(import(m_set.glb(), "set.glb").scene);
        const ReadBack readBack = written(scene, file);
        QVERIFY2(readBack.isWithin(),
                 readBack.missing.empty() ? "joints or vertices are off" : readBack.missing.front().c_str());
        const Scene again = importFile(file).scene;
        compareWithSet(again);
        QCOMPARE(again.joints->size(), scene.joints->size()); // a camera's node makes no joint
        // And once more, from what was read.
        const ReadBack twice = written(madeHere(again), "twice.fbx");
        QVERIFY(twice.isWithin());
        compareWithSet(importFile("twice.fbx").scene);
    }

    void aPatchedGltfKeepsCamerasAndLightsAsTheyAre()
    {
        const ImportedModel model = import(m_set.glb(), "set.glb");
        const ReadBack readBack = written(model.scene, "patched.gltf");
        QVERIFY(readBack.isWithin() && readBack.missing.empty());
        QFile file(m_folder.filePath("patched.gltf"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const GltfJson patched = GltfJson::parse(file.readAll().toStdString());
        for (const char* member : {"cameras", "extensions", "extensionsUsed", "nodes"})
            QVERIFY2(patched[member] == m_set.json[member], member);
    }

    void aReloadedProjectHasCamerasAndLightsOnItsOwnJoints()
    {
        const ImportedModel model = import(m_set.glb(), "set.glb");
        std::vector<Joint> joints = model.scene.joints->toVector();
        for (Joint& joint : joints) joint.id.value += 100;
        Issues issues;
        const auto asset = reloadModel(*model.scene.model, joints, issues);
        QVERIFY2(asset, asset ? "" : asset.error().text().c_str());
        QCOMPARE(named((*asset)->cameras, "eye").mount.joint.value,
                 named(model.scene.model->cameras, "eye").mount.joint.value + 100);
        QVERIFY(!named((*asset)->cameras, "plan").mount.joint.isValid());
    }

    void aCameraStaysInPlaceWhenItsJointIsRemoved()
    {
        const Scene before = import(m_set.glb(), "set.glb").scene;
        const Affine world = worldAtRest(before, named(before.model->cameras, "eye").mount);
        const auto withoutArm = removeJoint(before, *before.jointNamed("arm"));
        QVERIFY2(withoutArm, withoutArm ? "" : withoutArm.error().text().c_str());
        const Mount& onRig = named(withoutArm->model->cameras, "eye").mount;
        QCOMPARE(onRig.joint, *before.jointNamed("rig"));
        QVERIFY(looksAs(worldAtRest(*withoutArm, onRig), world));
        const auto withoutRig = removeJoint(*withoutArm, onRig.joint);
        QVERIFY2(withoutRig, withoutRig ? "" : withoutRig.error().text().c_str());
        const Mount& inTheWorld = named(withoutRig->model->cameras, "eye").mount;
        QVERIFY(!inTheWorld.joint.isValid());
        QVERIFY(looksAs(inTheWorld.jointFromMount, world));
    }

    void aLostOrTurnedCameraIsReportedAsMissing_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("missing");
        const char* eye = R"("camera":0)";
        QTest::newRow("no camera") << QByteArray(eye) << QByteArray(R"("extras":0)") << QByteArray("camera eye");
        QTest::newRow("another angle") << QByteArray(R"("yfov":0.7)") << QByteArray(R"("yfov":0.8)")
                                       << QByteArray("camera eye");
        QTest::newRow("another cone") << QByteArray(R"("outerConeAngle":0.6)") << QByteArray(R"("outerConeAngle":0.7)")
                                      << QByteArray("light lamp");
        QTest::newRow("another kind") << QByteArray(R"("type":"directional")") << QByteArray(R"("type":"point")")
                                      << QByteArray("light sun");
        QTest::newRow("another place") << QByteArray(R"("translation":[0.0,5.0,0.0])")
                                       << QByteArray(R"("translation":[0.0,6.0,0.0])") << QByteArray("camera plan");
    }
    void aLostOrTurnedCameraIsReportedAsMissing()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, missing);
        const Scene scene = madeHere(import(m_set.glb(), "set.glb").scene);
        const std::vector<BakedClip> clips{baked(scene)};
        const auto written = writeGltf(scene, clips);
        QVERIFY(written);
        auto files = gltf::splitGlb(written->glb, "changed.gltf");
        QVERIFY(files);
        const auto missingNow = [&] {
            for (const OutputFile& file : *files)
                test::writeFile(m_folder.filePath(QString::fromStdString(file.name)),
                                {reinterpret_cast<const char*>(file.bytes.data()), qsizetype(file.bytes.size())});
            Issues issues;
            const auto result = checkGltf(m_folder.filePath("changed.gltf").toStdString(), {scene, clips},
                                          {written->nodeOf}, issues);
            return result ? result->missing : std::vector<std::string>{"everything"};
        };
        QVERIFY(missingNow().empty());
        auto& bytes = files->back().bytes; // the JSON
        QByteArray text(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()));
        QVERIFY2(text.contains(from), text.constData());
        text.replace(text.indexOf(from), from.size(), to);
        bytes.assign(text.begin(), text.end());
        QCOMPARE(missingNow(), std::vector<std::string>{missing.toStdString()});
    }

    void anInvalidCameraIsLeftOutWithAnIssue()
    {
        FilmSet set;
        set.json["cameras"][0]["perspective"]["yfov"] = 4;
        const ImportedModel model = import(set.glb(), "nonsense.glb");
        QCOMPARE(model.scene.model->cameras.size(), std::size_t(1));
        QVERIFY(std::any_of(model.issues.begin(), model.issues.end(),
                            [](const Issue& issue) { return issue.where == "camera eye"; }));
    }

    void fieldsOfViewOfWidthAndHeightFollowTheirRatio()
    {
        const double across = fieldOfViewAcross(1, 2); // tan(0.5) * 2
        QVERIFY(std::abs(std::tan(across / 2) - 2 * std::tan(0.5)) < 1e-12);
        QVERIFY(std::abs(fieldOfViewAcross(across, 0.5) - 1) < 1e-12);
    }

    void colladaCamerasLookAlongMinusZOfTheirNode()
    {
        const Scene scene = import(kCollada, "set.dae").scene;
        QCOMPARE(scene.joints->size(), std::size_t(1)); // what looks and shines is no end of a bone
        const ModelCamera& eye = named(scene.model->cameras, "eye");
        QVERIFY(std::abs(std::tan(eye.fieldOfView / 2) - std::tan(kPi / 6) / 2) < 1e-6);
        QVERIFY(std::abs(eye.nearPlane - 0.1) < 1e-6 && std::abs(eye.farPlane - 10) < 1e-5 &&
                std::abs(eye.aspect - 2) < 1e-6);
        QVERIFY(std::abs(named(scene.model->cameras, "above").fieldOfView - 5 * kPi / 18) < 1e-9);
        const ModelCamera& plan = named(scene.model->cameras, "plan");
        QVERIFY(plan.projection == ModelCamera::Projection::Orthographic && std::abs(plan.halfHeight - 2) < 1e-9 &&
                plan.aspect == 1.5);
        const Affine world = worldAtRest(scene, eye.mount);
        QVERIFY((world.translation() - Vector3(0, 1, 0)).norm() < 1e-6 &&
                (world.linear().col(2) - Vector3::UnitX()).norm() < 1e-6);
        const ModelLight& lamp = named(scene.model->lights, "lamp");
        QVERIFY(lamp.kind == ModelLight::Kind::Spot && lamp.colour.isApprox(Eigen::Vector3f(1, 0.5f, 0.25f)) &&
                std::abs(lamp.intensity - 2) < 1e-6);
        QVERIFY(std::abs(lamp.outerCone - kPi / 9) < 1e-6);
        const Affine lampWorld = worldAtRest(scene, lamp.mount);
        QVERIFY((lampWorld.translation() - Vector3(0, 1.5, 0)).norm() < 1e-6 &&
                (lampWorld.linear().col(2) - Vector3::UnitY()).norm() < 1e-6);
    }
};

TENDON_TEST(TestCameras)
#include "tst_cameras.moc"

#include "core/io/export/gltf/GltfPatcher.h"
#include "core/io/formats/gltf/GltfFile.h"
#include "core/io/import/ModelImport.h"
#include "tests/support/CompareWithReference.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TinyGltf.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <limits>
#include <random>

using namespace tendon;
using namespace tendon::test;
using Json = nlohmann::ordered_json;

namespace {

const std::vector<float> kTriangle = {0, 0, 0, 1, 0, 0, 0, 1, 0};

const Joint* jointOfNode(const Scene& scene, int node)
{
    for (const Joint& joint : *scene.joints)
        if (joint.sourceNode == node) return &joint;
    return nullptr;
}

bool mentions(const Issues& issues, const char* text)
{
    return std::any_of(issues.begin(), issues.end(),
                       [&](const Issue& issue) { return issue.text.find(text) != std::string::npos; });
}

/// A 1 x 1 PNG, by its bytes alone.
QByteArray png()
{
    return QByteArray::fromBase64(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
}

} // namespace

class TestModelImport : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const TinyGltf& gltf, const QString& name = "model.glb")
    {
        const QString path = m_folder.filePath(name);
        test::writeFile(path, gltf.glb());
        return path;
    }

    ImportedModel import(const TinyGltf& gltf)
    {
        auto model = importModel(write(gltf).toStdString());
        if (!model) qFatal("%s", model.error().text().c_str());
        return std::move(*model);
    }

    QString errorOf(const TinyGltf& gltf)
    {
        const auto model = importModel(write(gltf).toStdString());
        return model ? QString("it was imported") : QString::fromStdString(model.error().text());
    }

    /// A skin of two joints, one above the other, and a triangle bound by `attributes`.
    TinyGltf skinned(Json attributes)
    {
        TinyGltf gltf;
        const int root = gltf.node({{"name", "root"}, {"translation", {0, 1, 0}}});
        const int tip = gltf.node({{"name", "tip"}, {"translation", {0, 2, 0}}}, root);
        attributes["POSITION"] = gltf.floats(kTriangle, "VEC3");
        for (auto& [name, data] : attributes.items())
            if (data.is_array())
                data = name.starts_with("JOINTS") ? gltf.integers(data.get<std::vector<std::uint8_t>>(), "VEC4", 5121)
                                                  : gltf.floats(data.get<std::vector<float>>(), "VEC4");
        const int mesh = gltf.mesh(attributes);
        gltf.node({{"name", "body"}, {"mesh", mesh}, {"skin", gltf.skin({root, tip})}});
        return gltf;
    }

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void randomHierarchiesMoveAsInTheirFiles_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 12; ++seed) QTest::addRow("seed %u", seed) << seed;
    }

    /// Nodes that turn, mirror and scale (evenly and not) around nodes that move: whatever is folded, every joint must
    /// stand where its node stands, with STEP, LINEAR and CUBICSPLINE keys.
    void randomHierarchiesMoveAsInTheirFiles()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> unit(-1, 1);
        std::uniform_int_distribution<int> dice(0, 5);
        const auto numbers = [&](int count) {
            std::vector<float> values(static_cast<std::size_t>(count));
            for (float& value : values) value = unit(random);
            return values;
        };
        const auto rotations = [&](int count) {
            std::vector<float> values = numbers(count * 4);
            for (std::size_t i = 0; i < values.size(); i += 4) {
                const float norm = std::sqrt(values[i] * values[i] + values[i + 1] * values[i + 1] +
                                             values[i + 2] * values[i + 2] + values[i + 3] * values[i + 3]);
                for (std::size_t c = i; c < i + 4; ++c) values[c] /= norm;
            }
            return values;
        };
        TinyGltf gltf;
        std::vector<int> nodes;
        for (int n = 0; n < 14; ++n) {
            Json node{{"name", "node " + std::to_string(n)}, {"translation", numbers(3)}, {"rotation", rotations(1)}};
            const float factor = 1 + 0.4f * unit(random);
            if (dice(random) == 0) node["scale"] = {factor, factor, factor};
            if (dice(random) == 1) node["scale"] = {-factor, -factor, -factor};
            if (dice(random) == 2) node["scale"] = {factor, 1, 0.7f};
            const int parent =
                n == 0 || dice(random) == 0
                    ? -1
                    : nodes[static_cast<std::size_t>(std::uniform_int_distribution<int>(0, n - 1)(random))];
            if (dice(random) == 3) node["mesh"] = gltf.mesh({{"POSITION", gltf.floats(kTriangle, "VEC3")}});
            nodes.push_back(gltf.node(node, parent));
        }
        const char* const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
        for (int c = 0; c < 9; ++c) {
            const int node = nodes[static_cast<std::size_t>(std::uniform_int_distribution<int>(0, 13)(random))];
            const char* path = c % 3 == 0 ? "translation" : c % 3 == 1 ? "rotation" : "scale";
            const char* interpolation = interpolations[dice(random) / 2];
            std::vector<float> values;
            for (int key = 0; key < 4; ++key) {
                const auto append = [&](std::vector<float> more) {
                    values.insert(values.end(), more.begin(), more.end());
                };
                const bool isRotation = c % 3 == 1, isCubic = interpolation == interpolations[2];
                if (isCubic) append(numbers(isRotation ? 4 : 3));
                append(isRotation ? rotations(1) : numbers(3));
                if (isCubic) append(numbers(isRotation ? 4 : 3));
            }
            bool isTaken = false;
            if (gltf.json.contains("animations"))
                for (const Json& channel : gltf.json["animations"][0]["channels"])
                    isTaken = isTaken || (channel["target"]["node"] == node && channel["target"]["path"] == path);
            if (!isTaken) gltf.channel(0, node, path, interpolation, {0.1f, 0.5f, 0.9f, 2.0f}, values);
        }
        const QString path = write(gltf);
        const auto model = importModel(path.toStdString());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const Deviation deviation = compareWithReference(*model, path, 23);
        QVERIFY2(deviation.joints < 1e-6 && deviation.vertices < 1e-6,
                 qPrintable(QString("seed %1: joints %2, vertices %3, %4")
                                .arg(seed)
                                .arg(deviation.joints)
                                .arg(deviation.vertices)
                                .arg(deviation.worst)));
    }

    void withoutSkinsAndAnimationsAllNodesBecomeJoints()
    {
        TinyGltf gltf;
        const int root = gltf.node({{"name", "a"}});
        gltf.node({{"name", "b"}}, root);
        gltf.json["nodes"].push_back(Json{{"name", "outside the scene"}});
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.joints->size(), 2u);
        QCOMPARE(jointOfNode(model.scene, 1)->parent, jointOfNode(model.scene, 0)->id);
    }

    /// A crane with one part that an animation moves: any part of it may be rigged.
    void withoutASkeletonStandingNodesAreJointsToo()
    {
        TinyGltf gltf;
        const int base = gltf.node(
            {{"name", "base"}, {"mesh", gltf.mesh({{"POSITION", gltf.floats(kTriangle, "VEC3")}})}});
        const int mast = gltf.node({{"name", "mast"}, {"translation", {0, 2, 0}}}, base);
        const int jib = gltf.node({{"name", "jib"}, {"translation", {3, 0, 0}}}, mast);
        gltf.channel(0, mast, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0, 0, 0.7071068f, 0.7071068f});
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.joints->size(), std::size_t{3});
        QCOMPARE(jointOfNode(model.scene, jib)->parent, jointOfNode(model.scene, mast)->id);
        QCOMPARE(jointOfNode(model.scene, mast)->parent, jointOfNode(model.scene, base)->id);
        QCOMPARE(model.scene.model->meshes[0].skin.joints, std::vector{jointOfNode(model.scene, base)->id});
        QVERIFY(model.scene.model->skeletonName.empty());
    }

    /// A project that was saved when fewer nodes were joints, or from which one was removed.
    void whatHangsOnAJointThatIsGoneHangsOnTheOneAbove()
    {
        TinyGltf gltf;
        const int positions = gltf.floats(kTriangle, "VEC3");
        const int base = gltf.node(
            {{"name", "base"}, {"translation", {0, 1, 0}}, {"mesh", gltf.mesh({{"POSITION", positions}})}});
        const int arm = gltf.node({{"name", "arm"}, {"translation", {0, 2, 0}}}, base);
        const int hand = gltf.node(
            {{"name", "hand"}, {"translation", {3, 0, 0}}, {"mesh", gltf.mesh({{"POSITION", positions}})}}, arm);
        const ImportedModel model = import(gltf);
        const Joint& kept = *jointOfNode(model.scene, arm);
        Issues issues;
        const auto asset = reloadModel(*model.scene.model, ObjectList<Joint>(std::vector{kept}), issues);
        QVERIFY2(asset && issues.empty(), asset ? "" : asset.error().text().c_str());
        const Skin &low = (*asset)->meshes[0].skin, &high = (*asset)->meshes[1].skin;
        QVERIFY(low.joints.empty());
        QVERIFY(low.worldFromMesh.isApprox(Affine(Eigen::Translation3d(0, 1, 0))));
        QCOMPARE(high.joints, std::vector{kept.id});
        QVERIFY(high.jointFromMesh[0].isApprox(Affine(Eigen::Translation3d(3, 0, 0))));
        QVERIFY(jointOfNode(model.scene, hand) != nullptr);
    }

    void socketsAndNamesOfNodesAreKept()
    {
        TinyGltf gltf = skinned(
            {{"JOINTS_0", {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}}, {"WEIGHTS_0", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}});
        gltf.json["meshes"][0]["name"] = "bodyGeometry";
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = gltf.floats({0, 0, 1, 0, 0, 1}, "VEC2");
        gltf.node({{"name", "socket"}, {"translation", {0, 0.5, 0}}}, 1);
        const int hilt = gltf.node({{"name", "hilt"}, {"translation", {0, 0.25, 0}}}, 1);
        gltf.node({{"name", "sword"}, {"translation", {0, 2, 0}}, {"mesh", 0}}, hilt);
        const int rig = gltf.node({{"name", "Rig"}});
        gltf.json["nodes"][static_cast<std::size_t>(rig)]["children"] = {0};
        gltf.json["scenes"][0]["nodes"] = {rig, 2};
        const ImportedModel model = import(gltf);
        const ModelAsset& asset = *model.scene.model;
        QCOMPARE(asset.skeletonName, std::string("Rig"));
        QCOMPARE(asset.meshes[0].name, std::string("bodyGeometry"));
        QCOMPARE(asset.meshes[0].node, std::string("body"));
        QVERIFY(asset.meshes[0].hasMoreTextureCoordinates);
        QCOMPARE(asset.empties.size(), std::size_t{2}); // "Rig" is none
        const std::pair<const char*, double> expected[] = {{"socket", 0.5}, {"hilt", 0.25}};
        for (std::size_t i = 0; i < 2; ++i) {
            const auto& [name, height] = expected[i];
            QCOMPARE(asset.empties[i].name, std::string(name));
            QCOMPARE(asset.empties[i].mount.joint, jointOfNode(model.scene, 1)->id);
            QVERIFY(asset.empties[i].mount.jointFromMount.isApprox(Affine(Eigen::Translation3d(0, height, 0))));
        }
    }

    /// It lasts as long as its shapes move, and comes after the clips that move joints.
    void anAnimationOfShapesAloneIsAClip()
    {
        TinyGltf gltf;
        const int face = gltf.node(
            {{"name", "face"}, {"mesh", gltf.mesh({{"POSITION", gltf.floats(kTriangle, "VEC3")}})}});
        gltf.json["meshes"][0]["primitives"][0]["targets"] = Json::array(
            {Json{{"POSITION", gltf.floats({0, 0, 2, 0, 0, 0, 0, 0, 0}, "VEC3")}}});
        gltf.channel(0, face, "weights", "LINEAR", {0, 0.5f, 1.25f}, {0, 1, 0});
        gltf.channel(1, face, "translation", "LINEAR", {0, 1}, {0, 0, 0, 0, 1, 0});
        gltf.json["animations"][0]["name"] = "smile";
        gltf.json["animations"][1]["name"] = "jump";
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.clips.size(), std::size_t{2});
        QCOMPARE(model.scene.clips[0]->name, std::string("jump"));
        const Clip& smile = *model.scene.clips[1];
        QCOMPARE(smile.name, std::string("smile"));
        QCOMPARE(smile.sourceAnimation, 0);
        QCOMPARE(smile.end(), Time::fromSeconds(1.25));
        QCOMPARE(model.scene.model->morphAnimations.at(0).sourceAnimation, 0);
    }

    void staticNodesBetweenJointsAreFoldedIntoTheJointBelow()
    {
        TinyGltf gltf;
        const int group = gltf.node({{"name", "group"}, {"translation", {1, 0, 0}}, {"scale", {2, 2, 2}}});
        const int upper = gltf.node({{"name", "upper"}}, group);
        const int helper = gltf.node({{"name", "helper"}, {"translation", {0, 3, 0}}}, upper);
        const int lower = gltf.node({{"name", "lower"}, {"translation", {0, 1, 0}}}, helper);
        gltf.skin({upper, lower});
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.joints->size(), 2u);
        const Joint* upperJoint = jointOfNode(model.scene, upper);
        QCOMPARE(upperJoint->rest.translation, Vector3(1, 0, 0));
        QCOMPARE(upperJoint->rest.scale, Vector3(2, 2, 2));
        QCOMPARE(jointOfNode(model.scene, lower)->rest.translation, Vector3(0, 4, 0));
        QCOMPARE(jointOfNode(model.scene, lower)->parent, upperJoint->id);
    }

    void aNonUniformlyScaledNodeAboveARotatingJointStaysAJoint()
    {
        TinyGltf gltf;
        const int squash = gltf.node({{"name", "squash"}, {"scale", {1, 2, 1}}});
        const int arm = gltf.node({{"name", "arm"}}, squash);
        gltf.skin({arm});
        gltf.channel(0, arm, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0, 0, 0.7071068f, 0.7071068f});
        const ImportedModel model = import(gltf);
        QVERIFY(jointOfNode(model.scene, squash) != nullptr);
        QVERIFY(mentions(model.issues, "scales non-uniformly"));
    }

    void keysKeepTheirTimesValuesAndInterpolation()
    {
        TinyGltf gltf;
        const int node = gltf.node({{"name", "mover"}});
        gltf.channel(0, node, "translation", "CUBICSPLINE", {0.5f, 1.5f},
                     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18});
        gltf.channel(0, node, "scale", "STEP", {0.5f, 1.5f}, {1, 1, 1, 2, 2, 2});
        gltf.channel(1, node, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0, 0, -1, 0});
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.clips.size(), 2u);
        const Clip& clip = *model.scene.clips[0];
        const ObjectId joint = jointOfNode(model.scene, node)->id.value;
        const KeyList* ty = clip.find({joint, Property::Ty});
        QVERIFY(ty != nullptr);
        QCOMPARE(ty->size(), 2u);
        const Key& key = (*ty)[1];
        QCOMPARE(key.time, Time::fromSeconds(1.5));
        QCOMPARE(key.interpolation, Interpolation::Bezier);
        QCOMPARE(key.tangents, TangentMode::Free);
        QCOMPARE(key.in[0], 11.0);
        QCOMPARE(key.value[0], 14.0);
        QCOMPARE(key.out[0], 17.0);
        QCOMPARE((*clip.find({joint, Property::Sx}))[0].interpolation, Interpolation::Step);
        QCOMPARE(clip.sourceAnimation, 0);
        QCOMPARE(model.scene.clips[1]->sourceAnimation, 1);
        QCOMPARE((*model.scene.clips[1]->find({joint, Property::Rotation}))[1].interpolation, Interpolation::Linear);
    }

    void theFrameRateIsDerivedFromTheKeys_data()
    {
        QTest::addColumn<double>("rate");
        QTest::addColumn<int>("numerator");
        for (const int rate : {24, 30, 60, 25, 120}) QTest::addRow("%d", rate) << double(rate) << rate;
        QTest::addRow("NTSC") << 30000.0 / 1001 << 30000;
        QTest::addRow("odd, but even") << 17.3 << FrameRate::fromValue(17.3).numerator;
        QTest::addRow("of few digits") << 1 / 0.033337 << 29997; // as motion capture states it
        QTest::addRow("none") << 0.0 << 24;
    }

    /// One joint that is keyed by another clock does not speak for the file: it keeps its times, and the rate is that
    /// of all others.
    void oneOddChannelDoesNotSetTheFrameRate()
    {
        TinyGltf gltf;
        std::vector<float> times, values;
        for (int frame = 0; frame <= 40; ++frame) {
            times.push_back(static_cast<float>(frame) / 30);
            values.insert(values.end(), 3, static_cast<float>(frame));
        }
        gltf.channel(0, gltf.node({{"name", "mover"}}), "translation", "LINEAR", times, values);
        const int odd = gltf.node({{"name", "odd"}});
        gltf.channel(0, odd, "translation", "LINEAR", {0, 0.3771f, 1.1113f}, {0, 0, 0, 1, 1, 1, 2, 2, 2});
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.fps, (FrameRate{30, 1}));
        QVERIFY(mentions(model.issues, "some keys lie between frames"));
        const KeyList* keys = model.scene.clips[0]->find({jointOfNode(model.scene, odd)->id.value, Property::Tx});
        QVERIFY(keys != nullptr && std::abs((*keys)[1].time.seconds() - 0.3771) < 1e-6);
    }

    void theFrameRateIsDerivedFromTheKeys()
    {
        QFETCH(double, rate);
        QFETCH(int, numerator);
        TinyGltf gltf;
        const int node = gltf.node({{"name", "mover"}});
        std::vector<float> times, values;
        for (int frame = 1; frame <= 40; ++frame) {
            times.push_back(static_cast<float>(rate > 0 ? frame / rate : frame * frame * 0.0123));
            values.insert(values.end(), 3, static_cast<float>(frame));
        }
        gltf.channel(0, node, "translation", "LINEAR", times, values);
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.fps.numerator, numerator);
        QCOMPARE(mentions(model.issues, "no common frame rate"), rate == 0);
        if (rate == 0) return;
        // Keys stand on whole frames to the tick, the first at frame 1 as in the file.
        const KeyList& keys = *model.scene.clips[0]->channels.begin()->second;
        const bool isNearOnly = numerator == 29997; // its times are not quite those of any rate
        for (std::size_t k = 0; k < keys.size(); ++k)
            if (isNearOnly)
                QVERIFY(std::abs(model.scene.fps.frameAt(keys[k].time) - double(k + 1)) < 0.005);
            else
                QCOMPARE(keys[k].time, model.scene.fps.timeOf(double(k + 1)));
        QCOMPARE(model.scene.firstFrame, 1);
        QCOMPARE(model.scene.lastFrame, 40);
    }

    void namesAreMadeUniqueWithAnIssue()
    {
        TinyGltf gltf;
        for (const char* name : {"Bone", "Bone", "", "Bone_2", "a\nb"}) gltf.node({{"name", name}});
        const ImportedModel model = import(gltf);
        QStringList names;
        for (const Joint& joint : *model.scene.joints) names << QString::fromStdString(joint.name);
        QCOMPARE(names, QStringList({"Bone", "Bone_3", "node2", "Bone_2", "a_b"}));
        QVERIFY(mentions(model.issues, "had the same name"));
        QVERIFY(mentions(model.issues, "had no name"));
        QVERIFY(mentions(model.issues, "with control characters"));
    }

    void weightsOfAVertexSumToOneAndZerosAreDropped()
    {
        const ImportedModel model = import(skinned({{"JOINTS_0", {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}},
                                                    {"WEIGHTS_0", {2, 6, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0}}}));
        const Skin& skin = model.scene.model->meshes[0].skin;
        QCOMPARE(skin.influenceBegin, (std::vector<std::uint32_t>{0, 2, 3, 5}));
        QCOMPARE(skin.influenceJoint, (std::vector<std::uint16_t>{0, 1, 1, 0, 1}));
        QCOMPARE(skin.influenceWeight, (std::vector<float>{0.25f, 0.75f, 1, 0.5f, 0.5f}));
        QVERIFY(mentions(model.issues, "do not sum to 1"));
    }

    void moreThanFourInfluencesAreKept()
    {
        const ImportedModel model = import(skinned({{"JOINTS_0", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
                                                    {"WEIGHTS_0", {0.5, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}},
                                                    {"JOINTS_1", {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
                                                    {"WEIGHTS_1", {0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}}));
        const Skin& skin = model.scene.model->meshes[0].skin;
        QCOMPARE(skin.influenceBegin, (std::vector<std::uint32_t>{0, 2, 3, 4}));
        QCOMPARE(skin.influenceJoint[1], std::uint16_t{1});
    }

    void verticesWithoutWeightsFollowTheNodeOfTheirMesh()
    {
        TinyGltf gltf = skinned(
            {{"JOINTS_0", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, {"WEIGHTS_0", {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}}});
        // Hang the mesh under the tip, a bit aside.
        gltf.json["scenes"][0]["nodes"] = {0};
        gltf.json["nodes"][1]["children"] = {2};
        gltf.json["nodes"][2]["translation"] = {5, 0, 0};
        const ImportedModel model = import(gltf);
        const Skin& skin = model.scene.model->meshes[0].skin;
        QCOMPARE(skin.joints.size(), 3u);
        QCOMPARE(skin.influenceJoint.back(), std::uint16_t{2});
        QCOMPARE(skin.joints[2], jointOfNode(model.scene, 1)->id);
        QCOMPARE(Vector3(skin.jointFromMesh[2].translation()), Vector3(5, 0, 0));
        QVERIFY(mentions(model.issues, "has no weights"));
    }

    /// Without a joint above it, the mesh's node becomes one: nothing else stays where that node is.
    void verticesWithoutWeightsDoNotMoveWithTheFirstJoint()
    {
        TinyGltf gltf = skinned(
            {{"JOINTS_0", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, {"WEIGHTS_0", {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}}});
        gltf.json["nodes"][2]["translation"] = {5, 0, 0};
        const ImportedModel model = import(gltf);
        const Skin& skin = model.scene.model->meshes[0].skin;
        const Joint* body = jointOfNode(model.scene, 2);
        QVERIFY(body != nullptr);
        QCOMPARE(skin.joints.at(skin.influenceJoint.back()), body->id);
        QCOMPARE(body->rest.translation, Vector3(5, 0, 0));
    }

    /// Programs open such files; a weight that is no number binds nothing, and a normal follows from the triangles.
    void weightsAndNormalsThatAreNoNumbersAreMended()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        TinyGltf gltf = skinned({{"JOINTS_0", {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}}});
        Json& attributes = gltf.json["meshes"][0]["primitives"][0]["attributes"];
        attributes["WEIGHTS_0"] = gltf.floats({0.5f, nan, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0}, "VEC4");
        attributes["NORMAL"] = gltf.floats({nan, 0, 0, 0, 1, 0, 0, 1, 0}, "VEC3");
        const ImportedModel model = import(gltf);
        const Mesh& mesh = model.scene.model->meshes[0];
        QCOMPARE(mesh.skin.influenceBegin, (std::vector<std::uint32_t>{0, 1, 2, 4}));
        QCOMPARE(mesh.skin.influenceWeight[0], 1.0f);
        QCOMPARE(mesh.normals[0], Eigen::Vector3f(0, 0, 1));
        QCOMPARE(mesh.normals[1], Eigen::Vector3f(0, 1, 0));
        QVERIFY(mentions(model.issues, "1 number of its weights"));
        QVERIFY(mentions(model.issues, "1 number of its normals"));
    }

    void missingInverseBindMatricesAreIdentity()
    {
        const ImportedModel model = import(skinned(
            {{"JOINTS_0", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, {"WEIGHTS_0", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}}));
        for (const Affine& matrix : model.scene.model->meshes[0].skin.jointFromMesh)
            QCOMPARE(matrix.matrix(), Affine::MatrixType(Affine::MatrixType::Identity()));
        QCOMPARE(model.heightMetres, 1.0);
    }

    void normalisedAndQuantisedNumbersBecomeFloats()
    {
        TinyGltf gltf = skinned({{"JOINTS_0", {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}}});
        Json& attributes = gltf.json["meshes"][0]["primitives"][0]["attributes"];
        attributes["WEIGHTS_0"] = gltf.integers<std::uint16_t>({65535, 0, 0, 0, 65535, 0, 0, 0, 13107, 52428, 0, 0},
                                                               "VEC4", 5123, true);
        attributes["POSITION"] = gltf.integers<std::int16_t>({0, 0, 0, 32767, 0, 0, 0, -32768, 0}, "VEC3", 5122, true);
        gltf.json["extensionsRequired"] = {"KHR_mesh_quantization"};
        const ImportedModel model = import(gltf);
        const Mesh& mesh = model.scene.model->meshes[0];
        QCOMPARE(mesh.positions[1], Eigen::Vector3f(1, 0, 0));
        QCOMPARE(mesh.positions[2], Eigen::Vector3f(0, -1, 0));
        QVERIFY(std::abs(mesh.skin.influenceWeight[2] - 0.2f) < 1e-6f);
        QVERIFY(!mentions(model.issues, "sum"));
    }

    void sparseAccessorsAreApplied()
    {
        TinyGltf gltf;
        const int positions = gltf.floats(kTriangle, "VEC3");
        const std::uint16_t at[] = {2};
        const float value[] = {0, 7, 0};
        const int indices = gltf.view(QByteArray(reinterpret_cast<const char*>(at), sizeof at));
        const int values = gltf.view(QByteArray(reinterpret_cast<const char*>(value), sizeof value));
        gltf.json["accessors"][static_cast<std::size_t>(positions)]["sparse"] = {
            {"count", 1},
            {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
            {"values", {{"bufferView", values}}}};
        gltf.node({{"mesh", gltf.mesh({{"POSITION", positions}})}});
        const ImportedModel model = import(gltf);
        QCOMPARE(model.scene.model->meshes[0].positions[2], Eigen::Vector3f(0, 7, 0));
    }

    void stripsAndFansBecomeTrianglesWithTheSameWinding()
    {
        TinyGltf gltf;
        const int square = gltf.floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, "VEC3"); // a strip's order
        const int fan = gltf.floats({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, "VEC3");
        const int strip = gltf.mesh({{"POSITION", square}});
        gltf.json["meshes"][0]["primitives"][0]["mode"] = 5;
        const int other = gltf.mesh({{"POSITION", fan}});
        gltf.json["meshes"][1]["primitives"][0]["mode"] = 6;
        gltf.node({{"mesh", strip}});
        gltf.node({{"mesh", other}});
        const ImportedModel model = import(gltf);
        for (const Mesh& mesh : model.scene.model->meshes) {
            QCOMPARE(mesh.indices.size(), 6u);
            for (std::size_t i = 0; i < 6; i += 3) {
                const auto corner = [&](std::size_t k) { return mesh.positions[mesh.indices[i + k]]; };
                QCOMPARE((corner(1) - corner(0)).cross(corner(2) - corner(0)), Eigen::Vector3f(0, 0, 1));
            }
        }
    }

    void materialsTexturesAndMorphTargetsAreImported()
    {
        TinyGltf gltf;
        const int positions = gltf.floats(kTriangle, "VEC3");
        const int mesh = gltf.mesh(
            {{"POSITION", positions}, {"TEXCOORD_0", gltf.floats({0, 0, 1, 0.25f, 0, 1}, "VEC2")}});
        Json& primitive = gltf.json["meshes"][0]["primitives"][0];
        primitive["material"] = 1;
        primitive["targets"] = Json::array({Json{{"POSITION", gltf.floats({0, 0, 2, 0, 0, 0, 0, 0, 0}, "VEC3")}}});
        gltf.json["meshes"][0]["extras"]["targetNames"] = {"smile"};
        gltf.json["materials"] = Json::array(
            {Json{{"name", "unused"}}, Json{{"name", "skin"},
                                            {"doubleSided", true},
                                            {"alphaMode", "BLEND"},
                                            {"emissiveFactor", {0.5, 0.25, 0}},
                                            {"pbrMetallicRoughness",
                                             {{"baseColorFactor", {0.1, 0.2, 0.3, 0.4}},
                                              {"metallicFactor", 0.5},
                                              {"roughnessFactor", 0.75},
                                              {"baseColorTexture", {{"index", 0}}}}}}});
        gltf.json["textures"] = Json::array({Json{{"source", 1}}});
        gltf.json["images"] = Json::array(
            {Json{{"uri", "not there.png"}},
             Json{{"name", "face"}, {"mimeType", "image/png"}, {"bufferView", gltf.view(png())}}});
        gltf.node({{"mesh", mesh}});
        const ImportedModel model = import(gltf);
        const ModelAsset& asset = *model.scene.model;
        QCOMPARE(asset.materials.size(), 2u);
        const Material& material = asset.materials[static_cast<std::size_t>(asset.meshes[0].material)];
        QCOMPARE(material.name, std::string("skin"));
        QVERIFY(material.baseColour.isApprox(Eigen::Vector4f(0.1f, 0.2f, 0.3f, 0.4f)));
        QCOMPARE(material.metallic, 0.5f);
        QCOMPARE(material.roughness, 0.75f);
        QCOMPARE(material.emissive, Eigen::Vector3f(0.5f, 0.25f, 0));
        QVERIFY(material.isDoubleSided && material.isTransparent);
        const Texture& texture = asset.textures[static_cast<std::size_t>(material.baseColourTexture)];
        QCOMPARE(texture.name, std::string("face"));
        QCOMPARE(texture.mimeType, std::string("image/png"));
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(texture.encoded.data()), qsizetype(texture.encoded.size())),
                 png());
        QCOMPARE(asset.meshes[0].textureCoordinates[1], Eigen::Vector2f(1, 0.25f));
        QCOMPARE(asset.meshes[0].morphTargets.size(), 1u);
        QCOMPARE(asset.meshes[0].morphTargets[0].name, std::string("smile"));
        QCOMPARE(asset.meshes[0].morphTargets[0].positionDeltas[0], Eigen::Vector3f(0, 0, 2));
        QVERIFY(mentions(model.issues, "is missing"));
    }

    void cutOutsOcclusionAndTextureStrengthsAreImported()
    {
        TinyGltf gltf;
        const int positions = gltf.floats(kTriangle, "VEC3"), places = gltf.floats({0, 0, 1, 0.25f, 0, 1}, "VEC2");
        gltf.json["materials"] = Json::array(
            {Json{{"name", "leaf"},
                  {"alphaMode", "MASK"},
                  {"alphaCutoff", 0.25},
                  {"normalTexture", {{"index", 0}, {"scale", 1.5}}},
                  {"occlusionTexture", {{"index", 1}, {"strength", 0.75}}}},
             Json{{"name", "cut at the usual"}, {"alphaMode", "MASK"}},
             Json{{"name", "otherwise laid out"}, {"occlusionTexture", {{"index", 1}, {"texCoord", 1}}}}});
        gltf.json["textures"] = Json::array({Json{{"source", 0}}, Json{{"source", 1}}});
        gltf.json["images"] = Json::array(
            {Json{{"name", "bumps"}, {"mimeType", "image/png"}, {"bufferView", gltf.view(png())}},
             Json{{"name", "shade"}, {"mimeType", "image/png"}, {"bufferView", gltf.view(png())}}});
        for (std::size_t m = 0; m < 3; ++m) {
            const int mesh = gltf.mesh({{"POSITION", positions}, {"TEXCOORD_0", places}});
            gltf.json["meshes"][m]["primitives"][0]["material"] = m;
            gltf.node({{"mesh", mesh}});
        }
        const ImportedModel model = import(gltf);
        const ModelAsset& asset = *model.scene.model;
        const Material& leaf = asset.materials.at(0);
        QVERIFY(leaf.isCutOut && !leaf.isTransparent);
        QCOMPARE(leaf.alphaCutoff, 0.25f);
        QCOMPARE(leaf.normalScale, 1.5f);
        QCOMPARE(leaf.occlusionStrength, 0.75f);
        QCOMPARE(asset.textures.at(static_cast<std::size_t>(leaf.normalTexture)).name, std::string("bumps"));
        QCOMPARE(asset.textures.at(static_cast<std::size_t>(leaf.occlusionTexture)).name, std::string("shade"));
        QVERIFY(asset.materials.at(1).isCutOut);
        QCOMPARE(asset.materials.at(1).alphaCutoff, 0.5f);
        QCOMPARE(asset.materials.at(2).occlusionTexture, -1);
        QVERIFY(!asset.materials.at(2).isCutOut);
        QVERIFY(mentions(model.issues, "a second set of texture coordinates"));
    }

    void unitAndUpAxisCanBeOverridden()
    {
        TinyGltf gltf;
        const int root = gltf.node({{"name", "root"}, {"translation", {0, 0, 100}}});
        gltf.node({{"name", "tip"}, {"translation", {0, 0, 50}}}, root);
        ImportOptions options;
        options.metresPerUnit = 0.01;
        options.upAxis = 2;
        const auto model = importModel(write(gltf).toStdString(), options);
        QVERIFY(model);
        QVERIFY(jointOfNode(model->scene, 0)->rest.translation.isApprox(Vector3(0, 1, 0)));
        QVERIFY(std::abs(model->heightMetres - 0.5) < 1e-12);
        QCOMPARE(model->scene.model->metresPerUnit, 0.01);
        QCOMPARE(model->scene.model->upAxis, 2);
    }

    void anEmbeddedModelIsSelfContained()
    {
        TinyGltf gltf = skinned(
            {{"JOINTS_0", {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}}, {"WEIGHTS_0", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}});
        gltf.json["images"] = Json::array({Json{{"uri", "skin.png"}}});
        gltf.json["textures"] = Json::array({Json{{"source", 0}}});
        gltf.json["materials"] = Json::array({Json{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
        gltf.json["meshes"][0]["primitives"][0]["material"] = 0;
        const QString path = m_folder.filePath("apart.gltf");
        test::writeFile(path, gltf.gltf("data%20file.bin"));
        test::writeFile(m_folder.filePath("data file.bin"), gltf.binary());
        test::writeFile(m_folder.filePath("skin.png"), png());
        ImportOptions options;
        options.embed = true;
        const auto model = importModel(path.toStdString(), options);
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const ModelSource& source = model->scene.model->source;
        QVERIFY(source.embedded);
        const auto again = importEmbeddedModel("embedded", *source.embedded);
        QVERIFY2(again, again ? "" : again.error().text().c_str());
        QCOMPARE(again->scene.joints->size(), 2u);
        QCOMPARE(again->scene.model->meshes[0].positions, model->scene.model->meshes[0].positions);
        QCOMPARE(again->scene.model->textures[0].encoded, model->scene.model->textures[0].encoded);
        Issues issues;
        QVERIFY(reloadModel(*model->scene.model, *model->scene.joints, issues));
        QVERIFY2(issues.empty(), "the embedded file differs from the imported one, but nothing has changed");
    }

    void aReloadedModelIsBoundToTheScenesJoints()
    {
        const TinyGltf gltf = skinned(
            {{"JOINTS_0", {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}}, {"WEIGHTS_0", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}});
        const ImportedModel model = import(gltf);
        std::vector<Joint> joints = model.scene.joints->toVector();
        for (Joint& joint : joints) joint.id.value += 100;
        Issues issues;
        const auto asset = reloadModel(*model.scene.model, joints, issues);
        QVERIFY2(asset, asset ? "" : asset.error().text().c_str());
        QVERIFY(issues.empty());
        QCOMPARE((*asset)->meshes[0].skin.joints[1].value, model.scene.model->meshes[0].skin.joints[1].value + 100);
        // Another file in its place is read, and reported.
        TinyGltf other;
        other.node({{"name", "other"}});
        write(other);
        QVERIFY(reloadModel(*model.scene.model, joints, issues));
        QVERIFY(mentions(issues, "has changed since the project was saved"));
    }

    void pathsInFilesNeverLeaveTheFolder_data()
    {
        QTest::addColumn<QString>("uri");
        for (const char* uri :
             {"../secret.bin", "/etc/passwd", "%2e%2e/secret.bin", "file:///etc/passwd", "http://127.0.0.1:1/x.bin",
              "inside/../../secret.bin", "..\\secret.bin", "link.bin", "linked/secret.bin", "/dev/zero", ".", ""})
            QTest::addRow("%s", *uri ? uri : "empty") << QString(uri);
    }

    void pathsInFilesNeverLeaveTheFolder()
    {
        QFETCH(QString, uri);
        QDir(m_folder.path()).mkpath("models/inside");
        test::writeFile(m_folder.filePath("secret.bin"), QByteArray(36, 'x'));
        QFile::link(m_folder.filePath("secret.bin"), m_folder.filePath("models/link.bin"));
        QFile::link(m_folder.path(), m_folder.filePath("models/linked"));
        TinyGltf gltf;
        gltf.node({{"mesh", gltf.mesh({{"POSITION", gltf.floats(kTriangle, "VEC3")}})}});
        const QString path = m_folder.filePath("models/escape.gltf");
        test::writeFile(path, gltf.gltf(uri));
        const auto model = importModel(path.toStdString());
        QVERIFY(!model);
        QVERIFY2(model.error().text().find("its file") != std::string::npos, model.error().text().c_str());
    }

    void errorsNameThePlace_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("text");
        QTest::addRow("accessor") << "/accessors/0/count"
                                  << "1000"
                                  << "accessor 0: reads past the end of bufferView 0";
        QTest::addRow("view") << "/bufferViews/0/byteLength"
                              << "100000"
                              << "bufferView 0: reads past the end of buffer 0";
        QTest::addRow("cycle") << "/nodes/0/children"
                               << "[0]"
                               << "node 0 is its own ancestor";
        QTest::addRow("index") << "/nodes/0/mesh"
                               << "7"
                               << "node 0: \"mesh\" is 7, but the last index is 0";
        QTest::addRow("type") << "/nodes/0/name"
                              << "3"
                              << "node 0: \"name\" is not a string";
        QTest::addRow("zero rotation") << "/nodes/0/rotation"
                                       << "[0,0,0,0]"
                                       << "node 0: \"rotation\" is zero";
        QTest::addRow("extension") << "/extensionsRequired"
                                   << "[\"EXT_nobody_knows\"]"
                                   << "requires the glTF extension EXT_nobody_knows";
        QTest::addRow("version") << "/asset/version"
                                 << "\"3.0\""
                                 << "glTF version 3.0 is not supported";
        QTest::addRow("no nodes") << "/scenes/0/nodes"
                                  << "[]"
                                  << "nothing to import";
    }

    void errorsNameThePlace()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, text);
        TinyGltf gltf;
        gltf.node({{"mesh", gltf.mesh({{"POSITION", gltf.floats(kTriangle, "VEC3")}})}});
        QVERIFY2(importModel(write(gltf).toStdString()), "the file must be sound before it is damaged");
        gltf.json[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const QString error = errorOf(gltf);
        QVERIFY2(error.contains(text), qPrintable(error));
        QVERIFY(error.startsWith(m_folder.path()) && !error.contains('\n'));
    }

    void importAndExportAcceptTheSameNesting_data()
    {
        QTest::addColumn<int>("levels");
        QTest::addColumn<bool>("isAccepted");
        for (const int levels : {20, 200, 201, 230, gltf::kMaxNesting})
            QTest::addRow("%d levels", levels) << levels << true;
        QTest::addRow("one too many") << gltf::kMaxNesting + 1 << false;
    }

    /// A file that can be exported can be imported, and the other way round.
    void importAndExportAcceptTheSameNesting()
    {
        QFETCH(int, levels);
        QFETCH(bool, isAccepted);
        TinyGltf gltf;
        gltf.node({{"mesh", gltf.mesh({{"POSITION", gltf.floats(kTriangle, "VEC3")}})}});
        const auto inner = static_cast<std::size_t>(levels - 1); // below the object that is the whole
        gltf.json["extras"] = Json::parse(std::string(inner, '[') + std::string(inner, ']'));
        const auto imported = importModel(write(gltf).toStdString());
        const auto patched = gltf::patchGltf({gltf.glb().toStdString(), {}}, Scene{}, {}, {"out.glb"}, false);
        QVERIFY2(bool(imported) == isAccepted, imported ? "imported" : imported.error().text().c_str());
        QVERIFY2(bool(patched) == isAccepted, patched ? "exported" : patched.error().text().c_str());
    }

    /// Pictures go from the file into the model as they are, whatever kind they are of; one that nothing shows is
    /// dropped.
    void picturesKeepTheirTypes()
    {
        TinyGltf gltf;
        const QByteArray webp = QByteArray("RIFF") + QByteArray(4, 4) + "WEBPVP8 ";
        gltf.json["images"] = Json::array();
        for (const QByteArray& bytes : {webp, png(), png()})
            gltf.json["images"].push_back({{"name", "p"}, {"bufferView", gltf.view(bytes)}, {"mimeType", "image/png"}});
        gltf.json["textures"] = {{{"source", 2}}, {{"source", 1}}, {{"source", 0}}};
        gltf.json["materials"] = {{{"name", "both"},
                                   {"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 1}}}}},
                                   {"emissiveTexture", {{"index", 2}}}}};
        const int mesh = gltf.mesh({{"POSITION", gltf.floats(kTriangle, "VEC3")}});
        gltf.json["meshes"][0]["primitives"][0]["material"] = 0;
        gltf.node({{"mesh", mesh}});
        const ImportedModel imported = import(gltf);
        const ModelAsset& model = *imported.scene.model;
        QCOMPARE(model.textures.size(), std::size_t(3));
        const auto bytesOf = [](const QByteArray& bytes) {
            return std::vector<std::uint8_t>(bytes.begin(), bytes.end());
        };
        const auto textureAt = [&](std::int32_t index) { return model.textures[static_cast<std::size_t>(index)]; };
        const Material& material = model.materials.front();
        QCOMPARE(textureAt(material.baseColourTexture).mimeType, std::string("image/png"));
        QCOMPARE(textureAt(material.baseColourTexture).encoded, bytesOf(png()));
        QCOMPARE(textureAt(material.emissiveTexture).mimeType, std::string("image/webp"));
        QCOMPARE(textureAt(material.emissiveTexture).encoded, bytesOf(webp));
        QVERIFY(model.textures[2].encoded.empty());
    }
};

TENDON_TEST(TestModelImport)
#include "tst_model_import.moc"

#include "core/io/export/AnimationExport.h"
#include "core/io/readback/GltfPlayback.h"
#include "core/runtime/BakedPoses.h"
#include "core/scene/SceneEdit.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/io/GltfTestModel.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QUrl>

using namespace tendon;
using namespace tendon::test;
using Json = nlohmann::ordered_json;

namespace {

constexpr unsigned kSeed = 20;

QJsonObject animationNamed(const QJsonObject& json, const QString& name)
{
    for (const QJsonValue& animation : json["animations"].toArray())
        if (animation.toObject()["name"].toString() == name) return animation.toObject();
    return {};
}

QStringList animationNames(const QJsonObject& json)
{
    QStringList names;
    for (const QJsonValue& animation : json["animations"].toArray())
        names.append(animation.toObject()["name"].toString());
    return names;
}

/// The document without what a patch may change.
Json untouched(const QByteArray& jsonText, bool withNodes)
{
    Json json = Json::parse(jsonText.toStdString());
    for (const char* name : {"animations", "accessors", "bufferViews", "buffers"}) json.erase(name);
    if (!withNodes) json.erase("nodes");
    return json;
}

} // namespace

class TestGltfPatch : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_source;
    Scene m_scene;
    std::mt19937 m_random;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    ExportReport exported(const Scene& scene, const std::vector<BakedClip>& clips, const QString& to,
                          const ExportOptions& options = {})
    {
        const auto report = exportAnimation(scene, clips, to.toStdString(), options);
        if (!report) qFatal("%s", report.error().text().c_str());
        return *report;
    }

    /// Every joint that the source knows stands, at every sample, where the scene has it. Returns the largest distance.
    double largestError(const Scene& scene, const BakedClip& clip, const QString& file)
    {
        const auto playback = GltfPlayback::load(file.toStdString());
        if (!playback) qFatal("%s", playback.error().text().c_str());
        auto poses = BakedPoses::of(scene);
        double worst = 0;
        for (std::size_t s = 0; s < clip.times.size(); ++s) {
            poses->at(clip, s);
            const auto found = playback->pose(playback->animationNamed(clip.name),
                                              static_cast<double>(static_cast<float>(clip.times[s].seconds())));
            for (const Joint& joint : *scene.joints)
                if (joint.sourceNode >= 0)
                    worst = std::max(
                        worst,
                        (found[static_cast<std::size_t>(joint.sourceNode)] - poses->world(joint.id).matrix()).norm());
        }
        return worst;
    }

    /// The names of a folder's files; the hash in a buffer's name is the word HASH.
    static QStringList filesIn(const QString& folder)
    {
        static const QRegularExpression hash("-[0-9a-f]{12}\\.bin$");
        return QDir(folder).entryList(QDir::Files, QDir::Name).replaceInStrings(hash, "-HASH.bin");
    }

private slots:
    void init()
    {
        m_source = path("source.glb");
        writeBytes(m_source, GltfTestModel().glb());
        m_scene = GltfTestModel::scene(m_source);
        m_random.seed(kSeed);
    }

    void binaryAndUnknownJsonStayAsTheyAre()
    {
        const ExportReport report = exported(m_scene, {wiggle(m_scene, "walk", 10, m_random)}, path("out.glb"));
        QVERIFY(report.readBack.isWithin());
        QCOMPARE(report.bytes, QFileInfo(path("out.glb")).size());
        const Glb before = takeApart(fileBytes(m_source)), after = takeApart(fileBytes(path("out.glb")));
        QVERIFY(after.bin.size() > before.bin.size());
        QCOMPARE(after.bin.left(before.bin.size()), before.bin);
        QCOMPARE(untouched(after.jsonText, false).dump(),
                 untouched(before.jsonText, false).dump()); // members in order, too
        for (const char* name : {"accessors", "bufferViews"}) {
            const QJsonArray old = before.json[name].toArray(), now = after.json[name].toArray();
            for (qsizetype i = 0; i < old.size(); ++i) QCOMPARE(now[i], old[i]);
        }
        QCOMPARE(after.json["buffers"].toArray().size(), 1);
        QCOMPARE(after.json["buffers"].toArray()[0].toObject()["extras"].toString(), QStringLiteral("mine"));
    }

    void onlyTheMatrixOfAnAnimatedNodeChanges()
    {
        exported(m_scene, {wiggle(m_scene, "walk", 10, m_random)}, path("out.glb"));
        const Json before = Json::parse(takeApart(fileBytes(m_source)).jsonText.toStdString())["nodes"];
        Json after = Json::parse(takeApart(fileBytes(path("out.glb"))).jsonText.toStdString())["nodes"];
        QCOMPARE(
            after[3].dump(),
            std::string(
                R"({"children":[5],"translation":[0.0,-2.0,0.0],"rotation":[0.0,0.0,0.0,1.0],"scale":[1.0,1.0,1.0],"name":"foot"})"));
        after[3] = before[3];
        QCOMPARE(after.dump(), before.dump());
    }

    void theReplacedClipKeepsItsPlaceAndWhatTendonDoesNotDrive()
    {
        exported(m_scene, {wiggle(m_scene, "walk", 10, m_random)}, path("out.glb"));
        const QJsonObject before = takeApart(fileBytes(m_source)).json,
                          after = takeApart(fileBytes(path("out.glb"))).json;
        QCOMPARE(animationNames(after), QStringList({"walk", "idle"}));
        QCOMPARE(animationNamed(after, "idle"), animationNamed(before, "idle"));

        const QJsonObject walk = animationNamed(after, "walk");
        QCOMPARE(walk["extras"].toObject()["take"].toInt(), 7);
        const QJsonArray channels = walk["channels"].toArray();
        QCOMPARE(channels.size(), 3 * 3 + 1); // translation, rotation and scale of three joints, and the smile
        const QJsonObject smile = channels.last().toObject();
        QCOMPARE(smile["target"].toObject(), (QJsonObject{{"node", 4}, {"path", "weights"}}));
        QCOMPARE(smile["extras"].toObject()["why"].toString(), QStringLiteral("smile"));
        QCOMPARE(walk["samplers"].toArray()[smile["sampler"].toInt()],
                 animationNamed(before, "walk")["samplers"].toArray()[1]);
    }

    void onlyDropsOtherAnimations()
    {
        exported(m_scene, {wiggle(m_scene, "idle", 5, m_random)}, path("out.glb"), {.onlyTheseClips = true});
        QCOMPARE(animationNames(takeApart(fileBytes(path("out.glb"))).json), QStringList({"idle"}));
    }

    void aNewClipIsAddedAndKeepsTheOtherChannelsOfItsOrigin()
    {
        Clip copy;
        copy.id = {m_scene.takeId()};
        copy.name = "walk faster";
        copy.sourceAnimation = 0;
        m_scene.clips.push_back(copy);
        exported(m_scene, {wiggle(m_scene, "walk faster", 5, m_random), wiggle(m_scene, "dance", 5, m_random)},
                 path("out.glb"));
        const QJsonObject before = takeApart(fileBytes(m_source)).json,
                          after = takeApart(fileBytes(path("out.glb"))).json;
        QCOMPARE(animationNames(after), QStringList({"walk", "idle", "walk faster", "dance"}));
        QCOMPARE(animationNamed(after, "walk"), animationNamed(before, "walk"));
        QCOMPARE(animationNamed(after, "walk faster")["channels"].toArray().size(), 10);
        QCOMPARE(animationNamed(after, "dance")["channels"].toArray().size(), 9);
    }

    void constantChannelsHaveOneKeyAndTheEndIsExact()
    {
        BakedClip clip = wiggle(m_scene, "walk", 10, m_random);
        clip.times.back() = Time::fromSeconds(1.2345);
        exported(m_scene, {clip}, path("out.glb"));
        const QJsonObject json = takeApart(fileBytes(path("out.glb"))).json;
        const QJsonArray accessors = json["accessors"].toArray();
        const QJsonObject walk = animationNamed(json, "walk");
        int oneKey = 0;
        for (const QJsonValue& channel : walk["channels"].toArray()) {
            const QJsonObject sampler = walk["samplers"].toArray()[channel.toObject()["sampler"].toInt()].toObject();
            const QJsonObject times = accessors[sampler["input"].toInt()].toObject();
            const QString target = channel.toObject()["target"].toObject()["path"].toString();
            if (target == "weights") continue;
            QCOMPARE(float(times["min"].toArray()[0].toDouble()), 0.5f);
            if (target == "scale") {
                QCOMPARE(times["count"].toInt(), 1);
                ++oneKey;
            } else {
                QCOMPARE(times["count"].toInt(), 10);
                QCOMPARE(float(times["max"].toArray()[0].toDouble()), 1.2345f);
            }
        }
        QCOMPARE(oneKey, 3);
    }

    void aClipWithoutMotionKeepsItsLength()
    {
        BakedClip clip = wiggle(m_scene, "still", 10, m_random);
        for (std::size_t i = 3; i < clip.locals.size(); ++i) clip.locals[i] = clip.locals[i - 3];
        clip.isAnimated.assign(3, false);
        QVERIFY(exported(m_scene, {clip}, path("out.glb")).readBack.isWithin());
        const auto file = GltfPlayback::load(path("out.glb").toStdString());
        QCOMPARE(float(file->lastKey(file->animationNamed("still"))), float(clip.times.back().seconds()));
    }

    void timesThatRoundToOneFloatBecomeOneKeyAndNegativeTimesAreRefused()
    {
        BakedClip clip = wiggle(m_scene, "walk", 4, m_random);
        clip.times = {Time{0}, Time{705'600'000}, Time{705'600'001}, Time{1'411'200'000}};
        exported(m_scene, {clip}, path("out.glb"));
        QVERIFY(largestError(
                    m_scene,
                    [&] {
                        BakedClip kept = clip; // the later of the two counts
                        kept.times.erase(kept.times.begin() + 1);
                        kept.locals.erase(kept.locals.begin() + 3, kept.locals.begin() + 6);
                        return kept;
                    }(),
                    path("out.glb")) < 1e-6);
        clip.times[0] = Time{-1'000'000};
        const auto refused = exportAnimation(m_scene, {clip}, path("refused.glb").toStdString(), {});
        QVERIFY(!refused);
        QVERIFY(refused.error().text().find("before time 0") != std::string::npos);
        QVERIFY(!QFileInfo::exists(path("refused.glb")));
    }

    void steppedKeysOfJointsWithoutHandlesStayStepped()
    {
        const JointId knee = (*m_scene.joints)[1].id;
        Clip walk;
        walk.id = {m_scene.takeId()};
        walk.name = "walk";
        walk.channels[{knee.value, Property::Rotation}] = KeyList(
            {{.time = Time{0}, .value = {0, 0, 0, 1}, .interpolation = Interpolation::Step}});
        m_scene.clips.push_back(walk);
        const BakedClip clip = wiggle(m_scene, "walk", 5, m_random);
        const auto interpolation = [&](const Scene& scene) {
            exported(scene, {clip}, path("out.glb"));
            const QJsonObject animation = animationNamed(takeApart(fileBytes(path("out.glb"))).json, "walk");
            QStringList stepped;
            for (const QJsonValue& channel : animation["channels"].toArray()) {
                const QJsonObject target = channel.toObject()["target"].toObject();
                if (target["path"] != "weights" && animation["samplers"]
                                                           .toArray()[channel.toObject()["sampler"].toInt()]
                                                           .toObject()["interpolation"] == "STEP")
                    stepped.append(QString::number(target["node"].toInt()) + target["path"].toString());
            }
            return stepped;
        };
        QCOMPARE(interpolation(m_scene), QStringList({"2rotation"}));
        Handle handle; // driven now: the solve moves it at every frame
        handle.id = {m_scene.takeId()};
        handle.start = (*m_scene.joints)[0].id;
        handle.end = (*m_scene.joints)[2].id;
        m_scene.handles.edit().push_back(handle);
        QCOMPARE(interpolation(m_scene), QStringList());
    }

    void worldMotionSurvivesEditsOfTheHierarchy_data()
    {
        QTest::addColumn<QString>("edit");
        for (const char* edit :
             {"none", "link", "link to root", "insertParent", "rename", "addJoint", "insertParent twice"})
            QTest::newRow(edit) << edit;
    }
    void worldMotionSurvivesEditsOfTheHierarchy()
    {
        QFETCH(QString, edit);
        const JointId hip = (*m_scene.joints)[0].id, knee = (*m_scene.joints)[1].id, foot = (*m_scene.joints)[2].id;
        const auto apply = [&](Result<Scene> next) {
            if (!next) qFatal("%s", next.error().text().c_str());
            m_scene = *next;
        };
        if (edit == "link") apply(link(m_scene, foot, hip));
        if (edit == "link to root") apply(link(m_scene, knee, {}));
        if (edit.startsWith("insertParent")) apply(insertParent(m_scene, knee, "dummy"));
        if (edit == "insertParent twice") apply(insertParent(m_scene, hip, "root"));
        if (edit == "rename") apply(rename(m_scene, foot.value, "other name"));
        if (edit == "addJoint") {
            Joint joint;
            joint.name = "toe";
            joint.parent = foot;
            joint.rest.translation = {0, -1, 0};
            apply(addJoint(m_scene, joint));
        }
        const BakedClip clip = wiggle(m_scene, "walk", 20, m_random);
        const ExportReport report = exported(m_scene, {clip}, path("out.glb"));
        QVERIFY2(report.issues.empty(), report.issues.empty() ? "" : report.issues[0].text.c_str());
        QVERIFY(report.readBack.isWithin());
        QVERIFY2(report.readBack.vertexError <= 1e-6, qPrintable(QString::number(report.readBack.vertexError)));
        const double error = largestError(m_scene, clip, path("out.glb"));
        QVERIFY2(error < 2e-6, qPrintable(QString::number(error)));
        const QJsonArray nodes = takeApart(fileBytes(path("out.glb"))).json["nodes"].toArray();
        QCOMPARE(nodes.size(), 6); // none added, names stay the file's
        QCOMPARE(nodes[3].toObject()["name"].toString(), QStringLiteral("foot"));
    }

    void aShearThatGltfCannotStoreIsReportedAndFoundByTheReadBack()
    {
        // The foot hangs from the hip in the scene, from a knee of uneven scale in the file.
        m_scene = *link(m_scene, (*m_scene.joints)[2].id, (*m_scene.joints)[0].id);
        BakedClip clip = wiggle(m_scene, "walk", 5, m_random);
        for (std::size_t i = 1; i < clip.locals.size(); i += 3) clip.locals[i].scale = {1, 4, 0.3};
        const ExportReport report = exported(m_scene, {clip}, path("out.glb"));
        QCOMPARE(report.issues.size(), std::size_t(1));
        QVERIFY(report.issues[0].text.find("shear") != std::string::npos);
        QVERIFY(report.readBack.jointError <= 1e-5 * report.readBack.radius); // positions are exact all the same
        QVERIFY(!report.readBack.isWithin());                                 // vertices are not
    }

    void theSameInputGivesTheSameBytes()
    {
        const BakedClip clip = wiggle(m_scene, "walk", 10, m_random);
        exported(m_scene, {clip}, path("a.glb"));
        exported(m_scene, {clip}, path("b.glb"));
        QCOMPARE(fileBytes(path("a.glb")), fileBytes(path("b.glb")));
    }

    void aGltfInAnotherFolderGetsItsFiles()
    {
        QDir(m_folder.path()).mkdir("there");
        GltfTestModel().writeGltf(m_folder.path(), "model");
        const Scene scene = GltfTestModel::scene(path("model.gltf"));
        const ExportReport report = exported(scene, {wiggle(scene, "walk", 6, m_random)}, path("there/out.gltf"));
        QVERIFY(report.readBack.isWithin());
        QCOMPARE(filesIn(path("there")), QStringList({"model.bin", "out-HASH.bin", "out.gltf", "skin.png"}));
        QCOMPARE(fileBytes(path("there/model.bin")), fileBytes(path("model.bin")));
        QCOMPARE(fileBytes(path("there/skin.png")), tinyPng());
        const QJsonArray buffers =
            QJsonDocument::fromJson(fileBytes(path("there/out.gltf"))).object()["buffers"].toArray();
        QCOMPARE(buffers.size(), 2);
        QCOMPARE(buffers[0].toObject()["uri"].toString(), QStringLiteral("model.bin"));
        const QString buffer = buffers[1].toObject()["uri"].toString();
        QVERIFY(QFileInfo::exists(m_folder.filePath("there/" + buffer)));
        // Again, over what is there: the new keys have a new name, and those that nothing refers to any more go.
        QVERIFY(exported(scene, {wiggle(scene, "walk", 7, m_random)}, path("there/out.gltf")).readBack.isWithin());
        QCOMPARE(filesIn(path("there")), QStringList({"model.bin", "out-HASH.bin", "out.gltf", "skin.png"}));
        QVERIFY(!QFileInfo::exists(m_folder.filePath("there/" + buffer)));
    }

    void aGltfBesideItsSourceCopiesNothing()
    {
        QDir(m_folder.path()).mkdir("beside");
        GltfTestModel().writeGltf(path("beside"), "model");
        const Scene scene = GltfTestModel::scene(path("beside/model.gltf"));
        QVERIFY(exported(scene, {wiggle(scene, "walk", 6, m_random)}, path("beside/out.gltf")).readBack.isWithin());
        QCOMPARE(filesIn(path("beside")),
                 QStringList({"model.bin", "model.gltf", "out-HASH.bin", "out.gltf", "skin.png"}));
    }

    void aForeignFileIsNotReplaced()
    {
        QDir(m_folder.path()).mkdir("taken");
        GltfTestModel().writeGltf(m_folder.path(), "model");
        writeBytes(path("taken/skin.png"), "someone else's");
        const Scene scene = GltfTestModel::scene(path("model.gltf"));
        const auto refused = exportAnimation(scene, {wiggle(scene, "walk", 6, m_random)},
                                             path("taken/out.gltf").toStdString(), {});
        QVERIFY(!refused);
        QVERIFY(refused.error().text().find("skin.png") != std::string::npos);
        QCOMPARE(QDir(path("taken")).entryList(QDir::Files), QStringList({"skin.png"}));
        QCOMPARE(fileBytes(path("taken/skin.png")), QByteArray("someone else's"));
    }

    void aGltfBecomesASelfContainedGlb()
    {
        GltfTestModel().writeGltf(m_folder.path(), "model");
        const Scene scene = GltfTestModel::scene(path("model.gltf"));
        QVERIFY(exported(scene, {wiggle(scene, "walk", 6, m_random)}, path("whole.glb")).readBack.isWithin());
        const Glb glb = takeApart(fileBytes(path("whole.glb")));
        QCOMPARE(glb.json["buffers"].toArray().size(), 1);
        QVERIFY(!glb.jsonText.contains("\"uri\""));
        QCOMPARE(glb.bin.left(440), GltfTestModel().bin);
        const QJsonObject image = glb.json["images"].toArray()[0].toObject();
        QCOMPARE(image["mimeType"].toString(), QStringLiteral("image/png"));
        const QJsonObject view = glb.json["bufferViews"].toArray()[image["bufferView"].toInt()].toObject();
        QCOMPARE(glb.bin.mid(view["byteOffset"].toInt(), view["byteLength"].toInt()), tinyPng());
    }

    void aGlbBecomesAGltf()
    {
        QDir(m_folder.path()).mkdir("split");
        QVERIFY(exported(m_scene, {wiggle(m_scene, "walk", 6, m_random)}, path("split/a b.gltf")).readBack.isWithin());
        QCOMPARE(filesIn(path("split")), QStringList({"a b-HASH.bin", "a b-HASH.bin", "a b.gltf"}));
        const QJsonArray buffers =
            QJsonDocument::fromJson(fileBytes(path("split/a b.gltf"))).object()["buffers"].toArray();
        const QByteArray uri = buffers[0].toObject()["uri"].toString().toUtf8();
        QCOMPARE(fileBytes(m_folder.filePath("split/" + QUrl::fromPercentEncoding(uri))), GltfTestModel().bin);
    }

    void nothingOutsideTheModelsFolderIsReadOrWritten_data()
    {
        QTest::addColumn<QString>("uri");
        for (const char* uri : {"../secret.png", "/etc/hostname", "a/../../secret.png", "..%2Fsecret.png",
                                "file:///etc/hostname", "..\\secret.png", "link.png"})
            QTest::newRow(uri) << uri;
    }
    void nothingOutsideTheModelsFolderIsReadOrWritten()
    {
        QFETCH(QString, uri);
        QDir(m_folder.path()).mkpath("inner");
        QDir(m_folder.path()).mkpath("elsewhere/deep");
        writeBytes(path("secret.png"), "secret");
        QFile::link(path("secret.png"), path("inner/link.png"));
        GltfTestModel().writeGltf(path("inner"), "model", uri);
        const Scene scene = GltfTestModel::scene(path("inner/model.gltf"));
        const BakedClip clip = wiggle(scene, "walk", 3, m_random);
        QCOMPARE(exported(scene, {clip}, path("elsewhere/whole.glb")).issues.size(), std::size_t(1));
        QVERIFY(takeApart(fileBytes(path("elsewhere/whole.glb")))
                    .json["images"]
                    .toArray()[0]
                    .toObject()
                    .contains("uri")); // as it was
        const ExportReport report = exported(scene, {clip}, path("elsewhere/deep/out.gltf"));
        QCOMPARE(report.issues.size(), std::size_t(1));
        QVERIFY(!QFileInfo::exists(path("elsewhere/secret.png")));
        QVERIFY(!fileBytes(path("elsewhere/deep/out.gltf")).contains("secret\n"));
        QCOMPARE(filesIn(path("elsewhere/deep")), QStringList({"model.bin", "out-HASH.bin", "out.gltf"}));
    }

    void overwritingTheSourceAndAChangedSourceAreRefused()
    {
        const BakedClip clip = wiggle(m_scene, "walk", 3, m_random);
        const QByteArray before = fileBytes(m_source);
        QVERIFY(!exportAnimation(m_scene, {clip}, m_source.toStdString(), {}));
        QCOMPARE(fileBytes(m_source), before);
        writeBytes(m_source, before + QByteArray(4, ' '));
        const auto changed = exportAnimation(m_scene, {clip}, path("changed.glb").toStdString(), {});
        QVERIFY(!changed);
        QVERIFY(changed.error().text().find("has changed since it was imported") != std::string::npos);
        QFile::remove(m_source);
        QVERIFY(!exportAnimation(m_scene, {clip}, path("changed.glb").toStdString(), {}));
        QVERIFY(!QFileInfo::exists(path("changed.glb")));
    }

    void anEmbeddedSourceNeedsNoFile()
    {
        ModelAsset asset = *m_scene.model;
        const QByteArray bytes = fileBytes(m_source);
        asset.source.embedded = std::make_shared<const std::vector<std::uint8_t>>(bytes.begin(), bytes.end());
        asset.source.path.clear();
        m_scene.model = std::make_shared<const ModelAsset>(asset);
        QFile::remove(m_source);
        QVERIFY(exported(m_scene, {wiggle(m_scene, "walk", 3, m_random)}, path("out.glb")).readBack.isWithin());
    }

    void unitAndUpAxisOfTheSourceAreRespected()
    {
        // The same file taken as centimetres with +Z up: the scene is smaller and turned, the file stays as it was.
        for (const int up : {0, 2}) {
            Scene scene = m_scene;
            ModelAsset asset = *scene.model;
            asset.metresPerUnit = 0.01;
            asset.upAxis = up;
            for (auto& position : asset.meshes[0].positions) position *= 0.01f;
            for (auto& bind : asset.meshes[0].skin.jointFromMesh) bind.translation() *= 0.01;
            scene.model = std::make_shared<const ModelAsset>(asset);
            const Quaternion turn(up == 2 ? Eigen::AngleAxisd(-std::numbers::pi / 2, Vector3::UnitX())
                                          : Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitZ()));
            for (Joint& joint : scene.joints.edit()) {
                joint.rest.translation *= 0.01;
                if (joint.parent.isValid()) continue;
                joint.rest.translation = turn * joint.rest.translation;
                joint.rest.rotation = turn * joint.rest.rotation;
            }
            const BakedClip clip = wiggle(scene, "walk", 8, m_random);
            QVERIFY(exported(scene, {clip}, path("out.glb")).readBack.isWithin());
            const auto file = GltfPlayback::load(path("out.glb").toStdString());
            auto poses = BakedPoses::of(scene);
            poses->at(clip, 3);
            const Vector3 foot = poses->world((*scene.joints)[2].id).translation();
            const Vector3 inFile =
                file->pose(file->animationNamed("walk"), double(float(clip.times[3].seconds())))[3].block<3, 1>(0, 3);
            QVERIFY((turn * inFile * 0.01 - foot).norm() < 1e-7);
        }
    }
};

TENDON_TEST(TestGltfPatch)
#include "tst_gltf_patch.moc"

#include "core/io/export/AnimationExport.h"
#include "core/io/export/fbx/FbxWriter.h"
#include "core/io/export/fbx/MeshGroups.h"
#include "core/io/import/ModelImport.h"
#include "core/math/Convert.h"
#include "core/runtime/StepTimes.h"
#include "tests/support/LongTube.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/io/GltfTestModel.h"

#include <QTemporaryDir>
#include <QtEndian>

#include <cstring>
#include <numbers>
#include <optional>
#include <set>

using namespace tendon;
using namespace tendon::test;

namespace {

/// A record of a binary FBX file, read by hand so that the writer is not tested with itself. Fails the test on any
/// length, offset or end that does not fit.
struct Record
{
    QByteArray name;
    QByteArray propertyTypes;
    QList<QByteArray> texts; ///< of the S properties
    QList<double> numbers;   ///< of the I, L, D and F properties
    QList<Record> children;

    [[nodiscard]] QList<const Record*> all(const char* wanted) const
    {
        QList<const Record*> found;
        for (const Record& child : children)
            if (child.name == wanted) found.append(&child);
        return found;
    }
};

class Reader
{
public:
    explicit Reader(const std::vector<std::uint8_t>& bytes) : m_bytes(bytes) {}

    QList<Record> read()
    {
        if (std::memcmp(m_bytes.data(), "Kaydara FBX Binary  \0\x1a\0", 23) != 0) qFatal("no FBX");
        if (at<quint32>(23) != 7400) qFatal("not version 7400");
        QList<Record> records;
        std::size_t offset = 27;
        while (auto record = readRecord(offset)) records.append(*record);
        return records;
    }

private:
    template <typename T>
    T at(std::size_t offset) const
    {
        if (offset + sizeof(T) > m_bytes.size()) qFatal("beyond the end");
        T value{};
        std::memcpy(&value, m_bytes.data() + offset, sizeof value);
        return value;
    }

    std::optional<Record> readRecord(std::size_t& offset)
    {
        const auto end = at<quint32>(offset), count = at<quint32>(offset + 4), length = at<quint32>(offset + 8);
        const auto nameLength = at<quint8>(offset + 12);
        std::size_t here = offset + 13 + nameLength;
        if (end == 0) { // thirteen zeros end a list
            for (std::size_t i = 0; i < 13; ++i)
                if (at<quint8>(offset + i) != 0) qFatal("a list does not end with zeros");
            offset += 13;
            return std::nullopt;
        }
        Record record;
        record.name = QByteArray(reinterpret_cast<const char*>(m_bytes.data()) + offset + 13, nameLength);
        const std::size_t properties = here;
        for (quint32 p = 0; p < count; ++p) readProperty(record, here);
        if (here != properties + length) qFatal("%s: properties of another length", record.name.constData());
        while (here < end)
            if (auto child = readRecord(here)) record.children.append(*child);
        if (here != end) qFatal("%s: ends elsewhere", record.name.constData());
        offset = end;
        return record;
    }

    void readProperty(Record& record, std::size_t& here)
    {
        const char type = static_cast<char>(at<quint8>(here++));
        record.propertyTypes.append(type);
        switch (type) {
        case 'C': here += 1; break;
        case 'I': record.numbers.append(at<qint32>(here)), here += 4; break;
        case 'L': record.numbers.append(double(at<qint64>(here))), here += 8; break;
        case 'D': record.numbers.append(at<double>(here)), here += 8; break;
        case 'S':
        case 'R': {
            const auto size = at<quint32>(here);
            record.texts.append(QByteArray(reinterpret_cast<const char*>(m_bytes.data()) + here + 4, size));
            here += 4 + size;
            break;
        }
        case 'd':
        case 'f':
        case 'i':
        case 'l': {
            const auto size = at<quint32>(here + 8);
            if (at<quint32>(here + 4) != 0 || size != at<quint32>(here) * (type == 'd' || type == 'l' ? 8 : 4))
                qFatal("%s: an array of another length", record.name.constData());
            here += 12 + size;
            break;
        }
        default: qFatal("%s: a property of no known type", record.name.constData());
        }
    }

    const std::vector<std::uint8_t>& m_bytes;
};

const Record& topLevel(const QList<Record>& records, const char* name)
{
    for (const Record& record : records)
        if (record.name == name) return record;
    qFatal("no %s", name);
}

} // namespace

class TestFbx : public QObject
{
    Q_OBJECT

    std::mt19937 m_random{5};
    QTemporaryDir m_folder;

    static WrittenFbx written(const Scene& scene, const std::vector<BakedClip>& clips)
    {
        auto result = writeFbx(scene, clips);
        if (!result) qFatal("%s", result.error().text().c_str());
        return *result;
    }

private slots:
    void everyRecordEndsWhereItSays()
    {
        const Scene scene = richScene(m_random);
        const WrittenFbx file = written(scene, {wiggle(scene, "go", 9, m_random)});
        const QList<Record> records = Reader(file.bytes).read();
        QStringList names;
        for (const Record& record : records) names.append(record.name);
        QCOMPARE(names, QStringList({"FBXHeaderExtension", "FileId", "CreationTime", "Creator", "GlobalSettings",
                                     "Documents", "References", "Definitions", "Objects", "Connections", "Takes"}));
        QCOMPARE(written(scene, {}).bytes, written(scene, {}).bytes);
    }

    void everyConnectionLeadsToExistingObjects()
    {
        const Scene scene = richScene(m_random);
        const QList<Record> records = Reader(written(scene, {wiggle(scene, "go", 3, m_random)}).bytes).read();
        QSet<double> ids{0};
        for (const Record& object : topLevel(records, "Objects").children) {
            QVERIFY2(!ids.contains(object.numbers[0]), object.name.constData());
            ids.insert(object.numbers[0]);
        }
        QSet<double> children;
        for (const Record& connection : topLevel(records, "Connections").children) {
            QVERIFY(ids.contains(connection.numbers[0]) && ids.contains(connection.numbers[1]));
            children.insert(connection.numbers[0]);
        }
        for (const Record& object : topLevel(records, "Objects").children)
            if (object.name != "AnimationStack" && object.name != "Pose")
                QVERIFY2(children.contains(object.numbers[0]), object.name.constData());
    }

    void everyNodeHasABindPose()
    {
        const Scene scene = richScene(m_random);
        const QList<Record> records = Reader(written(scene, {}).bytes).read();
        QSet<double> models, posed;
        for (const Record* model : topLevel(records, "Objects").all("Model")) models.insert(model->numbers[0]);
        const Record* pose = topLevel(records, "Objects").all("Pose").value(0);
        QVERIFY(pose != nullptr);
        for (const Record* node : pose->all("PoseNode")) posed.insert(node->all("Node")[0]->numbers[0]);
        QCOMPARE(models, posed);
        QCOMPARE(models.size(), 1 + 8 + 2); // the armature, the joints, the meshes
    }

    void equalNamesAreMadeDistinct()
    {
        Scene scene = richScene(m_random);
        for (Joint& joint : scene.joints.edit()) joint.name = "grid";
        std::set<std::string> names;
        for (const auto& [joint, name] : written(scene, {}).nameOf) names.insert(name);
        QCOMPARE(names.size(), scene.joints->size());
    }

    void theWrittenFilePlaysLikeTheBake()
    {
        const Scene scene = richScene(m_random);
        const std::vector<BakedClip> clips{wiggle(scene, "go", 12, m_random), wiggle(scene, "stop", 5, m_random)};
        const std::string path = m_folder.filePath("out.fbx").toStdString();
        const auto report = exportAnimation(scene, clips, path, {});
        QVERIFY2(report, report ? "" : report.error().text().c_str());
        QVERIFY2(report->readBack.missing.empty(),
                 report->readBack.missing.empty() ? "" : report->readBack.missing.front().c_str());
        QVERIFY2(report->readBack.isWithin(), qPrintable(QString("joints %1 m, vertices %2 m")
                                                             .arg(report->readBack.jointError)
                                                             .arg(report->readBack.vertexError)));
        QCOMPARE(report->readBack.vertices, 128);
    }

    void influencesAreCappedOnlyByPresets()
    {
        const Scene scene = richScene(m_random); // up to seven a vertex
        const std::vector<BakedClip> clips{wiggle(scene, "go", 3, m_random)};
        const auto isCapped = [](const ExportReport& report) {
            return std::any_of(report.issues.begin(), report.issues.end(), [](const Issue& issue) {
                return issue.text.find("have more than 4 influences") != std::string::npos;
            });
        };
        const std::string path = m_folder.filePath("weights.fbx").toStdString();
        const auto whole = exportAnimation(scene, clips, path, {});
        QVERIFY(whole && whole->readBack.isWithin() && !isCapped(*whole));
        const auto imported = importModel(path);
        QVERIFY(imported);
        const Skin& skin = imported->scene.model->meshes[0].skin;
        std::uint32_t most = 0;
        for (std::size_t v = 0; v + 1 < skin.influenceBegin.size(); ++v)
            most = std::max(most, skin.influenceBegin[v + 1] - skin.influenceBegin[v]);
        QCOMPARE(most, 7u);
        const auto capped = exportAnimation(scene, clips, path, {.preset = *findExportPreset("unity")});
        QVERIFY(capped && capped->readBack.isWithin() && isCapped(*capped));
    }

    void importedModelsKeepUnitsMaterialsTexturesAndMorphs()
    {
        const Scene scene = richScene(m_random);
        const std::string path = m_folder.filePath("kept.fbx").toStdString();
        QVERIFY(exportAnimation(scene, {wiggle(scene, "go", 12, m_random)}, path, {}));
        const auto imported = importModel(path);
        QVERIFY2(imported, imported ? "" : imported.error().text().c_str());
        const ModelAsset& model = *imported->scene.model;
        QCOMPARE(imported->format, std::string("fbx"));
        QCOMPARE(model.metresPerUnit, 1.0);
        QCOMPARE(model.meshes.size(), std::size_t(2));
        QCOMPARE(model.meshes[0].morphTargets.size(), std::size_t(1));
        QCOMPARE(model.meshes[0].morphTargets[0].name, std::string("smile"));
        const Material& paint = model.materials[static_cast<std::size_t>(model.meshes[0].material)];
        QCOMPARE(paint.name, std::string("paint"));
        QVERIFY((paint.baseColour - Eigen::Vector4f(1, 0.5f, 0.2f, 1)).norm() < 1e-6f);
        const Texture& texture = model.textures.at(static_cast<std::size_t>(paint.baseColourTexture));
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(texture.encoded.data()), qsizetype(texture.encoded.size())),
                 tinyPng());
        QCOMPARE(imported->scene.clips.size(), std::size_t(1));
        QCOMPARE(imported->scene.clips[0]->name, std::string("go"));
        QCOMPARE(imported->scene.fps, scene.fps);
    }

    void aMorphWithoutANameGetsOne()
    {
        Scene scene = richScene(m_random);
        ModelAsset asset = *scene.model;
        asset.meshes[0].morphTargets[0].name.clear();
        scene.model = std::make_shared<const ModelAsset>(asset);
        const std::string path = m_folder.filePath("nameless.fbx").toStdString();
        QVERIFY(exportAnimation(scene, {wiggle(scene, "go", 2, m_random)}, path, {}));
        const auto imported = importModel(path);
        QVERIFY2(imported, imported ? "" : imported.error().text().c_str());
        QCOMPARE(imported->scene.model->meshes[0].morphTargets.at(0).name, std::string("morph1"));
    }

    void transparencyAndOcclusionSurviveExportAndImport()
    {
        Scene scene = richScene(m_random);
        ModelAsset asset = *scene.model;
        asset.materials[0].isTransparent = true;
        asset.materials[0].baseColour[3] = 0.375f;
        asset.materials[0].baseColourTexture = -1;
        asset.materials[0].occlusionTexture = 0;
        scene.model = std::make_shared<const ModelAsset>(asset);
        const std::string path = m_folder.filePath("glass.fbx").toStdString();
        QVERIFY(exportAnimation(scene, {wiggle(scene, "go", 2, m_random)}, path, {}));
        const auto imported = importModel(path);
        QVERIFY2(imported, imported ? "" : imported.error().text().c_str());
        const ModelAsset& model = *imported->scene.model;
        const Material& glass = model.materials[static_cast<std::size_t>(model.meshes[0].material)];
        QVERIFY(glass.isTransparent);
        QCOMPARE(glass.baseColour[3], 0.375f);
        QCOMPARE(glass.baseColourTexture, -1);
        const Texture& shade = model.textures.at(static_cast<std::size_t>(glass.occlusionTexture));
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(shade.encoded.data()), qsizetype(shade.encoded.size())),
                 tinyPng());
        asset.materials[0].isTransparent = false; // its alpha means nothing then
        scene.model = std::make_shared<const ModelAsset>(asset);
        QVERIFY(exportAnimation(scene, {wiggle(scene, "go", 2, m_random)}, path, {}));
        const auto opaque = importModel(path);
        QVERIFY(opaque && !opaque->scene.model->materials[0].isTransparent);
    }

    void morphAnimationGoesIntoEveryFormat_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("fbx") << "morphs.fbx";
        QTest::newRow("glb") << "morphs.glb";
    }
    void morphAnimationGoesIntoEveryFormat()
    {
        QFETCH(QString, name);
        Scene scene = richScene(m_random);
        auto model = std::make_shared<ModelAsset>(*scene.model);
        const auto morphed = std::find_if(model->meshes.begin(), model->meshes.end(),
                                          [](const Mesh& mesh) { return !mesh.morphTargets.empty(); });
        morphed->morphTargets[0].restWeight = 0.125f;
        model->morphAnimations = {
            {3, {{static_cast<std::int32_t>(morphed - model->meshes.begin()), 0, {0, 0.25, 10}, {0, 1, 0.5}}}}};
        scene.model = model;
        BakedClip clip = wiggle(scene, "go", 13, m_random), other = wiggle(scene, "other", 13, m_random);
        clip.sourceAnimation = 3;
        const std::string path = m_folder.filePath(name).toStdString();
        const auto report = exportAnimation(scene, {clip, other}, path, {});
        QVERIFY2(report && report->readBack.isWithin(), report ? "" : report.error().text().c_str());
        const auto imported = importModel(path);
        QVERIFY2(imported, imported ? "" : imported.error().text().c_str());
        const ModelAsset& file = *imported->scene.model;
        QCOMPARE(file.morphAnimations.size(), std::size_t{1}); // the other clip leaves the shape as it rests
        QCOMPARE(imported->scene.clipNamed("go")->sourceAnimation, file.morphAnimations[0].sourceAnimation);
        const MorphCurve& curve = file.morphAnimations[0].curves.at(0);
        QCOMPARE(file.meshes[static_cast<std::size_t>(curve.mesh)].morphTargets[0].restWeight, 0.125f);
        for (std::size_t k = 0; k < curve.times.size(); ++k) {
            const double t = curve.times[k], expected = t < 0.25 ? 4 * t : 1 - (t - 0.25) * 0.5 / 9.75;
            QVERIFY2(std::abs(curve.weights[k] - expected) < 1e-5,
                     qPrintable(QString("%1 s: %2").arg(t).arg(curve.weights[k])));
        }
        QVERIFY(std::abs(curve.times.back() - clip.times.back().seconds()) < 1e-5);
    }

    /// A step stands on its frame, held from the key before: two keys a tick apart are one frame to other programs.
    void stepsStandOnTheirFrames()
    {
        Scene scene;
        Joint joint;
        joint.id = {scene.takeId()};
        joint.name = "flag";
        scene.joints.edit().push_back(joint);
        Joint tip = joint;
        tip.id = {scene.takeId()};
        tip.name = "tip";
        tip.parent = joint.id;
        tip.rest.translation = {0, 1, 0};
        scene.joints.edit().push_back(tip);
        Clip clip;
        clip.id = {scene.takeId()};
        clip.name = "wave";
        std::vector<Key> keys;
        for (int k = 0; k < 3; ++k)
            keys.push_back({.time = scene.fps.timeOf(8 * k),
                            .value = toValue(Quaternion(Eigen::AngleAxisd(k, Vector3::UnitZ()))),
                            .interpolation = Interpolation::Step});
        clip.channels[{joint.id.value, Property::Rotation}] = KeyList(keys);
        scene.clips.push_back(clip);
        BakedClip baked;
        baked.name = "wave";
        baked.fps = scene.fps;
        baked.joints = {joint.id, tip.id};
        for (int frame = 0; frame <= 16; ++frame)
            for (const bool isBefore : {true, false}) {
                if (isBefore && (frame == 0 || frame % 8 != 0)) continue;
                const Time time = scene.fps.timeOf(frame);
                baked.times.push_back(isBefore ? justBefore(time) : time);
                LocalTransform turned;
                turned.rotation = Quaternion(Eigen::AngleAxisd(isBefore ? frame / 8 - 1 : frame / 8, Vector3::UnitZ()));
                baked.locals.insert(baked.locals.end(), {turned, tip.rest});
            }
        baked.isAnimated = {true, false};
        baked.angles.resize(baked.locals.size());
        baked.handles.resize(baked.times.size());

        const QList<Record> records = Reader(written(scene, {baked}).bytes).read();
        for (const Record* curve : topLevel(records, "Objects").all("AnimationCurve"))
            QVERIFY(curve->all("KeyAttrRefCount").size() == 1);
        const std::string path = m_folder.filePath("wave.fbx").toStdString();
        const auto report = exportAnimation(scene, {baked}, path, {});
        QVERIFY2(report && report->readBack.isWithin() && report->readBack.missing.empty(),
                 report ? report->readBack.jointAt.c_str() : report.error().text().c_str());
        const auto imported = importModel(path);
        QVERIFY(imported);
        const auto flag = imported->scene.jointNamed("flag");
        QVERIFY(flag);
        const KeyList* read = imported->scene.clips.at(0)->find({flag->value, Property::Rotation});
        QVERIFY(read != nullptr);
        QCOMPARE(read->size(), std::size_t{17}); // one a frame
        for (std::size_t k = 0; k < read->size(); ++k) {
            QCOMPARE((*read)[k].time, scene.fps.timeOf(double(k)));
            QCOMPARE((*read)[k].interpolation, Interpolation::Step);
            const Quaternion meant(Eigen::AngleAxisd(double(k / 8), Vector3::UnitZ()));
            QVERIFY(toQuaternion((*read)[k].value).angularDistance(meant) < 1e-5);
        }
    }

    void namesOfNodesAndEmptiesAreWrittenAndWhatIsLeftOutIsNamed()
    {
        Scene scene = richScene(m_random);
        auto model = std::make_shared<ModelAsset>(*scene.model);
        model->skeletonName = "Rig";
        model->meshes[0].node = "Body";
        model->meshes[0].hasMoreTextureCoordinates = true;
        model->materials[0].metallicRoughnessTexture = 0;
        ModelEmpty& socket = model->empties.emplace_back();
        socket.name = "Socket";
        socket.mount = {scene.joints->back().id, Affine(Eigen::Translation3d(0, 0.5, 0))};
        scene.model = model;
        const WrittenFbx file = written(scene, {});
        const QList<Record> records = Reader(file.bytes).read();
        QMap<QByteArray, QByteArray> types;
        for (const Record* record : topLevel(records, "Objects").all("Model"))
            types[record->texts[0].left(record->texts[0].indexOf('\0'))] = record->texts[1];
        QCOMPARE(types.value("Rig"), QByteArray("Null"));
        QCOMPARE(types.value("Body"), QByteArray("Mesh"));
        QCOMPARE(types.value("Socket"), QByteArray("Null"));
        QVERIFY(!types.contains("Armature"));
        const auto names = [&](const std::string& where, const char* text) {
            return std::any_of(file.issues.begin(), file.issues.end(), [&](const Issue& issue) {
                return issue.where == where && issue.text.find(text) != std::string::npos;
            });
        };
        QVERIFY(names("material " + model->materials[0].name, "metal and roughness"));
        QVERIFY(names("mesh " + model->meshes[0].name, "first set of texture coordinates"));
    }

    void bonesThatSlideAreNamed()
    {
        const Scene scene = richScene(m_random);
        BakedClip clip = wiggle(scene, "slide", 3, m_random);
        for (std::size_t i = 0; i < clip.locals.size(); ++i)
            clip.locals[i].translation = scene.find(clip.joints[i % clip.joints.size()])->rest.translation;
        const auto named = [&] {
            for (const Issue& issue : written(scene, {clip}).issues)
                if (issue.text.find("slide or stretch") != std::string::npos) return issue.where;
            return std::string();
        };
        QCOMPARE(named(), std::string());
        clip.locals.back().translation.x() += 0.01;
        QCOMPARE(named(), scene.find(clip.joints.back())->name);
    }

    void instancesBecomeSeparateMeshes()
    {
        Scene scene = richScene(m_random);
        ModelAsset model = *scene.model;
        const Mesh first = model.meshes[0];
        model.meshes.push_back(first); // the same name, shape and binding under another node
        const auto before = fbx::groupMeshes(scene.model->meshes), after = fbx::groupMeshes(model.meshes);
        QCOMPARE(after.size(), before.size() + 1);
    }

    void anglesDoNotJumpByFullTurns()
    {
        Scene scene = richScene(m_random);
        BakedClip clip = wiggle(scene, "spin", 25, m_random);
        const std::size_t n = clip.joints.size();
        for (std::size_t s = 0; s < clip.times.size(); ++s)
            clip.locals[s * n].rotation = Quaternion(
                Eigen::AngleAxisd(double(s) * std::numbers::pi / 6, Vector3::UnitY())); // two turns
        const std::string path = m_folder.filePath("spin.fbx").toStdString();
        const auto report = exportAnimation(scene, {clip}, path, {});
        QVERIFY(report && report->readBack.isWithin());
    }

    /// Assimp catches that there is no memory, and goes on without the mesh.
    void aMeshIsReadWholeOrNotAtAll()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a reader under a sanitizer has no limit of memory: sanitizers reserve more than any would allow");
#endif
        const Scene scene = longTube(300).scene;
        const std::string path = m_folder.filePath("tube.fbx").toStdString();
        const std::vector<std::uint8_t> bytes = written(scene, {}).bytes;
        writeBytes(QString::fromStdString(path),
                   {reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size())});
        int whole = 0, refused = 0;
        for (std::int64_t mebibytes = 80; mebibytes <= 240; mebibytes += 8) {
            ImportOptions options;
            options.maxMemoryBytes = mebibytes << 20;
            options.growsWithFile = false;
            const auto imported = importModel(path, options);
            ++(imported ? whole : refused);
            if (!imported) QVERIFY2(imported.error().code == ErrorCode::LimitExceeded, imported.error().text().c_str());
            if (imported)
                QVERIFY2(imported->scene.model && imported->scene.model->meshes.size() == 1 &&
                             imported->scene.model->meshes[0].indices.size() == scene.model->meshes[0].indices.size(),
                         qPrintable(QString::number(mebibytes)));
        }
        QVERIFY(whole > 0 && refused > 0);
    }

    void theReadBackFindsDamage()
    {
        const Scene scene = richScene(m_random);
        std::vector<BakedClip> clips{wiggle(scene, "go", 12, m_random)};
        const std::string path = m_folder.filePath("other.fbx").toStdString();
        QVERIFY(exportAnimation(scene, clips, path, {}));
        const QByteArray bytes = fileBytes(QString::fromStdString(path));
        for (const double share : {0.1, 0.5, 0.9}) {
            writeBytes(QString::fromStdString(path), bytes.left(qsizetype(double(bytes.size()) * share)));
            const auto imported = importModel(path);
            QVERIFY(!imported);
            QVERIFY(imported.error().text().find('\n') == std::string::npos);
        }
    }
};

TENDON_TEST(TestFbx)
#include "tst_fbx.moc"

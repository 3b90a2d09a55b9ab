#include "core/io/base/Files.h"
#include "core/io/export/AnimationExport.h"
#include "core/io/export/fbx/FbxWriter.h"
#include "core/io/import/ModelImport.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/io/GltfTestModel.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cstring>

using namespace tendon;
using namespace tendon::test;

namespace {

/// The joints of a scene below one root, as engines want them.
Scene withOneRoot(Scene scene)
{
    auto& joints = scene.joints.edit();
    for (std::size_t i = 1; i < joints.size(); ++i)
        if (!joints[i].parent.isValid()) joints[i].parent = joints[0].id;
    return scene;
}

/// A number among a file's global settings: after its name come "double", "Number", "" and the value.
double setting(const QByteArray& fbx, const char* name)
{
    const qsizetype at = fbx.indexOf(name);
    const qsizetype value = fbx.indexOf('D', fbx.indexOf("Number", at) + 6);
    double number = 0;
    std::memcpy(&number, fbx.constData() + value + 1, sizeof number);
    return at < 0 ? -1 : number;
}

} // namespace

/// Every preset, by what stands in the file and by reading it back.
class TestExportPresets : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::mt19937 m_random{5};

    [[nodiscard]] std::string path(const std::string& suffix) const
    {
        return m_folder.filePath(QString::fromStdString("out." + suffix)).toStdString();
    }

    static void addPresets()
    {
        QTest::addColumn<QString>("name");
        for (const ExportPreset& preset : exportPresets())
            QTest::newRow(std::string(preset.name).c_str())
                << QString::fromUtf8(preset.name.data(), qsizetype(preset.name.size()));
        QTest::newRow("none") << QString();
    }
    static ExportPreset presetOf(const QString& name)
    {
        const ExportPreset* found = findExportPreset(name.toStdString());
        return found == nullptr ? kNoPreset : *found;
    }

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void theManualAndTheOperationHaveTheTables()
    {
        std::string names;
        for (const ExportPreset& preset : exportPresets())
            names += (names.empty() ? "" : "|") + std::string(preset.name);
        QCOMPARE(names, std::string(kExportPresetNames));
        const auto manual = readFile(TENDON_SOURCE_DIR "/resources/docs/user/export.md");
        QVERIFY(manual);
        QVERIFY2(manual->find(exportersAsMarkdown()) != std::string::npos, exportersAsMarkdown().c_str());
        QVERIFY2(manual->find(exportPresetsAsMarkdown()) != std::string::npos, exportPresetsAsMarkdown().c_str());
    }

    /// What the two tests below hold of files without a preset, wherever the manual speaks of it.
    void theManualSaysHowManyInfluencesAreKept()
    {
        const auto manual = readFile(TENDON_SOURCE_DIR "/resources/docs/user/export.md");
        QVERIFY(manual);
        QString text = QString::fromStdString(*manual).simplified();
        const char* const kSentences[] = {
            "an FBX has a null above its joints and keeps every influence, and a new glTF has up to four influences "
            "per "
            "vertex.",
            "If the source is a glTF file, the export keeps all of its influences.",
            "Vertices keep all influences, unless a preset allows fewer.",
            "Vertices keep their four heaviest influences, or eight if the preset allows.",
        };
        for (const char* sentence : kSentences) {
            QVERIFY2(text.count(QLatin1String(sentence)) == 1, sentence);
            text.remove(QLatin1String(sentence));
        }
        // The other places: the table of presets and what the report says of vertices that lost some.
        for (const char* place : {"influences per vertex | notes", "fewer influences per vertex than the model has",
                                  "the vertices that lost influences", "all its influences would put it"}) {
            QVERIFY2(text.contains(QLatin1String(place)), place);
            text.remove(QLatin1String(place));
        }
        QCOMPARE(text.count(QLatin1String("influence")), 0);
    }

    void fbxHasTheUnitRootAndInfluencesOfThePreset_data() { addPresets(); }
    void fbxHasTheUnitRootAndInfluencesOfThePreset()
    {
        QFETCH(QString, name);
        const ExportPreset preset = presetOf(name);
        const Scene scene = withOneRoot(richScene(m_random));
        const std::vector<BakedClip> clips{wiggle(scene, "go", 6, m_random)};
        const auto report = exportAnimation(scene, clips, path("fbx"), {.preset = preset});
        QVERIFY2(report, report ? "" : report.error().text().c_str());
        QVERIFY2(
            report->readBack.isWithin(),
            qPrintable(
                QString("joints %1, vertices %2").arg(report->readBack.jointError).arg(report->readBack.vertexError)));
        QCOMPARE(report->readBack.vertices, 128); // compared in metres, whatever the file's unit

        const QByteArray bytes = fileBytes(QString::fromStdString(path("fbx")));
        QCOMPARE(setting(bytes, "UnitScaleFactor"), preset.metresPerUnit * 100);
        QCOMPARE(bytes.contains("Armature"), preset.hasArmature);
        const bool isCapped = std::any_of(report->issues.begin(), report->issues.end(), [](const Issue& issue) {
            return issue.text.find("have more than") != std::string::npos;
        });
        QCOMPARE(isCapped, !preset.name.empty() && preset.influences < 7); // the scene's vertices hang on up to seven

        const auto imported = importModel(path("fbx"));
        QVERIFY(imported);
        QCOMPARE(imported->scene.model->metresPerUnit, preset.metresPerUnit);
        QCOMPARE(imported->scene.joints->size(), scene.joints->size()); // no leaf bones, no root that was not there
    }

    void lengthsInTheFileAreInItsUnit()
    {
        Scene scene = withOneRoot(richScene(m_random));
        ExportPreset centimetres = kNoPreset;
        centimetres.metresPerUnit = 0.01;
        QVERIFY(exportAnimation(scene, {}, path("fbx"), {}).has_value());
        const QByteArray inMetres = fileBytes(QString::fromStdString(path("fbx")));
        QVERIFY(exportAnimation(scene, {}, path("fbx"), {.preset = centimetres}).has_value());
        const QByteArray inCentimetres = fileBytes(QString::fromStdString(path("fbx")));
        const auto countOf = [](const QByteArray& file, double number) {
            return file.count(QByteArray(reinterpret_cast<const char*>(&number), sizeof number));
        };
        // The height of every joint above the one before is half a metre.
        const auto joints = qsizetype(scene.joints->size());
        QVERIFY(countOf(inMetres, 0.5) >= joints && countOf(inMetres, 50) < joints);
        QVERIFY(countOf(inCentimetres, 50) >= joints && countOf(inCentimetres, 0.5) < joints);
    }

    void severalRootsGetACommonRootAndAnIssue()
    {
        const Scene scene = richScene(m_random);
        const auto written = writeFbx(scene, {}, {.hasArmature = false});
        QVERIFY(written && written->issues.size() == 1);
        QVERIFY2(written->issues[0].text.find("2 root joints") != std::string::npos, written->issues[0].text.c_str());
    }

    void gltfIsInMetresWithThePresetsInfluences_data() { addPresets(); }
    void gltfIsInMetresWithThePresetsInfluences()
    {
        QFETCH(QString, name);
        const ExportPreset preset = presetOf(name);
        const Scene scene = withOneRoot(richScene(m_random));
        const auto report = exportAnimation(scene, {wiggle(scene, "go", 6, m_random)}, path("glb"), {.preset = preset});
        QVERIFY2(report, report ? "" : report.error().text().c_str());
        QVERIFY(report->readBack.isWithin());
        const Glb glb = takeApart(fileBytes(QString::fromStdString(path("glb"))));
        QCOMPARE(glb.jsonText.contains("JOINTS_1"), preset.influences > 4);
        QVERIFY(!glb.jsonText.contains("JOINTS_2"));
    }

    void bvhIsInThePresetsUnit()
    {
        const Scene scene = withOneRoot(richScene(m_random));
        const BakedClip clip = wiggle(scene, "go", 6, m_random);
        const auto report = exportAnimation(scene, {clip}, path("bvh"), {.preset = *findExportPreset("unreal")});
        QVERIFY(report && report->readBack.isWithin());
        const auto model = importModel(path("bvh"), {.metresPerUnit = 0.01, .upAxis = {}});
        QVERIFY(model);
        const auto inMetres = importModel(path("bvh"), {.metresPerUnit = 1, .upAxis = {}});
        QVERIFY(inMetres && std::abs(inMetres->heightMetres / model->heightMetres - 100) < 1e-6);
    }
};

TENDON_TEST(TestExportPresets)
#include "tst_export_presets.moc"

#include "core/io/export/AnimationExport.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/io/GltfTestModel.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <map>

using namespace tendon;
using namespace tendon::test;

namespace {

using Plant = void (*)(Prepared&);

ModelAsset& edit(Prepared& prepared, std::shared_ptr<ModelAsset>& copy)
{
    copy = std::make_shared<ModelAsset>(*prepared.scene.model);
    prepared.scene.model = copy;
    return *copy;
}

std::size_t sampleOf(const BakedClip& clip, std::size_t sample, std::size_t joint)
{
    return sample * clip.joints.size() + joint;
}

// Mistakes, each small and consistent: the scene and the clips that reach the writer agree with each other.

void wrongInfluence(Prepared& prepared)
{
    std::shared_ptr<ModelAsset> copy;
    Skin& skin = edit(prepared, copy).meshes[0].skin;
    auto& joint = skin.influenceJoint[skin.influenceBegin[40]];
    joint = static_cast<std::uint16_t>((joint + 1) % skin.joints.size());
}

void lostInfluence(Prepared& prepared)
{
    std::shared_ptr<ModelAsset> copy;
    Skin& skin = edit(prepared, copy).meshes[0].skin;
    const std::uint32_t first = skin.influenceBegin[40];
    skin.influenceWeight[first + 1] += skin.influenceWeight[first];
    skin.influenceWeight[first] = 0;
}

void wrongLength(Prepared& prepared)
{
    prepared.scene.joints.edit()[2].rest.translation *= 1.001;
    BakedClip& clip = prepared.clips[0];
    for (std::size_t s = 0; s < clip.times.size(); ++s) clip.locals[sampleOf(clip, s, 2)].translation *= 1.001;
}

void wrongTurn(Prepared& prepared)
{
    BakedClip& clip = prepared.clips[0]; // joint 3 is an end: nothing hangs on it but its own axes
    clip.locals[sampleOf(clip, 2, 3)].rotation *= Quaternion(Eigen::AngleAxisd(1e-3, Vector3::UnitX()));
    if (!clip.angles.empty()) clip.angles[sampleOf(clip, 2, 3)].x() += 1e-3; // a BVH has none of its own
}

void movedMesh(Prepared& prepared)
{
    std::shared_ptr<ModelAsset> copy;
    for (Eigen::Vector3f& position : edit(prepared, copy).meshes[0].positions) position.x() += 0.002f;
}

void wrongBinding(Prepared& prepared)
{
    std::shared_ptr<ModelAsset> copy;
    Affine& jointFromMesh = edit(prepared, copy).meshes[0].skin.jointFromMesh[3];
    jointFromMesh = Eigen::Scaling(Vector3(1.01, 1, 1)) * jointFromMesh;
}

void wrongWeights(Prepared& prepared)
{
    std::shared_ptr<ModelAsset> copy;
    for (MorphAnimation& animation : edit(prepared, copy).morphAnimations)
        for (MorphCurve& curve : animation.curves)
            for (double& weight : curve.weights) weight *= 0.98;
}

void lateWeights(Prepared& prepared)
{
    std::shared_ptr<ModelAsset> copy;
    for (MorphAnimation& animation : edit(prepared, copy).morphAnimations)
        for (MorphCurve& curve : animation.curves)
            for (double& time : curve.times) time += 0.05;
}

void wrongTarget(Prepared& prepared)
{
    std::shared_ptr<ModelAsset> copy;
    for (auto& delta : edit(prepared, copy).meshes[0].morphTargets[0].positionDeltas) delta.y() *= 1.05f;
}

void swappedFrames(Prepared& prepared)
{
    BakedClip& clip = prepared.clips[0];
    const std::size_t n = clip.joints.size();
    for (std::size_t j = 0; j < n; ++j) std::swap(clip.locals[2 * n + j], clip.locals[3 * n + j]);
}

void turnedTriangles(Prepared& prepared)
{
    std::shared_ptr<ModelAsset> copy;
    std::vector<std::uint32_t>& corners = edit(prepared, copy).meshes[0].indices;
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) std::swap(corners[i + 1], corners[i + 2]);
}

void wrongAngles(Prepared& prepared)
{
    BakedClip& clip = prepared.clips[0];
    clip.angles[sampleOf(clip, 2, 3)].y() += 1e-3;
}

} // namespace

/// A mistake in any step of an export must show when the file is read back, because it is compared with the original.
class TestPlantedMistakes : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::mt19937 m_random{31};
    Scene m_scene;
    std::vector<BakedClip> m_clips;

    std::string path(std::string_view suffix) const
    {
        return m_folder.filePath("out." + QString::fromStdString(std::string(suffix))).toStdString();
    }

    /// The exporter with a writer that is handed something else than what was prepared.
    static Exporter withMistake(Exporter exporter, Plant plant)
    {
        exporter.write = [plant, write = exporter.write](const Prepared& prepared, const Destination& to,
                                                         const ExportOptions& options) {
            Prepared wrong = prepared;
            plant(wrong);
            return write(wrong, to, options);
        };
        return exporter;
    }

    ReadBack readBack(const Exporter& exporter, const ExportPreset& preset = kNoPreset)
    {
        FileStage stage; // only read back
        const auto report = exportBy(exporter, m_scene, m_clips, path(exporter.suffix), {.preset = preset}, stage);
        if (!report) qFatal("%s", report.error().text().c_str());
        return report->readBack;
    }

    static QString text(const ReadBack& read)
    {
        QString text = QString("joint %1, vertex %2, turn %3 of %4")
                           .arg(read.jointError)
                           .arg(read.vertexError)
                           .arg(read.turnError)
                           .arg(read.radius);
        for (const std::string& missing : read.missing) text += ", missing " + QString::fromStdString(missing);
        return text;
    }

    /// Every step has work to do: a root in another unit, an end that is scaled unevenly, meshes bound elsewhere, seven
    /// influences per vertex, a morph target that moves.
    void makeScene()
    {
        m_scene = richScene(m_random);
        auto& joints = m_scene.joints.edit();
        joints[0].rest.scale = Vector3::Constant(2);
        joints[3].rest.scale = {1, 2, 1};
        auto model = std::make_shared<ModelAsset>(*m_scene.model);
        model->meshes[0].skin.jointFromMesh[3] = Eigen::Scaling(Vector3(1, 0.5, 1)) *
                                                 model->meshes[0].skin.jointFromMesh[3];
        model->morphAnimations = {
            {.sourceAnimation = 7, .curves = {{.mesh = 0, .target = 0, .times = {0.5, 0.8}, .weights = {0, 1}}}}};
        m_scene.model = model;
        m_clips = {wiggle(m_scene, "go", 9, m_random)};
        m_clips[0].sourceAnimation = 7;
    }

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }
    void init() { makeScene(); }

    void withoutAMistakeTheFileMatches_data()
    {
        QTest::addColumn<QString>("suffix");
        for (const Exporter& exporter : exporters())
            QTest::newRow(std::string(exporter.suffix).c_str()) << QString::fromStdString(std::string(exporter.suffix));
    }
    void withoutAMistakeTheFileMatches()
    {
        QFETCH(QString, suffix);
        const Exporter& exporter = *findExporter(suffix.toStdString());
        for (const ExportPreset& preset : {kNoPreset, *findExportPreset("unreal")}) {
            const ReadBack read = readBack(exporter, preset);
            QVERIFY2(read.isWithin(), qPrintable(text(read)));
            QCOMPARE(read.vertices > 0, exporter.hasModel);
        }
    }

    void aMistakeInAStepIsFound_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QString>("step");
        QTest::addColumn<Plant>("plant");
        for (const char* suffix : {"glb", "gltf", "fbx"}) {
            const auto add = [&](const char* step, const char* mistake, Plant plant) {
                QTest::addRow("%s, %s: %s", suffix, step, mistake) << suffix << step << plant;
            };
            add("influences", "another joint", wrongInfluence);
            add("influences", "the heaviest is lost", lostInfluence);
            add("rest scales", "a length", wrongLength);
            add("rest scales", "a binding", wrongBinding);
            add("mesh places", "a mesh", movedMesh);
            add("mesh places", "a morph target", wrongTarget);
            add("end scales", "a binding", wrongBinding);
            add("end scales", "a turn", wrongTurn);
        }
        QTest::addRow("fbx, length unit: a length") << "fbx"
                                                    << "length unit" << Plant(wrongLength);
        QTest::addRow("fbx, length unit: a mesh") << "fbx"
                                                  << "length unit" << Plant([](Prepared& prepared) {
                                                         std::shared_ptr<ModelAsset> copy;
                                                         for (auto& position : edit(prepared, copy).meshes[0].positions)
                                                             position *= 1.01f;
                                                     });
        QTest::addRow("bvh, length unit: a length") << "bvh"
                                                    << "length unit" << Plant(wrongLength);
        QTest::addRow("bvh, whole frames: two frames") << "bvh"
                                                       << "whole frames" << Plant(swappedFrames);
    }
    void aMistakeInAStepIsFound()
    {
        QFETCH(QString, suffix);
        QFETCH(QString, step);
        QFETCH(Plant, plant);
        Exporter exporter = *findExporter(suffix.toStdString());
        const auto at = std::find_if(exporter.steps.begin(), exporter.steps.end(),
                                     [&](const PreparingStep& s) { return s.name == step.toStdString(); });
        QVERIFY(at != exporter.steps.end());
        at->apply = [plant, right = at->apply](Prepared& prepared, const ExportPreset& preset) {
            right(prepared, preset);
            plant(prepared);
        };
        // Four influences and centimetres, so that all steps have something to do.
        ExportPreset preset = *findExportPreset("unreal");
        preset.influences = 4;
        const ReadBack read = readBack(exporter, preset);
        QVERIFY2(!read.isWithin() && read.missing.empty(), qPrintable(text(read)));
    }

    void aMistakeInAWriterIsFound_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<Plant>("plant");
        for (const Exporter& exporter : exporters()) {
            const std::string suffix(exporter.suffix);
            const auto add = [&](const char* mistake, Plant plant) {
                QTest::addRow("%s: %s", suffix.c_str(), mistake) << QString::fromStdString(suffix) << plant;
            };
            add("a length", wrongLength);
            add("two frames", swappedFrames);
            add("a turn", wrongTurn);
            if (suffix == "csv" || suffix == "json") add("angles", wrongAngles);
            if (!exporter.hasModel) continue;
            add("an influence", wrongInfluence);
            add("a mesh", movedMesh);
            add("a binding", wrongBinding);
            add("morph weights", wrongWeights);
            add("morph times", lateWeights);
            add("a morph target", wrongTarget);
            if (suffix == "fbx") add("triangles", turnedTriangles); // glTF is compared vertex by vertex
        }
    }
    void aMistakeInAWriterIsFound()
    {
        QFETCH(QString, suffix);
        QFETCH(Plant, plant);
        const Exporter& right = *findExporter(suffix.toStdString());
        if (plant == wrongTurn && readBack(right).turnError < 0) return; // the format holds positions alone
        const ReadBack read = readBack(withMistake(right, plant));
        QVERIFY2(!read.isWithin() && read.missing.empty(), qPrintable(text(read)));
    }

    /// Where the skeleton mirrors what it draws, meshes at rest are mirrored and their triangles turned.
    void aMirroredSkeletonMatchesAndMistakesInItAreFound()
    {
        m_scene.joints.edit()[0].rest.scale = {-1, 1, 1};
        m_clips = {wiggle(m_scene, "go", 9, m_random)};
        m_clips[0].sourceAnimation = 7;
        for (const char* suffix : {"glb", "gltf", "fbx"}) {
            const Exporter& right = *findExporter(suffix);
            const ReadBack matching = readBack(right);
            QVERIFY2(matching.isWithin() && matching.vertices > 0, qPrintable(text(matching)));
            std::vector<Plant> plants{wrongInfluence, movedMesh, wrongBinding, wrongTurn};
            if (right.suffix == "fbx") plants.push_back(turnedTriangles);
            for (const Plant plant : plants) {
                const ReadBack read = readBack(withMistake(right, plant));
                QVERIFY2(!read.isWithin() && read.missing.empty(), qPrintable(text(read)));
            }
        }
    }

    void aMistakeInThePatcherIsFound_data()
    {
        QTest::addColumn<Plant>("plant");
        QTest::newRow("a length") << Plant([](Prepared& prepared) {
            BakedClip& clip = prepared.clips[0];
            clip.locals[sampleOf(clip, 2, 1)].translation *= 1.001;
        });
        QTest::newRow("a turn of an end") << Plant([](Prepared& prepared) {
            BakedClip& clip = prepared.clips[0];
            clip.locals[sampleOf(clip, 2, 2)].rotation *= Quaternion(Eigen::AngleAxisd(1e-3, Vector3::UnitX()));
        });
        QTest::newRow("two frames") << Plant(swappedFrames);
        QTest::newRow("two joints") << Plant([](Prepared& prepared) {
            auto& joints = prepared.scene.joints.edit();
            std::swap(joints[1].sourceNode, joints[2].sourceNode);
        });
    }
    void aMistakeInThePatcherIsFound()
    {
        QFETCH(Plant, plant);
        for (const char* suffix : {"glb", "gltf"}) {
            const QString source = m_folder.filePath("source.glb");
            writeBytes(source, GltfTestModel().glb());
            m_scene = GltfTestModel::scene(source);
            m_clips = {wiggle(m_scene, "walk", 9, m_random)};
            const auto right = exporterFor(m_scene, path(suffix));
            QVERIFY(right && *right == findExporter(suffix)->patch);
            QVERIFY(readBack(**right).isWithin());
            const ReadBack read = readBack(withMistake(**right, plant));
            QVERIFY2(!read.isWithin() && read.missing.empty(), qPrintable(text(read)));
        }
    }

    /// What capping costs is measured against all influences; it does not count as a mistake.
    void theCostOfCappingIsTold()
    {
        for (const char* suffix : {"glb", "fbx"}) {
            ExportPreset preset = *findExportPreset("unity");
            const ReadBack capped = readBack(*findExporter(suffix), preset);
            QVERIFY2(capped.isWithin(), qPrintable(text(capped)));
            QVERIFY2(capped.cappingError > 0.01 * capped.radius, qPrintable(QString::number(capped.cappingError)));
            QVERIFY(capped.cappingError < capped.radius * 10 && !capped.cappingAt.empty());
            QVERIFY(capped.cappedVertices > 0 && capped.cappedVertices < capped.vertices);
            preset.influences = 8;
            const ReadBack whole = readBack(*findExporter(suffix), preset);
            QCOMPARE(whole.cappedVertices, 0);
            QCOMPARE(whole.cappingError, 0.0);
        }
    }

    /// Vertices are compared at five samples of a clip, but the cost of capping is the largest over all of them.
    void theCostOfCappingIsMeasuredAtEverySample()
    {
        BakedClip& clip = m_clips[0];
        constexpr std::size_t kBent = 5; // of nine: not one of 0, 2, 4, 6, 8
        const std::size_t joints = clip.joints.size();
        for (std::size_t s = 0; s < clip.times.size(); ++s)
            for (std::size_t j = 0; s != kBent && j < joints; ++j)
                clip.locals[s * joints + j] = (*m_scene.joints)[j].rest;
        const std::vector<BakedClip> bent = m_clips;
        for (const char* suffix : {"glb", "fbx"}) {
            const ReadBack read = readBack(*findExporter(suffix), *findExportPreset("unity"));
            QVERIFY2(read.cappingAt.starts_with("clip go, frame 17, mesh "), read.cappingAt.c_str());
            for (std::size_t j = 0; j < joints; ++j) clip.locals[kBent * joints + j] = (*m_scene.joints)[j].rest;
            const ReadBack still = readBack(*findExporter(suffix), *findExportPreset("unity"));
            QCOMPARE(still.cappedVertices, read.cappedVertices);
            QVERIFY2(read.cappingError > 1.5 * still.cappingError, qPrintable(QString::number(read.cappingError)));
            m_clips = bent;
        }
    }
};

TENDON_TEST(TestPlantedMistakes)
#include "tst_planted_mistakes.moc"

#include "core/io/export/AnimationExport.h"
#include "core/io/export/tables/PoseTables.h"
#include "core/io/readback/GltfCheck.h"
#include "core/io/readback/PoseTableCheck.h"
#include "core/solve/Baker.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"
#include "tests/unit/io/GltfTestModel.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

using namespace tendon;
using namespace tendon::test;

/// What the check is there for: files in which something is wrong.
class TestReadBack : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file;
    Scene m_scene;
    std::vector<BakedClip> m_clips;
    std::map<JointId, std::size_t> m_nodes;

    ReadBack check() const
    {
        Issues issues;
        const auto result = checkGltf(m_file.toStdString(), {m_scene, m_clips}, {m_nodes}, issues);
        if (!result) qFatal("%s", result.error().text().c_str());
        return *result;
    }

    /// Where the numbers of an accessor begin in the binary.
    static qsizetype placeOfAccessor(const Glb& glb, int index)
    {
        const QJsonObject accessor = glb.json["accessors"].toArray()[index].toObject();
        return accessor["byteOffset"].toInt() +
               glb.json["bufferViews"].toArray()[accessor["bufferView"].toInt()].toObject()["byteOffset"].toInt();
    }

    void rewrite(const QByteArray& from, const QByteArray& to)
    {
        Glb glb = takeApart(fileBytes(m_file));
        if (!glb.jsonText.contains(from)) qFatal("there is no %s", from.constData());
        glb.jsonText.replace(glb.jsonText.indexOf(from), from.size(), to);
        writeBytes(m_file, putTogether(glb.jsonText, glb.bin));
    }

private slots:
    void init()
    {
        const QString source = m_folder.filePath("source.glb");
        m_file = m_folder.filePath("out.glb");
        writeBytes(source, GltfTestModel().glb());
        m_scene = GltfTestModel::scene(source);
        std::mt19937 random(22);
        m_clips = {wiggle(m_scene, "walk", 24, random)};
        m_nodes.clear();
        for (const Joint& joint : *m_scene.joints) m_nodes[joint.id] = static_cast<std::size_t>(joint.sourceNode);
        QVERIFY(exportAnimation(m_scene, m_clips, m_file.toStdString(), {}).has_value());
        QVERIFY(check().isWithin());
    }

    void aFlippedNumberInTheAnimationIsFound()
    {
        Glb glb = takeApart(fileBytes(m_file));
        const QJsonObject walk = glb.json["animations"].toArray()[0].toObject();
        const int output = walk["samplers"].toArray()[4].toObject()["output"].toInt(); // the knee's rotation
        glb.bin[placeOfAccessor(glb, output) + 7 * 16 + 3] = char(glb.bin[placeOfAccessor(glb, output) + 7 * 16 + 3] ^
                                                                  0x80); // a sign at the eighth key
        writeBytes(m_file, putTogether(glb.jsonText, glb.bin));
        const ReadBack result = check();
        QVERIFY(!result.isWithin());
        QVERIFY(result.jointError > 0.01 * result.radius);
        QCOMPARE(result.jointAt, std::string("clip walk, frame 19, joint foot")); // frames begin at 12
    }

    /// Of a joint at an end nothing hangs: only its own axes can tell that it is turned.
    void aRotatedEndJointIsFound()
    {
        for (const auto& [angle, isWithin] : {std::pair{5e-5, true}, std::pair{5e-4, false}}) {
            Scene scene = m_scene;
            scene.model.reset();
            std::vector<BakedClip> clips = m_clips;
            const std::size_t n = clips[0].joints.size();
            for (std::size_t j = 0; j < n; ++j)
                if (scene.find(clips[0].joints[j])->name == "foot")
                    clips[0].locals[7 * n + j].rotation *= Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitX()));
            Issues issues;
            const auto result = checkGltf(m_file.toStdString(), {scene, clips}, {m_nodes}, issues);
            QVERIFY(result && result->jointError <= ReadBack::kJointTolerance * result->radius);
            QVERIFY2(std::abs(result->turnError - angle) < 1e-6, qPrintable(QString::number(result->turnError)));
            QCOMPARE(result->turnAt, std::string("clip walk, frame 19, joint foot"));
            QCOMPARE(result->isWithin(), isWithin);
        }
    }

    /// Each of 64 joints in one place rounds its angle, and all of them turn the tip.
    void aLongChainMayBeOffByTheRoundingOfItsAngles()
    {
        TestRig rig;
        rig.scene.fps = {30, 1};
        const std::vector<JointId> chain = rig.chain("link", 64, Vector3::Zero());
        rig.joint("tip", chain.back(), {0, 1, 0});
        for (const JointId link : chain)
            for (int frame = 0; frame <= 12; ++frame) rig.key(link, Property::Rz, frame, {0.5 * frame});
        SolverRegistry none;
        const Clip& clip = *rig.clip();
        const auto baked = bake(
            rig.scene, none,
            {.clip = clip.id, .fps = rig.scene.fps, .from = clip.begin(), .to = clip.end(), .progress = {}});
        QVERIFY(baked);
        const auto report = exportAnimation(rig.scene, {*baked}, m_folder.filePath("chain.fbx").toStdString(), {});
        QVERIFY(report);
        ReadBack result = report->readBack;
        QCOMPARE(result.levels, 65);
        QVERIFY2(result.isWithin(), result.jointAt.c_str());
        QVERIFY2(result.jointError > ReadBack::kJointTolerance * result.radius,
                 qPrintable(QString::number(result.jointError)));
        result.levels = 10;
        QVERIFY(!result.isWithin());
    }

    void aWrongBindMatrixIsFoundByTheVertices()
    {
        Glb glb = takeApart(fileBytes(m_file));
        glb.bin[176 + 13 * 4 + 2] = char(0x40); // the hip's offset
        glb.bin[176 + 13 * 4 + 3] = char(0x3f);
        writeBytes(m_file, putTogether(glb.jsonText, glb.bin));
        const ReadBack result = check();
        QVERIFY(!result.isWithin());
        QVERIFY(result.jointError <= ReadBack::kJointTolerance * result.radius);
        QVERIFY(result.vertexError > 0.01 * result.radius);
        QVERIFY(result.vertexAt.find("mesh Body") != std::string::npos);
    }

    void swappedTargetsAreFound()
    {
        rewrite(R"("node":1,"path":"rotation")", R"("node":2,"path":"rotation")");
        QVERIFY(!check().isWithin());
    }

    void aLostClipJointAndMeshAreReportedAsMissing()
    {
        rewrite(R"("name":"walk")", R"("name":"wall")");
        QCOMPARE(check().missing, std::vector<std::string>({"clip walk"}));
        m_clips[0].name = "wall";
        rewrite(R"("mesh":0,"skin":0)", R"("mash":0,"skin":0)");
        QCOMPARE(check().missing, std::vector<std::string>({"mesh Body"}));
        m_nodes.begin()->second = 17;
        QCOMPARE(check().missing, std::vector<std::string>({"joint hip"}));
    }

    void aClipThatEndsEarlyIsReportedAsMissingItsEnd()
    {
        m_clips[0].times.push_back(m_scene.fps.timeOf(80));
        m_clips[0].handles.emplace_back();
        for (int i = 0; i < 3; ++i) m_clips[0].locals.push_back(m_clips[0].locals[m_clips[0].locals.size() - 3]);
        QCOMPARE(check().missing, std::vector<std::string>({"the end of clip walk"}));
    }

    void aDamagedFileIsReportedAsMissing_data()
    {
        QTest::addColumn<int>("size");
        for (const int size : {0, 3, 11, 19, 100, 2000}) QTest::addRow("%d bytes", size) << size;
    }
    void aDamagedFileIsReportedAsMissing()
    {
        QFETCH(int, size);
        writeBytes(m_file, fileBytes(m_file).left(size));
        QCOMPARE(check().missing.size(), std::size_t(1));
        QVERIFY(!check().isWithin());
        QFile::remove(m_file);
        QVERIFY(!check().isWithin());
    }

    void damageInTablesIsFound_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::newRow("json") << "json";
        QTest::newRow("csv") << "csv";
    }
    void damageInTablesIsFound()
    {
        QFETCH(QString, suffix);
        m_scene.joints.edit()[1].name = "knee, \"left\"\nside"; // what a careless table would break on
        const QString table = m_folder.filePath("poses." + suffix);
        const auto report = exportAnimation(m_scene, m_clips, table.toStdString(), {});
        QVERIFY(report.has_value());
        QVERIFY2(report->readBack.isWithin(), report->readBack.missing.empty() ? report->readBack.jointAt.c_str()
                                                                               : report->readBack.missing[0].c_str());
        QVERIFY(report->readBack.jointError < 1e-12); // text holds doubles whole

        QByteArray bytes = fileBytes(table);
        const qsizetype digit = suffix == "csv" ? bytes.lastIndexOf("\nwalk,") + 40
                                                : bytes.lastIndexOf("\"translation\":[") + 20;
        for (qsizetype i = digit; i < bytes.size(); ++i)
            if (bytes[i] >= '1' && bytes[i] <= '8') {
                ++bytes[i];
                break;
            }
        writeBytes(table, bytes);
        const auto damaged = checkPoseTable(table.toStdString(), {m_scene, m_clips});
        QVERIFY(damaged && damaged->jointError > 0);
        writeBytes(table, bytes.left(bytes.size() / 2));
        QVERIFY(!checkPoseTable(table.toStdString(), {m_scene, m_clips})->isWithin());
    }

    void unsupportedFormatsAreRefused()
    {
        for (const char* name : {"out.obj", "out", "no such folder/out.glb"}) {
            const auto refused = exportAnimation(m_scene, m_clips, m_folder.filePath(name).toStdString(), {});
            QVERIFY(!refused);
            QVERIFY(!QFile::exists(m_folder.filePath(name)));
        }
        QVERIFY(exportAnimation(m_scene, m_clips, m_folder.filePath("out.obj").toStdString(), {})
                    .error()
                    .text()
                    .find("cannot export to this format") != std::string::npos);
    }
};

TENDON_TEST(TestReadBack)
#include "tst_read_back.moc"

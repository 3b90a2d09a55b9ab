#include "core/io/import/ModelImport.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TinyGltf.h"

#include <QTemporaryDir>

#include <algorithm>

using namespace tendon;
using namespace tendon::test;

namespace {

bool mentionsText(const Issues& issues, const QString& text)
{
    return std::any_of(issues.begin(), issues.end(),
                       [&](const Issue& issue) { return QString::fromStdString(issue.text).contains(text); });
}

} // namespace

/// Files that are not glTF: how they are known, what a BVH file leaves open, and what is wrong with many.
class TestOtherFormats : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    /// A root and a joint below it, as "walk.bvh"; `offset` is that of the end of its bone.
    Result<ImportedModel> importBvh(const QByteArray& root, const QByteArray& offset, const QByteArray& rows,
                                    const QByteArray& before = "", const QByteArray& frames = "1",
                                    const QByteArray& time = "0.0333333")
    {
        const QString path = m_folder.filePath("walk.bvh");
        writeFile(path, before + "HIERARCHY\nROOT " + root +
                            "\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
                            "Yrotation\n JOINT knee\n {\n  OFFSET 0 0 0\n  CHANNELS 3 Zrotation Xrotation "
                            "Yrotation\n  End Site\n  {\n   OFFSET " +
                            offset + "\n  }\n }\n}\nMOTION\nFrames: " + frames + "\nFrame Time: " + time + "\n" + rows);
        return importModel(path.toStdString());
    }

private slots:
    void theContentDecidesTheFormatOfAFile()
    {
        const QString path = m_folder.filePath("wrong.glb");
        writeFile(path, "HIERARCHY\nROOT hips\n{\n OFFSET 0 90 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation "
                        "Xrotation Yrotation\n JOINT knee\n {\n  OFFSET 0 -45 0\n  CHANNELS 3 Zrotation Xrotation "
                        "Yrotation\n  End Site\n  {\n   OFFSET 0 -45 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: "
                        "0.0333333\n0 90 0 0 0 0 0 0 0\n0 91 0 0 0 90 0 0 0\n");
        const auto model = importModel(path.toStdString());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        QCOMPARE(model->format, std::string("bvh"));
        QCOMPARE(model->scene.joints->size(), std::size_t(3)); // the end of the bone as well
        QVERIFY(std::abs(model->heightMetres - 2.286) < 1e-6); // inches, as nothing is said of the unit
        QCOMPARE(model->scene.fps, (FrameRate{30, 1}));
        QCOMPARE(model->scene.clips.size(), std::size_t(1));
    }

    void otherFormatsAreNamed()
    {
        const QString path = m_folder.filePath("wrong.glb");
        writeFile(path, "Kaydara FBX Binary  ");
        const auto damaged = importModel(path.toStdString());
        QVERIFY(!damaged && damaged.error().text().find("cannot read the file") != std::string::npos);
        writeFile(m_folder.filePath("model.iqm"), "INTERQUAKEMODEL");
        const auto model = importModel(m_folder.filePath("model.iqm").toStdString());
        QVERIFY(!model);
        QVERIFY(model.error().text().find("unsupported format") != std::string::npos);
        QCOMPARE(importModel(m_folder.filePath("nowhere.glb").toStdString()).error().code, ErrorCode::NotFound);
    }

    void theUnitIsThatWhichComesNearestToAPerson_data()
    {
        QTest::addColumn<double>("height");
        QTest::addColumn<double>("unit");
        QTest::newRow("metres") << 1.6 << 1.0;
        QTest::newRow("centimetres") << 172.0 << 0.01;
        QTest::newRow("inches") << 60.6 << 0.0254;
        QTest::newRow("feet") << 5.8 << 0.3048;
        QTest::newRow("decimetres") << 20.1 << 0.1;
        QTest::newRow("millimetres") << 1700.0 << 0.001;
    }
    void theUnitIsThatWhichComesNearestToAPerson()
    {
        QFETCH(double, height);
        QFETCH(double, unit);
        const auto model = importBvh("hips", QString("0 -%1 0").arg(height).toLatin1(), "0 0 0 0 0 0 0 0 0\n");
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        QCOMPARE(model->scene.model->metresPerUnit, unit);
        QVERIFY(!mentionsText(model->issues, "--up-axis"));
    }

    void aModelThatLiesIsSaidTo()
    {
        const auto model = importBvh("hips", "0 0.1 -1.7", "0 0 0 0 0 0 0 0 0\n");
        QVERIFY(model);
        QCOMPARE(model->scene.model->metresPerUnit, 1.0);
        QVERIFY(mentionsText(model->issues, "--up-axis z"));
        ImportOptions upright;
        upright.upAxis = 2;
        const auto turned = importModel(m_folder.filePath("walk.bvh").toStdString(), upright);
        QVERIFY(turned && !mentionsText(turned->issues, "--up-axis"));
        QVERIFY(std::abs(turned->heightMetres - 1.7) < 1e-6);
    }

    void namesInBvhMayHaveBlanksAndAMarkMayStandBeforeIt()
    {
        const auto model = importBvh("Left  Hip ", "0 -1.7 0", "0 0 0 0 0 0 0 0 30\n", "\xef\xbb\xbf");
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        QVERIFY(model->scene.jointNamed("Left  Hip"));
        QCOMPARE(model->scene.clips.at(0)->name, std::string("walk")); // as the file: the format has no names
    }

    /// Positions of about zero are added to the OFFSETs, if every joint that has some does so; a joint that moves away
    /// from its OFFSET has them in its place, as all others then have.
    void positionChannelsOfZeroAreAddedToTheOffsets()
    {
        const auto import = [&](const QByteArray& knee, const QByteArray& foot) {
            const QByteArray channels = " CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
            const QString path = m_folder.filePath("pose.bvh");
            writeFile(path, "HIERARCHY\nROOT hip\n{\n OFFSET 0 1 0\n" + channels + "JOINT knee\n{\n OFFSET 0 -0.9 0\n" +
                                channels + "JOINT foot\n{\n OFFSET 0 -0.8 0\n" + channels +
                                "End Site\n{\n OFFSET 0 0 0.2\n}\n}\n}\n}\nMOTION\nFrames: 1\n" +
                                "Frame Time: 0.04\n0 0.5 0 0 0 0 " + knee + " 0 0 0 " + foot + " 0 0 0\n");
            return importModel(path.toStdString());
        };
        /// [m] Of a joint in the clip's first frame, in its parent.
        const auto place = [](const ImportedModel& model, const char* joint) {
            const Clip& clip = *model.scene.clips.at(0);
            Vector3 at = model.scene.find(*model.scene.jointNamed(joint))->rest.translation;
            const ObjectId id = model.scene.jointNamed(joint)->value;
            static constexpr Property kAxes[] = {Property::Tx, Property::Ty, Property::Tz};
            for (int axis = 0; axis < 3; ++axis)
                if (const auto keys = clip.channels.find({id, kAxes[axis]}); keys != clip.channels.end())
                    at[axis] = (*keys->second)[0].value[0];
            return at;
        };
        const auto added = import("0 0.00001 0", "0 0 -0.00001");
        QVERIFY2(added, added ? "" : added.error().text().c_str());
        QVERIFY(mentionsText(added->issues, "they were added to their OFFSETs"));
        const double unit = added->scene.find(*added->scene.jointNamed("knee"))->rest.translation.norm() / 0.9;
        QVERIFY((place(*added, "knee") / unit - Vector3(0, -0.89999, 0)).norm() < 1e-6);
        QVERIFY((place(*added, "foot") / unit - Vector3(0, -0.8, -0.00001)).norm() < 1e-6);
        QVERIFY((place(*added, "hip") / unit - Vector3(0, 0.5, 0)).norm() < 1e-6); // the root's is its place
        const auto inPlace = import("0 0 0", "0 -0.7 0");
        QVERIFY(inPlace && !mentionsText(inPlace->issues, "OFFSETs"));
        QVERIFY(place(*inPlace, "knee").norm() < 1e-6);
        QVERIFY((place(*inPlace, "foot") / unit - Vector3(0, -0.7, 0)).norm() < 1e-6);
    }

    void motionThatDoesNotFitItsBvhIsNamed_data()
    {
        QTest::addColumn<QByteArray>("rows");
        QTest::addColumn<QByteArray>("frames");
        QTest::addColumn<QByteArray>("time");
        QTest::addColumn<QString>("text");
        const QByteArray row = "0 0 0 0 0 0 0 0 0\n";
        QTest::newRow("short") << row + "0 0 0\n"
                               << QByteArray("2") << QByteArray("0.1")
                               << "2 frames of 9 channels are stated, but the motion has 12 numbers";
        QTest::newRow("endless") << row << QByteArray("100000000") << QByteArray("0.1")
                                 << "100000000 frames of 9 channels are stated";
        QTest::newRow("negative") << row << QByteArray("-2") << QByteArray("0.1") << "\"-2\" is not a number of frames";
        QTest::newRow("long") << row + row << QByteArray("1") << QByteArray("0.1")
                              << "the motion has 18 numbers; those at the end were left out";
        QTest::newRow("no time") << row << QByteArray("1") << QByteArray("0")
                                 << "the frame time is not a positive number";
    }
    void motionThatDoesNotFitItsBvhIsNamed()
    {
        QFETCH(QByteArray, rows);
        QFETCH(QByteArray, frames);
        QFETCH(QByteArray, time);
        QFETCH(QString, text);
        const auto model = importBvh("hips", "0 -1.7 0", rows, "", frames, time);
        const bool isSaid = model ? mentionsText(model->issues, text)
                                  : QString::fromStdString(model.error().text()).contains(text);
        QVERIFY2(isSaid, model ? "imported" : model.error().text().c_str());
    }
};

TENDON_TEST(TestOtherFormats)
#include "tst_other_formats.moc"

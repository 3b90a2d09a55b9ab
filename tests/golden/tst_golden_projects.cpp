#include "core/io/project/ProjectFile.h"
#include "core/io/project/Schema.h"

#include <QDirIterator>
#include <QTest>

using namespace tendon;

namespace {

const QString kFolder = QStringLiteral(TENDON_SOURCE_DIR "/tests/golden/project");

} // namespace

class TestGoldenProjects : public QObject
{
    Q_OBJECT

private slots:
    void everyVersionHasAFile()
    {
        for (int version = 1; version <= kProjectVersion; ++version) {
            const QDir folder(kFolder + "/v" + QString::number(version));
            QVERIFY2(!folder.entryList({"*.tendon"}).isEmpty(), qPrintable(folder.path()));
        }
    }

    void everyOldFileLoadsAndSurvivesSavingAndLoading()
    {
        int count = 0;
        for (QDirIterator files(kFolder, {"*.tendon"}, QDir::Files, QDirIterator::Subdirectories); files.hasNext();
             ++count) {
            const std::string path = files.next().toStdString();
            const auto project = readProject(path, nullptr, {.loadsMeshes = false});
            QVERIFY2(project, project ? "" : project.error().text().c_str());
            const auto bytes = projectBytes(*project, path);
            QVERIFY2(bytes, bytes ? "" : bytes.error().text().c_str());
            const auto again = projectFromBytes(*bytes, path, nullptr, {.loadsMeshes = false});
            QVERIFY(again);
            QCOMPARE(*projectBytes(*again, path), *bytes);
        }
        QVERIFY(count >= 2);
    }

    void whatVersion2MeansIsRead()
    {
        const auto project = readProject((kFolder + "/v2/handles.tendon").toStdString(), nullptr,
                                         {.loadsMeshes = false});
        QVERIFY2(project, project ? "" : project.error().text().c_str());
        const Handle& hand = project->scene.handles->front();
        QVERIFY(hand.isCarried());
        QCOMPARE(hand.squash, 0.5);
    }

    void rolesAreRead()
    {
        const auto project = readProject((kFolder + "/v2/roles.tendon").toStdString(), nullptr, {.loadsMeshes = false});
        QVERIFY2(project, project ? "" : project.error().text().c_str());
        const RoleMap& roles = *project->scene.roles;
        QCOMPARE(roles.size(), std::size_t{3});
        QCOMPARE(jointOf(roles, "hips"), JointId{1});
        QCOMPARE(roles.at("leftUpperLeg"), (std::vector{JointId{2}, JointId{3}}));
        QVERIFY(roles.at("leftToes").empty());
        QCOMPARE(roleOf(roles, JointId{3}), std::string_view("leftUpperLeg"));
    }

    void everyMemberOfVersion1IsRead()
    {
        const std::string path = (kFolder + "/v1/everything.tendon").toStdString();
        Issues issues;
        const auto project = readProject(path, &issues, {.loadsMeshes = false});
        QVERIFY2(project, project ? "" : project.error().text().c_str());
        QVERIFY(issues.empty());
        const Scene& scene = project->scene;

        const Joint& shoulder = (*scene.joints)[0];
        QCOMPARE(shoulder.ball->twistAxis, 1);
        QCOMPARE((*shoulder.ball->swing)[2], 0.75);
        QCOMPARE((*shoulder.ball->twist)[0], -1.0);
        QCOMPARE(shoulder.rest.rotation.z(), 0.6);
        QCOMPARE(shoulder.rest.scale.y(), 2.0);
        QCOMPARE(shoulder.sourceNode, 5);
        QVERIFY(shoulder.isTerminator);
        const Joint& elbow = (*scene.joints)[1];
        QCOMPARE(elbow.parent, shoulder.id);
        QCOMPARE(elbow.rotationOrder, RotationOrder::ZYX);
        QCOMPARE(elbow.turning[0].upper(), 2.5);
        QCOMPARE(*elbow.turning[0].springBack, 0.5);
        QVERIFY(elbow.turning[0].active && !elbow.turning[1].active);
        QCOMPARE(elbow.sliding[1].lower(), 0.2);
        QCOMPARE(elbow.segment.shape, Segment::Shape::Cylinder);
        QCOMPARE(elbow.stiffness, 0.25);
        QCOMPARE(elbow.precedence, -3);

        const Handle& hand = scene.handles->front();
        QCOMPARE(hand.solver, std::string("two-bone"));
        QCOMPARE(hand.parameters.at("damping"), 0.01);
        QCOMPARE(hand.curvePoints, 3);
        QCOMPARE(scene.staticValue({4, curvePoint(2)}), (ChannelValue{1, 1, 0, 0}));
        QCOMPARE(hand.follow, shoulder.id.value);
        QCOMPARE(hand.stretch, 1.5);
        QVERIFY(hand.hasPole && hand.isPinned && hand.isSticky);

        const Clip& wave = *scene.clips[0];
        QCOMPARE(wave.sourceAnimation, 2);
        const KeyList& rx = *wave.find({2, Property::Rx});
        QCOMPARE(rx[1].time, (Time{58'800'000}));
        QCOMPARE(rx[1].tangents, TangentMode::Free);
        QCOMPARE(rx[1].in[0], 0.5);
        QCOMPARE(rx[2].interpolation, Interpolation::Step);
        QCOMPARE((*wave.find({3, Property::Rotation}))[1].value[3], 0.8);

        QCOMPARE(scene.staticValue({4, Property::Weight})[0], 2.0);
        QCOMPARE(scene.fps, (FrameRate{30'000, 1001}));
        QCOMPARE(scene.firstFrame, -5);
        QCOMPARE(project->state.currentClip, wave.id);
        QCOMPARE(project->state.frame, 12);
        QCOMPARE(scene.model->metresPerUnit, 0.01);
        QCOMPARE(scene.model->upAxis, 2);
        QVERIFY(scene.unknownMembers.find("keptFromTheFuture") != std::string::npos);
        QCOMPARE(scene.nextId, std::uint64_t{20});
    }
};

QTEST_APPLESS_MAIN(TestGoldenProjects)
#include "tst_golden_projects.moc"

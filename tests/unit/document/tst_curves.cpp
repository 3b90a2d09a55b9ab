#include "core/document/CurveOperations.h"
#include "core/io/project/ProjectFile.h"
#include "core/scene/Validate.h"
#include "core/solve/Baker.h"
#include "core/solve/CurveFit.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <QTemporaryDir>

#include <numbers>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr int kBones = 8;
constexpr double kBone = 0.1; // [m]

std::string jointName(int i) { return "b" + std::to_string(i); }

/// Joints b0 ... b8 upward, each bent by 8 degrees about x, with the handle "neck" and a joint beside them.
TestDocument neck(const char* solver = "spline")
{
    TestDocument d;
    for (int i = 0; i <= kBones; ++i) {
        const std::string parent = i == 0 ? "null" : "\"" + jointName(i - 1) + "\"";
        d((R"({"op": "addJoint", "name": ")" + jointName(i) + R"(", "parent": )" + parent + R"(, "translation": [0, )" +
           std::to_string(i == 0 ? 0.0 : kBone) + R"(, 0], "rotation": [8, 0, 0]})")
              .c_str());
    }
    d(R"({"op": "addJoint", "name": "beside", "translation": [1, 0.4, 0]})");
    d((std::string(R"({"op": "addHandle", "name": "neck", "start": "b0", "end": "b8", "solver": ")") + solver + "\"}")
          .c_str());
    return d;
}

Vector3 placeOf(const TestDocument& d, int joint) { return d.world(jointName(joint).c_str()).translation(); }

std::vector<Vector3> pointsOf(const TestDocument& d, double frame)
{
    std::vector<Vector3> points;
    const Handle& handle = d.handle("neck");
    for (int i = 0; i < handle.curvePoints; ++i)
        points.push_back(toVector(sampleChannel(d.scene(), d.document.clip(), d.document.edit.pending,
                                                {handle.id.value, curvePoint(i)}, d.scene().fps.timeOf(frame))));
    return points;
}

/// How far the joints are off the curve, in bones.
double missOf(const TestDocument& d)
{
    const std::vector<Vector3> points = pointsOf(d, d.document.edit.frame);
    double worst = 0;
    for (int i = 0; i <= kBones; ++i) worst = std::max(worst, nearestOnCurve(points, placeOf(d, i)).distance / kBone);
    return worst;
}

} // namespace

/// Handles whose chains follow curves, through operations.
class TestCurves : public QObject
{
    Q_OBJECT

private slots:
    void aNewHandleHasACurveAlongItsChain()
    {
        const TestDocument before = neck("dls"), after = neck();
        QVERIFY(after.handle("neck").curvePoints >= 4);
        for (int i = 0; i <= kBones; ++i)
            QVERIFY2((placeOf(before, i) - placeOf(after, i)).norm() < 0.01 * kBones * kBone, jointName(i).c_str());
        QVERIFY(missOf(after) < 1e-6);
        QVERIFY(validate(after.scene()).empty());
    }

    void aMovedPointMovesTheChainAndUndoBringsItBack()
    {
        TestDocument d = neck();
        const Vector3 tip = placeOf(d, kBones);
        d(R"({"op": "setCurvePoint", "handle": "neck", "index": 2, "position": [0.3, 0.3, 0.2]})");
        QVERIFY((placeOf(d, kBones) - tip).norm() > 0.02);
        QVERIFY(missOf(d) < 1e-6);
        for (int i = 1; i <= kBones; ++i) QVERIFY(std::abs((placeOf(d, i) - placeOf(d, i - 1)).norm() - kBone) < 1e-12);
        d(R"({"op": "undo"})");
        QVERIFY(placeOf(d, kBones) == tip);
    }

    void keyedPointsGiveThePoseThatBakingGives()
    {
        TestDocument d = neck();
        d(R"({"op": "addClip", "name": "sway"})");
        for (const auto& [frame, x] : {std::pair(1, 0.1), std::pair(25, 0.5)})
            d((R"({"op": "setFrame", "value": )" + std::to_string(frame) + "}").c_str())(
                (R"({"op": "setCurvePoint", "handle": "neck", "index": 2, "position": [)" + std::to_string(x) +
                 ", 0.6, 0.2]}")
                    .c_str())(R"({"op": "key", "target": "neck"})");
        QCOMPARE(d.keys("neck", curvePoint(2))->size(), 2u);
        QCOMPARE(d.keys("neck", curvePoint(0))->size(), 2u); // the curve is keyed whole
        QVERIFY(d.keys("neck", Property::GoalPosition) == nullptr);
        std::vector<std::vector<Vector3>> live;
        for (const int frame : {13, 1, 20}) { // in any order
            d((R"({"op": "setFrame", "value": )" + std::to_string(frame) + "}").c_str());
            live.emplace_back();
            for (int i = 0; i <= kBones; ++i) live.back().push_back(placeOf(d, i));
            QVERIFY(missOf(d) < 1e-6);
        }
        QVERIFY((live[0].back() - live[1].back()).norm() > 0.01);
        d(R"({"op": "bakeClip", "clip": "sway", "into": "baked"})");
        std::size_t at = 0;
        for (const int frame : {13, 1, 20}) {
            d((R"({"op": "setFrame", "value": )" + std::to_string(frame) + "}").c_str());
            for (int i = 0; i <= kBones; ++i)
                QVERIFY2((placeOf(d, i) - live[at][static_cast<std::size_t>(i)]).norm() < 1e-9, jointName(i).c_str());
            ++at;
        }
    }

    void pointsComeAndGoWithTheirKeys()
    {
        TestDocument d = neck();
        d(R"({"op": "addClip", "name": "sway"})")(
            R"({"op": "key", "target": "neck", "channels": ["curve.1", "curve.3"]})")(
            R"({"op": "autoKey", "on": false})")(
            R"({"op": "setCurvePoint", "handle": "neck", "index": 3, "position": [0, 0.9, 0.4]})"); // pending
        const int count = d.handle("neck").curvePoints;
        d(R"({"op": "addCurvePoint", "handle": "neck", "index": 2})");
        QCOMPARE(d.handle("neck").curvePoints, count + 1);
        QVERIFY(d.keys("neck", curvePoint(1)) != nullptr && d.keys("neck", curvePoint(2)) == nullptr);
        QVERIFY(d.keys("neck", curvePoint(3)) == nullptr && d.keys("neck", curvePoint(4)) != nullptr);
        QCOMPARE(pointsOf(d, 1)[4], Vector3(0, 0.9, 0.4)); // what is pending goes along
        d(R"({"op": "removeCurvePoint", "handle": "neck", "index": 4})");
        for (int i = 2; i < kMaxCurvePoints; ++i) QVERIFY(d.keys("neck", curvePoint(i)) == nullptr);
        QVERIFY(d.document.edit.pending.empty());
        QVERIFY(validate(d.scene()).empty());
        d(R"({"op": "undo"})")(R"({"op": "undo"})");
        QCOMPARE(d.handle("neck").curvePoints, count);
        QVERIFY(d.keys("neck", curvePoint(3)) != nullptr);
        d(R"({"op": "removeHandle", "name": "neck"})");
        QVERIFY(!d.scene().clips.front()->hasKeys());
    }

    void aPointAddedOnTheCurveStandsWhereItWasPut()
    {
        TestDocument d = neck();
        const std::vector<Vector3> before = pointsOf(d, 1);
        const Vector3 place = curveSamples(before, 11)[5];
        d((R"({"op": "addCurvePoint", "handle": "neck", "position": [)" + std::to_string(place.x()) + ", " +
           std::to_string(place.y()) + ", " + std::to_string(place.z()) + "]}")
              .c_str());
        const std::vector<Vector3> after = pointsOf(d, 1);
        const auto found = std::find_if(after.begin(), after.end(),
                                        [&](const Vector3& p) { return (p - place).norm() < 1e-5; });
        QVERIFY(found != after.end());
        const auto index = static_cast<std::size_t>(found - after.begin());
        QVERIFY(index > 0 && index + 1 < after.size()); // between those that it lies between
        QVERIFY((after[index] - before[index - 1]).norm() < (before.back() - before.front()).norm());
        QVERIFY(missOf(d) < 1e-6);
    }

    void aPointAddedWithoutAPositionKeepsTheShape()
    {
        TestDocument d = neck();
        d(R"({"op": "setCurvePoint", "handle": "neck", "index": 2, "position": [0.25, 0.4, 0.1]})");
        for (int round = 0; round < 3; ++round) {
            const std::vector<Vector3> before = pointsOf(d, 1);
            d(R"({"op": "addCurvePoint", "handle": "neck", "index": 2})");
            const std::vector<Vector3> after = pointsOf(d, 1);
            QCOMPARE(after.size(), before.size() + 1);
            QVERIFY(after.front() == before.front() && after.back() == before.back());
            double way = 0, off = 0;
            const std::vector<Vector3> places = curveSamples(before, 60);
            for (std::size_t i = 0; i < places.size(); ++i) {
                if (i > 0) way += (places[i] - places[i - 1]).norm();
                off = std::max(off, nearestOnCurve(after, places[i]).distance);
            }
            QVERIFY2(off < 0.01 * way, qPrintable(QString::number(off / way)));
            QVERIFY(missOf(d) < 1e-6);
        }
    }

    void whatCannotBeIsRefusedWithARemedy_data()
    {
        QTest::addColumn<QByteArray>("operation");
        QTest::addColumn<QByteArray>("part");
        const auto row = [](const char* operation, const char* part) {
            QTest::newRow(part) << QByteArray(operation) << QByteArray(part);
        };
        row(R"({"op": "setCurvePoint", "handle": "neck", "index": 40, "position": [0, 0, 0]})", "its points are 0 to");
        row(R"({"op": "setCurvePoint", "handle": "neck", "index": -1, "position": [0, 0, 0]})", "has no point -1");
        row(R"({"op": "setHandle", "name": "neck", "curve": [[0, 0, 0]]})", "from 2 to 64 points, not 1");
        row(R"({"op": "setHandle", "name": "neck", "curve": []})", "cannot meet a goal");
        row(R"({"op": "setGoal", "handle": "neck", "position": [0, 0, 0]})", "move the curve's points");
        row(R"({"op": "addCurvePoint", "handle": "neck"})", "give position, index or both");
        row(R"({"op": "addCurvePoint", "handle": "neck", "index": 99})", "must be from 0 to");
        row(R"({"op": "setHandle", "name": "neck", "pole": "auto"})", "cannot follow a pole");
        row(R"({"op": "addHandle", "name": "one", "start": "b3", "end": "b3", "solver": "spline"})",
            "two joints or more");
        row(R"({"op": "setHandle", "name": "neck", "startUp": "b4"})", "moves with the handle itself");
        row(R"({"op": "key", "target": "neck", "channels": ["curve.50"]})", "has no point 50");
    }
    void whatCannotBeIsRefusedWithARemedy()
    {
        QFETCH(QByteArray, operation);
        QFETCH(QByteArray, part);
        TestDocument d = neck();
        const std::string error = d.error(operation.constData());
        QVERIFY2(error.find(part.constData()) != std::string::npos, error.c_str());
    }

    void theLastTwoPointsStay()
    {
        TestDocument d = neck();
        d(R"({"op": "setHandle", "name": "neck", "curve": [[0, 0, 0], [0, 2, 0]]})");
        QVERIFY(d.error(R"({"op": "removeCurvePoint", "handle": "neck", "index": 0})").find("at least 2 points") !=
                std::string::npos);
        QVERIFY(missOf(d) < 1e-6);
    }

    void anotherSolverTakesTheCurveAwayAndSplineBringsOne()
    {
        TestDocument d = neck();
        d(R"({"op": "key", "target": "neck"})")(R"({"op": "setHandle", "name": "neck", "solver": "dls"})");
        QCOMPARE(d.handle("neck").curvePoints, 0);
        for (const auto& [channel, value] : *d.scene().statics) QVERIFY(!isCurvePoint(channel.property));
        QVERIFY(d.keys("neck", curvePoint(0)) == nullptr);
        d(R"({"op": "setHandle", "name": "neck", "solver": "spline"})");
        QVERIFY(d.handle("neck").curvePoints >= 4);
        QVERIFY(missOf(d) < 1e-6);
    }

    void aFollowedJointCarriesTheCurve()
    {
        TestDocument d = neck();
        const Vector3 tip = placeOf(d, kBones);
        d(R"({"op": "setHandle", "name": "neck", "follow": "beside"})");
        QVERIFY((placeOf(d, kBones) - tip).norm() < 1e-9); // it stays in the world
        d(R"({"op": "setPose", "joint": "beside", "rotation": [0, 0, 20]})");
        QVERIFY((placeOf(d, kBones) - tip).norm() > 0.02);
        d(R"({"op": "removeJoint", "joint": "beside"})");
        QVERIFY(d.handle("neck").follow == 0);
        QVERIFY(validate(d.scene()).empty());
    }

    void rollAndTwistTurnTheJointsAboutTheCurve()
    {
        TestDocument d = neck();
        const auto turnOf = [&](const TestDocument& now, int i, const Quaternion& from) {
            const Affine world = now.world(jointName(i).c_str());
            const Vector3 bone = (placeOf(now, i + 1) - placeOf(now, i)).normalized();
            const Quaternion by = rotationOf(world) * from.conjugate();
            return 2 * std::atan2(by.vec().dot(bone), by.w()) * 180 / std::numbers::pi;
        };
        std::vector<Quaternion> from;
        for (int i = 0; i < kBones; ++i) from.push_back(rotationOf(d.world(jointName(i).c_str())));
        d(R"({"op": "setHandle", "name": "neck", "roll": 10, "twist": 70})");
        for (int i = 0; i < kBones; ++i)
            QVERIFY(std::abs(std::remainder(
                        turnOf(d, i, from[static_cast<std::size_t>(i)]) - 10 - 70.0 * i / (kBones - 1), 360)) < 1e-6);
    }

    void anEndFacesItsUpJointAndTurnsWithIt()
    {
        TestDocument d = neck();
        d(R"({"op": "setHandle", "name": "neck", "curve": [[0,0,0],[0,0.3,0],[0,0.6,0],[0,2,0]]})");
        const Quaternion plain = rotationOf(d.world("b0"));
        d(R"({"op": "setHandle", "name": "neck", "startUp": "beside"})");
        const Quaternion before = rotationOf(d.world("b0")), last = rotationOf(d.world("b7"));
        // A quarter turn about the straight curve, from +X to -Z.
        d(R"({"op": "setPose", "joint": "beside", "translation": [0, 0.4, -1]})");
        const Quaternion turned(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitY()));
        QVERIFY(rotationOf(d.world("b0")).angularDistance(turned * before) < 1e-6);
        QVERIFY(rotationOf(d.world("b7")).angularDistance(turned * last) < 1e-6); // one up joint turns the whole chain
        d(R"({"op": "setHandle", "name": "neck", "startUp": null, "endUp": "beside"})");
        QVERIFY(rotationOf(d.world("b0")).angularDistance(plain) < 1e-6);
        const double middle = rotationOf(d.world("b3")).angularDistance(rotationOf(d.world("b0")));
        const double end = rotationOf(d.world("b7")).angularDistance(rotationOf(d.world("b0")));
        QVERIFY(middle > 0.3 && middle < end); // and between the ends it grows
    }

    /// A dummy that is put above a joint of the chain leaves a bone of no length: all joints turn as evenly as before.
    void aBoneOfNoLengthTurnsWithItsNeighbours()
    {
        for (const char* inserted : {"", "b", "c"})
            for (const char* stretch : {"1", "1.3"}) {
                TestDocument d;
                const char* parent = "null";
                for (const char* name : {"a", "b", "c", "d"}) {
                    d(QStringLiteral(R"({"op": "addJoint", "name": "%1", "parent": %2, "translation": [0, 0.3, 0.4]})")
                          .arg(name, parent)
                          .toUtf8()
                          .constData());
                    parent = *name == 'a' ? "\"a\"" : *name == 'b' ? "\"b\"" : "\"c\"";
                }
                if (*inserted != 0)
                    d(QStringLiteral(R"({"op": "insertParent", "joint": "%1", "name": "dummy"})")
                          .arg(inserted)
                          .toUtf8()
                          .constData());
                d(R"({"op": "addHandle", "name": "h", "start": "a", "end": "d", "solver": "spline"})");
                d(QStringLiteral(R"({"op": "setHandle", "name": "h", "stretch": %1,
                      "curve": [[0, 0.3, 0.4], [0, 0.5, 0.8], [0, 1, 1.1], [0.1, 1.5, 2.2]]})")
                      .arg(stretch)
                      .toUtf8()
                      .constData());
                d(R"({"op": "addClip", "name": "C"})")(R"({"op": "key", "target": "h", "frame": 1})");
                d(R"({"op": "setFrame", "value": 24})");
                d(R"({"op": "setCurvePoint", "handle": "h", "index": 3, "position": [0.4, 1.3, 2.1]})");
                d(R"({"op": "key", "target": "h"})");
                for (const Joint& joint : *d.scene().joints)
                    for (int frame = 1; frame < 24; ++frame) {
                        const double turn = rotationOf(d.worldAt(joint.name.c_str(), frame))
                                                .angularDistance(rotationOf(d.worldAt(joint.name.c_str(), frame + 1)));
                        QVERIFY2(turn < 0.05, qPrintable(QStringLiteral("%1 turns by %2 rad at %3, dummy above \"%4\"")
                                                             .arg(joint.name.c_str())
                                                             .arg(turn)
                                                             .arg(frame)
                                                             .arg(inserted)));
                    }
            }
    }

    void aStretchedChainEndsWhereItsCurveEnds()
    {
        TestDocument d = neck();
        d(R"({"op": "setHandle", "name": "neck", "curve": [[0,0,0],[0,0.4,0.1],[0,0.8,0.2],[0,1.2,0.1]], "stretch": 2})");
        QVERIFY((placeOf(d, kBones) - Vector3(0, 1.2, 0.1)).norm() < 1e-6);
        d(R"({"op": "setHandle", "name": "neck", "stretch": 1})");
        QVERIFY((placeOf(d, kBones) - Vector3(0, 1.2, 0.1)).norm() > 0.1);
    }

    void draggingAJointMovesTheNearestPoint()
    {
        TestDocument d = neck();
        const std::vector<Vector3> before = pointsOf(d, 1);
        d(R"({"op": "drag", "joint": "b4", "by": [0.1, 0, 0]})");
        const std::vector<Vector3> after = pointsOf(d, 1);
        int moved = 0;
        for (std::size_t i = 0; i < before.size(); ++i) moved += (after[i] - before[i]).norm() > 1e-12 ? 1 : 0;
        QCOMPARE(moved, 1);
    }

    void aFirstPointThatMovesNothingSaysSo()
    {
        TestDocument d = neck();
        const Vector3 end = placeOf(d, kBones);
        d(R"({"op": "setCurvePoint", "handle": "neck", "index": 0, "position": [0.3, 0, 0.1]})");
        QVERIFY((placeOf(d, kBones) - end).norm() < 1e-9);
        const auto isSaid = [&](const char* text) {
            const Issues& messages = d.document.messages;
            return std::any_of(messages.begin(), messages.end(), [&](const Issue& issue) {
                return issue.severity == Severity::Warning && issue.line().find(text) != std::string::npos;
            });
        };
        QVERIFY(isSaid("begins at b0, which does not slide"));
        d(R"({"op": "setCurvePoint", "handle": "neck", "index": 1, "position": [0.1, 0.2, 0]})");
        QVERIFY(d.document.messages.empty());
        d(R"({"op": "setHandle", "name": "neck", "parameters": {"root": "free"}})");
        d(R"({"op": "setSlidingAxis", "joint": "b0", "axis": "x", "active": true})");
        d(R"({"op": "setCurvePoint", "handle": "neck", "index": 0, "position": [0.2, 0, 0.1]})");
        QVERIFY(isSaid("Root is free"));
        d(R"({"op": "setHandle", "name": "neck", "parameters": {"root": "onCurve"}})");
        d(R"({"op": "setCurvePoint", "handle": "neck", "index": 0, "position": [0.1, 0, 0]})");
        QVERIFY(!isSaid("begins at"));
        QVERIFY(placeOf(d, 0).x() > 0.05); // it slides there
    }

    /// Also one beside the chain's start, whose nearest point would move nothing.
    void draggingAnyJointOfTheChainMovesTheCurve()
    {
        for (const char* joint : {"b1", "b2", "b4"}) {
            TestDocument d = neck();
            const Vector3 before = d.world(joint).translation();
            d((R"({"op": "drag", "joint": ")" + std::string(joint) + R"(", "by": [0.05, 0, 0]})").c_str());
            QVERIFY2((d.world(joint).translation() - before).norm() > 2e-3, joint);
        }
    }

    void aPoseIsCopiedWithItsCurveAndReset()
    {
        TestDocument d = neck();
        d(R"({"op": "setCurvePoint", "handle": "neck", "index": 2, "position": [0.3, 0.3, 0.2]})")(
            R"({"op": "copyPose"})");
        const Vector3 posed = placeOf(d, kBones);
        d(R"({"op": "resetPose"})");
        QVERIFY((placeOf(d, kBones) - posed).norm() > 0.02);
        d(R"({"op": "pastePose"})");
        QVERIFY((placeOf(d, kBones) - posed).norm() < 1e-9);
        d(R"({"op": "pastePose", "mirror": "x"})");
        QVERIFY((placeOf(d, kBones) - Vector3(-posed.x(), posed.y(), posed.z())).norm() < 1e-6);
    }

    void aProjectKeepsTheCurveAndItsKeys()
    {
        TestDocument d = neck();
        d(R"({"op": "addClip", "name": "sway"})")(R"({"op": "key", "target": "neck"})")(
            R"({"op": "setHandle", "name": "neck", "endUp": "beside", "roll": 20})");
        const QTemporaryDir folder;
        const std::string path = folder.filePath("curve.tendon").toStdString();
        Project project;
        project.scene = d.scene();
        QVERIFY(writeProject(project, path));
        const auto read = readProject(path);
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QVERIFY(read->scene.statics->size() == d.scene().statics->size() && *read->scene.statics == *d.scene().statics);
        QVERIFY(*read->scene.handles == *d.scene().handles);
        QVERIFY(*read->scene.clips.front() == *d.scene().clips.front());
    }

    void aFileWithKeysOfAPointThatIsNotThereIsRefused()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("bad.tendon");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"schema": "tendon.project", "version": 1, "joints": [{"id": 1, "name": "a"}],
            "handles": [{"id": 2, "name": "h", "start": 1, "end": 1, "solver": "spline", "curve": [[0,0,0],[0,1,0]]}],
            "statics": [{"target": 2, "channel": "curve.7", "value": [0, 0, 0]}]})");
        file.close();
        const auto read = readProject(path.toStdString());
        QVERIFY(!read);
        QVERIFY2(read.error().text().find("has only 2 points") != std::string::npos, read.error().text().c_str());
    }

    /// The roll about a curve goes the other way round in the mirror; points go to a curve with as many of them alone.
    void aMirroredCurveRollsTheOtherWay()
    {
        TestDocument sides;
        for (const char* side : {"L", "R"}) {
            const double x = *side == 'L' ? 1 : -1;
            for (int i = 0; i < 6; ++i)
                sides(QStringLiteral(
                          R"({"op": "addJoint", "name": "ear%1_%2", "parent": %3, "translation": [%4, %5, 0]})")
                          .arg(i)
                          .arg(QString(side),
                               i == 0 ? QStringLiteral("null") : QStringLiteral("\"ear%1_%2\"").arg(i - 1).arg(side))
                          .arg(i == 0 ? x : 0)
                          .arg(i == 0 ? 0 : 0.2)
                          .toUtf8()
                          .constData());
            sides(
                QStringLiteral(
                    R"({"op": "addHandle", "name": "bend_%1", "start": "ear0_%1", "end": "ear5_%1", "solver": "spline"})")
                    .arg(side)
                    .toUtf8()
                    .constData());
        }
        sides(R"({"op": "addClip", "name": "c"})")(R"({"op": "key", "target": "ear2_L", "channels": ["angles"]})");
        TestDocument rolled = sides;
        rolled(R"({"op": "setHandle", "name": "bend_L", "roll": 25})")(
            R"({"op": "key", "target": "bend_L", "channels": ["roll"]})")(
            R"({"op": "mirrorClip", "about": "world", "axis": "x", "as": "m"})");
        QVERIFY(std::abs(rolled.keyed("bend_R", Property::Roll, 1) - radians(-25)) < 1e-9);
        sides(
            R"({"op": "setHandle", "name": "bend_R", "curve": [[-1, 0, 0], [-1, 0.2, 0], [-1, 0.4, 0], [-1, 0.6, 0], [-1, 0.8, 0], [-1, 1, 0]]})")(
            R"({"op": "key", "target": "bend_L"})");
        QVERIFY(sides.handle("bend_L").curvePoints != sides.handle("bend_R").curvePoints);
        QVERIFY(sides.keys("bend_L", curvePoint(0)) != nullptr);
        sides(R"({"op": "mirrorClip", "about": "world", "axis": "x", "as": "m"})");
        for (int i = 0; i < 6; ++i) QVERIFY(sides.keys("bend_R", curvePoint(i)) == nullptr);
    }
};

TENDON_TEST(TestCurves)
#include "tst_curves.moc"

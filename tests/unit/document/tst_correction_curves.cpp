#include "core/math/Convert.h"
#include "core/runtime/BakedPoses.h"
#include "core/solve/Baker.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/document/KeyedArm.h"

#include <cmath>

using namespace tendon;
using namespace tendon::test;

/// Corrections as curves: tangents, switches and merges that cut them, and what is posed on top of them.
class TestCorrectionCurves : public QObject
{
    Q_OBJECT

private slots:
    /// A saved project holds all of it; the settled clip, the bake and a clip baked by the operation see it.
    /// Whole rotations of corrections are curves with tangents, as numbers are; bakes and the merged clip show them.
    void rotationsOfCorrectionsAreCurves()
    {
        TestDocument d = keyedArm();
        d(R"({"op": "removeHandle", "name": "hand"})")(
            R"({"op": "deleteKey", "target": "shoulder", "channels": ["rotation"], "frame": 21})")(
            R"({"op": "editLayer", "layer": "corrections"})");
        for (const auto& [frame, angle] : {std::pair(5, 0), std::pair(15, 170), std::pair(25, -170), std::pair(35, 0)})
            d(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QString(R"({"op": "setPose", "joint": "shoulder", "rotation": [%1, 0, 0]})")
                    .arg(angle)
                    .toUtf8()
                    .constData())(R"({"op": "key", "target": "shoulder", "channels": ["rotation"]})");
        const KeyList keys = *corrections(d, "shoulder", Property::Rotation);
        for (const Key& key : keys.toVector()) {
            QCOMPARE(key.interpolation, Interpolation::Bezier);
            QCOMPARE(key.tangents, TangentMode::Auto);
            QVERIFY2(key.value[3] >= 0, "the shorter way from no correction");
        }
        const auto turned = [&](double frame) {
            return toQuaternion(sampleKeys(*corrections(d, "shoulder", Property::Rotation), Property::Rotation,
                                           d.scene().fps.timeOf(frame)));
        };
        const auto step = [&](double from, double to) { return turned(from).angularDistance(turned(to)); };
        QVERIFY2(step(5, 6) < 0.3 * step(9, 10), "it eases in");
        d(R"({"op": "setTangent", "target": "shoulder", "channels": ["rotation"], "frame": 5, "mode": "linear"})");
        QVERIFY2(step(5, 6) > 0.3 * step(9, 10), "straight out of the key");
        d(R"({"op": "setTangent", "target": "shoulder", "channels": ["rotation"], "frame": 15, "interpolation": "step"})");
        QVERIFY(step(15, 24) < 1e-12 && step(24, 25) > 0.1);
        d(R"({"op": "setTangent", "target": "shoulder", "channels": ["rotation"], "frame": 15, "mode": "flat", "interpolation": "bezier"})");
        QVERIFY(step(15, 15.01) < 0.1 * step(19.5, 19.51));

        const std::vector<double> before = motion(d, 1, 40);
        auto baked = bake(d.scene(), TestDocument::solvers(),
                          {.clip = d.document.edit.currentClip,
                           .fps = d.scene().fps,
                           .from = d.scene().fps.timeOf(1),
                           .to = d.scene().fps.timeOf(40),
                           .progress = {}});
        QVERIFY(baked);
        auto poses = BakedPoses::of(d.scene());
        for (std::size_t s = 0; s < baked->times.size(); ++s) {
            poses->at(*baked, s);
            const double frame = d.scene().fps.frameAt(baked->times[s]);
            QVERIFY(distance(poses->world(d.joint("shoulder").id), d.worldAt("shoulder", frame)) < 1e-9);
        }
        d(R"({"op": "mergeCorrections"})");
        const std::vector<double> merged = motion(d, 1, 40);
        for (std::size_t i = 0; i < before.size(); ++i) QVERIFY(std::abs(before[i] - merged[i]) < 3e-6);
    }

    /// A switch back to FK cuts the curves of whole rotations, which stay as they were up to it.
    void aSwitchLeavesTurnsBeforeItAsTheyWere()
    {
        TestDocument d = keyedArm();
        d(R"({"op": "deleteKey", "target": "elbow", "channels": ["angles"], "range": [0, 50]})")(
            R"({"op": "setFrame", "value": 1})")(R"({"op": "key", "target": "elbow", "channels": ["rotation"]})")(
            R"({"op": "switch", "handle": "hand", "to": "fk", "frame": 1})")(
            R"({"op": "editLayer", "layer": "corrections"})");
        for (const int frame : {3, 25, 38}) {
            d(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
            for (const auto& [joint, turn] :
                 {std::pair("shoulder", "[60, 30, 80]"), std::pair("elbow", "[-40, 20, 90]")})
                if (frame == 25)
                    d(QString(R"({"op": "setPose", "joint": "%1", "rotation": %2})")
                          .arg(joint, turn)
                          .toUtf8()
                          .constData())(QString(R"({"op": "key", "target": "%1", "channels": ["rotation"]})")
                                            .arg(joint)
                                            .toUtf8()
                                            .constData());
                else
                    d(QString(R"({"op": "key", "target": "%1", "channels": ["rotation"], "zero": true})")
                          .arg(joint)
                          .toUtf8()
                          .constData());
        }
        QCOMPARE((*corrections(d, "shoulder", Property::Rotation))[1].interpolation, Interpolation::Bezier);
        d(R"({"op": "switch", "handle": "hand", "to": "ik", "frame": 12})");
        std::vector<Affine> before;
        for (double frame = 1; frame <= 20; frame += 0.5) before.push_back(d.worldAt("wrist", frame));
        d(R"({"op": "switch", "handle": "hand", "to": "fk", "frame": 20})");
        std::size_t i = 0;
        for (double frame = 1; frame <= 20; frame += 0.5, ++i) {
            const double off = distance(d.worldAt("wrist", frame), before[i]);
            const bool isBetween = frame > 19 && frame < 20; // IK goes over into FK
            QVERIFY2(off < (isBetween ? 0.05 : 1e-5), qPrintable(QString("frame %1: %2").arg(frame).arg(off)));
        }
        QVERIFY(corrections(d, "shoulder", Property::Rotation)->size() <= 20);
    }

    /// A goal with a correction is posed anew: on its way from space to space, and where a joint carries it.
    void whatIsPosedAnewIsSeen()
    {
        TestDocument d = keyedArm();
        d(R"({"op": "addJoint", "name": "prop", "translation": [0.3, 0.4, 0.2], "rotation": [0, 40, 20]})")(
            R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 30})")(
            R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "frame": 29})")(
            R"({"op": "editLayer", "layer": "corrections"})")(R"({"op": "setFrame", "value": 26})");
        for (const char* place : {"[0.6, 1.1, 0.25]", "[0.55, 0.9, 0.1]"}) {
            d((R"({"op": "setGoal", "handle": "hand", "position": )" + std::string(place) + "}").c_str())(
                R"({"op": "key", "target": "hand", "channels": ["goal"]})");
            const Vector3 wanted = place[3] == '6' ? Vector3(0.6, 1.1, 0.25) : Vector3(0.55, 0.9, 0.1);
            const std::vector<double> shown = goals(d, 26, 26);
            QVERIFY((Vector3(shown[0], shown[1], shown[2]) - wanted).norm() < 1e-9);
        }
        // Nor is a rotation or a step that is corrected there.
        TestDocument turned = keyedArm();
        turned(R"({"op": "setHandle", "name": "hand", "orientationWeight": 0.5})");
        for (const auto& [frame, turn] : {std::pair(1, 10), std::pair(21, 60), std::pair(40, -30)})
            turned(QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QStringLiteral(R"({"op": "setGoal", "handle": "hand", "rotation": [0, %1, 20]})")
                    .arg(turn)
                    .toUtf8()
                    .constData())(R"({"op": "key", "target": "hand", "channels": ["goal"]})");
        turned(R"({"op": "addJoint", "name": "prop", "translation": [0.3, 0.4, 0.2], "rotation": [0, 40, 20]})")(
            R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 30})")(
            R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "frame": 29})");
        TestDocument stepped = turned;
        stepped(
            R"({"op": "setTangent", "target": "hand", "channels": ["goal"], "frame": 21, "interpolation": "step"})");
        for (TestDocument* each : {&turned, &stepped}) {
            (*each)(R"({"op": "editLayer", "layer": "corrections"})")(R"({"op": "setFrame", "value": 26})");
            for (const double y : {0.2, -0.1}) {
                (*each)(QStringLiteral(R"({"op": "setGoal", "handle": "hand", "position": [0.6, %1, 0.2],
                                           "rotation": [0.1, %1, 0.3, 0.9]})")
                            .arg(1 + y)
                            .toUtf8()
                            .constData())(R"({"op": "key", "target": "hand", "channels": ["goal"]})");
                const auto pose = each->document.poses->at(each->scene(), each->document.clip(), {},
                                                           each->scene().fps.timeOf(26));
                const GoalPose goal = (*pose)->targets[0].goal;
                QVERIFY((goal.position - Vector3(0.6, 1 + y, 0.2)).norm() < 1e-9);
                const Quaternion wanted(0.9, 0.1, 1 + y, 0.3);
                QVERIFY2(goal.rotation.angularDistance(wanted.normalized()) < 1e-7,
                         qPrintable(QString::number(goal.rotation.angularDistance(wanted.normalized()))));
            }
        }
        TestDocument cart;
        cart(R"({"op": "addJoint", "name": "cart", "translation": [1, 0, 0], "rotation": [0, 50, 20]})")(
            R"({"op": "addJoint", "name": "upper", "parent": "cart"})")(
            R"({"op": "addJoint", "name": "lower", "parent": "upper", "translation": [0.5, 0, 0.05]})")(
            R"({"op": "addJoint", "name": "tip", "parent": "lower", "translation": [0.5, 0, -0.05]})")(
            R"({"op": "addHandle", "name": "hand", "start": "upper", "end": "tip"})")(
            R"({"op": "setHandle", "name": "hand", "stick": false})")(R"({"op": "addClip", "name": "c"})")(
            R"({"op": "editLayer", "layer": "corrections"})")(
            R"({"op": "setGoal", "handle": "hand", "position": [1.6, 0.2, 0.3]})")(
            R"({"op": "key", "target": "hand", "channels": ["goal"]})")(R"({"op": "editLayer", "layer": "keys"})")(
            R"({"op": "setGoal", "handle": "hand", "position": [1.2, 0.5, 0.1]})");
        const std::vector<double> shown = goals(cart, 1, 1);
        QVERIFY((Vector3(shown[0], shown[1], shown[2]) - Vector3(1.2, 0.5, 0.1)).norm() < 1e-9);
    }

    /// Of a correction with slopes of its own, on what stands still: its share of them.
    void mergedSlopesAreTheShareThatIsShown()
    {
        TestDocument d = keyedArm();
        d(R"({"op": "setHandle", "name": "hand", "pole": [0.4, 2, 0.3]})")(
            R"({"op": "setCorrections", "weight": 0.5})")(R"({"op": "editLayer", "layer": "corrections"})");
        for (const auto& [frame, y] : {std::pair(5, 2.0), std::pair(20, 2.5), std::pair(35, 1.6)})
            d(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QString(R"({"op": "setHandle", "name": "hand", "pole": [0.4, %1, 0.3]})").arg(y).toUtf8().constData())(
                R"({"op": "key", "target": "hand", "channels": ["pole"]})");
        d(R"({"op": "setTangent", "target": "hand", "channels": ["pole"], "frame": 20, "mode": "free", "in": [1, -2, 0], "out": [0, 3, 1]})");
        std::vector<ChannelValue> before;
        for (double frame = 0; frame < 40; frame += 0.25) before.push_back(shown(d, "hand", Property::Pole, frame));
        d(R"({"op": "mergeCorrections"})");
        std::size_t i = 0;
        for (double frame = 0; frame < 40; frame += 0.25, ++i)
            QVERIFY((toVector(shown(d, "hand", Property::Pole, frame)) - toVector(before[i])).norm() < 1e-9);
        QCOMPARE(d.keys("hand", Property::Pole)->size(), std::size_t{3});
    }

    /// Up to the frame before a jump of a correction the motion is as it was; then it is held, and leads nowhere.
    void mergedKeysHoldBeforeAJump()
    {
        TestDocument d = keyedArm();
        d(R"({"op": "editLayer", "layer": "corrections"})")(R"({"op": "setFrame", "value": 10})")(
            R"({"op": "key", "target": "hand", "channels": ["goal"], "zero": true, "interpolation": "step"})")(
            R"({"op": "setFrame", "value": 30})")(
            R"({"op": "setGoal", "handle": "hand", "position": [0.4, 1.3, 0.1]})")(
            R"({"op": "key", "target": "hand", "channels": ["goal"]})")(R"({"op": "mergeCorrections"})");
        const auto goal = [&](double frame) { return shown(d, "hand", Property::GoalPosition, frame); };
        QCOMPARE(goal(29.5), goal(29));
        QVERIFY((toVector(goal(29.99)) - toVector(goal(30))).norm() > 0.1);
        QVERIFY((toVector(goal(28.5)) - toVector(goal(29))).norm() > 1e-5);
    }
};

TENDON_TEST(TestCorrectionCurves)
#include "tst_correction_curves.moc"

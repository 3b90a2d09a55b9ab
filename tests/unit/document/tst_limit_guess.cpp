#include "core/document/LimitGuess.h"
#include "core/math/Convert.h"
#include "core/math/Degrees.h"
#include "core/math/RotationVector.h"
#include "core/scene/RestPose.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <cmath>

using namespace tendon;
using namespace tendon::test;

namespace {

/// Hips, and a leg that is bent by 10 degrees at the knee: its foot is behind it.
TestDocument bentLeg()
{
    TestDocument test;
    test(R"({"op": "addJoint", "name": "Hips", "translation": [0, 1, 0]})");
    test(R"({"op": "addJoint", "name": "LeftUpLeg", "parent": "Hips", "translation": [0.1, 0, 0]})");
    test(
        R"({"op": "addJoint", "name": "LeftLeg", "parent": "LeftUpLeg", "translation": [0, -0.45, 0], "rotation": [10, 0, 0]})");
    test(R"({"op": "addJoint", "name": "LeftFoot", "parent": "LeftLeg", "translation": [0, -0.45, 0]})");
    return test;
}

} // namespace

class TestLimitGuess : public QObject
{
    Q_OBJECT

private slots:
    void aKneeIsAHingeThatBendsOnFromRest()
    {
        TestDocument test = bentLeg();
        test(R"({"op": "guessLimits"})");
        const Joint& knee = test.joint("LeftLeg");
        QVERIFY(knee.turning[0].active && !knee.turning[1].active && !knee.turning[2].active);
        QVERIFY(std::abs(knee.turning[0].from - radians(-10)) < 1e-12); // straight, and no further
        QVERIFY(std::abs(knee.turning[0].to - radians(140)) < 1e-12);
        const Joint& hip = test.joint("LeftUpLeg");
        QVERIFY(hip.ball && hip.ball->twistAxis == 1 && hip.ball->swing && hip.ball->twist);
        QVERIFY(!test.joint("Hips").ball); // the root stays free
        QCOMPARE(test.joint("Hips").turning, Joint{}.turning);
        QVERIFY(test.document.messages.size() >= 2);
        QVERIFY(test.document.messages.front().text.find("A hip swings") == 0);
    }

    void whatPlacesTheBodyAndWhatTurnsRoundStayFree()
    {
        TestDocument test;
        test(R"({"op": "addJoint", "name": "Armature"})");
        test(R"({"op": "addJoint", "name": "Hips", "parent": "Armature", "translation": [0, 1, 0]})");
        test(R"({"op": "addJoint", "name": "Wheel", "parent": "Hips", "translation": [0.1, 0, 0]})");
        test(R"({"op": "addJoint", "name": "End", "parent": "Wheel", "translation": [0.1, 0, 0]})");
        test(R"({"op": "addClip", "name": "Turn"})");
        for (int frame = 1; frame <= 30; ++frame) {
            const std::string at = std::to_string(frame);
            test((R"({"op": "setFrame", "value": )" + at + "}").c_str());
            for (const auto& [joint, by] : {std::pair("Hips", 3.0), std::pair("Wheel", 9.8)}) {
                const std::string name = "\"" + std::string(joint) + "\"", angle = std::to_string(by * (frame - 15));
                test((R"({"op": "rotate", "joint": )" + name + R"(, "axis": "y", "value": )" + angle + "}").c_str());
                test((R"({"op": "key", "target": )" + name + R"(, "channels": ["angles"]})").c_str());
            }
        }
        const std::vector<LimitGuess> guesses = guessLimits(test.scene(),
                                                            {test.joint("Hips").id, test.joint("Wheel").id});
        QCOMPARE(guesses.size(), std::size_t(2));
        for (const LimitGuess& guess : guesses) QVERIFY2(!guess.isFound, guess.reason.c_str());
        QVERIFY(guesses[0].reason.find("whole body") != std::string::npos);
        QVERIFY(guesses[1].reason.find("all the way round about y") != std::string::npos);
        test(R"({"op": "guessLimits"})");
        QVERIFY(!hasLimits(test.joint("Hips")) && !hasLimits(test.joint("Wheel")));
    }

    void guessesThatAreNotAcceptedChangeNothing()
    {
        TestDocument test = bentLeg();
        const Scene before = test.scene();
        test(R"({"op": "guessLimits", "accept": false})");
        QVERIFY(before == test.scene());
        QVERIFY(!test.document.messages.empty());
    }

    void acceptingIsOneStepOfUndoAndKeepsLimitsThatAreThere()
    {
        TestDocument test = bentLeg();
        test(R"({"op": "setRotationAxis", "joint": "LeftUpLeg", "axis": "x", "limited": true, "from": -20, "to": 30})");
        const Joint hip = test.joint("LeftUpLeg");
        const Scene before = test.scene();
        test(R"({"op": "guessLimits", "joints": ["LeftUpLeg", "LeftLeg"]})");
        QCOMPARE(test.joint("LeftUpLeg"), hip);
        QVERIFY(test.joint("LeftLeg").turning[0].limited);
        test(R"({"op": "undo"})");
        QVERIFY(before == test.scene());
    }

    /// A hip that clips swing farther than is usual stays a ball joint: one swing and one twist, and not three angles.
    void clipsWidenABallAsABall()
    {
        const TestDocument test = bentLeg();
        for (const double swing : {60.0, 140.0}) {
            Scene scene = test.scene();
            const Joint& hip = test.joint("LeftUpLeg");
            std::vector<Key> keys;
            for (int frame = 0; frame <= 100; ++frame) {
                // Off the bone (y) to all sides, and about it.
                const double around = 0.3 * frame, angle = swing / kDegrees * frame / 100,
                             twist = 0.2 * std::sin(around);
                const Quaternion turn = rotationFromVector(angle * Vector3(std::cos(around), 0, std::sin(around))) *
                                        rotationFromVector(twist * Vector3::UnitY());
                keys.push_back({.time = scene.fps.timeOf(frame), .value = toValue(hip.rest.rotation * turn)});
            }
            Clip clip;
            clip.id = ClipId{scene.takeId()};
            clip.channels[{hip.id.value, Property::Rotation}] = Shared(KeyList(std::move(keys)));
            scene.clips.push_back(clip);
            const std::vector<LimitGuess> guesses = guessLimits(scene, {hip.id});
            QVERIFY(guesses.front().isFound && guesses.front().joint.ball);
            const BallLimits& ball = *guesses.front().joint.ball;
            QVERIFY(ball.twistAxis == 1 && ball.swing && ball.twist);
            const double wanted = swing < 100 ? 120 : 1.15 * 140;
            QVERIFY2(std::abs((*ball.swing)[0] * kDegrees - wanted) < 2,
                     qPrintable(QString::number((*ball.swing)[0] * kDegrees)));
            QVERIFY(std::abs((*ball.twist)[1] * kDegrees - 50) < 0.1);
            const QString reason = QString::fromStdString(guesses.front().reason);
            QVERIFY2(reason.contains("swing it by up to") && !reason.contains(" about x"), qPrintable(reason));
        }
    }

    void clipsShowHowFarAJointTurns_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<double>("bend"); // [deg] of the keys, from 0
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::newRow("a name that says nothing") << QByteArray("Neck_end") << 60.0 << -9.0 << 69.0;
        QTest::newRow("a knee that bends little still bends as a knee")
            << QByteArray("LeftLeg") << 12.0 << -10.0 << 140.0;
        QTest::newRow("a knee that bends much") << QByteArray("LeftLeg") << 90.0 << -13.5 << 140.0;
        QTest::newRow("a knee that bends back") << QByteArray("LeftLeg") << -40.0 << -46.0 << 140.0;
    }

    void clipsShowHowFarAJointTurns()
    {
        QFETCH(QByteArray, name);
        QFETCH(double, bend);
        QFETCH(double, from);
        QFETCH(double, to);
        // 200 keys, and one frame that jumps.
        TestDocument test = bentLeg();
        test(R"({"op": "addJoint", "name": "Neck_end", "parent": "Hips", "translation": [0, 0.5, 0]})");
        test(R"({"op": "addJoint", "name": "last", "parent": "Neck_end", "translation": [0, 0.5, 0]})");
        for (int i = 0; i <= 200; ++i) {
            const double angle = i == 77 ? 170 : 0.5 * bend * (1 - std::cos(0.1 * i));
            const auto at = [&](const char* operation) {
                QByteArray text(operation);
                text.replace("NAME", name).replace("FRAME", QByteArray::number(i + 1));
                test(text.replace("ANGLE", QByteArray::number(angle)).constData());
            };
            at(R"({"op": "setFrame", "value": FRAME})");
            at(R"({"op": "rotate", "joint": "NAME", "axis": "x", "value": ANGLE})");
            at(R"({"op": "key", "target": "NAME"})");
        }
        test(R"({"op": "guessLimits"})");
        const AxisFreedom& about = test.joint(name.constData()).turning[0];
        const auto found = QStringLiteral("%1 to %2").arg(degrees(about.from)).arg(degrees(about.to));
        QVERIFY2(about.limited && std::abs(degrees(about.from) - from) < 0.2 && std::abs(degrees(about.to) - to) < 0.2,
                 qPrintable(found));
        const auto says = [](const Issue& message) {
            return message.text.find("The clips turn it from ") != std::string::npos &&
                   message.text.find("degrees about x (limits with a margin: ") != std::string::npos;
        };
        QVERIFY(std::any_of(test.document.messages.begin(), test.document.messages.end(), says));
    }

    void aPairIsTreatedAlike()
    {
        // The left hip swings far in the clip, the right one little.
        TestDocument test = bentLeg();
        test(R"({"op": "addJoint", "name": "RightUpLeg", "parent": "Hips", "translation": [-0.1, 0, 0]})");
        test(R"({"op": "addJoint", "name": "RightLeg", "parent": "RightUpLeg", "translation": [0, -0.45, 0]})");
        for (const int frame : {1, 2, 3}) {
            const auto at = [&](const char* operation, double angle) {
                QByteArray text(operation);
                text.replace("FRAME", QByteArray::number(frame)).replace("ANGLE", QByteArray::number(angle));
                test(text.constData());
            };
            at(R"({"op": "setFrame", "value": FRAME})", 0);
            at(R"({"op": "rotate", "joint": "LeftUpLeg", "axis": "x", "value": ANGLE})", 50 * (frame - 2));
            at(R"({"op": "rotate", "joint": "RightUpLeg", "axis": "x", "value": ANGLE})", 8 * (frame - 2));
            at(R"({"op": "key", "target": "LeftUpLeg"})", 0);
            at(R"({"op": "key", "target": "RightUpLeg"})", 0);
        }
        test(R"({"op": "guessLimits", "joints": ["LeftUpLeg", "RightUpLeg"]})");
        const Joint &left = test.joint("LeftUpLeg"), &right = test.joint("RightUpLeg");
        QVERIFY(left.ball && right.ball);
        QCOMPARE(left.ball->swing, right.ball->swing);
        QCOMPARE(left.ball->twist, right.ball->twist);
    }

    void earsAndTailsAreNoHinges_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isHinge");
        for (const char* name : {"Ear2_L", "LeftEar2", "Tail_2", "tail.002", "R_Ear_Mid2"})
            QTest::newRow(name) << QString(name) << false;
        for (const char* name : {"segment2", "GearRod", "finalRod"}) QTest::newRow(name) << QString(name) << true;
    }
    void earsAndTailsAreNoHinges()
    {
        QFETCH(QString, name);
        QFETCH(bool, isHinge);
        TestDocument test;
        test(R"({"op": "addJoint", "name": "base"})");
        test(R"({"op": "addJoint", "name": "first", "parent": "base", "translation": [0, 0.1, 0]})");
        QByteArray bent(
            R"({"op": "addJoint", "name": "NAME", "parent": "first", "translation": [0, 0.1, 0], "rotation": [20, 0, 0]})");
        test(bent.replace("NAME", name.toUtf8()).constData());
        QByteArray last(R"({"op": "addJoint", "name": "last", "parent": "NAME", "translation": [0, 0.1, 0]})");
        test(last.replace("NAME", name.toUtf8()).constData());
        test(R"({"op": "guessLimits"})");
        QCOMPARE(test.joint(name.toUtf8().constData()).turning[0].limited, isHinge);
    }

    void namesAreReadWhateverSeparatesTheirWords()
    {
        TestDocument test;
        test(R"({"op": "addJoint", "name": "upper_arm.L"})");
        QByteArray above = "upper_arm.L";
        for (const QByteArray name : {"lower_arm.L", "hand.L", "Left_Hand_Index1", "Left_Hand_Index2", "tip"}) {
            QByteArray add(
                R"({"op": "addJoint", "name": "NAME", "parent": "ABOVE", "translation": [0.3, 0, 0], "rotation": [0, -20, 0]})");
            test(add.replace("NAME", name).replace("ABOVE", above).constData());
            above = name;
        }
        test(R"({"op": "guessLimits"})");
        const Joint& elbow = test.joint("lower_arm.L");
        QVERIFY(!elbow.ball && elbow.turning[1].limited && !elbow.turning[0].active);
        QVERIFY(test.joint("Left_Hand_Index1").ball);
        QVERIFY(!test.joint("Left_Hand_Index2").ball && test.joint("Left_Hand_Index2").turning[1].limited);
    }

    /// A body in a T-pose with straight arms and legs, as most characters are made.
    void straightKneesAndElbowsBendAsInABody_data()
    {
        QTest::addColumn<QStringList>("names"); // hips, thigh, shin, foot, toes, upper arm, forearm, hand
        QTest::addColumn<bool>("looksBack");
        QTest::newRow("Mixamo") << QStringList{"mixamorig:Hips",     "mixamorig:?UpLeg",   "mixamorig:?Leg",
                                               "mixamorig:?Foot",    "mixamorig:?ToeBase", "mixamorig:?Arm",
                                               "mixamorig:?ForeArm", "mixamorig:?Hand"}
                                << false;
        const QStringList vrm = {"J_Bip_C_Hips",    "J_Bip_$_UpperLeg", "J_Bip_$_LowerLeg", "J_Bip_$_Foot",
                                 "J_Bip_$_ToeBase", "J_Bip_$_UpperArm", "J_Bip_$_LowerArm", "J_Bip_$_Hand"};
        QTest::newRow("VRM") << vrm << false;
        QTest::newRow("VRM 0, which looks back") << vrm << true;
        QTest::newRow("Maya, no toes") << QStringList{"hips_jnt", "$_hip_jnt",      "$_knee_jnt",  "$_ankle_jnt",
                                                      "",         "$_shoulder_jnt", "$_elbow_jnt", "$_wrist_jnt"}
                                       << false;
        QTest::newRow("Daz") << QStringList{"hip",  "%ThighBend", "%Shin",        "%Foot",
                                            "%Toe", "%ShldrBend", "%ForearmBend", "%Hand"}
                             << false;
    }

    void straightKneesAndElbowsBendAsInABody()
    {
        QFETCH(QStringList, names);
        QFETCH(bool, looksBack);
        TestDocument test;
        const double front = looksBack ? -1 : 1;
        const auto nameOf = [&](int part, bool isLeft) {
            QString name = names[part];
            return name.replace('?', isLeft ? "Left" : "Right")
                .replace('$', isLeft ? "L" : "R")
                .replace('%', isLeft ? "l" : "r");
        };
        const auto add = [&](int part, int parent, bool isLeft, double x, double y, double z) {
            if (names[part].isEmpty()) return;
            const double across = (isLeft ? front : -front) * x; // where the body looks back, its left is at -x
            test(QStringLiteral(R"({"op": "addJoint", "name": "%1", "translation": [%2, %3, %4], "parent": "%5"})")
                     .arg(nameOf(part, isLeft))
                     .arg(across)
                     .arg(y)
                     .arg(front * z)
                     .arg(nameOf(parent, isLeft))
                     .toUtf8()
                     .constData());
        };
        test(QStringLiteral(R"({"op": "addJoint", "name": "%1", "translation": [0, 1, 0]})")
                 .arg(names[0])
                 .toUtf8()
                 .constData());
        for (const bool isLeft : {true, false}) {
            add(1, 0, isLeft, 0.1, 0, 0);
            add(2, 1, isLeft, 0, -0.45, 0);
            add(3, 2, isLeft, 0, -0.45, 0);
            add(4, 3, isLeft, 0, -0.05, 0.15);
            add(5, 0, isLeft, 0.2, 0.5, 0);
            add(6, 5, isLeft, 0.3, 0, 0);
            add(7, 6, isLeft, 0.3, 0, 0);
        }
        test(R"({"op": "guessLimits"})");
        for (const bool isLeft : {true, false})
            for (const int part : {2, 6}) { // knee and elbow
                const QByteArray name = nameOf(part, isLeft).toUtf8(), end = nameOf(part + 1, isLeft).toUtf8();
                const Joint& hinge = test.joint(name.constData());
                const auto turns = [](const AxisFreedom& axis) { return axis.active; };
                QVERIFY2(std::count_if(hinge.turning.begin(), hinge.turning.end(), turns) == 1, name.constData());
                const auto axis = std::find_if(hinge.turning.begin(), hinge.turning.end(), turns);
                QVERIFY(axis->limited);
                const bool isUp = axis->to > -axis->from;
                QVERIFY(std::abs(degrees(isUp ? axis->from : axis->to)) < 1e-9); // straight, and no further
                QVERIFY(std::abs(std::abs(degrees(isUp ? axis->to : axis->from)) - 150) < 1e-9);
                test(QStringLiteral(R"({"op": "rotate", "joint": "%1", "axis": "%2", "value": %3})")
                         .arg(QString::fromUtf8(name))
                         .arg(QChar('x' + static_cast<int>(axis - hinge.turning.begin())))
                         .arg(isUp ? 60 : -60)
                         .toUtf8()
                         .constData());
                const double way = test.world(end.constData()).translation().z() -
                                   worldInRestPose(test.scene(), test.joint(end.constData()).id).translation().z();
                QVERIFY2(way * front * (part == 2 ? -1 : 1) > 0.2, name.constData()); // knees back, elbows forward
            }
    }

    void aHingeWithoutAWayToBendSaysWhy()
    {
        TestDocument test;
        test(R"({"op": "addJoint", "name": "upperarm"})");
        test(R"({"op": "addJoint", "name": "forearm", "parent": "upperarm", "translation": [0.3, 0, 0]})");
        test(R"({"op": "addJoint", "name": "hand", "parent": "forearm", "translation": [0.3, 0, 0]})");
        test(R"({"op": "addJoint", "name": "index1", "parent": "hand", "translation": [0.1, 0, 0]})");
        test(R"({"op": "addJoint", "name": "index2", "parent": "index1", "translation": [0.05, 0, 0]})");
        test(R"({"op": "addJoint", "name": "index3", "parent": "index2", "translation": [0.05, 0, 0]})");
        const Scene before = test.scene();
        test(R"({"op": "guessLimits", "joints": ["forearm", "index2"]})");
        QVERIFY(before == test.scene());
        QCOMPARE(test.document.messages.size(), std::size_t(2));
        QVERIFY(test.document.messages[0].text.find("An elbow is a hinge, but this one is straight") == 0);
        QVERIFY(test.document.messages[1].text.find("A knuckle is a hinge, but this one is straight") == 0);
        // Clips that bend it a little do not make its range, which another motion would pass; those that bend it do.
        for (const auto& [bend, isLimited] : {std::pair(20, false), {90, true}}) {
            TestDocument moved = test;
            for (int frame = 1; frame <= 10; ++frame)
                moved(QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                    QStringLiteral(R"({"op": "rotate", "joint": "forearm", "axis": "y", "value": %1})")
                        .arg(0.1 * frame * bend)
                        .toUtf8()
                        .constData())(R"({"op": "key", "target": "forearm"})");
            const std::size_t said = moved.document.messages.size();
            moved(R"({"op": "guessLimits", "joints": ["forearm"]})");
            QCOMPARE(hasLimits(moved.joint("forearm")), isLimited);
            if (!isLimited)
                QVERIFY(moved.document.messages.at(said).text.find("Clips turn it too little") != std::string::npos);
        }
    }

    void everyJointThatIsLeftHasItsReason()
    {
        TestDocument test = bentLeg();
        test(R"({"op": "addJoint", "name": "LeftEye", "parent": "Hips", "translation": [0, 0.5, 0.1]})");
        test(R"({"op": "addJoint", "name": "thing", "parent": "Hips", "translation": [0, 0.5, 0]})");
        test(R"({"op": "addJoint", "name": "thing2", "parent": "thing", "translation": [0, 0.5, 0]})");
        test(R"({"op": "setRotationAxis", "joint": "LeftUpLeg", "axis": "x", "limited": true, "from": -20, "to": 30})");
        test(R"({"op": "guessLimits"})");
        const auto reasonOf = [&](const char* joint) {
            std::string reason;
            for (const Issue& message : test.document.messages)
                if (message.object == test.joint(joint).id.value) reason += message.line();
            return QString::fromStdString(reason);
        };
        QCOMPARE(test.document.messages.size(), test.scene().joints->size());
        QVERIFY(reasonOf("LeftLeg").startsWith("LeftLeg: A knee is a hinge: it bends"));
        QVERIFY(reasonOf("Hips").contains("a root"));
        QVERIFY(reasonOf("LeftUpLeg").contains("has limits already"));
        QVERIFY2(reasonOf("LeftEye").contains("no joint below it"), qPrintable(reasonOf("LeftEye")));
        QVERIFY2(reasonOf("thing").contains("neither its name"), qPrintable(reasonOf("thing")));
    }

    void aBentMiddleJointIsAHingeWhateverItsName()
    {
        TestDocument test;
        test(R"({"op": "addJoint", "name": "a"})");
        test(R"({"op": "addJoint", "name": "b", "parent": "a", "translation": [0.5, 0, 0], "rotation": [0, 0, -25]})");
        test(R"({"op": "addJoint", "name": "c", "parent": "b", "translation": [0.5, 0, 0]})");
        test(R"({"op": "guessLimits"})");
        const AxisFreedom& middle = test.joint("b").turning[2];
        QVERIFY(middle.limited && std::abs(middle.from - radians(-125)) < 1e-9 &&
                std::abs(middle.to - radians(25)) < 1e-9);
        QCOMPARE(test.joint("c").turning, Joint{}.turning); // an end says nothing
    }
};

TENDON_TEST(TestLimitGuess)
#include "tst_limit_guess.moc"

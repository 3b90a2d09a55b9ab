#include "core/document/LimitGuess.h"
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

    void clipsShowHowFarAJointTurns_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<double>("bend"); // [deg] of the keys, from 0
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::newRow("a name that says nothing") << QByteArray("Neck_end") << 60.0 << -11.0 << 71.0;
        QTest::newRow("a knee that bends little still bends as a knee")
            << QByteArray("LeftLeg") << 12.0 << -10.0 << 140.0;
        QTest::newRow("a knee that bends much") << QByteArray("LeftLeg") << 90.0 << -14.0 << 104.0;
        QTest::newRow("a knee that bends back") << QByteArray("LeftLeg") << -40.0 << -49.0 << 140.0;
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

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

    void clipsSayMoreThanNames()
    {
        // 200 keys from 0 to 60 degrees, and one frame that jumps.
        TestDocument test = bentLeg();
        for (int i = 0; i <= 200; ++i) {
            const double angle = i == 77 ? 170 : 30 - 30 * std::cos(0.1 * i);
            const std::string frame = std::to_string(i + 1);
            test((R"({"op": "setFrame", "value": )" + frame + "}").c_str());
            test((R"({"op": "rotate", "joint": "LeftLeg", "axis": "x", "value": )" + std::to_string(angle) + "}")
                     .c_str());
            test(R"({"op": "key", "target": "LeftLeg"})");
        }
        test(R"({"op": "guessLimits"})");
        const AxisFreedom& knee = test.joint("LeftLeg").turning[0];
        QVERIFY(knee.limited && knee.from < radians(-9) && knee.from > radians(-13));
        QVERIFY2(knee.to > radians(68) && knee.to < radians(74), qPrintable(QString::number(degrees(knee.to))));
        bool isTold = false;
        for (const Issue& message : test.document.messages)
            isTold |= message.text.find("The clips turn it from 0 to 60 degrees about x") == 0;
        QVERIFY(isTold);
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

#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <algorithm>

using namespace tendon;
using namespace tendon::test;

namespace {

/// An arm whose elbow bends by up to 90 degrees about z, and whose wrist is a ball joint that swings by 30 and twists
/// by 20 degrees.
TestDocument limitedArm()
{
    TestDocument test = arm();
    test(
        R"({"op": "setRotationAxis", "joint": "elbow", "axis": "z", "active": true, "limited": true, "from": 0, "to": 90})");
    test(R"({"op": "setBallJoint", "joint": "wrist", "axis": "x", "swing": [30, 30, 30, 30], "twist": [-20, 20]})");
    return test;
}

QStringList warnings(const Document& document)
{
    QStringList lines;
    for (const Issue& message : document.messages)
        if (message.severity == Severity::Warning) lines << QString::fromStdString(message.line());
    return lines;
}

void run(TestDocument& test, const char* script)
{
    const auto parsed = parseScript(script);
    if (!parsed) qFatal("%s", parsed.error().text().c_str());
    RunOptions options;
    options.onPending = OnPending::Key;
    const auto done = runScript(test.document, *parsed, options);
    if (!done) qFatal("%s", done.error().text().c_str());
}

} // namespace

/// FK may pass the limits of joints, and says so.
class TestPassedLimits : public QObject
{
    Q_OBJECT

private slots:
    void theWorstIsTheLastWord()
    {
        for (const int elbow : {95, 170}) {
            TestDocument test = limitedArm();
            test(QByteArray(R"({"op": "group", "operations": [
                {"op": "rotate", "joint": "elbow", "axis": "z", "value": )" +
                            QByteArray::number(elbow) + R"(},
                {"op": "setPose", "joint": "wrist", "rotation": [0, 50, 0]}]})")
                     .constData());
            const QStringList found = warnings(test.document); // 5 or 80 degrees, and 20
            QCOMPARE(found.size(), 2);
            QVERIFY2(found.last().startsWith(elbow == 95 ? "wrist" : "elbow"), qPrintable(found.join('\n')));
        }
    }

    void aJointTurnedPastItsLimitIsNamedOnce_data()
    {
        QTest::addColumn<QByteArray>("operation");
        QTest::addColumn<QString>("warning"); // what it begins with; empty = none
        QTest::newRow("within") << QByteArray(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 90})") << "";
        QTest::newRow("past") << QByteArray(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 120.5})")
                              << "elbow: posed 30.5 degrees past its limit of 90 about z,";
        QTest::newRow("below") << QByteArray(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": -4})")
                               << "elbow: posed 4 degrees past its limit of 0 about z,";
        QTest::newRow("an axis without limits")
            << QByteArray(R"({"op": "rotate", "joint": "elbow", "axis": "x", "value": 300})") << "";
        QTest::newRow("whole rotation") << QByteArray(R"({"op": "setPose", "joint": "elbow", "rotation": [0, 0, -10]})")
                                        << "elbow: posed 10 degrees past its limit of 0 about z,";
        QTest::newRow("ball, swing") << QByteArray(R"({"op": "setPose", "joint": "wrist", "rotation": [0, 50, 0]})")
                                     << "wrist: posed 20 degrees past its swing limit,";
        QTest::newRow("ball, twist") << QByteArray(R"({"op": "setPose", "joint": "wrist", "rotation": [-25, 0, 0]})")
                                     << "wrist: posed 5 degrees past its twist limit of -20,";
        QTest::newRow("several at once") << QByteArray(R"({"op": "group", "operations": [
                {"op": "rotate", "joint": "elbow", "axis": "z", "value": 95},
                {"op": "rotate", "joint": "elbow", "axis": "z", "value": 100}]})")
                                         << "elbow: posed 10 degrees past its limit of 90 about z,";
        QTest::newRow("moved by the mouse without IK")
            << QByteArray(R"({"op": "drag", "joint": "wrist", "to": [0.5, 0.5, 0], "mode": "fk"})") << "";
    }

    void aJointTurnedPastItsLimitIsNamedOnce()
    {
        QFETCH(QByteArray, operation);
        QFETCH(QString, warning);
        TestDocument test = limitedArm();
        test(operation.constData());
        const QStringList found = warnings(test.document);
        if (warning.isEmpty()) {
            QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
            return;
        }
        QCOMPARE(found.size(), 1);
        QVERIFY2(found[0].startsWith(warning) && found[0].contains("pose it within its limits, or widen them"),
                 qPrintable(found[0]));
    }

    void aSlidePastItsLimitIsNamedToo()
    {
        TestDocument test = limitedArm();
        test(
            R"({"op": "setSlidingAxis", "joint": "wrist", "axis": "x", "active": true, "limited": true, "from": 0.5, "to": 0.6})");
        test(R"({"op": "rotate", "joint": "wrist", "axis": "x", "value": 1})"); // no word about the slide
        QVERIFY(warnings(test.document).isEmpty());
        test(R"({"op": "slide", "joint": "wrist", "axis": "x", "value": 0.75})");
        QCOMPARE(warnings(test.document).size(), 1);
        QVERIFY(warnings(test.document)[0].startsWith("wrist: posed 0.15 m past its limit of 0.6 along x,"));
    }

    /// A drag by the mouse is an operation again and again: each says where the joint is now.
    void aScriptSaysItOnceForEachJointWhereItCameFirst()
    {
        TestDocument test = limitedArm();
        run(test, R"([
            {"op": "autoKey", "on": true},
            {"op": "rotate", "joint": "elbow", "axis": "z", "value": 100},
            {"op": "setFrame", "value": 5},
            {"op": "rotate", "joint": "elbow", "axis": "z", "value": 140},
            {"op": "setPose", "joint": "wrist", "rotation": [40, 0, 0]},
            {"op": "setFrame", "value": 9},
            {"op": "rotate", "joint": "elbow", "axis": "z", "value": 110}
        ])");
        const QStringList found = warnings(test.document);
        QCOMPARE(found.size(), 2);
        QVERIFY2(found[0].startsWith("line 3 (operation 2): elbow: posed 10 degrees past"), qPrintable(found[0]));
        QVERIFY2(found[1].contains("wrist: posed 20 degrees past its twist limit"), qPrintable(found[1]));
    }

    void aRestPoseBeyondTheLimitsIsNamedWhenItIsResetTo()
    {
        TestDocument test = limitedArm();
        test(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 60})");
        test(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "z", "from": 20, "to": 90})");
        test(R"({"op": "resetPose", "joints": ["elbow"]})");
        QCOMPARE(warnings(test.document).size(), 1);
        QVERIFY(warnings(test.document)[0].startsWith("elbow: posed 20 degrees past its limit of 20 about z,"));
    }

    void whatASolverPosesIsWithinLimits()
    {
        TestDocument test = limitedArm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "dls"})");
        test(R"({"op": "setGoal", "handle": "hand", "position": [0.2, 1.1, 0.1]})");
        test(R"({"op": "switch", "handle": "hand", "to": "fk"})");
        QVERIFY2(warnings(test.document).isEmpty(), qPrintable(warnings(test.document).join('\n')));
        test(R"({"op": "copyPose"})")(R"({"op": "pastePose"})")(R"({"op": "randomPose", "seed": 5, "angle": 90})");
        QVERIFY2(warnings(test.document).isEmpty(), qPrintable(warnings(test.document).join('\n')));
    }
};

TENDON_TEST(TestPassedLimits)
#include "tst_passed_limits.moc"

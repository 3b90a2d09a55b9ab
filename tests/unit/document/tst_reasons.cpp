#include "core/solve/StatusNames.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

using namespace tendon;
using namespace tendon::test;

namespace {

QString reason(const TestDocument& test, const char* handle)
{
    const auto pose = test.document.poses->at(test.scene(), test.document.clip(), {}, test.scene().fps.timeOf(1));
    if (!pose) qFatal("%s", pose.error().text().c_str());
    for (const HandleResult& result : (*pose)->handles)
        if (result.handle == test.handle(handle).id) return QString::fromStdString(reasonOfMiss(test.scene(), result));
    return QStringLiteral("no such handle");
}

} // namespace

/// Why a goal is missed, in words that say what to change.
class TestReasons : public QObject
{
    Q_OBJECT

private slots:
    void aTerminatorThatHoldsTheChainIsNamed_data()
    {
        QTest::addColumn<QByteArray>("terminator");
        QTest::addColumn<QString>("held");
        QTest::newRow("the end") << QByteArray("wrist") << "the terminator wrist holds the whole chain";
        QTest::newRow("in the middle") << QByteArray("elbow") << "the terminator elbow holds the joints from it upward";
    }

    void aTerminatorThatHoldsTheChainIsNamed()
    {
        QFETCH(QByteArray, terminator);
        QFETCH(QString, held);
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "dls"})");
        test(R"({"op": "setGoal", "handle": "hand", "position": [0.3, 1.6, 0]})");
        QCOMPARE(reason(test, "hand"), QString());
        QByteArray set = R"({"op": "setTerminator", "joint": "NAME", "on": true})";
        test(set.replace("NAME", terminator).constData());
        const QString said = reason(test, "hand");
        QVERIFY2(said.startsWith(held) && !said.contains("joint limits"), qPrintable(said));
    }

    void theJointsWhoseLimitsAreMetAreNamed()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "dls"})");
        const JointId shoulder = test.joint("shoulder").id, elbow = test.joint("elbow").id;
        HandleResult result;
        result.handle = test.handle("hand").id;
        result.positionError = 0.1;
        result.blockedBy = elbow;
        result.limitHits = {{shoulder, Property::Rx}, {shoulder, Property::Ry}};
        QCOMPARE(reasonOfMiss(test.scene(), result), "joint limits at shoulder");
        result.limitHits.push_back({elbow, Property::Rx}); // the one that blocks most comes first
        QCOMPARE(reasonOfMiss(test.scene(), result), "joint limits at elbow, shoulder");
        result.limitHits.clear();
        QCOMPARE(reasonOfMiss(test.scene(), result), "joint limits at elbow");
    }

    void aCurveThatIsShorterThanItsChainSaysByHowMuch()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "spline"})");
        test(R"({"op": "setHandle", "name": "hand", "curve": [[0, 1, 0], [0.4, 1, 0], [0.8, 1, 0]]})");
        const QString said = reason(test, "hand");
        QVERIFY2(said.startsWith("the curve is shorter than the chain (80.0 cm of 1.00 m)"), qPrintable(said));
    }
};

TENDON_TEST(TestReasons)
#include "tst_reasons.moc"

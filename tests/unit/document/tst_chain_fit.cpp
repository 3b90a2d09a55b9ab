#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

using namespace tendon;
using namespace tendon::test;

namespace {

TestDocument armWithHandle(const char* solver)
{
    TestDocument test = arm();
    QByteArray add = R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "SOLVER"})";
    test(add.replace("SOLVER", solver).constData());
    return test;
}

} // namespace

/// No edit leaves a handle whose solver cannot take its chain.
class TestChainFit : public QObject
{
    Q_OBJECT

private slots:
    void anEditThatASolverCannotFollowIsRefused_data()
    {
        QTest::addColumn<QByteArray>("solver");
        QTest::addColumn<QByteArray>("operation");
        QTest::addColumn<QString>("instead"); // the solver that is offered
        const QByteArray slide = R"({"op": "setSlidingAxis", "joint": "elbow", "axis": "x", "active": true})";
        QTest::newRow("a slide") << QByteArray("two-bone") << slide << "dls";
        QTest::newRow("slide in a group")
            << QByteArray("two-bone") << QByteArray(R"({"op": "group", "operations": [)" + slide + "]}") << "dls";
        QTest::newRow("another joint in the chain")
            << QByteArray("two-bone") << QByteArray(R"({"op": "insertParent", "joint": "wrist", "name": "dummy"})")
            << "dls";
        QTest::newRow("a terminator in the chain")
            << QByteArray("two-bone") << QByteArray(R"({"op": "setTerminator", "joint": "shoulder", "on": true})")
            << "dls";
    }

    void anEditThatASolverCannotFollowIsRefused()
    {
        QFETCH(QByteArray, solver);
        QFETCH(QByteArray, operation);
        QFETCH(QString, instead);
        TestDocument test = armWithHandle(solver.constData());
        const QString error = QString::fromStdString(test.error(operation.constData()));
        QVERIFY2(error.contains("handle \"hand\"") && error.contains("set its solver to " + instead + " first"),
                 qPrintable(error));
        QVERIFY(!error.contains('\n'));
        QByteArray set = R"({"op": "setHandle", "name": "hand", "solver": "SOLVER"})";
        test(set.replace("SOLVER", instead.toUtf8()).constData());
        test(operation.constData());
        QVERIFY(test.document.poses->checkHandle(test.scene(), test.handle("hand").id));
    }

    void editsThatASolverFollowsAreMade()
    {
        TestDocument test = armWithHandle("two-bone");
        test(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "x", "active": false})");
        test(R"({"op": "setRotationAxis", "joint": "elbow", "axis": "y", "active": false})");
        test(R"({"op": "setBallJoint", "joint": "shoulder", "swing": [90, 90, 90, 90]})");
        test(R"({"op": "insertParent", "joint": "shoulder", "name": "base"})");
        test(R"({"op": "setTerminator", "joint": "base", "on": true})");
        test(R"({"op": "setSlidingAxis", "joint": "base", "axis": "x", "active": true})");
        QVERIFY(test.document.poses->checkHandle(test.scene(), test.handle("hand").id));
    }

    /// Several edits that only together leave the chain as the solver wants it.
    void aGroupIsJudgedByItsEnd()
    {
        TestDocument test = armWithHandle("two-bone");
        test(R"({"op": "group", "operations": [
            {"op": "setSlidingAxis", "joint": "elbow", "axis": "x", "active": true},
            {"op": "setHandle", "name": "hand", "solver": "dls"}]})");
        QCOMPARE(test.handle("hand").solver, std::string("dls"));
        QVERIFY(test.joint("elbow").sliding[0].active);
    }

    /// A project from elsewhere can be mended step by step.
    void whatCouldNotBeSolvedBeforeMayBeEdited()
    {
        TestDocument test = armWithHandle("two-bone");
        Scene broken = test.scene();
        std::vector<Joint> joints = broken.joints->toVector();
        for (Joint& joint : joints)
            for (AxisFreedom& axis : joint.sliding) axis.active = joint.name != "wrist";
        broken.joints = std::move(joints);
        test.document.history = History(versionOf(broken, test.document.edit));
        QVERIFY(!test.document.poses->checkHandle(test.scene(), test.handle("hand").id));
        test(R"({"op": "setSlidingAxis", "joint": "elbow", "axis": "x", "active": false})");
    }
};

TENDON_TEST(TestChainFit)
#include "tst_chain_fit.moc"

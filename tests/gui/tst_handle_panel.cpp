#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/Icons.h"

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// The inspector's handle panel: the chain's joints, the effector, the solver's icon; and the roles that the outliner
/// shows of them.
class TestHandlePanel : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir m_profile;

    static QTreeWidgetItem* row(WindowUnderTest& w, const QString& name)
    {
        for (QTreeWidgetItemIterator it(w.find<QTreeWidget>("outliner.tree")); *it != nullptr; ++it)
            if ((*it)->text(0) == name) return *it;
        qFatal("the outliner has no %s", qPrintable(name));
    }
    static QImage picture(const QIcon& icon) { return icon.pixmap(QSize(16, 16)).toImage(); }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void theChainsJointsAreListed();
    void choosingAJointOfTheChainShowsItsSettings();
    void theEffectorIsMovedByItsNumbers();
    void everySolverHasAnIconOfItsOwn();
    void theIconFollowsTheSolver();
    void aRefusedSolverIsNotShown();
    void theOutlinerSaysTheRolesOfJoints();
};

void TestHandlePanel::theChainsJointsAreListed()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    const auto names = [&] {
        QStringList listed;
        const auto* list = w.find<QListWidget>("handle.joints");
        for (int i = 0; i < list->count(); ++i) listed << list->item(i)->text();
        return listed;
    };
    QCOMPARE(names(), QStringList({"Thigh", "Shin", "Foot"}));
    QVERIFY(w.document().apply({{"op", "rename"}, {"target", "Shin"}, {"to", "Calf"}}));
    w.settle();
    QCOMPARE(names(), QStringList({"Thigh", "Calf", "Foot"}));
    QVERIFY(w.document().apply({{"op", "insertParent"}, {"joint", "Calf"}, {"name", "Knee"}}));
    w.settle();
    QCOMPARE(names(), QStringList({"Thigh", "Knee", "Calf", "Foot"}));
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(names(), QStringList({"Thigh", "Calf", "Foot"}));
}

void TestHandlePanel::choosingAJointOfTheChainShowsItsSettings()
{
    WindowUnderTest w("leg");
    const JointId shin = *w.document().scene().jointNamed("Shin");
    const JointId foot = *w.document().scene().jointNamed("Foot");
    w.select("FootGoal");
    auto* list = w.find<QListWidget>("handle.joints");
    QTest::keyClick(list, Qt::Key_Down);
    w.settle();
    QCOMPARE(list->currentItem()->text(), QString("Shin"));
    QVERIFY(w.state->selection().active().handle().isValid()); // the handle stays selected
    emit w.find<NumberField>("joint.precedence")->entered(4);
    QCOMPARE(w.document().scene().find(shin)->precedence, 4);

    w.select("Shin"); // a joint: choosing another selects it
    QCOMPARE(list->currentItem()->text(), QString("Shin"));
    QTest::keyClick(list, Qt::Key_Down);
    w.settle();
    QCOMPARE(w.state->selection().active().joint(), foot);
}

void TestHandlePanel::theEffectorIsMovedByItsNumbers()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    const auto type = [&](const char* field, const QString& text) {
        auto* number = w.find<NumberField>(field);
        number->setFocus();
        QTest::keyClicks(number, text.left(1));
        auto* edit = number->findChild<QLineEdit*>();
        QVERIFY(edit != nullptr);
        QTest::keyClicks(edit, text.mid(1));
        QTest::keyClick(edit, Qt::Key_Return);
        w.settle();
    };
    const auto offset = [&] { return w.document().scene().handleNamed("FootGoal")->offset; };
    type("handle.offset.z", "12");
    type("handle.offset.x", "-2.5");
    QVERIFY((offset() - Vector3(-0.025, 0, 0.12)).norm() < 1e-15);
    QCOMPARE(w.document().history().undoCount(), std::size_t(2));
    const HandleView* view = w.state->frame()->find(w.document().scene().handleNamed("FootGoal")->id);
    const Affine* foot = w.state->frame()->worldFromJoint(*w.document().scene().jointNamed("Foot"));
    QVERIFY((view->effector - *foot * offset()).norm() < 1e-12); // what the view draws
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY((offset() - Vector3(0, 0, 0.12)).norm() < 1e-15);
    QCOMPARE(w.find<NumberField>("handle.offset.x")->value(), 0.0);
}

void TestHandlePanel::everySolverHasAnIconOfItsOwn()
{
    WindowUnderTest w("leg");
    QVERIFY(!w.solvers.solvers().empty());
    std::map<QByteArray, std::string> pictures;
    for (const SolverInfo& solver : w.solvers.solvers()) {
        const QString name = solverIcon(solver.alias);
        QVERIFY2(name != "ik-handle",
                 qPrintable(QStringLiteral("draw resources/look/icons/solver-%1.svg and list it in look.qrc")
                                .arg(QString::fromStdString(solver.alias))));
        QFile file(QStringLiteral(":/tendon/look/icons/%1.svg").arg(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray drawing = file.readAll();
        drawing.remove(0, drawing.indexOf("</title>"));
        const auto [same, isNew] = pictures.emplace(drawing, solver.alias);
        QVERIFY2(isNew, (solver.alias + " looks like " + same->second).c_str());
    }
    QCOMPARE(solverIcon("of a plugin"), QString("ik-handle"));
}

void TestHandlePanel::theIconFollowsTheSolver()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    auto* solver = w.find<QComboBox>("handle.solver");
    const auto shown = [&] { return picture(row(w, "FootGoal")->icon(0)); };
    const QString color = QStringLiteral("text.secondary");
    QCOMPARE(shown(), picture(icon("solver-two-bone", color)));
    QTest::keyClick(solver, Qt::Key_Up); // spring, which follows the leg's pole, too
    w.settle();
    QCOMPARE(w.document().scene().handleNamed("FootGoal")->solver, std::string("spring"));
    QCOMPARE(shown(), picture(icon("solver-spring", color)));
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(shown(), picture(icon("solver-two-bone", color)));
}

void TestHandlePanel::aRefusedSolverIsNotShown()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    auto* solver = w.find<QComboBox>("handle.solver");
    QTest::keyClick(solver, Qt::Key_Up); // spring
    QTest::keyClick(solver, Qt::Key_Up); // single chain cannot follow the leg's pole
    w.settle();
    QCOMPARE(w.document().scene().handleNamed("FootGoal")->solver, std::string("spring"));
    QCOMPARE(solver->currentData().toString(), QString("spring"));
}

void TestHandlePanel::theOutlinerSaysTheRolesOfJoints()
{
    WindowUnderTest w("leg");
    QCOMPARE(row(w, "Dummy")->toolTip(0), QString("root"));
    QCOMPARE(row(w, "Shin")->toolTip(0), QString("joint"));
    QCOMPARE(row(w, "Foot")->toolTip(0), QString::fromUtf8("effector of FootGoal · end effector"));
    QVERIFY(w.document().apply({{"op", "addHandle"}, {"name", "Knee"}, {"start", "Thigh"}, {"end", "Shin"}}));
    QVERIFY(w.document().apply({{"op", "setTerminator"}, {"joint", "Dummy"}, {"on", true}}));
    w.settle();
    QCOMPARE(row(w, "Shin")->toolTip(0), QString("effector of Knee"));
    QCOMPARE(row(w, "Dummy")->toolTip(0), QString::fromUtf8("root · terminator"));
    QCOMPARE(picture(row(w, "Dummy")->icon(0)), picture(icon("root", "text.secondary")));
    QCOMPARE(picture(row(w, "Foot")->icon(0)), picture(icon("end-effector", "text.secondary")));
}

TENDON_TEST(TestHandlePanel)
#include "tst_handle_panel.moc"

#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/Icons.h"
#include "app/widgets/Inspector.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
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
    void theEffectorIsSelectedByItsKeyAndReset();
    void everySolverHasAnIconOfItsOwn();
    void theIconFollowsTheSolver();
    void aRefusedSolverIsNotShown();
    void theOutlinerSaysTheRolesOfJoints();
    void longNamesEndBeforeTheirBadges();
    void lettersChooseOnlyInAChoiceThatHasTheFocus();
    void theWheelScrollsPastFieldsWithoutTheFocus();
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
    QCOMPARE(list->currentItem()->text(), QString("Thigh")); // whose settings are shown
    QVERIFY(list->selectedItems().isEmpty());                // nobody has chosen it
    QTest::keyClick(list, Qt::Key_Down);
    w.settle();
    QCOMPARE(list->currentItem()->text(), QString("Shin"));
    QCOMPARE(list->selectedItems().size(), 1);
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

void TestHandlePanel::theEffectorIsSelectedByItsKeyAndReset()
{
    WindowUnderTest w("leg");
    const HandleId foot = w.document().scene().handleNamed("FootGoal")->id;
    QVERIFY(!w.window->commands().action("rig.effector")->isEnabled()); // nothing is selected
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"offset", QJsonArray{0, 0, 0.1}}}));
    w.select("FootGoal");
    w.state->view().edit([](ViewState& state) { state.tool = Tool::Rotate; });
    w.key(Qt::Key_D);
    QCOMPARE(w.state->selection().active(), SelectionItem::effectorOf(foot));
    QCOMPARE(w.state->view().state().tool, Tool::Move);
    QVERIFY(w.window->commands().action("rig.effector")->isChecked());
    const QString hint = w.find<QLabel>("status.hint")->text();
    QVERIFY2(hint.contains("effector") && hint.contains("<b>D</b>"), qPrintable(hint));
    QCOMPARE(w.find<NumberField>("handle.offset.z")->value(), 10.0); // the inspector shows its handle
    w.key(Qt::Key_D);
    QCOMPARE(w.state->selection().active(), SelectionItem::of(foot));
    w.key(Qt::Key_D);
    w.key(Qt::Key_Delete);
    QVERIFY(w.document().scene().find(foot) != nullptr);
    QVERIFY(w.document().scene().find(foot)->offset.isZero());
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

void TestHandlePanel::longNamesEndBeforeTheirBadges()
{
    WindowUnderTest w("leg");
    auto* tree = w.find<QTreeWidget>("outliner.tree");
    const auto badges = [&](const QString& name) { // what is painted at the right end of its row
        const QRect rect = tree->visualItemRect(row(w, name));
        const int width = Theme::instance().px(60);
        return tree->viewport()->grab(QRect(rect.right() - width, rect.top(), width, rect.height())).toImage();
    };
    const QImage before = badges("FootGoal");
    const QString name = "FootGoal " + QString(60, 'M');
    QVERIFY(w.document().apply({{"op", "rename"}, {"target", "FootGoal"}, {"to", name}}));
    w.settle();
    // Left of the word IK nothing but the background, as before.
    const int word = Theme::instance().px(30);
    QCOMPARE(badges(name).copy(before.width() - word, 0, word, before.height()),
             before.copy(before.width() - word, 0, word, before.height()));
}

void TestHandlePanel::lettersChooseOnlyInAChoiceThatHasTheFocus()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    auto* solver = w.find<QComboBox>("handle.solver");
    const auto toolIs = [&](Tool tool) { return w.state->view().state().tool == tool; };
    // A click leaves the focus where it was.
    w.find<QWidget>("viewport")->setFocus();
    QTest::mouseClick(solver, Qt::LeftButton);
    solver->hidePopup();
    QVERIFY(!solver->hasFocus());
    w.key(Qt::Key_E);
    QVERIFY(toolIs(Tool::Rotate));
    QCOMPARE(w.document().scene().handleNamed("FootGoal")->solver, std::string("two-bone"));
    // With it, letters choose.
    QTRY_VERIFY(QApplication::activePopupWidget() == nullptr);
    QApplication::setActiveWindow(w.window.get()); // as a window manager would
    solver->setFocus(Qt::TabFocusReason);
    QTRY_COMPARE(QApplication::focusWidget(), solver);
    QTest::qWait(QApplication::keyboardInputInterval() + 50);
    w.key(Qt::Key_W);
    QVERIFY(toolIs(Tool::Rotate));
    QTest::qWait(QApplication::keyboardInputInterval() + 50);
    w.key(Qt::Key_R);
    QVERIFY(toolIs(Tool::Rotate));
    QCOMPARE(w.document().scene().handleNamed("FootGoal")->solver, std::string("rotate-plane"));
}

void TestHandlePanel::theWheelScrollsPastFieldsWithoutTheFocus()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    w.find<QWidget>("viewport")->setFocus();
    const Scene before = w.document().scene();
    const auto isTaken = [&](QWidget* field) {
        QWheelEvent event(QPointF(5, 5), field->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QSpontaneKeyEvent::setSpontaneous(&event); // else it would not go on to the parents
        qApp->notify(field, &event);
        w.settle();
        return event.isAccepted();
    };
    auto* inspector = w.window->findChild<Inspector*>();
    const int scrolled = inspector->verticalScrollBar()->value();
    for (auto* field : inspector->findChildren<QWidget*>())
        if (qobject_cast<QComboBox*>(field) != nullptr || qobject_cast<NumberField*>(field) != nullptr)
            if (field->isVisible()) static_cast<void>(isTaken(field));
    QVERIFY(w.document().scene() == before);
    QVERIFY(inspector->verticalScrollBar()->value() > scrolled);
    w.find<QComboBox>("handle.solver")->setFocus(Qt::TabFocusReason);
    QVERIFY(isTaken(w.find<QComboBox>("handle.solver")));
    w.find<NumberField>("handle.offset.z")->setFocus();
    QVERIFY(isTaken(w.find<NumberField>("handle.offset.z")));
    QVERIFY(w.document().scene().handleNamed("FootGoal")->offset.z() < 0);
}

TENDON_TEST(TestHandlePanel)
#include "tst_handle_panel.moc"

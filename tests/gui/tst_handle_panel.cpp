#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/Icons.h"
#include "app/widgets/Inspector.h"
#include "app/widgets/KeyDiamond.h"
#include "app/widgets/dope/DopeSheet.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <algorithm>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// Handles in the panels: the chain's joints, the effector, the solver's icon, the roles and rows in the outliner; how
/// they are made by the menu, keyed, and compared.
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
    void anEditReachesEverySelectedHandle();
    void valuesThatDifferAreSaidToBeMixed();
    void theSolverListSaysWhatSolversDo();
    void aSolverThatIsNotLoadedIsNamed();
    void theOutlinerSaysTheRolesOfJoints();
    void longNamesEndBeforeTheirBadges();
    void lettersChooseOnlyInAChoiceThatHasTheFocus();
    void returnTakesAnEntryOfAnOpenChoice();
    void theWheelScrollsPastFieldsWithoutTheFocus();
    void keysThatAHandleDoesNotReadAreNotShown();
    void clickingAHandlesRowDropsThePointOfItsCurve();
    void everySolverOfTheMenuTakesTwoSelectedJoints();
    void theSelectedPoleHasCoordinates();
    void whatAHandleFollowsIsKeyedByItsDiamond();
    void comparedSolversStayWhileTheTimelinePlays();
    void theButtonsOfCompareStandStill();
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
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "dls"}}));
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

void TestHandlePanel::anEditReachesEverySelectedHandle()
{
    WindowUnderTest w("mannequin");
    const auto handle = [&](const char* name) -> const Handle& { return *w.document().scene().handleNamed(name); };
    const char* names[] = {"FootIK_L", "HandIK_L", "HandIK_R"};
    for (const char* name : names) QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", name}, {"stick", false}}));
    w.state->selection().select({SelectionItem::of(handle(names[0]).id), SelectionItem::poleOf(handle(names[1]).id),
                                 SelectionItem::of(handle(names[2]).id)});
    w.settle();
    const Scene start = w.document().scene();
    const std::size_t steps = w.document().history().undoCount();
    std::size_t edits = 0;
    const auto isOneStep = [&] { return w.document().history().undoCount() == steps + ++edits; };

    auto* solver = w.find<QComboBox>("handle.solver");
    QTest::keyClick(solver, Qt::Key_Up);
    w.settle();
    QVERIFY(isOneStep());
    emit w.find<NumberField>("handle.tolerance")->entered(2);
    QVERIFY(isOneStep());
    emit w.find<NumberField>("handle.offset.y")->entered(3);
    QVERIFY(isOneStep());
    w.find<QCheckBox>("handle.stick")->click();
    QVERIFY(isOneStep());
    emit w.find<NumberField>("channel.blend")->entered(0.25);
    w.settle();
    QVERIFY(isOneStep());
    auto* twist = w.find<NumberField>("channel.twist");
    const QPoint middle = twist->rect().center();
    QTest::mousePress(twist, Qt::LeftButton, {}, middle);
    for (const int x : {10, 20, 30}) QTest::mouseMove(twist, middle + QPoint(x, 0));
    QTest::mouseRelease(twist, Qt::LeftButton, {}, middle + QPoint(30, 0));
    w.settle();
    QVERIFY(isOneStep());
    for (const char* name : names) {
        QVERIFY(handle(name).solver != start.handleNamed(name)->solver);
        QCOMPARE(handle(name).solver, handle(names[2]).solver);
        QCOMPARE(handle(name).positionTolerance, 0.002);
        QCOMPARE(handle(name).offset,
                 (Vector3(start.handleNamed(name)->offset.x(), 0.03, start.handleNamed(name)->offset.z())));
        QVERIFY(handle(name).isSticky);
        const auto value = [&](Property property) {
            return sampleChannel(w.document().scene(), w.document().clip(), w.document().edit().pending,
                                 {handle(name).id.value, property}, Time{})[0];
        };
        QCOMPARE(value(Property::Blend), 0.25);
        QVERIFY(value(Property::Twist) > 0.1);
    }
    QVERIFY(handle("FootIK_R") == *start.handleNamed("FootIK_R"));
    while (w.document().history().undoCount() > steps) w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.document().scene() == start);
}

void TestHandlePanel::valuesThatDifferAreSaidToBeMixed()
{
    WindowUnderTest w("mannequin");
    QVERIFY(w.document().apply({{"op", "setHandle"},
                                {"name", "FootIK_L"},
                                {"solver", "dls"},
                                {"priority", 3},
                                {"stick", false},
                                {"blend", 0.5}}));
    w.state->selection().select({SelectionItem::of(w.document().scene().handleNamed("FootIK_L")->id),
                                 SelectionItem::of(w.document().scene().handleNamed("FootIK_R")->id)});
    w.settle();
    auto* solver = w.find<QComboBox>("handle.solver");
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootIK_R"}, {"stick", true}}));
    w.settle();
    auto* sticky = w.find<QCheckBox>("handle.stick");
    auto* priority = w.find<NumberField>("handle.priority");
    QCOMPARE(solver->currentIndex(), -1);
    QCOMPARE(solver->placeholderText(), NumberField::mixedText());
    QCOMPARE(sticky->checkState(), Qt::PartiallyChecked);
    QCOMPARE(priority->text(), NumberField::mixedText());
    QCOMPARE(w.find<NumberField>("channel.blend")->text(), NumberField::mixedText());
    QVERIFY(w.find<NumberField>("handle.tolerance")->text() != NumberField::mixedText()); // both have the same
    QTest::keyClick(sticky, Qt::Key_Space);
    QTest::keyClick(priority, Qt::Key_Return); // opens an empty field: nothing is typed, nothing changes
    QTest::keyClick(priority->findChild<QLineEdit*>(), Qt::Key_Return);
    w.settle();
    QCOMPARE(sticky->checkState(), Qt::Checked);
    QCOMPARE(priority->text(), NumberField::mixedText());
    QVERIFY(w.document().scene().handleNamed("FootIK_L")->isSticky);
    QCOMPARE(w.document().scene().handleNamed("FootIK_L")->priority, 3);
    w.select("FootIK_R");
    QVERIFY(solver->currentIndex() >= 0);
    QCOMPARE(priority->text(), QString::number(w.document().scene().handleNamed("FootIK_R")->priority));
    // Joints, too.
    w.state->selection().select({SelectionItem::of(*w.document().scene().jointNamed("Foot_L")),
                                 SelectionItem::of(*w.document().scene().jointNamed("Foot_R"))});
    QVERIFY(w.document().apply({{"op", "setStiffness"}, {"joint", "Foot_L"}, {"value", 0.5}}));
    QVERIFY(w.document().apply({{"op", "setRotationOrder"}, {"joint", "Foot_L"}, {"order", "zyx"}}));
    w.settle();
    QCOMPARE(w.find<NumberField>("joint.stiffness")->text(), NumberField::mixedText());
    QCOMPARE(w.find<QComboBox>("joint.rotationOrder")->placeholderText(), NumberField::mixedText());
}

/// Each entry of the list does, and so does the closed list of the chosen one.
void TestHandlePanel::theSolverListSaysWhatSolversDo()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    const auto* solver = w.find<QComboBox>("handle.solver");
    const auto& solvers = w.document().solvers();
    QVERIFY(solver->count() > 5);
    for (int i = 0; i < solver->count(); ++i) {
        const SolverInfo* info = solvers.find(solver->itemData(i).toString().toStdString());
        QVERIFY(info != nullptr);
        QVERIFY2(solver->itemData(i, Qt::ToolTipRole).toString().contains(QString::fromStdString(info->summary)),
                 info->alias.c_str());
    }
    QVERIFY(solver->toolTip().contains(solver->currentData(Qt::ToolTipRole).toString()));
}

void TestHandlePanel::aSolverThatIsNotLoadedIsNamed()
{
    WindowUnderTest w("leg");
    QTemporaryDir directory;
    const QString path = directory.filePath("leg.tendon");
    QVERIFY(w.document().apply({{"op", "save"}, {"file", path}}));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll().replace("\"two-bone\"", "\"elastic\"");
    file.close();
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    QVERIFY(w.document().openFile(path));
    w.select("FootGoal");
    auto* solver = w.find<QComboBox>("handle.solver");
    QCOMPARE(solver->currentIndex(), -1);
    QCOMPARE(solver->placeholderText(), QString("elastic (not loaded)"));
    QVERIFY2(solver->toolTip().contains("choose another solver"), qPrintable(solver->toolTip()));
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "spring"}}));
    w.settle();
    QVERIFY(solver->currentIndex() >= 0 && !solver->toolTip().contains("choose another solver"));
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

void TestHandlePanel::returnTakesAnEntryOfAnOpenChoice()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    auto* choice = w.find<QComboBox>("handle.unreachable");
    choice->setFocus(Qt::TabFocusReason);
    QTRY_COMPARE(QApplication::focusWidget(), choice);
    const auto press = [&](Qt::Key key) { QTest::keyClick(w.window->windowHandle(), key); }; // goes to the list, too
    const std::pair<Qt::Key, Qt::Key> ways[] = {{Qt::Key_Return, Qt::Key_Down}, {Qt::Key_Enter, Qt::Key_Up}};
    for (const auto& [take, move] : ways) {
        const Unreachable before = w.document().scene().handleNamed("FootGoal")->unreachable;
        press(Qt::Key_Space);
        QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
        press(move);
        press(take);
        QTRY_VERIFY(QApplication::activePopupWidget() == nullptr);
        w.settle();
        QVERIFY(w.document().scene().handleNamed("FootGoal")->unreachable != before);
    }
}

void TestHandlePanel::whatAHandleFollowsIsKeyedByItsDiamond()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    auto* follows = w.find<QComboBox>("handle.follow");
    auto* key = w.find<KeyDiamond>("handle.follow.key");
    const ObjectId handle = w.document().scene().handleNamed("FootGoal")->id.value;
    const auto frames = [&] {
        QList<double> list;
        const Clip* clip = w.document().clip();
        if (const KeyList* keys = clip == nullptr ? nullptr : clip->find({handle, Property::Space}))
            for (const Key& each : keys->toVector()) list << w.document().scene().fps.frameAt(each.time);
        return list;
    };
    const auto go = [&](int frame) {
        QVERIFY(w.document().apply({{"op", "setFrame"}, {"value", frame}}));
        w.settle();
    };
    QCOMPARE(follows->currentText(), "World");
    QVERIFY(key->keyed() == Keyed::No);
    const int itself = follows->findText("FootGoal");
    QVERIFY(itself > 0 && !follows->model()->flags(follows->model()->index(itself, 0)).testFlag(Qt::ItemIsEnabled));

    // Without keys a choice counts for all frames.
    QTest::keyClick(follows, Qt::Key_Down);
    w.settle();
    const QString first = follows->currentText();
    QVERIFY(first != "World" && frames().isEmpty());
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(follows->currentText(), "World");

    const std::size_t steps = w.document().history().undoCount();
    go(10);
    QTest::mouseClick(key, Qt::LeftButton);
    w.settle();
    QCOMPARE(frames(), QList<double>({1, 10}));
    QVERIFY(key->keyed() == Keyed::Here && w.document().history().undoCount() == steps + 1);
    go(20);
    QVERIFY(key->keyed() == Keyed::Elsewhere);
    const Vector3 goal = w.state->frame()->find(HandleId{handle})->target.goal.position;
    QTest::keyClick(follows, Qt::Key_Down); // once it is keyed, a choice is a key, too
    w.settle();
    QCOMPARE(frames(), QList<double>({1, 10, 20}));
    QCOMPARE(follows->currentText(), first);
    QVERIFY(w.document().history().undoCount() == steps + 2);
    QVERIFY((w.state->frame()->find(HandleId{handle})->target.goal.position - goal).norm() < 1e-9);
    go(15);
    QCOMPARE(follows->currentText(), "World");
    go(20);
    QTest::mouseClick(key, Qt::LeftButton); // deletes the key
    w.settle();
    QCOMPARE(frames(), QList<double>({1, 10}));
    QCOMPARE(follows->currentText(), "World");
    QVERIFY((w.state->frame()->find(HandleId{handle})->target.goal.position - goal).norm() < 1e-9);
    for (int i = 0; i < 3; ++i) w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(frames().isEmpty());
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

/// The keys of the goal of a handle that follows a curve now stay in the clip, for the time when it has a goal again.
void TestHandlePanel::keysThatAHandleDoesNotReadAreNotShown()
{
    WindowUnderTest w("opengl-arm");
    const QString reach = QStringLiteral("Reach");
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", reach}, {"follow", QJsonValue::Null}}));
    QVERIFY(w.document().apply({{"op", "key"}, {"target", reach}, {"frame", 12}}));
    w.window->showBottom(BottomTab::DopeSheet);
    auto* sheet = w.find<DopeSheet>("dopeSheet");
    const auto shown = [&] {
        sheet->setFocus();
        QTest::keyClick(sheet, Qt::Key_A, Qt::ControlModifier);
        return sheet->selected().size();
    };
    QCOMPARE(shown(), std::size_t(1));
    const QImage ticks = w.find<QWidget>("timeline")->grab().toImage();
    const ChannelId goal{w.document().scene().handleNamed("Reach")->id.value, Property::GoalPosition};

    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", reach}, {"solver", "spline"}}));
    w.settle();
    QVERIFY(w.document().clip()->find(goal) != nullptr);
    QCOMPARE(shown(), std::size_t(0));
    // Deleting what is shown leaves them alone.
    QVERIFY(w.document().apply({{"op", "key"}, {"target", reach}, {"channels", QJsonArray{"curve.1"}}, {"frame", 12}}));
    QCOMPARE(shown(), std::size_t(1));
    QTest::keyClick(sheet, Qt::Key_Delete);
    w.settle();
    QCOMPARE(shown(), std::size_t(0));
    QVERIFY(w.document().clip()->find(goal) != nullptr);
    QVERIFY(w.find<QWidget>("timeline")->grab().toImage() != ticks);
    w.window->commands().run(QStringLiteral("time.nextKey"));
    QVERIFY(w.document().edit().frame != 12);

    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", reach}, {"solver", "fabrik"}}));
    w.settle();
    QCOMPARE(shown(), std::size_t(1));
}

/// The row stands for all controls of a handle, so it is selected already.
void TestHandlePanel::clickingAHandlesRowDropsThePointOfItsCurve()
{
    WindowUnderTest w("opengl-arm");
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "Reach"}, {"solver", "spline"}}));
    const HandleId reach = w.document().scene().handleNamed("Reach")->id;
    w.state->selection().select(SelectionItem::curvePointOf(reach, 1));
    w.settle();
    auto* tree = w.find<QTreeWidget>("outliner.tree");
    const auto row = tree->findItems("Reach", Qt::MatchExactly | Qt::MatchRecursive).value(0);
    QVERIFY(row != nullptr && row->isSelected());
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(row).center());
    w.settle();
    QCOMPARE(w.state->selection().active(), SelectionItem::of(reach));
}

void TestHandlePanel::everySolverOfTheMenuTakesTwoSelectedJoints()
{
    WindowUnderTest w("lamp");
    const auto joint = [&](const char* name) { return *w.document().scene().jointNamed(name); };
    for (const char* solver : {"spline", "ccd"}) {
        w.state->selection().select({SelectionItem::of(joint("Lever03")), SelectionItem::of(joint("Hinge01"))});
        w.settle();
        const QString command = QStringLiteral("create.handle.%1").arg(solver);
        const auto& all = w.window->commands().all();
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each->id == command; });
        QVERIFY(found != all.end());
        QCOMPARE((*found)->icon, QStringLiteral("solver-%1").arg(solver));
        w.window->commands().run(command);
        QTRY_COMPARE(w.document().scene().handles->back().solver, std::string(solver));
        QVERIFY(w.document().scene().handles->back().start == joint("Hinge01"));
        QVERIFY(w.document().scene().handles->back().end == joint("Lever03"));
    }
}

void TestHandlePanel::theSelectedPoleHasCoordinates()
{
    WindowUnderTest w("leg");
    const Handle foot = *w.document().scene().handleNamed("FootGoal");
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"pole", QJsonArray{0.1, 0.5, 0.6}}}));
    w.state->selection().select(SelectionItem::poleOf(foot.id));
    w.settle();
    QCOMPARE(w.find<NumberField>("pole.z")->value(), 60.0);
    emit w.find<NumberField>("pole.x")->entered(25);
    w.settle();
    const HandleView* view = w.state->frame()->find(foot.id);
    QVERIFY((*view->target.pole - Vector3(0.25, 0.5, 0.6)).norm() < 1e-9);
    QCOMPARE(w.find<NumberField>("pole.x")->value(), 25.0);
}

/// A played frame brings its own recording of the solve: with all solvers that are compared.
void TestHandlePanel::comparedSolversStayWhileTheTimelinePlays()
{
    WindowUnderTest w("opengl-arm");
    w.select("Reach");
    w.window->showBottom(BottomTab::Compare);
    QMenu* menu = w.find<QPushButton>("compare.solvers")->menu();
    for (const char* solver : {"Damped least squares", "Cyclic coordinate descent"}) {
        emit menu->aboutToShow(); // as a click does; a menu that is open would wait
        for (const QAction* action : menu->actions()) QVERIFY(action->text() != "Spline"); // the handle has no curve
        for (QAction* action : menu->actions())
            if (action->text() == solver) action->trigger();
    }
    w.state->comparison().finish();
    auto* table = w.find<QTreeWidget>("compare.table");
    QCOMPARE(table->topLevelItemCount(), 3);
    auto* passes = w.find<QCheckBox>("compare.playing");
    QTest::mouseClick(passes, Qt::LeftButton, {}, QPoint(8, passes->height() / 2));
    int frames = 0, least = 3;
    connect(w.state.get(), &Editor::frameReady, this, [&](const FramePtr& frame) {
        if (!frame->isPlaying) return;
        ++frames;
        least = std::min(least, table->topLevelItemCount());
    });
    w.window->viewport().widget->setFocus();
    w.key(Qt::Key_Space);
    QTRY_VERIFY(frames > 3);
    w.key(Qt::Key_Space);
    disconnect(w.state.get(), nullptr, this, nullptr);
    QVERIFY(passes->isChecked());
    QCOMPARE(least, 3);
}

/// Whatever the tables say, and how wide they become, buttons stay under the pointer; what is said is of what is shown.
void TestHandlePanel::theButtonsOfCompareStandStill()
{
    WindowUnderTest w("leg");
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"soft", 0.2}}));
    w.select("FootGoal");
    w.window->showBottom(BottomTab::Compare);
    w.settle();
    w.settle();
    const auto places = [&] {
        std::vector<QPoint> at;
        for (const char* name : {"compare.all", "compare.save", "compare.solvers", "compare.play", "compare.pace",
                                 "compare.passes", "compare.quantity", "compare.ghosts", "compare.playing"})
            at.push_back(w.find<QWidget>(name)->mapTo(w.window.get(), QPoint()));
        return at;
    };
    const std::vector<QPoint> before = places();
    const auto stands = [&](const char* after) {
        w.state->comparison().finish();
        w.settle();
        w.settle();
        const std::vector<QPoint> now = places();
        for (std::size_t i = 0; i < now.size(); ++i)
            QVERIFY2(now[i] == before[i], qPrintable(QStringLiteral("%1 has moved after %2").arg(i).arg(after)));
    };
    auto* what = w.find<QLabel>("compare.frame");
    QVERIFY2(what->text().startsWith("frame 1,"), qPrintable(what->text()));
    w.state->comparison().setOthers({"fabrik", "constrained", "penalty"});
    stands("adding solvers");
    QTest::mouseClick(w.find<QPushButton>("compare.all"), Qt::LeftButton);
    auto* table = w.find<QTreeWidget>("compare.clip");
    QTRY_COMPARE_WITH_TIMEOUT(table->topLevelItemCount(), 4, 60000);
    stands("solving all frames");
    QVERIFY2(what->text().startsWith("frames 1 to "), qPrintable(what->text()));
    for (int row = 0; row < 2; ++row) // what is held back by soft reach is not met
        QVERIFY2(table->topLevelItem(row)->text(8).startsWith("softened in"),
                 qPrintable(table->topLevelItem(row)->text(8)));
    QTest::mouseClick(w.find<QPushButton>("compare.all"), Qt::LeftButton);
    stands("going back to one frame");
    const auto* one = w.find<QTreeWidget>("compare.table");
    QStringList titles;
    for (int i = 0; i < one->columnCount(); ++i) titles << one->headerItem()->text(i);
    QVERIFY2(titles.contains("Limit hits"), qPrintable(titles.join(' '))); // as the figures of the view say
}

TENDON_TEST(TestHandlePanel)
#include "tst_handle_panel.moc"

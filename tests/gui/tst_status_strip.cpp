#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/HandleReasons.h"
#include "app/widgets/StatusStrip.h"
#include "app/widgets/TimelineView.h"

#include <QFrame>
#include <QHelpEvent>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// The line below the view that says what is missed, why, and what to do.
class TestStatusStrip : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void aMissedRotationIsToldInDegrees();
    void goalsThatContradictEachOtherAreNamed();
    void aLongMessageDoesNotWidenTheWindow();
    void unreachableGoalsAreNamedWithRemedies();
    void aSearchLeavesTheKeysToTheView();
    void aLimbInFkIsOfferedIk();
    void theOtherMissesAreListedAndLeadToTheirHandles();
    void changingTheThemeAfterRemediesAreGoneIsSafe();
    void softReachIsNotAnError();
    void whatIsTooFastIsTold();
    void aJumpIsToldBeforeAMissAtTheSameFrame();
    void aJumpIsNamedAfterThePoleOrTheSolverThatMakesIt();
    void theTipOfAJumpLeavesTheFrameNumbersToBeRead();
    void aHandleThatHasNoPoseToHoldSaysSo();
    void aPoseThatIsLongOnItsWayIsSaidToBe();
    void theKeyThatSetsAKeyIsThatOfThePreset();
    void aFileThatIsInOrderAgainIsNotBlamedAnyMore();

private:
    static int addJumpingArm(WindowUnderTest& w);
};

/// Also in the empty timeline and beside the hint; a gesture that is refused chooses no tool instead.
void TestStatusStrip::theKeyThatSetsAKeyIsThatOfThePreset()
{
    ViewportPort port;
    int asked = 0;
    port.startModal = [&asked](Tool) {
        ++asked;
        return false;
    };
    WindowUnderTest w("leg", port);
    w.select("FootGoal");
    QCOMPARE(w.window->commands().noKeysText(), QString("No keys yet. Press S to set one"));
    QVERIFY(w.document().apply({{"op", "key"}, {"target", "FootGoal"}})); // what has keys is posed until it is keyed
    QVERIFY(w.document().apply({{"op", "setGoal"}, {"handle", "FootGoal"}, {"position", QJsonArray{0, 0.2, 0.1}}}));
    w.settle();
    QVERIFY(!w.document().edit().pending.empty());
    const auto isSaid = [&](const QString& text) {
        for (const auto* label : w.window->findChild<StatusStrip*>()->findChildren<QLabel*>())
            if (label->isVisible() && label->text() == text) return true;
        return false;
    };
    QVERIFY(isSaid("Posed, not keyed · S sets a key"));
    // A key of corrections is offered where it would be taken.
    QVERIFY(w.document().apply({{"op", "editLayer"}, {"layer", "corrections"}}));
    w.settle();
    QVERIFY(isSaid("Posed, not keyed · S sets a key of the corrections"));
    QVERIFY(w.document().apply({{"op", "setCorrections"}, {"weight", 0}}));
    w.settle();
    QVERIFY(isSaid("Corrections have weight 0 here: raise it to key them"));
    QVERIFY(w.document().apply({{"op", "setCorrections"}, {"on", false}, {"weight", 1}}));
    w.settle();
    QVERIFY(isSaid("Corrections are off: show them to key them"));
    QVERIFY(w.document().apply({{"op", "editLayer"}, {"layer", "keys"}}));
    w.window->setKeyPreset(KeyPreset::Blender);
    w.settle();
    QVERIFY(isSaid("Posed, not keyed · I sets a key"));
    QCOMPARE(w.window->commands().noKeysText(), QString("No keys yet. Press I to set one"));
    w.window->commands().setOwnKeys("key.set", QString());
    w.settle();
    QVERIFY(isSaid("Posed, not keyed"));

    QCOMPARE(w.state->view().state().tool, Tool::Move);
    w.key(Qt::Key_S); // scales: a goal has no size
    QCOMPARE(asked, 1);
    QCOMPARE(w.state->view().state().tool, Tool::Move);
    w.window->commands().resetOwnKeys();
    w.window->setKeyPreset(KeyPreset::Maya);
}

void TestStatusStrip::aFileThatIsInOrderAgainIsNotBlamedAnyMore()
{
    WindowUnderTest w("leg");
    const auto* text = w.find<QLabel>("status.text");
    w.document().report({{Severity::Error, "is not a plugin", "/a/reach.so", 0}});
    QVERIFY(text->isVisible() && text->text().startsWith("<b>/a/reach.so:</b> is not a plugin"));
    w.document().report({{Severity::Info, "was built anew", "/another.so", 0}});
    QVERIFY(text->isVisible());
    w.document().report({{Severity::Info, "was built anew", "/a/reach.so", 0}});
    QVERIFY(!text->isVisible());
}

/// An arm whose elbow may bend either way, of which one reaches the first goals only and the other the last ones only.
/// Returns the frame at which it has to jump.
int TestStatusStrip::addJumpingArm(WindowUnderTest& w)
{
    EditorDocument& document = w.document();
    for (int i = 0; i < 3; ++i) {
        const QString name = QStringLiteral("Arm%1").arg(i);
        QJsonObject joint{{"op", "addJoint"}, {"name", name}, {"translation", QJsonArray{i == 0 ? 3 : 0.5, 0, 0}}};
        if (i > 0) joint.insert("parent", QStringLiteral("Arm%1").arg(i - 1));
        if (!document.apply(joint)) qFatal("no joint");
        for (const char* axis : {"x", "y", "z"})
            if (!document.apply({{"op", "setRotationAxis"}, {"joint", name}, {"axis", axis}, {"active", *axis == 'z'}}))
                qFatal("no axis");
    }
    if (!document.apply({{"op", "setRotationAxis"},
                         {"joint", "Arm0"},
                         {"axis", "z"},
                         {"limited", true},
                         {"from", -68.75},
                         {"to", 68.75}}) ||
        !document.apply(
            {{"op", "addHandle"}, {"name", "Reach"}, {"start", "Arm0"}, {"end", "Arm2"}, {"solver", "dls"}}) ||
        !document.apply({{"op", "setRange"}, {"from", 1}, {"to", 49}}))
        qFatal("no arm");
    for (int frame = 1; frame <= 49; ++frame) {
        const double angle = 1.9 * (frame - 25) / 24.0;
        w.state->goToFrame(frame);
        if (!document.apply({{"op", "setGoal"},
                             {"handle", "Reach"},
                             {"position", QJsonArray{3 + 0.6 * std::cos(angle), 0.6 * std::sin(angle), 0}}}) ||
            !document.apply({{"op", "key"}, {"target", "Reach"}}))
            qFatal("no key");
    }
    w.state->settlement().finish();
    w.settle();
    const SettledClipPtr& settled = w.state->settlement().latest();
    if (settled == nullptr || settled->solution() == nullptr || settled->solution()->jumps.empty()) qFatal("no jump");
    return settled->solution()->jumps.front().frame;
}

/// With the remedies of both.
void TestStatusStrip::aJumpIsToldBeforeAMissAtTheSameFrame()
{
    WindowUnderTest w("leg");
    w.state->goToFrame(addJumpingArm(w));
    w.settle();
    const auto* text = w.find<QLabel>("status.text");
    QVERIFY2(text->text().startsWith("<b>Reach</b> jumps by ") && text->text().contains("limit"),
             qPrintable(text->text()));
    QVERIFY(w.find<QPushButton>("fix.0")->isVisible());

    QVERIFY(w.document().apply({{"op", "setGoal"}, {"handle", "FootGoal"}, {"position", QJsonArray{0, 0.2, 9}}}));
    w.settle();
    w.state->settlement().finish();
    w.settle();
    const QString both = text->text();
    QVERIFY2(both.startsWith("<b>Reach</b> jumps by ") && both.contains("<b>FootGoal</b> can't reach"),
             qPrintable(both));
    QStringList texts;
    for (const auto* button : w.window->findChildren<QPushButton*>())
        if (button->objectName().startsWith("fix.") && button->isVisible()) texts << button->text();
    QVERIFY2(texts.contains("Free root") && texts.contains("Move root"), qPrintable(texts.join(", ")));

    // One click lets the arm's root go along: one step of undo.
    const std::size_t steps = w.document().history().undoCount();
    for (auto* button : w.window->findChildren<QPushButton*>())
        if (button->text() == "Free root") QTest::mouseClick(button, Qt::LeftButton);
    w.settle();
    const Scene& scene = w.document().scene();
    for (const AxisFreedom& axis : scene.find(*scene.jointNamed("Arm0"))->sliding) QVERIFY(axis.active);
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    w.state->settlement().finish();
    w.settle();
    QVERIFY2(!text->text().contains("jumps"), qPrintable(text->text()));
}

void TestStatusStrip::aJumpIsNamedAfterThePoleOrTheSolverThatMakesIt()
{
    WindowUnderTest w("leg");
    Handle handle = *w.document().scene().handleNamed("FootGoal");
    const SolverRegistry& solvers = w.document().solvers();
    const auto text = [&](JumpCause cause) { return jumpText(handle, JumpReason::Branch, cause, solvers); };
    handle.solver = "dls";
    QVERIFY2(text(JumpCause::Pole).contains("its pole"), qPrintable(text(JumpCause::Pole)));
    QVERIFY2(text(JumpCause::Motion).startsWith("no way leads"), qPrintable(text(JumpCause::Motion)));
    handle.solver = "two-bone"; // each frame is a closed form
    const QString named = text(JumpCause::Solver);
    QVERIFY2(named.contains(QString::fromStdString(solvers.find("two-bone")->name)), qPrintable(named));
    QVERIFY(jumpText(handle, JumpReason::Limit, JumpCause::Motion, solvers).contains("limit"));
}

void TestStatusStrip::theTipOfAJumpLeavesTheFrameNumbersToBeRead()
{
    WindowUnderTest w("leg");
    const int frame = addJumpingArm(w);
    auto* timeline = w.find<TimelineView>("timeline");
    const QPoint at(qRound(timeline->axis().x(frame)), 5);
    QHelpEvent help(QEvent::ToolTip, at, timeline->mapToGlobal(at));
    QCoreApplication::sendEvent(timeline, &help);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("Frame %1: Reach jumps, Arm1 by ").arg(frame)),
             qPrintable(QToolTip::text()));
    QWidget* tip = nullptr;
    for (QWidget* each : QApplication::topLevelWidgets())
        if (each->inherits("QTipLabel") && each->isVisible()) tip = each;
    QVERIFY(tip != nullptr);
    QVERIFY(tip->geometry().bottom() < timeline->mapToGlobal(QPoint(0, 0)).y());
}

/// What the mouse has shown during the drag is not what the document has.
void TestStatusStrip::aHandleThatHasNoPoseToHoldSaysSo()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    QVERIFY(w.document().apply({{"op", "addClip"}, {"name", "Still"}})); // no keys: no earlier frame
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"unreachable", "hold"}}));
    w.settle();
    const HandleId handle = w.document().scene().handleNamed("FootGoal")->id;
    DragSession& drag = w.state->drag();
    QVERIFY(drag.begin(SelectionItem::of(handle), DragSession::Kind::Move, w.state->finishFrame()));
    QVERIFY(drag.moveTo(drag.origin() + Vector3(0, 0.1, 0.1)));
    w.settle();
    QVERIFY(drag.moveTo(drag.origin() + Vector3(0, 0, 5)));
    w.settle();
    QVERIFY(w.state->frame()->find(handle)->result.isHeld);
    const auto* text = w.find<QLabel>("status.text");
    QVERIFY2(!text->isVisible() || !text->text().contains("FK pose"), qPrintable(text->text()));
    drag.commit();
    w.settle();
    QVERIFY2(text->isVisible() && text->text().startsWith("<b>FootGoal</b> shows its FK pose"),
             qPrintable(text->text()));
    QVERIFY(w.find<QLabel>("solver.stopped")->text().contains("shows FK"));
    QTest::mouseClick(w.find<QPushButton>("fix.0"), Qt::LeftButton);
    w.settle();
    QVERIFY(w.document().scene().find(handle)->unreachable == Unreachable::Stretch);
    QVERIFY(!text->text().contains("FK pose"));
}

void TestStatusStrip::aPoseThatIsLongOnItsWayIsSaidToBe()
{
    WindowUnderTest w("mannequin");
    (void)w.state->finishFrame();
    w.settle();
    auto* word = w.find<QLabel>("status.settling");
    QVERIFY(word->isHidden());
    QVERIFY(w.document().apply({{"op", "setFrame"}, {"value", 12}}));
    QVERIFY(w.document().apply({{"op", "key"}, {"target", "FootIK_L"}}));
    w.state->settlement().hold(true); // as long as a clip of thousands of frames
    QVERIFY(!w.state->settlement().isSettled());
    QVERIFY(word->isHidden());
    QTRY_VERIFY(word->isVisible());
    QCOMPARE(word->text(), QStringLiteral("Settling"));
    w.state->settlement().hold(false);
    w.state->settlement().finish();
    (void)w.state->finishFrame();
    QVERIFY(w.state->isSettled());
    QTRY_VERIFY(word->isHidden());
}

/// By the strip at the frame, and by the timeline wherever the mouse points at the mark.
void TestStatusStrip::whatIsTooFastIsTold()
{
    WindowUnderTest w("leg");
    for (const auto& [frame, x] : {std::pair{1, 0.0}, {12, 0.25}}) {
        w.state->goToFrame(frame);
        QVERIFY(w.document().apply({{"op", "setGoal"}, {"handle", "FootGoal"}, {"position", QJsonArray{x, 0.2, 0.2}}}));
        QVERIFY(w.document().apply({{"op", "key"}, {"target", "FootGoal"}}));
    }
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "dls"}}));
    QVERIFY(w.document().apply({{"op", "setSpeedLimit"}, {"joint", "Thigh"}, {"of", "rotation"}, {"speed", 1}}));
    w.state->settlement().finish();
    w.state->goToFrame(6);
    w.settle();
    const QString text = w.find<QLabel>("status.text")->text();
    QVERIFY2(text.contains("Thigh exceeds its speed limit: stretch the time to at least"), qPrintable(text));
    auto* timeline = w.find<QWidget>("timeline");
    bool isTold = false;
    for (int x = 0; x < timeline->width() && !isTold; x += 4) {
        QHelpEvent help(QEvent::ToolTip, QPoint(x, 5), timeline->mapToGlobal(QPoint(x, 5)));
        QCoreApplication::sendEvent(timeline, &help);
        isTold = QToolTip::text().contains("Thigh exceeds its speed limit") && QToolTip::text().contains("Frames");
    }
    QVERIFY2(isTold, qPrintable(QToolTip::text()));
}

/// And no move of the root is offered, which would not help.
void TestStatusStrip::aMissedRotationIsToldInDegrees()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    const auto fixes = [&] {
        QStringList texts;
        for (const auto* button : w.window->findChildren<QPushButton*>())
            if (button->objectName().startsWith("fix.") && button->isVisible()) texts << button->text();
        return texts;
    };
    for (const char* joint : {"Thigh", "Shin", "Foot"})
        for (const char* axis : {"x", "y", "z"})
            QVERIFY(w.document().apply({{"op", "setRotationAxis"},
                                        {"joint", joint},
                                        {"axis", axis},
                                        {"active", true},
                                        {"limited", true},
                                        {"from", -1},
                                        {"to", 1}}));
    QVERIFY(w.document().apply({{"op", "setHandle"},
                                {"name", "FootGoal"},
                                {"pole", QJsonValue::Null},
                                {"solver", "dls"},
                                {"aimAxis", "auto"}}));
    QVERIFY(w.document().apply({{"op", "setGoal"}, {"handle", "FootGoal"}, {"position", QJsonArray{1, 1, -1}}}));
    w.settle();
    const QString text = w.find<QLabel>("status.text")->text();
    QVERIFY2(text.contains(QStringLiteral("°")) && !text.contains("mm"), qPrintable(text));
    QVERIFY2(!fixes().contains("Move root"), qPrintable(fixes().join(", ")));
}

void TestStatusStrip::goalsThatContradictEachOtherAreNamed()
{
    WindowUnderTest w("leg");
    const Handle own = *w.document().scene().handleNamed("FootGoal");
    const auto nameOfJoint = [&](JointId joint) {
        return QString::fromStdString(w.document().scene().find(joint)->name);
    };
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "dls"}}));
    QVERIFY(w.document().apply({{"op", "addHandle"},
                                {"name", "Second"},
                                {"start", nameOfJoint(own.start)},
                                {"end", nameOfJoint(own.end)},
                                {"solver", "dls"}}));
    w.settle();
    const Vector3 foot = w.state->frame()->worldFromJoint(own.end)->translation();
    for (const auto& [handle, side] : {std::pair("FootGoal", 0.1), std::pair("Second", -0.1)})
        QVERIFY(w.document().apply({{"op", "setGoal"},
                                    {"handle", handle},
                                    {"position", QJsonArray{foot.x() + side, foot.y() + 0.2, foot.z()}}}));
    w.settle();
    const QString text = w.find<QLabel>("status.text")->text();
    QVERIFY2(text.contains("pull against each other") && text.contains("Second"), qPrintable(text));

    // One of them gives way.
    const bool isFirst = text.startsWith("<b>FootGoal");
    QPushButton* remedy = w.find<QPushButton>("fix.0");
    QCOMPARE(remedy->text(), isFirst ? QStringLiteral("Put FootGoal first") : QStringLiteral("Put Second first"));
    QTest::mouseClick(remedy, Qt::LeftButton);
    w.settle();
    const Handle& other = *w.document().scene().handleNamed(isFirst ? "Second" : "FootGoal");
    QCOMPARE(other.priority, own.priority + 1);
    const Handle& first = *w.document().scene().handleNamed(isFirst ? "FootGoal" : "Second");
    QVERIFY(w.state->frame()->find(first.id)->result.positionError < 1e-3);
}

void TestStatusStrip::aLongMessageDoesNotWidenTheWindow()
{
    WindowUnderTest w("leg");
    const int least = w.window->minimumSizeHint().width(), width = w.window->width();
    const QString longText = QStringLiteral("reads “%1” wrongly").arg(QString(400, 'W'));
    emit w.document().reported({{Severity::Error, longText.toStdString(), "clip Walk", 0}});
    w.settle();
    auto* text = w.find<QLabel>("status.text");
    QVERIFY(text->isVisible() && text->text().contains(longText.toHtmlEscaped()));
    QCOMPARE(w.window->width(), width);
    QVERIFY2(w.window->minimumSizeHint().width() < least + 200,
             qPrintable(QString::number(w.window->minimumSizeHint().width())));
    QVERIFY(w.find<QToolButton>("status.close")->geometry().right() <= w.find<QWidget>("status.message")->width());
    QHelpEvent hovered(QEvent::ToolTip, {5, 5}, text->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(text, &hovered);
    QVERIFY(QToolTip::text().contains(QString(400, 'W')));
}

void TestStatusStrip::unreachableGoalsAreNamedWithRemedies()
{
    WindowUnderTest w("leg");
    const Handle handle = w.document().scene().handles->front();
    w.select(handle.name.c_str());
    const Scene start = w.document().scene();
    QVERIFY(w.document().apply(
        {{"op", "setGoal"}, {"handle", QString::fromStdString(handle.name)}, {"position", QJsonArray{0, -5, 0}}}));
    w.settle();
    auto* text = w.find<QLabel>("status.text");
    QVERIFY(text->isVisible());
    QVERIFY2(text->text().contains("short") && text->text().contains(QString::fromStdString(handle.name)),
             qPrintable(text->text()));
    QPushButton* hold = nullptr;
    for (auto* button : w.window->findChildren<QPushButton*>())
        if (button->text() == "Hold pose" && button->isVisible()) hold = button;
    QVERIFY(hold != nullptr);
    QTest::mouseClick(hold, Qt::LeftButton);
    w.settle();
    w.settle();
    QVERIFY(w.state->frame()->worstError < 1e-2);
    w.key(Qt::Key_Z, Qt::ControlModifier);
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.document().scene() == start);
    QVERIFY(!text->isVisible());
}

/// Space plays after a command of F3, though a remedy comes next in the order of Tab.
void TestStatusStrip::aSearchLeavesTheKeysToTheView()
{
    WindowUnderTest w("leg");
    const Handle handle = w.document().scene().handles->front();
    QVERIFY(w.document().apply(
        {{"op", "setGoal"}, {"handle", QString::fromStdString(handle.name)}, {"position", QJsonArray{0, -5, 0}}}));
    w.settle();
    auto* fix = w.find<QPushButton>("fix.0");
    QVERIFY(fix->isVisible());
    QVERIFY((fix->focusPolicy() & Qt::ClickFocus) == 0); // by Tab alone
    QWidget* view = w.window->viewport().widget;
    auto* text = w.find<QLineEdit>("commandSearch.text");
    const std::size_t steps = w.document().history().undoCount();
    const bool showedGrid = w.state->view().state().showsGrid;
    for (const Qt::Key end : {Qt::Key_Return, Qt::Key_Escape}) {
        view->setFocus();
        w.key(Qt::Key_F3);
        QVERIFY(text->hasFocus());
        QTest::keyClicks(text, "grid");
        QTest::keyClick(text, end);
        w.settle();
        QCOMPARE(w.window->focusWidget(), view);
        const bool wasPlaying = w.state->playback().isPlaying();
        w.key(Qt::Key_Space);
        QCOMPARE(w.state->playback().isPlaying(), !wasPlaying);
    }
    QCOMPARE(w.state->view().state().showsGrid, !showedGrid); // by Return alone
    // A control that had it has it again; where that is gone, the view.
    auto* name = new QLineEdit(w.window.get());
    name->show();
    name->setFocus();
    w.key(Qt::Key_F3);
    QTest::keyClick(text, Qt::Key_Escape);
    QCOMPARE(w.window->focusWidget(), name);
    w.key(Qt::Key_F3);
    delete name;
    QTest::keyClick(text, Qt::Key_Escape);
    QCOMPARE(w.window->focusWidget(), view);
    QCOMPARE(w.document().history().undoCount(), steps);
}

/// The view's refusal to drag a goal that FK ignores comes with the switch.
void TestStatusStrip::aLimbInFkIsOfferedIk()
{
    WindowUnderTest w("mannequin");
    const HandleId hand = w.document().scene().handleNamed("HandIK_R")->id;
    QVERIFY(w.document().apply({{"op", "switch"}, {"handle", "HandIK_R"}, {"to", "fk"}}));
    (void)w.document().work().finish();
    w.settle();
    const auto blend = [&] { return w.state->finishFrame()->find(hand)->target.blend; };
    QCOMPARE(blend(), 0.0);
    w.window->showRefusal("FK drives this limb", hand);
    w.settle();
    auto* fix = w.find<QPushButton>("fix.0");
    QVERIFY(fix->isVisible());
    QCOMPARE(fix->text(), QString("Switch to IK"));
    QTest::mouseClick(fix, Qt::LeftButton);
    (void)w.document().work().finish();
    w.settle();
    QCOMPARE(blend(), 1.0);
    QVERIFY(!w.find<QLabel>("status.text")->isVisible() ||
            !w.find<QLabel>("status.text")->text().contains("FK drives"));
    w.window->showRefusal("nothing to do with FK"); // no remedy stays from the one before
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(w.window->findChild<QPushButton*>("fix.0") == nullptr);
}

/// "+2" behind the worst miss leads to the other two; what is selected is what is told of.
void TestStatusStrip::theOtherMissesAreListedAndLeadToTheirHandles()
{
    WindowUnderTest w("mannequin");
    for (const auto& [name, x] : {std::pair("HandIK_L", 3.0), std::pair("HandIK_R", -4.0), std::pair("HeadIK", 2.5)})
        QVERIFY(w.document().apply({{"op", "setGoal"}, {"handle", name}, {"position", QJsonArray{x, 1, 0}}}));
    w.state->selection().clear();
    w.settle();
    auto* text = w.find<QLabel>("status.text");
    auto* more = w.find<QLabel>("status.more");
    QVERIFY2(text->text().contains("HandIK_R"), qPrintable(text->text()));
    QVERIFY(more->text().contains("+2"));
    QTest::mouseClick(more, Qt::LeftButton, {}, more->rect().center());
    auto* menu = w.window->findChild<QMenu*>("status.misses");
    QVERIFY(menu != nullptr && menu->isVisible());
    QStringList listed;
    for (const QAction* action : menu->actions()) listed << action->text();
    QCOMPARE(listed.size(), 2);
    const auto left = std::find_if(listed.begin(), listed.end(), [](const QString& each) {
        return each.startsWith("HandIK_L can't reach its goal");
    });
    QVERIFY2(left != listed.end(), qPrintable(listed.join('\n')));
    QAction* action = menu->actions()[left - listed.begin()];
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    w.settle();
    QCOMPARE(w.state->selection().active(), SelectionItem::of(w.document().scene().handleNamed("HandIK_L")->id));
    QVERIFY2(text->text().contains("HandIK_L"), qPrintable(text->text()));
    QVERIFY(more->text().contains("+2"));
}

// Style sheets keep what they know of a widget until it says that it goes, and visit all of them when the theme
// changes.
void TestStatusStrip::changingTheThemeAfterRemediesAreGoneIsSafe()
{
    WindowUnderTest w("leg");
    const QString name = QString::fromStdString(w.document().scene().handles->front().name);
    for (const double away : {5.0, 6.0}) { // the second message takes over the buttons of the first
        QVERIFY(w.document().apply({{"op", "setGoal"}, {"handle", name}, {"position", QJsonArray{away, away, 0}}}));
        w.settle();
    }
    const QPointer<QPushButton> remedy = w.find<QPushButton>("fix.0");
    QVERIFY(remedy != nullptr);
    w.window->findChild<StatusStrip*>()->report({Severity::Info, "something else", ""});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(remedy.isNull());
    w.window->commands().run("window.light");
    w.settle();
    w.window->commands().run("window.dark");
    w.settle();
}

void TestStatusStrip::softReachIsNotAnError()
{
    WindowUnderTest w("leg");
    const Handle handle = w.document().scene().handles->front();
    const QString name = QString::fromStdString(handle.name);
    w.select(handle.name.c_str());
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", name}, {"solver", "two-bone"}, {"soft", 0.2}}));
    w.settle();
    const HandleView rest = *w.state->finishFrame()->find(handle.id);
    const CompiledRig& rig = *w.state->frame()->rig;
    const auto place = [&](JointIndex joint) {
        return Vector3(w.state->frame()->solved.model.modelFromJoint[static_cast<std::size_t>(joint)].translation());
    };
    double reach = (rest.effector - place(rest.end)).norm();
    for (JointIndex joint = rest.end; joint != rest.start; joint = rig.parent[static_cast<std::size_t>(joint)])
        reach += (place(joint) - place(rig.parent[static_cast<std::size_t>(joint)])).norm();
    const Vector3 start = place(rest.start), along = (rest.target.goal.position - start).normalized();
    const auto pull = [&](double share) {
        const Vector3 goal = start + share * reach * along;
        (void)w.document().apply(
            {{"op", "setGoal"}, {"handle", name}, {"position", QJsonArray{goal.x(), goal.y(), goal.z()}}});
        w.settle();
        return *w.state->finishFrame()->find(handle.id);
    };
    auto* message = w.find<QFrame>("status.message");

    const HandleView near = pull(0.7); // before the zone begins
    QVERIFY(!near.isMissed && !near.isSoft);
    const HandleView eased = pull(0.97);
    QVERIFY2(eased.isSoft && !eased.isMissed,
             qPrintable(QString("%1 m short of %2 m").arg(eased.result.positionError).arg(reach)));
    QVERIFY(eased.result.positionError > 0.01 * reach);
    w.settle();
    QVERIFY(message->isVisible());
    QCOMPARE(message->property("message").toString(), QString("info"));
    QVERIFY2(w.find<QLabel>("status.text")->text().contains("Soft reach"),
             qPrintable(w.find<QLabel>("status.text")->text()));
    const HandleView far = pull(1.2); // out of reach
    QVERIFY(far.isMissed && !far.isSoft);
    w.settle();
    QCOMPARE(message->property("message").toString(), QString("error"));
}

TENDON_TEST(TestStatusStrip)
#include "tst_status_strip.moc"

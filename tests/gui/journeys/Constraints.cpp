#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/widgets/dope/DopeSheet.h"
#include "app/widgets/graph/GraphView.h"
#include "core/scene/Constraint.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>

#include <map>

namespace tendon::test {
namespace {

using namespace editor;

/// A cup in the hand and eyes on it: constraints from the menu, the inspector and the timeline.
class ConstraintsJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    std::shared_ptr<const Scene> m_before;
    static constexpr double kSeen = 1e-6; // [m], [rad]

    [[nodiscard]] Affine cupInHand() { return w->worldOf("Hand_R").inverse() * w->worldOf("cup"); }
    [[nodiscard]] double angleToCup()
    {
        const Affine head = w->worldOf("Head");
        const Vector3 way = w->worldOf("cup").translation() - head.translation(),
                      axis = rotationOf(head) * *w->scene().handleNamed("Head aim")->aimAxis;
        return std::atan2(axis.cross(way).norm(), axis.dot(way));
    }
    /// From the list that a click opens.
    void pick(const char* box, const char* text)
    {
        auto* choice = w->find<QComboBox>(box);
        choice->showPopup();
        QAbstractItemView* list = choice->view();
        const QModelIndex row = choice->model()->index(choice->findText(QLatin1StringView(text)), 0);
        list->scrollTo(row);
        QTest::mouseMove(list->viewport(), list->visualRect(row).center());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(row).center());
        w->settle();
        QCOMPARE(w->find<QComboBox>(box)->currentText(), QString(text));
    }
    [[nodiscard]] const Handle& made(const char* name) { return *w->scene().handleNamed(name); }

private slots:
    void aCupIsParentedByTheMenuOfTheRightButton();
    void theCupGoesAlongWhenTheHandIsPulled();
    void whatItFollowsIsKeyed();
    void theHeadAimsAtTheCup();
    void theWeightIsKeyedOnTheTimeline();
    void anAimBeyondItsLimitsIsNamed();
    void theInspectorMakesAnotherConstraintOfIt();
    void aHandTakesTheCupAndLetsGo();
    void aHandHoldsOnInMarkedFramesOfAWalk();
    void severalAreFollowedInEqualParts();
    void theSessionReplaysToTheSameBytes();
    void undoBringsAllBack();
};

void ConstraintsJourney::aCupIsParentedByTheMenuOfTheRightButton()
{
    w = std::make_unique<RealWindow>("mannequin");
    w->window->resize(1600, 1000);
    w->settle();
    const Vector3 hand = w->worldOf("Hand_R").translation();
    QVERIFY(w->document().apply(
        {{"op", "addJoint"}, {"name", "cup"}, {"translation", QJsonArray{hand.x(), hand.y() - 0.1, hand.z()}}}));
    QVERIFY(w->document().apply({{"op", "setSegment"},
                                 {"joint", "cup"},
                                 {"shape", QJsonObject{{"kind", "cylinder"}, {"size", QJsonArray{0.04, 0.1}}}}}));
    w->settle();
    m_before = std::make_shared<const Scene>(w->scene());

    w->clickRow("HandIK_R"); // no joint to constrain
    QVERIFY(!w->window->commands().action("create.constraint.parent")->isEnabled());
    w->clickRow("Hand_R"); // what is followed first, as in Maya
    w->clickRow("cup", Qt::ControlModifier);
    const std::size_t steps = w->document().history().undoCount();
    QContextMenuEvent wanted(QContextMenuEvent::Mouse, w->onScreen(hand), w->view->mapToGlobal(w->onScreen(hand)));
    w->window->openViewMenu(wanted.globalPos());
    auto* menu = w->window->findChild<QMenu*>("viewMenu");
    QVERIFY(menu != nullptr);
    const auto actions = menu->actions();
    const auto found = std::find_if(actions.begin(), actions.end(),
                                    [](const QAction* action) { return action->text() == "Parent constraint"; });
    QVERIFY(found != actions.end());
    const QRect place = menu->actionGeometry(*found);
    QTest::mouseMove(menu, place.center());
    QTest::mouseClick(menu, Qt::LeftButton, {}, place.center());
    w->settle();
    QCOMPARE(w->document().history().undoCount(), steps + 1);
    QCOMPARE(made("cup parent").follow, w->joint("Hand_R").value);
    QCOMPARE(constraintOf(made("cup parent")), Constraint::Parent);
    QCOMPARE(w->state->selection().active(), SelectionItem::of(w->handle("cup parent")));
    QVERIFY(!w->find<QWidget>("handle.soft")->isVisible()); // what solves alone have is not shown
    w->picture("constraints-parent");
}

void ConstraintsJourney::theCupGoesAlongWhenTheHandIsPulled()
{
    const Affine before = cupInHand();
    const Vector3 from = w->worldOf("cup").translation();
    w->clickRow("HandIK_R");
    w->key(Qt::Key_W);
    w->drag(w->goalOf("HandIK_R"), {30, -40});
    QVERIFY((w->worldOf("cup").translation() - from).norm() > 0.02);
    QVERIFY((cupInHand().matrix() - before.matrix()).cwiseAbs().maxCoeff() < kSeen);
    w->picture("constraints-pulled");
}

void ConstraintsJourney::whatItFollowsIsKeyed()
{
    w->clickRow("cup parent");
    const Vector3 here = w->worldOf("cup").translation();
    w->clickOn("handle.follow.key"); // from here on
    QCOMPARE(w->document().clip()->find({made("cup parent").id.value, Property::Space})->size(), std::size_t(1));
    QVERIFY((w->worldOf("cup").translation() - here).norm() < kSeen);
    QVERIFY(w->document().undo());
    w->settle();
}

void ConstraintsJourney::theHeadAimsAtTheCup()
{
    const Quaternion before = w->localOf("Head").rotation;
    w->clickRow("cup");
    w->clickRow("Head", Qt::ControlModifier);
    w->command("Aim constraint");
    QVERIFY(w->scene().handleNamed("Head aim") != nullptr);
    QVERIFY(w->localOf("Head").rotation.angularDistance(before) < kSeen); // it stays as it was, and points from there
    QVERIFY(angleToCup() < kSeen);
    QCOMPARE(w->find<QLabel>("handle.badge")->text(), QString("Aim"));
    pick("handle.aimAxis", "Aim with +Z"); // the face
    pick("solver.up", "Y");
    w->picture("constraints-aim");
    const HandleView* view = w->frame()->find(w->handle("Head aim"));
    QVERIFY(view != nullptr && (angleToCup() < 1e-3 || view->result.status == sdk::Status::LimitsBlock));
}

void ConstraintsJourney::theWeightIsKeyedOnTheTimeline()
{
    w->clickRow("Head aim");
    QVERIFY(w->window->findChild<QWidget*>("channel.blend") == nullptr); // one number says how much
    w->type("channel.weight", "0");
    w->key(Qt::Key_S); // keys the handle
    const ChannelId weight{made("Head aim").id.value, Property::Weight};
    QVERIFY(w->document().clip()->find(weight) != nullptr);
    const Quaternion off = w->localOf("Head").rotation;
    QVERIFY(w->document().apply({{"op", "setFrame"}, {"value", 20}}));
    w->settle();
    w->type("channel.weight", "1");
    w->key(Qt::Key_S);
    QCOMPARE(w->document().clip()->find(weight)->size(), std::size_t(2));
    QVERIFY(w->localOf("Head").rotation.angularDistance(off) > 1e-3);
    const double whole = angleToCup();
    QVERIFY(w->document().apply({{"op", "setFrame"}, {"value", 10}}));
    w->settle();
    QVERIFY(angleToCup() > whole); // half of the way
}

void ConstraintsJourney::anAimBeyondItsLimitsIsNamed()
{
    QVERIFY(w->document().apply({{"op", "setFrame"}, {"value", 20}}));
    for (const char* axis : {"x", "y", "z"})
        QVERIFY(w->document().apply({{"op", "setRotationAxis"},
                                     {"joint", "Head"},
                                     {"axis", axis},
                                     {"active", true},
                                     {"limited", true},
                                     {"from", -2},
                                     {"to", 2}}));
    QVERIFY(w->document().apply({{"op", "setBallJoint"}, {"joint", "Head"}, {"on", false}}));
    w->settle();
    w->clickRow("Head aim");
    QVERIFY(w->frame()->find(w->handle("Head aim"))->isMissed);
    const QString told = w->find<QLabel>("status.text")->text();
    QVERIFY2(told.contains("Head aim") && told.contains("°"), qPrintable(told));
    w->picture("constraints-limit");
}

void ConstraintsJourney::theInspectorMakesAnotherConstraintOfIt()
{
    w->clickRow("cup parent");
    pick("handle.solver", "Copy constraint");
    QCOMPARE(constraintOf(made("cup parent")), Constraint::Copy);
    w->tick("solver.rx", false);
    QVERIFY(!constrainedAxes(made("cup parent")).turns[0]);
    w->picture("constraints-copy");
    w->clickRow("HandIK_R"); // a chain takes no constraint
    auto* solvers = w->find<QComboBox>("handle.solver");
    QVERIFY(!(solvers->model()->flags(solvers->model()->index(solvers->findData("aim"), 0)) & Qt::ItemIsEnabled));
}

/// The hand follows the cup from frame 10 to 20: nothing jumps, and before and after it is where it was and stays.
void ConstraintsJourney::aHandTakesTheCupAndLetsGo()
{
    const auto goTo = [&](int frame) {
        QVERIFY(w->document().apply({{"op", "setFrame"}, {"value", frame}}));
        w->settle();
    };
    const auto goal = [&] { return w->frame()->find(w->handle("HandIK_L"))->target.goal.position; };
    const auto mug = [&]() -> Vector3 { return w->worldOf("mug").translation(); };
    QVERIFY(w->document().apply({{"op", "addClip"}, {"name", "grab"}})); // in which the hand has no keys yet
    QVERIFY(w->document().apply({{"op", "addJoint"}, {"name", "mug"}, {"translation", QJsonArray{0.3, 1, 0.4}}}));
    for (const int frame : {1, 10, 20, 30}) {
        goTo(frame);
        QVERIFY(w->document().apply(
            {{"op", "setPose"}, {"joint", "mug"}, {"translation", QJsonArray{0.3, 1 + 0.01 * frame, 0.4}}}));
        QVERIFY(w->document().apply({{"op", "key"}, {"target", "mug"}}));
    }
    std::map<int, Vector3> before;
    for (const int frame : {5, 10}) {
        goTo(frame);
        before[frame] = goal();
    }
    w->clickRow("HandIK_L");
    QVERIFY(!w->window->commands().action("follow.fromHere")->isEnabled()); // nothing to follow
    w->clickRow("mug");
    w->clickRow("HandIK_L", Qt::ControlModifier);
    const std::size_t steps = w->document().history().undoCount();
    w->command("Follow from here");
    QCOMPARE(w->document().history().undoCount(), steps + 1);
    QVERIFY((goal() - before[10]).norm() < kSeen);
    const Vector3 held = goal() - mug();
    goTo(15);
    QVERIFY((goal() - mug() - held).norm() < kSeen);
    w->picture("constraints-hand-on-mug");
    goTo(20);
    const Vector3 last = goal();
    QVERIFY((last - mug() - held).norm() < kSeen);
    w->clickRow("HandIK_L");
    // By the right button on Follows.
    auto* follows = w->find<QComboBox>("handle.follow");
    QCOMPARE(follows->currentText(), QString("mug"));
    QContextMenuEvent wanted(QContextMenuEvent::Mouse, follows->rect().center(),
                             follows->mapToGlobal(follows->rect().center()));
    QApplication::sendEvent(follows, &wanted);
    auto* menu = w->window->findChild<QMenu*>("handle.followMenu");
    QVERIFY(menu != nullptr);
    for (QAction* action : menu->actions())
        if (action->text() == "Let go from here")
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    w->settle();
    QCOMPARE(follows->currentText(), QString("World"));
    QVERIFY((goal() - last).norm() < kSeen);
    goTo(25);
    QVERIFY((goal() - mug() - held).norm() > 0.01);
    goTo(5);
    QVERIFY((goal() - before[5]).norm() < kSeen);
}

/// In the marked frames the hand stays on the mug, whatever its keys were; before and after, it walks as it did.
void ConstraintsJourney::aHandHoldsOnInMarkedFramesOfAWalk()
{
    QVERIFY(w->document().apply({{"op", "selectClip"}, {"name", "Walk"}}));
    QVERIFY(w->document().apply({{"op", "setPose"}, {"joint", "mug"}, {"translation", QJsonArray{0.3, 1, 0.4}}}));
    QVERIFY(w->document().apply({{"op", "key"}, {"target", "mug"}, {"frame", 1}}));
    QVERIFY(w->document().apply({{"op", "setPose"}, {"joint", "mug"}, {"translation", QJsonArray{0.3, 1.2, 0.6}}}));
    QVERIFY(w->document().apply({{"op", "key"}, {"target", "mug"}, {"frame", 40}}));
    const auto goalAt = [&](int frame) {
        (void)w->document().apply({{"op", "setFrame"}, {"value", frame}});
        w->settle();
        return w->frame()->find(w->handle("HandIK_R"))->target.goal.position;
    };
    const auto onMug = [&](int frame) {
        const Vector3 goal = goalAt(frame);
        return Vector3(goal - w->worldOf("mug").translation());
    };
    std::map<int, Vector3> before;
    for (const int frame : {1, 8, 11, 12, 37, 49}) before[frame] = goalAt(frame);
    w->clickRow("mug");
    w->clickRow("HandIK_R", Qt::ControlModifier);
    QVERIFY(!w->window->commands().action("follow.hold")->isEnabled()); // no frames are marked
    w->state->playback().setPart({{12, 30}});
    const std::size_t steps = w->document().history().undoCount();
    w->command("Hold in marked frames");
    QCOMPARE(w->document().history().undoCount(), steps + 1);
    const Vector3 held = onMug(12);
    for (const int frame : {13, 17, 21, 26, 29, 30})
        QVERIFY2((onMug(frame) - held).norm() < kSeen, qPrintable(QString::number(frame)));
    for (const auto& [frame, goal] : before)
        QVERIFY2((goalAt(frame) - goal).norm() < kSeen, qPrintable(QString::number(frame)));
    w->state->playback().setPart({});
}

/// As in Maya: what is selected first is followed, by the joint that is selected last.
void ConstraintsJourney::severalAreFollowedInEqualParts()
{
    QVERIFY(w->document().apply({{"op", "addJoint"}, {"name", "between"}, {"translation", QJsonArray{0, 0, 0}}}));
    w->window->commands().run("create.constraint.keepOffset"); // off
    w->clickRow("Hand_L");
    w->clickRow("Hand_R", Qt::ControlModifier);
    w->clickRow("Foot_L", Qt::ControlModifier);
    w->clickRow("between", Qt::ControlModifier);
    w->command("Parent constraint");
    w->window->commands().run("create.constraint.keepOffset");
    const Vector3 mean = (w->worldOf("Hand_L").translation() + w->worldOf("Hand_R").translation() +
                          w->worldOf("Foot_L").translation()) /
                         3;
    QVERIFY((w->worldOf("between").translation() - mean).norm() < kSeen);
    for (const HandleView& view : w->frame()->handles) // parts of a mean are not said to miss
        if (w->scene().find(view.handle)->end == w->joint("between")) QVERIFY(!view.isMissed);
}

/// By mouse and keys in the graph and the dope sheet, with corrections, limits and handles that are guessed, switches
/// between IK and FK, another retargeted clip, and one in place, mirrored and closed to a loop.
void ConstraintsJourney::theSessionReplaysToTheSameBytes()
{
    QVERIFY(w->document().apply({{"op", "selectClip"}, {"name", "Walk"}}));
    QVERIFY(w->document().apply({{"op", "setFrame"}, {"value", 12}}));
    w->settle();
    w->clickRow("HandIK_L");
    QVERIFY(w->document().apply({{"op", "switch"}, {"handle", "HandIK_L"}, {"to", "fk"}}));
    QVERIFY(w->document().apply({{"op", "editLayer"}, {"layer", "corrections"}}));
    w->clickRow("HandIK_R");
    w->key(Qt::Key_W);
    w->drag(w->goalOf("HandIK_R"), {20, -30});
    w->key(Qt::Key_S);
    w->clickRow("Head");
    w->key(Qt::Key_E);
    w->key(Qt::Key_S);
    QVERIFY(w->document().apply({{"op", "setFrame"}, {"value", 20}}));
    QVERIFY(w->document().apply({{"op", "switch"}, {"handle", "HandIK_L"}, {"to", "ik"}}));
    QVERIFY(w->document().clip()->hasCorrections());
    QVERIFY(w->document().apply({{"op", "editLayer"}, {"layer", "keys"}}));
    w->clickRow("HandIK_R");
    const auto dragIn = [&](QWidget* view, const QPoint& from, const QPoint& by) {
        const std::size_t steps = w->document().history().undoCount();
        QTest::mousePress(view, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 3; ++i) {
            const QPoint at = from + i * by / 3;
            QMouseEvent move(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(view, &move);
        }
        QTest::mouseRelease(view, Qt::LeftButton, {}, from + by);
        w->settle();
        QCOMPARE(w->document().history().undoCount(), steps + 1);
    };
    w->openTab(BottomTab::Graph);
    auto* graph = w->find<GraphView>("graph.view");
    (void)graph->grab(); // fits the curves
    const ChannelId hand{w->handle("HandIK_R").value, Property::GoalPosition};
    const double frame = w->scene().fps.frameAt((*w->document().clip()->find(hand))[3].time);
    dragIn(graph, graph->placeOf({hand, 1}, frame), {0, -25});
    w->openTab(BottomTab::DopeSheet);
    auto* sheet = w->find<DopeSheet>("dopeSheet");
    int row = 0;
    while (sheet->rows()[row].target != hand.target) ++row;
    dragIn(sheet, sheet->placeOf(row, 45), sheet->placeOf(row, 46) - sheet->placeOf(row, 45));
    w->openTab(BottomTab::Timeline);
    w->clickRow("Forearm_R");
    w->type("channel.rz", "12");
    w->key(Qt::Key_S);
    QVERIFY(w->document().apply({{"op", "guessLimits"}}) && w->document().apply({{"op", "autoRig"}}));
    QVERIFY(w->document().apply({{"op", "retarget"}, {"from", "Walk"}, {"as", "Walked"}}));
    QVERIFY(w->document().apply({{"op", "selectClip"}, {"name", "Walk"}}));
    w->command("Mirror Clip");
    QVERIFY(w->document().apply({{"op", "closeLoop"}, {"frames", 4}, {"range", QJsonArray{3, 20}}}));
    QVERIFY(w->document().apply({{"op", "rootMotion"}, {"mode", "inPlace"}}));
    w->settle();
    QCOMPARE(w->replayedOn("mannequin"), QString());
}

void ConstraintsJourney::undoBringsAllBack()
{
    for (int i = 0; i < 200 && !(w->scene() == *m_before); ++i) w->key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w->scene() == *m_before);
}

} // namespace

std::unique_ptr<QObject> makeConstraintsJourney() { return std::make_unique<ConstraintsJourney>(); }

} // namespace tendon::test

#include "Constraints.moc"

#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include <QCheckBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QToolButton>

namespace tendon::test {
namespace {

using namespace editor;

/// Journey 3: the mace's chain, a handle picked in the view, and joint parameters.
class MaceJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    LocalPose m_pulled; ///< pose P

    [[nodiscard]] double moved(const FramePtr& a, const FramePtr& b, const QString& joint)
    {
        const JointId id = w->joint(qPrintable(joint));
        return (a->worldFromJoint(id)->matrix() - b->worldFromJoint(id)->matrix()).norm();
    }
    static QString torus(int number) { return QStringLiteral("Torus%1").arg(number, 2, 10, QChar('0')); }
    void setInteractive(bool isOn)
    {
        if (w->state->view().state().isInteractiveIk != isOn) w->clickOn("button.solve.interactive");
        QCOMPARE(w->find<QToolButton>("button.solve.interactive")->isChecked(), isOn);
    }
    /// Drags the handle's goal sideways, by the same path at each call.
    LocalPose pull()
    {
        const QString handle = QString::fromStdString(w->scene().handles->front().name);
        w->drag(w->goalOf(qPrintable(handle)), {90, -40}, 12);
        return w->frame()->solved.local;
    }
    /// [m] of the only handle's curve, in the world.
    [[nodiscard]] std::vector<Vector3> curvePoints() { return w->frame()->handles.front().target.curve; }
    [[nodiscard]] const Joint& jointAt(const QString& name) { return *w->scene().find(w->joint(qPrintable(name))); }

private slots:
    void withoutInteractiveIkOnlyTheJointsBelowMove();
    void withInteractiveIkTheRootMovesToo();
    void aHandlesChainIsPickedWithARubberLine();
    void aSlidingAxisOfTheRootChangesThePoseAndUndoRestoresIt();
    void aRootThatMayNotRotateStaysPut();
    void jointParametersAreCopiedAndMirrored();
    void aChainFollowsACurveWhosePointsAreDraggedAndKeyed();
    void pointsOfTheCurveComeAndGo();
};

void MaceJourney::withoutInteractiveIkOnlyTheJointsBelowMove()
{
    w = std::make_unique<RealWindow>("mace");
    setInteractive(false);
    const FramePtr before = w->frame();
    w->drag(w->worldOf("Torus05").translation(), {60, 0});
    const FramePtr after = w->frame();
    QVERIFY(moved(before, after, "ChamferCyl01") == 0);
    for (int i = 1; i <= 4; ++i) QVERIFY2(moved(before, after, torus(i)) == 0, qPrintable(torus(i)));
    for (int i = 5; i <= 10; ++i) QVERIFY2(moved(before, after, torus(i)) > 1e-3, qPrintable(torus(i)));
    QVERIFY(moved(before, after, "Hedra01") > 1e-3);
    w->key(Qt::Key_Z, Qt::ControlModifier);
}

void MaceJourney::withInteractiveIkTheRootMovesToo()
{
    setInteractive(true);
    const FramePtr before = w->frame();
    w->drag(w->worldOf("Torus05").translation(), {60, 0});
    QVERIFY(moved(before, w->frame(), "ChamferCyl01") > 1e-4);
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w->frame()->solved.local == before->solved.local);
}

void MaceJourney::aHandlesChainIsPickedWithARubberLine()
{
    const Vector3 root = w->worldOf("ChamferCyl01").translation(), middle = w->worldOf("Torus05").translation();
    const Vector3 end = w->worldOf("Hedra01").translation();

    // Esc cancels: no handle is added. (With a joint selected, a chain down to it would be proposed.)
    w->command("Deselect all");
    w->command("IK handle with HD");
    QVERIFY(w->view->isChainPicking());
    QTest::keyClick(w->view, Qt::Key_Escape);
    QVERIFY(!w->view->isChainPicking());
    QVERIFY(w->scene().handles->empty());

    w->command("IK handle with HD");
    w->click(middle);
    // Above the start: refused, and the status line says why.
    w->click(root);
    QVERIFY(w->view->isChainPicking());
    auto* text = w->find<QLabel>("status.text");
    QVERIFY2(text->isVisible() && text->text().contains("not below"), qPrintable(text->text()));
    QTest::keyClick(w->view, Qt::Key_Escape);

    // A click in the outliner picks a joint as one in the view does.
    w->command("Deselect all");
    w->command("IK handle with HD");
    w->clickRow("Torus05");
    QVERIFY(w->view->isChainPicking());
    w->clickRow("Hedra01");
    QVERIFY(!w->view->isChainPicking());
    QCOMPARE(w->scene().handles->size(), std::size_t(1));
    QCOMPARE(w->scene().handles->front().start, w->joint("Torus05"));
    QCOMPARE(w->scene().handles->front().end, w->joint("Hedra01"));
    // The inspector lists the chain's joints, each row whole, above the field that follows.
    const auto* list = w->find<QListWidget>("handle.joints");
    const QRect first = list->visualItemRect(list->item(0));
    QVERIFY2(first.height() * std::min(list->count(), 5) <= list->viewport()->height(),
             qPrintable(QString("%1 %2 %3").arg(first.height()).arg(list->count()).arg(list->viewport()->height())));
    QVERIFY(list->geometry().bottom() < w->find<QComboBox>("handle.solver")->geometry().top());
    w->picture("mace-handle");
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w->scene().handles->empty());

    // With a joint selected, one click makes the chain: on a joint below it, the end.
    const std::size_t steps = w->document().history().undoCount();
    w->clickRow("Torus05");
    w->command("IK handle with HD");
    w->click(end);
    QVERIFY(!w->view->isChainPicking());
    QCOMPARE(w->scene().handles->size(), std::size_t(1));
    QCOMPARE(w->scene().handles->front().start, w->joint("Torus05"));
    QCOMPARE(w->scene().handles->front().end, w->joint("Hedra01"));
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w->document().history().undoCount(), steps);

    w->command("Deselect all");
    w->command("IK handle with HD");
    w->click(root);
    const QPoint away = w->onScreen(middle) + QPoint(160, 30);
    w->hover(away);
    w->settle();
    // A dashed line leads from the start to the pointer: light and dark alternate.
    const QImage picture = w->view->grabImage(w->view->size());
    int changes = 0;
    QRgb last = 0;
    for (int i = 20; i <= 80; ++i) {
        const QPoint at = w->onScreen(root) + (away - w->onScreen(root)) * i / 100;
        const QRgb now = picture.pixel(at);
        if (i > 20 && std::abs(qGray(now) - qGray(last)) > 25) ++changes;
        last = now;
    }
    QVERIFY2(changes >= 6, qPrintable(QString("%1 dashes").arg(changes)));
    w->picture("journey3-rubber-line");
    w->click(end);
    QVERIFY(!w->view->isChainPicking());
    QCOMPARE(w->scene().handles->size(), std::size_t(1));
    const Handle& made = w->scene().handles->front();
    QCOMPARE(made.start, w->joint("ChamferCyl01"));
    QCOMPARE(made.end, w->joint("Hedra01"));
    QCOMPARE(made.solver, std::string("hd"));
    QCOMPARE(w->state->selection().active(), SelectionItem::of(made.id));
    // The joint may rotate but not slide.
    w->clickRow("ChamferCyl01");
    for (const QString axis : {"x", "y", "z"}) {
        QVERIFY(!w->find<QCheckBox>("joint.slide." + axis + ".active")->isChecked());
        QVERIFY(w->find<QCheckBox>("joint.turn." + axis + ".active")->isChecked());
    }
}

void MaceJourney::aSlidingAxisOfTheRootChangesThePoseAndUndoRestoresIt()
{
    m_pulled = pull();
    w->key(Qt::Key_Z, Qt::ControlModifier);
    w->clickRow("ChamferCyl01");
    w->tick("joint.slide.z.active", true);
    const LocalPose slid = pull();
    QVERIFY(!(slid == m_pulled));
    w->key(Qt::Key_Z, Qt::ControlModifier);
    w->clickRow("ChamferCyl01");
    w->tick("joint.slide.z.active", false);
    QVERIFY(pull() == m_pulled);
    w->key(Qt::Key_Z, Qt::ControlModifier);
}

void MaceJourney::aRootThatMayNotRotateStaysPut()
{
    w->clickRow("ChamferCyl01");
    for (const QString axis : {"x", "y", "z"}) w->tick("joint.turn." + axis + ".active", false);
    const FramePtr before = w->frame();
    pull();
    const FramePtr after = w->frame();
    QCOMPARE(moved(before, after, "ChamferCyl01"), 0.0);
    for (int i = 2; i <= 10; ++i) QVERIFY2(moved(before, after, torus(i)) > 1e-5, qPrintable(torus(i)));
    w->picture("journey3-frozen-root");
    w->key(Qt::Key_Z, Qt::ControlModifier);
}

void MaceJourney::jointParametersAreCopiedAndMirrored()
{
    w->clickRow("Torus03");
    for (const QString axis : {"x", "z"}) w->tick("joint.turn." + axis + ".limited", true);
    w->type("joint.turn.x.from", "-20");
    w->type("joint.turn.x.to", "35");
    w->type("joint.turn.z.from", "-10");
    w->type("joint.turn.z.to", "40");
    w->clickRow("Torus04");
    for (const char* name : {"Torus05", "Torus06", "Torus03"}) w->clickRow(name, Qt::ControlModifier);
    w->command("Copy joint parameters to the others");
    constexpr double kInRadians = 3.14159265358979323846 / 180;
    for (int i = 4; i <= 6; ++i) {
        const Joint& joint = jointAt(torus(i));
        QVERIFY(joint.turning[0].limited && joint.turning[2].limited && !joint.turning[1].limited);
        QVERIFY(std::abs(joint.turning[0].from + 20 * kInRadians) < 1e-12 &&
                std::abs(joint.turning[0].to - 35 * kInRadians) < 1e-12);
        QVERIFY(std::abs(joint.turning[2].from + 10 * kInRadians) < 1e-12 &&
                std::abs(joint.turning[2].to - 40 * kInRadians) < 1e-12);
    }
    // Mirrored across X, a rotation about x stays and one about z changes its sign.
    w->clickRow("Torus07");
    w->clickRow("Torus03", Qt::ControlModifier);
    w->command("Mirror joint parameters");
    const Joint& twin = jointAt("Torus07");
    QVERIFY(std::abs(twin.turning[0].from + 20 * kInRadians) < 1e-9 &&
            std::abs(twin.turning[0].to - 35 * kInRadians) < 1e-9);
    const auto [low, high] = std::minmax(twin.turning[2].from, twin.turning[2].to);
    QVERIFY2(std::abs(low + 40 * kInRadians) < 1e-9 && std::abs(high - 10 * kInRadians) < 1e-9,
             qPrintable(QString("%1 %2").arg(low).arg(high)));
    w->picture("journey3-end");
}

void MaceJourney::aChainFollowsACurveWhosePointsAreDraggedAndKeyed()
{
    w = std::make_unique<RealWindow>("mace");
    const FramePtr before = w->frame();
    w->command("IK handle with Spline");
    w->click(w->worldOf("ChamferCyl01").translation());
    w->click(w->worldOf("Hedra01").translation());
    QCOMPARE(w->scene().handles->size(), std::size_t(1));
    QCOMPARE(w->scene().handles->front().solver, std::string("spline"));
    const auto reach = (w->worldOf("Hedra01").translation() - w->worldOf("ChamferCyl01").translation()).norm();
    QVERIFY(moved(before, w->frame(), "Hedra01") < 0.02 * reach);

    // Dragged: the chain goes along, in one step.
    const std::size_t steps = w->document().history().undoCount();
    const Vector3 from = curvePoints()[2], middle = w->worldOf("Torus05").translation();
    w->drag(from, {70, -30});
    QCOMPARE(w->state->selection().active(), SelectionItem::curvePointOf(w->scene().handles->front().id, 2));
    QCOMPARE(w->document().history().undoCount(), steps + 1);
    QVERIFY((curvePoints()[2] - from).norm() > 0.01 * reach);
    QVERIFY((w->worldOf("Torus05").translation() - middle).norm() > 0.002 * reach);

    // Typed, keyed at two frames, and played.
    w->state->goToFrame(1);
    w->type("curve.x", "0");
    w->key(Qt::Key_S);
    const Vector3 first = w->worldOf("Torus05").translation();
    w->state->goToFrame(31);
    w->settle();
    w->type("curve.x", QString::number(15 * reach));
    w->key(Qt::Key_S);
    const Vector3 last = w->worldOf("Torus05").translation();
    QVERIFY(w->document().edit().pending.empty());
    w->state->goToFrame(16);
    w->settle();
    const Vector3 between = w->worldOf("Torus05").translation();
    QVERIFY((between - first).norm() > 1e-3 * reach && (between - last).norm() > 1e-3 * reach);
    w->state->goToFrame(1);
    w->settle();
    w->key(Qt::Key_Space);
    QTRY_VERIFY(w->state->shownFrame() > 5);
    w->key(Qt::Key_Space);
    w->picture("journey3-curve");
}

void MaceJourney::pointsOfTheCurveComeAndGo()
{
    w->state->goToFrame(1);
    w->settle();
    const HandleId handle = w->scene().handles->front().id;
    const int count = w->scene().handles->front().curvePoints;
    const LocalPose pose = w->frame()->solved.local;

    // A right click on the curve, away from joints and points, opens the menu; there the new point is made.
    const HandleView* view = w->frame()->find(handle);
    std::vector<Vector3> taken = curvePoints();
    for (const Affine& joint : w->frame()->solved.model.modelFromJoint) taken.push_back(joint.translation());
    double best = 0;
    Vector3 place = view->curve[1];
    const QRect inView = w->view->rect().adjusted(120, 120, -120, -60); // away from its tools, too
    for (const Vector3& candidate : view->curve) {
        if (!inView.contains(w->onScreen(candidate))) continue;
        double nearest = 1e9;
        for (const Vector3& other : taken)
            nearest = std::min(nearest, QLineF(w->onScreen(other), w->onScreen(candidate)).length());
        if (nearest <= best) continue;
        best = nearest;
        place = candidate;
    }
    w->hover(w->onScreen(place));
    QCOMPARE(w->state->selection().hovered(), SelectionItem::of(handle));
    QTest::mouseClick(w->view, Qt::RightButton, {}, w->onScreen(place));
    auto* menu = w->find<QMenu>("viewMenu");
    QTRY_VERIFY(menu->isVisible());
    QAction* add = nullptr;
    for (QAction* action : menu->actions())
        if (action->text().contains("Curve point")) add = action;
    QVERIFY(add != nullptr);
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(add).center());
    w->settle();
    QCOMPARE(w->scene().handles->front().curvePoints, count + 1);
    const SelectionItem made = w->state->selection().active();
    QCOMPARE(made.kind, SelectionItem::Kind::CurvePoint);
    QVERIFY(made.index > 0 && made.index < count);
    for (const Vector3& end : {curvePoints().front(), curvePoints().back()}) // of the same curve
        QVERIFY(std::any_of(taken.begin(), taken.end(), [&](const Vector3& t) { return (t - end).norm() < 1e-9; }));
    const FramePtr after = w->frame(); // the curve still runs where it was clicked
    const std::vector<Vector3>& drawn = after->find(handle)->curve;
    QVERIFY(std::any_of(drawn.begin(), drawn.end(), [&](const Vector3& at) { return (at - place).norm() < 0.01; }));

    // Delete takes it away again, and undo brings both back.
    w->key(Qt::Key_Delete);
    QCOMPARE(w->scene().handles->front().curvePoints, count);
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w->scene().handles->front().curvePoints, count + 1);
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w->scene().handles->front().curvePoints, count);
    QVERIFY(w->frame()->solved.local == pose);
}

} // namespace

std::unique_ptr<QObject> makeMaceJourney() { return std::make_unique<MaceJourney>(); }

} // namespace tendon::test

#include "Mace.moc"

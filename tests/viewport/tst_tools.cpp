#include "app/viewport/overlay/LimitOverlay.h"
#include "app/viewport/view/Gizmo.h"
#include "tests/support/TestProgram.h"
#include "tests/viewport/ViewportUnderTest.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSignalSpy>

#include <numbers>

using namespace tendon;
using editor::SelectionItem;
using viewport::LimitShape;
using viewport::Vector2;
using viewport::Viewport;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Root, arm and tip, each half a metre above the one before; the arm rotates about z from -30 to 60 degrees, the tip
/// swings and twists as a ball joint.
Project twoBones()
{
    Project project;
    std::vector<Joint> joints(3);
    const char* names[] = {"root", "arm", "tip"};
    for (std::size_t i = 0; i < 3; ++i) {
        joints[i].id = {project.scene.takeId()};
        joints[i].name = names[i];
        joints[i].rest.translation = Vector3(0, i == 0 ? 0 : 0.5, 0);
        if (i > 0) joints[i].parent = joints[i - 1].id;
        for (AxisFreedom& axis : joints[i].turning) axis.active = false;
    }
    joints[1].turning[2] = {.active = true, .limited = true, .from = -30 * kDegree, .to = 60 * kDegree};
    joints[2].ball = BallLimits{.twistAxis = 1, .swing = {{0.5, 0.4, 0.6, 0.3}}, .twist = {{-0.5, 0.7}}};
    project.scene.joints = joints;
    return project;
}

/// Three joints without parents: a, b and c.
Project looseJoints()
{
    Project project;
    std::vector<Joint> joints(3);
    for (std::size_t i = 0; i < 3; ++i) {
        joints[i].id = {project.scene.takeId()};
        joints[i].name = std::string(1, static_cast<char>('a' + i));
        joints[i].rest.translation = Vector3(0.4 * static_cast<double>(i) - 0.4, i == 1 ? 0.9 : 0.5, 0);
    }
    project.scene.joints = joints;
    return project;
}

} // namespace

/// The tools, used with the mouse on the screen.
class TestTools : public ViewportUnderTest
{
    Q_OBJECT

private slots:
    void theScaleToolScalesAlongTheJointsOwnAxes()
    {
        open();
        const JointId arm = joint("arm");
        QVERIFY(m_editor->document()
                    .apply({{"op", "rotate"}, {"joint", "arm"}, {"axis", "z"}, {"value", 40.0}})
                    .has_value());
        choose(arm, editor::Tool::Scale);
        const viewport::View view = m_viewport->view();
        const Affine world = *m_editor->frame()->worldFromJoint(arm);
        const viewport::GizmoPlace place = viewport::gizmoAt(view, world.translation(), rotationOf(world), 88);
        const auto on = [&](double share) {
            return view.project(place.origin + share * place.arm * place.axis(0)).pixel;
        };
        drag(on(0.7), on(1.4));
        settle();
        const LocalTransform local = localOf(arm);
        QVERIFY2((local.scale - Vector3(2, 1, 1)).norm() < 0.06, qPrintable(QString::number(local.scale.x())));
        QVERIFY(m_editor->document().undo());
        settle();
        QVERIFY(localOf(arm).scale == Vector3::Ones());
    }

    void aTurnedJointStopsAtItsLimits_data()
    {
        QTest::addColumn<bool>("isShiftHeld");
        QTest::addColumn<double>("angle"); // [deg]
        QTest::addRow("stops") << false << 60.0;
        QTest::addRow("Shift passes") << true << 100.0;
    }

    void aTurnedJointStopsAtItsLimits()
    {
        QFETCH(bool, isShiftHeld);
        QFETCH(double, angle);
        open();
        const JointId arm = joint("arm");
        choose(arm, editor::Tool::Rotate);
        const viewport::View view = m_viewport->view();
        const viewport::GizmoPlace place = viewport::gizmoAt(
            view, m_editor->frame()->worldFromJoint(arm)->translation(), Quaternion::Identity(), 88);
        const auto onRing = [&](double degrees) {
            const double a = degrees * kDegree;
            return toPoint(view.project(place.origin + place.arm * Vector3(std::cos(a), std::sin(a), 0)).pixel);
        };
        const Qt::KeyboardModifiers held = isShiftHeld ? Qt::ShiftModifier : Qt::NoModifier;
        constexpr double kFrom = -20; // clear of the other rings
        move(onRing(kFrom), Qt::NoModifier);
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, onRing(kFrom));
        for (int turned = 5; turned <= 100; turned += 5) move(onRing(kFrom + turned), held);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, held, onRing(kFrom + 100));
        settle();
        QVERIFY2(std::abs(angleOf(arm) / kDegree - angle) < (isShiftHeld ? 3 : 1e-6),
                 qPrintable(QString::number(angleOf(arm) / kDegree)));
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{1});
    }

    void aTurnedBallStopsAtItsSwing()
    {
        open();
        const JointId tip = joint("tip");
        QVERIFY(m_editor->drag().begin(SelectionItem::of(tip), editor::DragSession::Kind::Rotate, m_editor->frame()));
        QVERIFY(m_editor->drag().rotateTo(Quaternion(Eigen::AngleAxisd(1.2, Vector3::UnitX()))));
        settle();
        const Eigen::AngleAxisd turned(localOf(tip).rotation);
        QVERIFY2(std::abs(turned.angle() - 0.6) < 1e-6 && turned.axis().x() > 0.999, // its half axis +b
                 qPrintable(QString::number(turned.angle())));
        QVERIFY(m_editor->drag().rotateTo(Quaternion(Eigen::AngleAxisd(1.2, Vector3::UnitX())), true));
        settle();
        QVERIFY(std::abs(Eigen::AngleAxisd(localOf(tip).rotation).angle() - 1.2) < 1e-6);
        m_editor->drag().cancel();
    }

    void goalsCannotBeScaled()
    {
        openMannequin();
        choose(SelectionItem::of(m_editor->frame()->handles.front().handle), editor::Tool::Scale);
        QSignalSpy refused(m_viewport.get(), &Viewport::refused);
        const Vector2 at = m_viewport->view().project(m_editor->frame()->handles.front().target.goal.position).pixel;
        drag(at, at + Vector2(30, 0));
        QCOMPARE(refused.size(), 1);
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{0});
    }

    /// It would leave the hand and move nothing. The window is told which handle waits for IK.
    void aGoalStaysWhileFkDrivesItsLimb_data()
    {
        QTest::addColumn<editor::Tool>("tool");
        QTest::addRow("move") << editor::Tool::Move;
        QTest::addRow("rotate") << editor::Tool::Rotate;
    }

    void aGoalStaysWhileFkDrivesItsLimb()
    {
        QFETCH(editor::Tool, tool);
        openMannequin();
        const HandleId hand = m_editor->document().scene().handleNamed("HandIK_R")->id;
        QVERIFY(m_editor->document().apply({{"op", "key"}, {"target", "HandIK_R"}}));
        QVERIFY(m_editor->document().apply({{"op", "setHandle"}, {"name", "HandIK_R"}, {"blend", 0}}));
        choose(SelectionItem::of(hand), tool);
        QSignalSpy refused(m_viewport.get(), &Viewport::refused);
        const std::size_t steps = m_editor->document().history().undoCount();
        const PendingValues posed = m_editor->document().edit().pending;
        const Vector2 at = m_viewport->view().project(goalOf(hand)).pixel;
        drag(at, at + Vector2(40, -20));
        QCOMPARE(refused.size(), 1);
        QVERIFY(refused[0][0].toString().contains("FK drives this limb; switch it to IK"));
        QVERIFY(refused[0][1].value<HandleId>() == hand);
        QCOMPARE(m_editor->document().history().undoCount(), steps);
        QVERIFY(m_editor->document().edit().pending == posed);
        // Half way it moves.
        QVERIFY(m_editor->document().apply({{"op", "setHandle"}, {"name", "HandIK_R"}, {"blend", 0.5}}));
        settle();
        QVERIFY(m_editor->drag().begin(SelectionItem::of(hand), editor::DragSession::Kind::Move, m_editor->frame()));
        QVERIFY(!m_editor->drag().inFk().isValid());
        m_editor->drag().cancel();
    }

    void movingTheWholeSelectionIsOneStep()
    {
        openMannequin();
        QVERIFY(m_editor->document().apply({{"op", "autoKey"}, {"on", true}}).has_value());
        const HandleId left = m_editor->document().scene().handleNamed("HandIK_L")->id,
                       right = m_editor->document().scene().handleNamed("HandIK_R")->id;
        m_editor->selection().select({SelectionItem::of(left), SelectionItem::of(right)});
        m_editor->view().edit([](editor::ViewState& state) { state.tool = editor::Tool::Move; });
        QVERIFY(test::waitForPicture(*m_viewport));
        const std::size_t steps = m_editor->document().history().undoCount();
        const Vector3 leftFrom = m_editor->frame()->find(left)->target.goal.position,
                      rightFrom = m_editor->frame()->find(right)->target.goal.position;
        const viewport::View view = m_viewport->view();
        const viewport::GizmoPlace place = viewport::gizmoAt(view, rightFrom, Quaternion::Identity(), 88);
        const auto on = [&](double along) {
            return view.project(rightFrom + (0.7 * place.arm + along) * Vector3::UnitY()).pixel;
        };
        drag(on(0), on(0.1));
        settle();
        const Vector3 leftWay = m_editor->frame()->find(left)->target.goal.position - leftFrom,
                      rightWay = m_editor->frame()->find(right)->target.goal.position - rightFrom;
        QVERIFY2((rightWay - Vector3(0, 0.1, 0)).norm() < 0.01, qPrintable(QString::number(rightWay.y())));
        QVERIFY((leftWay - rightWay).norm() < 1e-12);
        QCOMPARE(m_editor->document().history().undoCount(), steps + 1);
        QVERIFY(m_editor->document().undo());
        settle();
        QVERIFY(m_editor->frame()->find(left)->target.goal.position == leftFrom &&
                m_editor->frame()->find(right)->target.goal.position == rightFrom);
    }

    void aLimitIsDraggedWhereItIsDrawn_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("end");
        QTest::addColumn<double>("by");
        QTest::newRow("turn, lower") << "arm" << static_cast<int>(LimitShape::Kind::Turn) << 0 << -0.3;
        QTest::newRow("turn, upper") << "arm" << static_cast<int>(LimitShape::Kind::Turn) << 1 << 0.4;
        QTest::newRow("swing +a") << "tip" << static_cast<int>(LimitShape::Kind::Swing) << 0 << 0.25;
        QTest::newRow("swing -b") << "tip" << static_cast<int>(LimitShape::Kind::Swing) << 3 << 0.3;
        QTest::newRow("twist, upper") << "tip" << static_cast<int>(LimitShape::Kind::Twist) << 1 << 0.3;
    }

    void aLimitIsDraggedWhereItIsDrawn()
    {
        QFETCH(QString, name);
        QFETCH(int, kind);
        QFETCH(int, end);
        QFETCH(double, by);
        open();
        choose(joint(name.toUtf8().constData()), editor::Tool::Select);
        const auto grip = gripOf(static_cast<LimitShape::Kind>(kind), end);
        QVERIFY(grip);
        const Vector2 from = pixelOf(*grip, grip->value), to = pixelOf(*grip, grip->value + by);
        drag(from, to);
        settle();
        const auto after = gripOf(static_cast<LimitShape::Kind>(kind), end);
        QVERIFY(after);
        QVERIFY2(std::abs(after->value - grip->value - by) < 0.05,
                 qPrintable(QStringLiteral("%1 -> %2").arg(grip->value).arg(after->value)));
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{1});
        QVERIFY(m_editor->document().undo());
        settle();
        QCOMPARE(gripOf(static_cast<LimitShape::Kind>(kind), end)->value, grip->value);
    }

    /// The limits of a chain's first joint are drawn with its handle; where they overlap, the handle's gizmo is
    /// dragged.
    void aGoalThatStandsOnALimitIsDraggedAndNotTheLimit()
    {
        open();
        auto& document = m_editor->document();
        QVERIFY(document.apply({{"op", "addHandle"}, {"name", "ik"}, {"start", "arm"}, {"end", "tip"}}).has_value());
        settle();
        const HandleId handle = document.scene().handleNamed("ik")->id;
        choose(SelectionItem::of(handle), editor::Tool::Move);
        const auto grip = gripOf(LimitShape::Kind::Turn, 1);
        QVERIFY(grip);
        const Vector3 place = grip->at(grip->value);
        const QJsonArray position{place.x(), place.y(), place.z()};
        QVERIFY(document.apply({{"op", "setGoal"}, {"handle", "ik"}, {"position", position}}).has_value());
        settle();
        const Joint before = *document.scene().find(joint("arm"));
        const Vector2 at = m_viewport->view().project(place).pixel;
        drag(at, at + Vector2(40, 30));
        settle();
        QVERIFY(*document.scene().find(joint("arm")) == before);
        QVERIFY((goalOf(handle) - place).norm() > 0.02);
    }

    void aLimitCannotBeDraggedPastTheOther()
    {
        open();
        choose(joint("arm"), editor::Tool::Select);
        const auto lower = gripOf(LimitShape::Kind::Turn, 0);
        drag(pixelOf(*lower, lower->value), pixelOf(*lower, lower->most + 0.5));
        settle();
        const AxisFreedom& freedom = m_editor->document().scene().find(joint("arm"))->turning[2];
        QVERIFY(freedom.from <= freedom.to);
        QVERIFY(freedom.from > freedom.to - 0.1);
    }

    /// At 90 degrees the limit's dot lies on the arm X of the joint's gizmo.
    void aLimitOnAnArmOfTheGizmoIsDraggedAndNotTheJoint()
    {
        open();
        viewport::Camera camera = m_viewport->camera();
        camera.distance = 4;
        m_viewport->setCamera(camera);
        QVERIFY(m_editor->document()
                    .apply({{"op", "setRotationAxis"}, {"joint", "arm"}, {"axis", "z"}, {"from", -90}, {"to", 60}})
                    .has_value());
        choose(joint("arm"), editor::Tool::Move);
        const auto grip = gripOf(LimitShape::Kind::Turn, 0);
        QVERIFY(grip);
        const Vector2 at = pixelOf(*grip, grip->value);
        const viewport::View view = m_viewport->view();
        const Vector3 origin = m_editor->frame()->worldFromJoint(joint("arm"))->translation();
        const viewport::GizmoPlace place = viewport::gizmoAt(view, origin, Quaternion::Identity(), 88);
        const auto shapes = viewport::gizmoShapes(viewport::GizmoKind::Move, place, view);
        QVERIFY(viewport::pickGizmo(shapes, place, view, at, 8).part == viewport::GizmoPart::MoveX);
        const Affine before = *m_editor->frame()->worldFromJoint(joint("tip"));
        drag(at, pixelOf(*grip, grip->value + 0.4));
        settle();
        QVERIFY(m_editor->document().scene().find(joint("arm"))->turning[2].from > grip->value + 0.3);
        QVERIFY(m_editor->frame()->worldFromJoint(joint("tip"))->isApprox(before, 1e-12));
    }

    void ctrlDraggingALimitPreviewsItAndChangesNothing()
    {
        open();
        const JointId arm = joint("arm");
        QVERIFY(m_editor->document().apply({{"op", "autoKey"}, {"on", true}}).has_value());
        choose(arm, editor::Tool::Select);
        const Scene before = m_editor->document().scene();
        const auto grip = gripOf(LimitShape::Kind::Turn, 1);
        const QPoint from = toPoint(pixelOf(*grip, grip->value)), to = toPoint(pixelOf(*grip, grip->value + 0.3));
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, from);
        move((from + to) / 2, Qt::NoModifier); // begins as an edit
        move(to, Qt::ControlModifier);
        settleShown();
        const double turned = angleOf(arm);
        QVERIFY2(std::abs(turned - grip->value - 0.3) < 0.05, qPrintable(QString::number(turned)));
        QCOMPARE(m_editor->document().scene().find(arm)->turning[2].to, before.find(arm)->turning[2].to);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, Qt::ControlModifier, to);
        settle();
        QCOMPARE(angleOf(arm), 0.0);
        QVERIFY(m_editor->document().scene() == before);
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{0});
    }

    void escapeCancelsDraggingALimit()
    {
        open();
        choose(joint("arm"), editor::Tool::Select);
        const auto grip = gripOf(LimitShape::Kind::Turn, 1);
        const QPoint from = toPoint(pixelOf(*grip, grip->value)), to = toPoint(pixelOf(*grip, grip->value + 0.3));
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, from);
        move(to, Qt::NoModifier);
        QVERIFY(m_editor->document().scene().find(joint("arm"))->turning[2].to > grip->value + 0.2);
        QTest::keyClick(m_viewport.get(), Qt::Key_Escape);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, to);
        QCOMPARE(m_editor->document().scene().find(joint("arm"))->turning[2].to, grip->value);
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{0});
    }

    void theEffectorIsDraggedWhereItIsDrawn()
    {
        const HandleId hand = openArm();
        const std::size_t steps = m_editor->document().history().undoCount();
        choose(SelectionItem::effectorOf(hand), editor::Tool::Move);
        // Its goal is met, so both are at the same place. The gizmo is the effector's, and so is its middle.
        const Vector3 from = m_editor->frame()->find(hand)->effector, goal = goalOf(hand);
        QVERIFY((from - goal).norm() < 1e-3);
        const Affine wrist = *m_editor->frame()->worldFromJoint(joint("Wrist"));
        const Vector2 start = m_viewport->view().project(from).pixel;
        const auto at = [&](double share) { return Vector2(start + share * Vector2(24, 30)); };
        move(toPoint(at(0)), Qt::NoModifier);
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, toPoint(at(0)));
        for (const double share : {0.25, 0.5, 1.0}) {
            move(toPoint(at(share)), Qt::NoModifier);
            settle();
            // The point is the one under the pointer, on the wrist as it was when the drag began.
            const double off = (m_viewport->view().project(wrist * offsetOf(hand)).pixel - at(share)).norm();
            QVERIFY2(off < 2, qPrintable(QString::number(off))); // [px] both ends are rounded
            // The chain solves meanwhile: the point meets the goal.
            const editor::HandleView* view = m_editor->frame()->find(hand);
            const Affine& now = *m_editor->frame()->worldFromJoint(joint("Wrist"));
            QVERIFY((view->effector - now * offsetOf(hand)).norm() < 1e-12);
            QVERIFY2(view->result.positionError < 1e-3, qPrintable(QString::number(view->result.positionError)));
        }
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, toPoint(at(1)));
        settle();
        QCOMPARE(goalOf(hand), goal);
        QCOMPARE(m_editor->document().history().undoCount(), steps + 1);
        QVERIFY(m_editor->document().undo());
        QCOMPARE(offsetOf(hand), Vector3(Vector3::Zero()));
    }

    void shiftKeepsADraggedEffectorOnItsBone()
    {
        const HandleId hand = openArm();
        choose(SelectionItem::effectorOf(hand), editor::Tool::Move);
        const Affine wrist = *m_editor->frame()->worldFromJoint(joint("Wrist"));
        // The wrist is posed: the bone goes on as it does at rest, and turns with the wrist.
        const Joint& own = *m_editor->document().scene().find(joint("Wrist"));
        const Vector3 bone = wrist.linear() * (own.rest.rotation.conjugate() * own.rest.translation);
        const QPoint from = toPoint(m_viewport->view().project(m_editor->frame()->find(hand)->effector).pixel);
        move(from, Qt::NoModifier);
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, from);
        move(from + QPoint(30, -20), Qt::NoModifier);
        move(from + QPoint(60, -50), Qt::ShiftModifier);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, Qt::ShiftModifier, from + QPoint(60, -50));
        settle();
        const Vector3 offset = wrist.linear() * offsetOf(hand);
        QVERIFY2(offset.norm() > 0.01, qPrintable(QString::number(offset.norm())));
        QVERIFY2(offset.normalized().cross(bone.normalized()).norm() < 1e-9,
                 qPrintable(QString::number(offset.normalized().cross(bone.normalized()).norm())));
    }

    void escapeCancelsDraggingAnEffector()
    {
        const HandleId hand = openArm();
        const std::size_t steps = m_editor->document().history().undoCount();
        choose(SelectionItem::effectorOf(hand), editor::Tool::Move);
        const QPoint from = toPoint(m_viewport->view().project(m_editor->frame()->find(hand)->effector).pixel);
        move(from, Qt::NoModifier);
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, from);
        move(from + QPoint(40, -30), Qt::NoModifier);
        settle();
        QVERIFY(offsetOf(hand).norm() > 0.01);
        QTest::keyClick(m_viewport.get(), Qt::Key_Escape);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, from + QPoint(40, -30));
        QCOMPARE(offsetOf(hand), Vector3(Vector3::Zero()));
        QCOMPARE(m_editor->document().history().undoCount(), steps);
    }

    void aGoalCoversTheEffectorThatMeetsIt()
    {
        const HandleId hand = openArm();
        QVERIFY(m_editor->document()
                    .apply({{"op", "setHandle"}, {"name", "WristGoal"}, {"offset", QJsonArray{0.08, 0.03, 0}}})
                    .has_value());
        m_editor->view().edit([](editor::ViewState& state) { state.tool = editor::Tool::Select; });
        settle();
        const auto clicked = [&] {
            const Vector2 at = m_viewport->view().project(m_editor->frame()->find(hand)->effector).pixel;
            QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(at));
            return m_editor->selection().active();
        };
        QVERIFY(m_editor->frame()->find(hand)->result.positionError < 1e-3);
        QCOMPARE(clicked(), SelectionItem::of(hand));
        QVERIFY(m_editor->document()
                    .apply({{"op", "setGoal"}, {"handle", "WristGoal"}, {"position", QJsonArray{0.9, 1.6, 0.4}}})
                    .has_value());
        settle();
        QCOMPARE(clicked(), SelectionItem::effectorOf(hand));
    }

    void jointsAreLinkedByDraggingThemInEitherOrder()
    {
        for (const bool fromLeaf : {true, false}) {
            openLoose();
            const Affine before = *m_editor->frame()->worldFromJoint(joint("c"));
            if (fromLeaf) dragLink("c", "b");
            dragLink("b", "a");
            if (!fromLeaf) dragLink("c", "b");
            QCOMPARE(m_editor->document().history().undoCount(), std::size_t{2});
            QCOMPARE(parentOf("c"), joint("b"));
            QCOMPARE(parentOf("b"), joint("a"));
            QVERIFY(!parentOf("a").isValid()); // linked to last: the root
            settle();
            QVERIFY(m_editor->frame()->worldFromJoint(joint("c"))->isApprox(before, 1e-12));
            QVERIFY(m_editor->document().undo());
            QVERIFY(!parentOf(fromLeaf ? "b" : "c").isValid());
        }
    }

    void allSelectedJointsAreLinkedAsOneStep()
    {
        openLoose();
        m_editor->selection().select({SelectionItem::of(joint("a")), SelectionItem::of(joint("b"))});
        dragLink("b", "c");
        QCOMPARE(parentOf("a"), joint("c"));
        QCOMPARE(parentOf("b"), joint("c"));
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{1});
    }

    void aLinkThatWouldMakeACycleIsRefusedWithTheReason()
    {
        openLoose();
        dragLink("c", "b");
        dragLink("b", "a");
        QSignalSpy refused(m_viewport.get(), &Viewport::refused);
        dragLink("a", "c");
        QCOMPARE(refused.size(), 1);
        QCOMPARE(refused.front().front().toString(), QString("c is below a: it can't be its parent"));
        dragLink("b", "a");
        QCOMPARE(refused.size(), 2);
        QCOMPARE(refused.back().front().toString(), QString("b is a child of a already"));
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{2});
        QVERIFY(!parentOf("a").isValid());
    }

    void aDashedLineFollowsALinkAndEscapeCancelsIt()
    {
        openLoose();
        const QPoint from = toPoint(pixelOf("a")), to = toPoint(pixelOf("c")), beside = to + QPoint(0, 60);
        move(from, Qt::NoModifier);
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, from);
        QVERIFY(test::waitForPicture(*m_viewport));
        const QImage before = m_viewport->grabImage(m_viewport->size());
        move(beside, Qt::NoModifier);
        const auto drawnOnTheWay = [&] { // elsewhere in the picture, the times of solves change
            const QImage now = m_viewport->grabImage(m_viewport->size());
            int drawn = 0;
            for (int i = 20; i < 80; ++i) {
                const QRect at(from + (beside - from) * i / 100, QSize(1, 1));
                drawn += differing(before.copy(at), now.copy(at)) > 0;
            }
            return drawn;
        };
        const int drawn = drawnOnTheWay();
        QVERIFY2(drawn > 15 && drawn < 54, qPrintable(QStringLiteral("%1 of 60").arg(drawn)));
        move(to, Qt::NoModifier);
        QCOMPARE(m_editor->selection().hovered(), SelectionItem::of(joint("c")));
        QTest::keyClick(m_viewport.get(), Qt::Key_Escape);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, to);
        QVERIFY(!parentOf("a").isValid());
        // Let go beside all joints, it links nothing either.
        drag(pixelOf("a"), pixelOf("c") + Vector2(0, 60));
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{0});
        QCOMPARE(drawnOnTheWay(), 0);
    }

private:
    HandleId openArm()
    {
        if (!m_editor->document().openSample("arm") ||
            !m_editor->document().apply({{"op", "rotate"}, {"joint", "Wrist"}, {"axis", "x"}, {"value", 70.0}}))
            qFatal("no sample arm");
        settle();
        return m_editor->frame()->handles.front().handle;
    }
    [[nodiscard]] Vector3 offsetOf(HandleId handle) const { return m_editor->document().scene().find(handle)->offset; }
    [[nodiscard]] Vector3 goalOf(HandleId handle) const
    {
        return m_editor->frame()->find(handle)->target.goal.position;
    }

    void openLoose()
    {
        m_editor->document().adopt(looseJoints(), {}, QStringLiteral("loose"));
        m_editor->view().edit([](editor::ViewState& state) { state.tool = editor::Tool::Link; });
        settle();
        QVERIFY(test::waitForPicture(*m_viewport));
    }
    [[nodiscard]] JointId parentOf(const char* name) const
    {
        return m_editor->document().scene().find(joint(name))->parent;
    }
    [[nodiscard]] Vector2 pixelOf(const char* name) const
    {
        return m_viewport->view().project(m_editor->frame()->worldFromJoint(joint(name))->translation()).pixel;
    }
    void dragLink(const char* child, const char* parent)
    {
        settle();
        drag(pixelOf(child), pixelOf(parent));
    }

    void open()
    {
        m_editor->document().adopt(twoBones(), {}, QStringLiteral("bones"));
        settle();
        viewport::Camera camera;
        camera.target = Vector3(0, 0.7, 0);
        camera.distance = 2.5;
        camera.yaw = 0.35;
        camera.pitch = -0.3;
        m_viewport->setCamera(camera);
        QVERIFY(test::waitForPicture(*m_viewport));
    }

    [[nodiscard]] JointId joint(const char* name) const
    {
        return m_editor->document().scene().jointNamed(name).value_or(JointId{});
    }

    void choose(JointId id, editor::Tool tool) { choose(SelectionItem::of(id), tool); }
    void choose(SelectionItem item, editor::Tool tool)
    {
        m_editor->selection().select(item);
        m_editor->view().edit([&](editor::ViewState& state) { state.tool = tool; });
        settle();
        QVERIFY(test::waitForPicture(*m_viewport));
    }

    void move(const QPoint& to, Qt::KeyboardModifiers held)
    {
        QMouseEvent event(QEvent::MouseMove, to, m_viewport->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, held);
        QCoreApplication::sendEvent(m_viewport.get(), &event);
    }

    void drag(const Vector2& from, const Vector2& to)
    {
        const QPoint begin = toPoint(from), end = toPoint(to);
        move(begin, Qt::NoModifier);
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, begin);
        for (int i = 1; i <= 4; ++i) move(begin + (end - begin) * i / 4, Qt::NoModifier);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, end);
    }

    /// The pending frame has arrived.
    void settleShown() { QTRY_VERIFY(!m_editor->scheduler().isBusy()); }

    [[nodiscard]] LocalTransform localOf(JointId id) const
    {
        const editor::FramePtr frame = m_editor->frame();
        return frame->solved.local.joints[static_cast<std::size_t>(frame->rig->index(id))];
    }

    [[nodiscard]] double angleOf(JointId id) const
    {
        const editor::FramePtr frame = m_editor->frame();
        return frame->solved.local.angles[static_cast<std::size_t>(frame->rig->index(id))].z();
    }

    [[nodiscard]] std::optional<viewport::LimitGrip> gripOf(LimitShape::Kind kind, int end) const
    {
        const editor::FramePtr frame = m_editor->frame();
        const JointIndex index = viewport::jointOfLimits(*frame, m_editor->selection().active());
        for (const LimitShape& shape : viewport::limitsShown(m_viewport->view(), *frame, index, 1))
            if (shape.kind == kind) return shape.grips[static_cast<std::size_t>(end)];
        return std::nullopt;
    }

    [[nodiscard]] Vector2 pixelOf(const viewport::LimitGrip& grip, double value) const
    {
        return m_viewport->view().project(grip.at(value)).pixel;
    }
};

TENDON_TEST(TestTools)
#include "tst_tools.moc"

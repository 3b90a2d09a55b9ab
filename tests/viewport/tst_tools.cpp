#include "app/viewport/overlay/LimitOverlay.h"
#include "app/viewport/view/Gizmo.h"
#include "tests/support/TestProgram.h"
#include "tests/viewport/ViewportUnderTest.h"

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

private:
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

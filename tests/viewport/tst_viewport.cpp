#include "app/editor/Theme.h"
#include "app/viewport/overlay/CompareOverlay.h"
#include "app/viewport/view/Gizmo.h"
#include "tests/support/TestProgram.h"
#include "tests/viewport/ViewportUnderTest.h"

#include <QJsonObject>
#include <QSignalSpy>

using namespace tendon;
using viewport::Vector2;
using viewport::Viewport;

namespace {

/// Counts how often a widget is painted.
struct PaintCount : QObject
{
    explicit PaintCount(QWidget& widget) { widget.installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Paint;
        return false;
    }
    int count = 0;
};

} // namespace

class TestViewport : public ViewportUnderTest
{
    Q_OBJECT

private slots:
    /// In a picture of this size words and figures would hide it.
    void aThumbnailShowsTheModelWhereverTheCameraIs()
    {
        openMannequin();
        const auto thumbnail = [&] {
            return m_viewport->grabImage({192, 128}, viewport::Viewport::Content::Thumbnail, 0.5);
        };
        const QImage shown = thumbnail();
        viewport::Camera away = m_viewport->camera();
        away.target += Vector3(0, 300, 0);
        m_viewport->setCamera(away);
        settle();
        const QImage sky = m_viewport->grabImage({192, 128}, viewport::Viewport::Content::ModelOnly);
        QVERIFY2(differing(shown, sky) > 1000, qPrintable(QString::number(differing(shown, sky))));
        const QImage again = thumbnail();
        QVERIFY2(differing(shown, again) < 20, qPrintable(QString::number(differing(shown, again))));
        QVERIFY(m_viewport->camera().target == away.target); // the window's own view stays
        const editor::ViewState state = m_editor->view().state();
        m_editor->view().edit([](editor::ViewState& s) { s.showsHandles = s.showsJoints = false; });
        QCOMPARE(thumbnail(), again); // a model alone, whatever is drawn of its rig
        m_editor->view().edit([&](editor::ViewState& s) { s = state; });
        for (const QRect corner : {QRect(0, 0, 40, 40), QRect(132, 0, 60, 60), QRect(0, 90, 40, 38)}) // cube, figures
            QVERIFY2(differing(shown.copy(corner), sky.copy(corner)) < 12,
                     qPrintable(QString("%1, %2").arg(corner.x()).arg(corner.y())));
    }

    void nothingIsDrawnWhileNothingChanges()
    {
        openMannequin();
        QTRY_VERIFY(m_viewport->isAtRest());
        const std::uint64_t before = m_viewport->framesDrawn();
        const double processor = processorSeconds();
        QTest::qWait(500); // nothing is to happen: only a clock can end that
        QCOMPARE(m_viewport->framesDrawn(), before);
        qInfo("idle: %.1f %% of a processor", 100 * (processorSeconds() - processor) / 0.5);
    }

    void hoveringHighlightsWithoutDrawingTheScene()
    {
        openMannequin();
        const std::uint64_t before = m_viewport->framesDrawn();
        const editor::HandleView& handle = m_editor->frame()->handles.front();
        QTest::mouseMove(m_viewport.get(), toPoint(m_viewport->view().project(handle.target.goal.position).pixel));
        QTRY_COMPARE(m_editor->selection().hovered(), editor::SelectionItem::of(handle.handle));
        QVERIFY(test::waitForPicture(*m_viewport));
        QCOMPARE(m_viewport->framesDrawn(), before);
    }

    void objectsAreDrawnWhereTheMousePicksThem() // run at 200 % as well
    {
        openMannequin();
        const double ratio = m_viewport->devicePixelRatioF();
        QCOMPARE(ratio, qEnvironmentVariable("QT_SCALE_FACTOR", "1").toDouble());
        for (const char* name : {"Spine2", "Forearm_L", "Shin_R"}) {
            const JointId joint = *m_editor->document().scene().jointNamed(name);
            const auto index = static_cast<std::size_t>(m_editor->frame()->rig->index(joint));
            const Vector2 pixel =
                m_viewport->view().project(m_editor->frame()->solved.model.modelFromJoint[index].translation()).pixel;
            QTest::mouseMove(m_viewport.get(), QPoint(20, 20));
            QTRY_COMPARE(m_editor->selection().hovered(), editor::SelectionItem());
            const QImage before = m_viewport->grabFramebuffer();
            QCOMPARE(before.size(), m_viewport->size() * ratio);
            QTest::mouseMove(m_viewport.get(), toPoint(pixel));
            QTRY_COMPARE(m_editor->selection().hovered(), editor::SelectionItem::of(joint));
            // The highlight ring is drawn around it, in device pixels.
            const QImage after = m_viewport->grabFramebuffer();
            const int reach = static_cast<int>(8 * ratio);
            int changed = 0;
            for (int y = -reach; y <= reach; ++y)
                for (int x = -reach; x <= reach; ++x) {
                    const QPoint at = toPoint(pixel * ratio) + QPoint(x, y);
                    changed += before.pixel(at) != after.pixel(at) ? 1 : 0;
                }
            QVERIFY2(changed > 12 * ratio, qPrintable(QString("%1: %2 pixels differ").arg(name).arg(changed)));
        }
        // A picture with as many pixels shows the view cube as large as the window does.
        QTest::mouseMove(m_viewport.get(), QPoint(20, 20));
        QTRY_COMPARE(m_editor->selection().hovered(), editor::SelectionItem());
        const QImage shown = m_viewport->grabFramebuffer(),
                     grabbed = m_viewport->grabImage(shown.size(), viewport::Viewport::Content::Everything, ratio);
        const int side = static_cast<int>(100 * ratio);
        const QRect corner(0, shown.height() - side, side, side);
        QVERIFY(
            differing(shown.copy(corner),
                      m_viewport->grabImage(shown.size(), viewport::Viewport::Content::ModelOnly, ratio).copy(corner),
                      8) > 500);
        QCOMPARE(differing(shown.copy(corner), grabbed.copy(corner), 8), 0);
    }

    void clickingSelectsAndClickingTheBackgroundClears()
    {
        openMannequin();
        const editor::HandleView& handle = m_editor->frame()->handles.front();
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {},
                          toPoint(m_viewport->view().project(handle.target.goal.position).pixel));
        QCOMPARE(m_editor->selection().active(), editor::SelectionItem::of(handle.handle));
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, QPoint(20, 20));
        QVERIFY(m_editor->selection().isEmpty());
    }

    void draggingAnArmMovesTheGoalByThatMuchAndDrawsEveryMove()
    {
        openMannequin();
        const HandleId hand = m_editor->frame()->handles.back().handle;
        m_editor->selection().select(editor::SelectionItem::of(hand));
        QVERIFY(test::waitForPicture(*m_viewport));
        const viewport::View view = m_viewport->view();
        const Vector3 from = m_editor->frame()->find(hand)->target.goal.position;
        const viewport::GizmoPlace place = viewport::gizmoAt(view, from, Quaternion::Identity(), 88);
        const auto grabbed = [&](double along) {
            return toPoint(view.project(from + (0.7 * place.arm + along) * Vector3::UnitY()).pixel);
        };
        QTest::mouseMove(m_viewport.get(), grabbed(0));
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, grabbed(0));
        QTest::mouseMove(m_viewport.get(), grabbed(0.02));
        QTRY_VERIFY(m_editor->drag().isActive());
        settle();

        const std::uint64_t before = m_viewport->framesDrawn();
        constexpr int kMoves = 40;
        double overlay = 0, solve = 0;
        for (int i = 1; i <= kMoves; ++i) {
            QTest::mouseMove(m_viewport.get(), grabbed(0.02 + 0.2 * i / kMoves));
            settle();
            overlay = std::max(overlay, m_viewport->overlaySeconds());
            solve = std::max(solve, m_editor->frame()->solveSeconds);
        }
        const auto drawn = m_viewport->framesDrawn() - before;
        qInfo("%d moves, %d frames; at most %.2f ms palette and overlay, %.2f ms solve", kMoves,
              static_cast<int>(drawn), 1000 * overlay, 1000 * solve);
        QVERIFY(drawn <= kMoves && drawn >= kMoves - 2); // two moves may fall on one pixel
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, grabbed(0.22));
        settle();
        const Vector3 moved = m_editor->frame()->find(hand)->target.goal.position - from;
        const double pixel = view.metresPerPixel(from);
        QVERIFY2((moved - Vector3(0, 0.22, 0)).norm() < 2 * pixel, qPrintable(QString::number(moved.y())));
        QVERIFY(!m_editor->document().edit().pending.empty()); // its channel is keyed and Auto Key is off
    }

    /// The goal of a wrist that is reached lies under the middle of the wrist's gizmo.
    void aClickOnAGoalUnderAGizmoSelectsTheGoalAndADragTheGizmo()
    {
        openMannequin();
        const HandleId hand = m_editor->document().scene().handleNamed("HandIK_R")->id;
        const JointId wrist = m_editor->document().scene().find(hand)->end;
        m_editor->view().edit([](editor::ViewState& state) { state.tool = editor::Tool::Move; });
        m_editor->selection().select(editor::SelectionItem::of(wrist));
        settle();
        const QPoint at = toPoint(
            m_viewport->view().project(m_editor->frame()->find(hand)->target.goal.position).pixel);
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, at);
        QCOMPARE(m_editor->selection().active(), editor::SelectionItem::of(hand));

        m_editor->selection().select(editor::SelectionItem::of(wrist));
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, at);
        QMouseEvent move(QEvent::MouseMove, at + QPoint(20, 0), m_viewport->mapToGlobal(at + QPoint(20, 0)),
                         Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_viewport.get(), &move);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, at + QPoint(20, 0));
        QCOMPARE(m_editor->selection().active(), editor::SelectionItem::of(wrist));
    }

    /// A curve leads through its joints: beside their dots it is what is clicked.
    void aCurveIsClickedBesideTheDotsOfItsJoints()
    {
        QVERIFY(m_editor->document().openSample("opengl-arm").has_value());
        QVERIFY(m_editor->document().apply({{"op", "setHandle"}, {"name", "Reach"}, {"solver", "spline"}}).has_value());
        settle();
        QVERIFY(test::waitForPicture(*m_viewport));
        const editor::HandleView& reach = *m_editor->frame()->find(
            m_editor->document().scene().handleNamed("Reach")->id);
        const viewport::View view = m_viewport->view();
        const auto nearest = [&](const Vector2& pixel, const std::vector<Vector3>& places) {
            double distance = 1e9;
            for (const Vector3& place : places)
                distance = std::min(distance, (view.project(place).pixel - pixel).norm());
            return distance;
        };
        std::vector<Vector3> joints;
        for (const Affine& joint : m_editor->frame()->solved.model.modelFromJoint)
            joints.push_back(joint.translation());
        int beside = 0;
        for (std::size_t i = 1; i < reach.curve.size(); ++i)
            for (const double share : {0.0, 0.25, 0.5, 0.75}) {
                const Vector2 pixel =
                    view.project(reach.curve[i] + share * (reach.curve[i - 1] - reach.curve[i])).pixel;
                const double joint = nearest(pixel, joints);
                if (joint < 5 || joint > 8 || nearest(pixel, reach.target.curve) < 16) continue;
                ++beside;
                QTest::mouseClick(m_viewport.get(), Qt::RightButton, {}, toPoint(pixel));
                QCOMPARE(m_editor->selection().hovered(), editor::SelectionItem::of(reach.handle));
            }
        QVERIFY(beside > 0);
        for (const Vector3& joint : joints) { // and on a dot the joint
            const Vector2 pixel = view.project(joint).pixel;
            if (nearest(pixel, reach.target.curve) < 16) continue;
            QTest::mouseClick(m_viewport.get(), Qt::RightButton, {}, toPoint(pixel));
            QCOMPARE(m_editor->selection().hovered().kind, editor::SelectionItem::Kind::Joint);
        }
    }

    void escapeCancelsADragAndTypedValuesOverrideIt()
    {
        openMannequin();
        const HandleId hand = m_editor->frame()->handles.back().handle;
        m_editor->selection().select(editor::SelectionItem::of(hand));
        const Vector3 from = m_editor->frame()->find(hand)->target.goal.position;
        const viewport::View view = m_viewport->view();
        const viewport::GizmoPlace place = viewport::gizmoAt(view, from, Quaternion::Identity(), 88);
        const auto grabbed = [&](double along) {
            return toPoint(view.project(from + (0.7 * place.arm + along) * Vector3::UnitY()).pixel);
        };
        const auto drag = [&] {
            QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, grabbed(0));
            QTest::mouseMove(m_viewport.get(), grabbed(0.1));
            QTRY_VERIFY(m_editor->drag().isActive());
        };
        drag();
        QTest::keyClick(m_viewport.get(), Qt::Key_Escape);
        QVERIFY(!m_editor->drag().isActive());
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, grabbed(0.1));
        settle();
        QVERIFY(m_editor->frame()->find(hand)->target.goal.position == from);
        QCOMPARE(m_editor->document().history().undoCount(), std::size_t{0});

        drag();
        QTest::keyClicks(m_viewport.get(), QStringLiteral("-5"));
        QTest::keyClick(m_viewport.get(), Qt::Key_Return);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, grabbed(0.1));
        settle();
        const Vector3 moved = m_editor->frame()->find(hand)->target.goal.position - from;
        QVERIFY2((moved - Vector3(0, -0.05, 0)).norm() < 1e-9, qPrintable(QString::number(moved.y())));
    }

    void aChainIsPickedByItsEndsAndInvalidChainsAreRefused()
    {
        openMannequin();
        m_editor->view().edit([](editor::ViewState& state) { state.showsHandles = false; });
        const Scene& scene = m_editor->document().scene();
        const auto click = [&](JointId joint) {
            const Vector3 at = m_editor->frame()->worldFromJoint(joint)->translation();
            QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(m_viewport->view().project(at).pixel));
        };
        // The longest chain below the first root; its first joint may move, its second joint is the start here.
        const CompiledRig& rig = *m_editor->frame()->rig;
        const JointId root = rig.id[0];
        JointId child;
        for (std::size_t i = 1; i < rig.jointCount() && !child.isValid(); ++i)
            if (rig.parent[i] == 0) child = rig.id[i];
        QVERIFY(isAncestor(scene, root, child));
        QSignalSpy refused(m_viewport.get(), &Viewport::refused), picked(m_viewport.get(), &Viewport::chainPicked);
        m_viewport->startChainPick();
        click(child);
        click(root);
        QCOMPARE(refused.size(), 1);
        QVERIFY(m_viewport->isChainPicking());
        QTest::keyClick(m_viewport.get(), Qt::Key_Escape);
        QVERIFY(!m_viewport->isChainPicking());
        m_viewport->startChainPick();
        click(root);
        click(child);
        QCOMPARE(picked.size(), 1);
        QVERIFY(!m_viewport->isChainPicking());
    }

    void aSelectedJointIsAnEndOfTheChain()
    {
        openMannequin();
        m_editor->view().edit([](editor::ViewState& state) { state.showsHandles = false; });
        const Scene& scene = m_editor->document().scene();
        const JointId foot = *scene.jointNamed("Foot_L"), thigh = *scene.jointNamed("Thigh_L");
        JointId root = foot;
        while (scene.find(root)->parent.isValid()) root = scene.find(root)->parent;
        QSignalSpy picked(m_viewport.get(), &Viewport::chainPicked);
        const auto ends = [&] {
            const auto last = picked.takeLast();
            return std::pair(last[0].value<JointId>(), last[1].value<JointId>());
        };
        const QImage before = m_viewport->grabImage(m_viewport->size());
        m_viewport->setFocus();
        QTRY_VERIFY(m_viewport->isAtRest());
        QCoreApplication::processEvents();
        const PaintCount paints(*m_viewport);
        m_viewport->startChainPick(foot);
        QTRY_VERIFY(paints.count > 0);                                // at once, not when the mouse moves
        QVERIFY(m_viewport->grabImage(m_viewport->size()) != before); // it is shown
        QTest::keyClick(m_viewport.get(), Qt::Key_Return);
        QCOMPARE(picked.size(), 1);
        QVERIFY(ends() == std::pair(root, foot));
        QVERIFY(!m_viewport->isChainPicking());

        const auto placeOf = [&](JointId joint) {
            const Vector3 at = m_editor->frame()->worldFromJoint(joint)->translation();
            return toPoint(m_viewport->view().project(at).pixel);
        };
        const auto click = [&](JointId joint) {
            QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, placeOf(joint));
        };
        m_viewport->startChainPick(foot);
        click(thigh); // above it
        QCOMPARE(picked.size(), 1);
        QVERIFY(ends() == std::pair(thigh, foot));

        QSignalSpy refused(m_viewport.get(), &Viewport::refused);
        m_viewport->startChainPick(thigh);
        click(*scene.jointNamed("Foot_R")); // neither above nor below
        QCOMPARE(refused.size(), 1);
        QVERIFY2(refused[0][0].toString().contains("neither"), qPrintable(refused[0][0].toString()));
        QVERIFY(m_viewport->isChainPicking());
        click(foot); // below it
        QCOMPARE(picked.size(), 1);
        QVERIFY(ends() == std::pair(thigh, foot));
        QVERIFY(!m_viewport->isChainPicking());

        QTest::mouseMove(m_viewport.get(), QPoint(5, 5)); // off all joints
        m_viewport->startChainPick(root);
        QTest::keyClick(m_viewport.get(), Qt::Key_Return); // there is nothing above it
        QVERIFY(picked.isEmpty() && m_viewport->isChainPicking());
        click(foot);
        QVERIFY(ends() == std::pair(root, foot));

        // The dashed line leads from the selected joint to the pointer before anything is clicked.
        m_viewport->startChainPick(thigh);
        const QPoint from = placeOf(thigh), away = from + QPoint(200, 20);
        QTest::mouseMove(m_viewport.get(), away);
        QCoreApplication::processEvents();
        const QImage picture = m_viewport->grabImage(m_viewport->size());
        int changes = 0;
        for (int i = 21; i <= 80; ++i) {
            const auto greyAt = [&](int share) { return qGray(picture.pixel(from + (away - from) * share / 100)); };
            changes += std::abs(greyAt(i) - greyAt(i - 1)) > 25 ? 1 : 0;
        }
        QVERIFY2(changes >= 6, qPrintable(QString("%1 dashes").arg(changes)));
    }

    /// What the view shows of a step says that it is no answer, and its ghosts can be seen.
    void theViewSaysWhichStepItShows()
    {
        openMannequin();
        editor::Comparison& comparison = m_editor->comparison();
        comparison.setHandle(m_editor->document().scene().handleNamed("HandIK_R")->id);
        comparison.setOthers({"ccd"});
        comparison.setActive(true);
        m_editor->finishFrame();
        comparison.finish();
        const auto wordsAt = [&](int step) {
            m_editor->steps().goTo(step);
            viewport::DisplayList list;
            std::vector<viewport::Label> labels;
            drawComparison(
                list, labels, m_viewport->view(),
                {comparison, m_editor->steps(), m_editor->stepDisplay(), m_editor->drawnFrame() != m_editor->frame()},
                *m_editor->drawnFrame(), viewport::OverlayColours(editor::Theme::instance()));
            int faintest = 255;
            for (const auto& vertex : list.vertices()) faintest = std::min<int>(faintest, vertex.colour.a);
            if (faintest < 100) qFatal("a ghost of opacity %d", faintest);
            return labels.empty() ? QString() : labels.front().text;
        };
        const QString own = QString::fromStdString(comparison.recording()->solvers.front().name);
        QVERIFY2(wordsAt(0).contains("where " + own + " starts, not its answer"), qPrintable(wordsAt(0)));
        QVERIFY2(!wordsAt(m_editor->steps().last()).contains("Compare"), "at the answer");
        m_editor->steps().goTo(0);
        comparison.setActive(false);
        QVERIFY(wordsAt(0).isEmpty() && m_editor->drawnFrame() == m_editor->frame());
    }
};

TENDON_TEST(TestViewport)
#include "tst_viewport.moc"

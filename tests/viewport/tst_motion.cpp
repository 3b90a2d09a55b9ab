#include "app/editor/Theme.h"
#include "app/editor/Visibility.h"
#include "app/viewport/ViewGrid.h"
#include "app/viewport/overlay/LimitOverlay.h"
#include "core/document/MakeOperation.h"
#include "tests/support/TestProgram.h"
#include "tests/viewport/ViewportUnderTest.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSignalSpy>

using namespace tendon;
using editor::SelectionItem;
using viewport::StandardView;
using viewport::Vector2;
using viewport::Viewport;

/// What is seen of other moments, what is hidden or locked, and where the camera has been.
class TestMotion : public ViewportUnderTest
{
    Q_OBJECT

    [[nodiscard]] const Scene& scene() const { return m_editor->document().scene(); }
    [[nodiscard]] HandleId handle(const char* name) const { return scene().handleNamed(name)->id; }
    [[nodiscard]] JointId joint(const char* name) const { return *scene().jointNamed(name); }
    [[nodiscard]] Vector3 goal(int frame, const char* name)
    {
        m_editor->goToFrame(frame);
        return m_editor->finishFrame()->find(handle(name))->target.goal.position;
    }

    void apply(const QJsonObject& operation)
    {
        const auto done = m_editor->document().apply(operation);
        if (!done) qFatal("%s", done.error().text().c_str());
    }

    /// A hand that goes a long way in front of the body, keyed at 1, 21 and 41; frame 21 is shown.
    void keyHand()
    {
        openMannequin();
        apply({{"op", "addClip"}, {"name", "reach"}});
        apply({{"op", "setRange"}, {"from", 1}, {"to", 41}});
        const Vector3 places[] = {{0.7, 1.4, 0.2}, {0.5, 1.2, 0.5}, {0.6, 0.9, 0.2}};
        for (int i = 0; i < 3; ++i) {
            m_editor->goToFrame(1 + 20 * i);
            apply({{"op", "setGoal"},
                   {"handle", "HandIK_L"},
                   {"position", QJsonArray{places[i].x(), places[i].y(), places[i].z()}}});
            apply({{"op", "key"}, {"target", "HandIK_L"}, {"channels", QJsonArray{"goal.position"}}});
        }
        m_editor->goToFrame(21);
        settle();
    }

    void waitForRange()
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->range().isComplete(), 20'000);
        QVERIFY(test::waitForPicture(*m_viewport));
    }

    [[nodiscard]] Vector2 pixel(const Vector3& world) const { return m_viewport->view().project(world).pixel; }

    void drag(const Vector2& from, const Vector2& to, Qt::Key ending = Qt::Key_unknown)
    {
        QTest::mouseMove(m_viewport.get(), toPoint(from));
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, toPoint(from));
        for (int i = 1; i <= 4; ++i) {
            const QPointF at(toPoint(Vector2(from + 0.25 * i * (to - from))));
            QMouseEvent move(QEvent::MouseMove, at, m_viewport->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(m_viewport.get(), &move);
        }
        if (ending != Qt::Key_unknown) QTest::keyClick(m_viewport.get(), ending);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, toPoint(to));
    }

    /// Pixels that the bluish past and the orange future have tinted.
    struct Tints
    {
        int blue = 0, orange = 0;
    };
    [[nodiscard]] static Tints tints(const QImage& with, const QImage& without)
    {
        Tints tints;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x) {
                const QColor a = with.pixelColor(x, y), b = without.pixelColor(x, y);
                const int red = a.red() - b.red(), blue = a.blue() - b.blue();
                tints.blue += blue > 12 && blue > red + 8;
                tints.orange += red > 12 && red > blue + 8;
            }
        return tints;
    }

private slots:
    void ghostsTintThePastBlueAndTheFutureOrange()
    {
        keyHand();
        m_editor->view().edit([](editor::ViewState& s) { s.showsHud = false; }); // its figures change
        settle();
        const QImage without = m_viewport->grabImage({700, 500});
        m_editor->view().edit([](editor::ViewState& s) {
            s.showsGhosts = true;
            s.ghostStep = 5;
        });
        waitForRange();
        const Tints both = tints(m_viewport->grabImage({700, 500}), without);
        QVERIFY2(both.blue > 150 && both.orange > 150, qPrintable(QString("%1, %2").arg(both.blue).arg(both.orange)));
        const QImage model = m_viewport->grabImage({700, 500}, Viewport::Content::ModelOnly);
        m_editor->view().edit([](editor::ViewState& s) { s.showsGhosts = false; });
        settle();
        QVERIFY(differing(m_viewport->grabImage({700, 500}), without, 6) < 30);
        // A picture of the model alone has none.
        QVERIFY(differing(m_viewport->grabImage({700, 500}, Viewport::Content::ModelOnly), model, 6) < 10);
        m_editor->view().edit([](editor::ViewState& s) { s.showsGhosts = s.ghostsAreBones = true; });
        waitForRange();
        const Tints bones = tints(m_viewport->grabImage({700, 500}), without);
        QVERIFY2(bones.blue > 40 && bones.orange > 40, qPrintable(QString("%1, %2").arg(bones.blue).arg(bones.orange)));
    }

    void aKeyOfATrailIsDraggedAsOneStep()
    {
        keyHand();
        m_editor->view().edit([](editor::ViewState& s) { s.showsTrails = true; });
        m_editor->selection().select(SelectionItem::of(handle("HandIK_L")));
        waitForRange();
        const Vector3 before = m_editor->range().find(41)->frame->find(handle("HandIK_L"))->goal;
        const Vector2 from = pixel(before), to = from + Vector2(-60, -40);
        const std::size_t steps = m_editor->document().history().undoCount();
        drag(from, to);
        QCOMPARE(m_editor->document().history().undoCount(), steps + 1);
        QCOMPARE(m_editor->document().edit().frame, 21); // the playhead stays
        waitForRange();
        const Vector3 after = m_editor->range().find(41)->frame->find(handle("HandIK_L"))->goal;
        QVERIFY2((pixel(after) - to).norm() < 1.5,
                 qPrintable(QString("%1 %2").arg((pixel(after) - to).x()).arg((pixel(after) - to).y())));
        QVERIFY(m_editor->document().undo());
        QCOMPARE(goal(41, "HandIK_L"), before);
    }

    void escGivesUpTheDragOfAKeyAndAClickGoesToItsFrame()
    {
        keyHand();
        m_editor->view().edit([](editor::ViewState& s) { s.showsTrails = true; });
        m_editor->selection().select(SelectionItem::of(handle("HandIK_L")));
        waitForRange();
        const Vector2 key = pixel(m_editor->range().find(1)->frame->find(handle("HandIK_L"))->goal);
        const Scene before = scene();
        const std::size_t steps = m_editor->document().history().undoCount();
        drag(key, key + Vector2(30, 30), Qt::Key_Escape);
        QCOMPARE(m_editor->document().history().undoCount(), steps);
        QVERIFY(scene() == before);
        waitForRange();
        QTest::mouseMove(m_viewport.get(), toPoint(key));
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(key));
        QCOMPARE(m_editor->document().edit().frame, 1);
    }

    void whatIsLockedOrHiddenIsNotPickedOrPosed()
    {
        openMannequin();
        const Vector2 hand = pixel(m_editor->frame()->find(handle("HandIK_L"))->target.goal.position);
        apply({{"op", "setLocked"}, {"objects", QJsonArray{"HandIK_L", "Hand_L"}}});
        settle();
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(hand));
        QVERIFY(m_editor->selection().active() != SelectionItem::of(handle("HandIK_L")));
        QVERIFY(m_editor->selection().active() != SelectionItem::of(joint("Hand_L")));
        m_editor->selection().select(SelectionItem::of(handle("HandIK_L"))); // as the outliner does
        QVERIFY(test::waitForPicture(*m_viewport));
        const Scene before = scene();
        drag(hand, hand + Vector2(40, -40));
        QVERIFY(scene() == before);
        const auto begun = m_editor->drag().begin(SelectionItem::of(handle("HandIK_L")),
                                                  editor::DragSession::Kind::Move, m_editor->frame());
        QVERIFY(!begun.has_value());
        QVERIFY2(begun.error().text().find("is locked") != std::string::npos, begun.error().text().c_str());
        apply({{"op", "setLocked"}, {"on", false}});
        settle();
        m_editor->selection().clear();
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(hand));
        QCOMPARE(m_editor->selection().active(), SelectionItem::of(handle("HandIK_L")));

        m_editor->selection().clear();
        m_editor->view().edit([](editor::ViewState& s) { s.showsHud = false; });
        settle();
        const QImage shown = m_viewport->grabImage({700, 500});
        apply({{"op", "setHidden"}, {"objects", QJsonArray{"HandIK_L", "UpperArm_L"}}});
        m_editor->selection().clear();
        settle();
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(hand));
        QVERIFY(m_editor->selection().isEmpty());
        const QImage hidden = m_viewport->grabImage({700, 500});
        const Vector2 elbow = pixel(m_editor->frame()->worldFromJoint(joint("Forearm_L"))->translation());
        const QRect around(toPoint(elbow) - QPoint(15, 15), QSize(30, 30));
        QVERIFY2(differing(shown.copy(around), hidden.copy(around), 10) > 60, "the arm is still drawn");
        QVERIFY(m_editor->document().undo());
        settle();
        QVERIFY(differing(m_viewport->grabImage({700, 500}).copy(around), shown.copy(around), 10) < 20);
    }

    void isolationShowsTheSelectionAlone()
    {
        openMannequin();
        const Vector2 head = pixel(m_editor->frame()->find(handle("HeadIK"))->target.goal.position),
                      hand = pixel(m_editor->frame()->find(handle("HandIK_L"))->target.goal.position);
        m_editor->selection().select(SelectionItem::of(handle("HandIK_L")));
        const std::set<ObjectId> shown = editor::isolatedBy(scene(), m_editor->selection());
        QVERIFY(shown.count(joint("Forearm_L").value) == 1); // its chain comes along
        m_editor->view().edit([&](editor::ViewState& s) { s.isolated = shown; });
        m_editor->selection().clear();
        settle();
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(head));
        QVERIFY(m_editor->selection().isEmpty());
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(hand));
        QVERIFY(m_editor->selection().containsObject(handle("HandIK_L").value));
    }

    void thePreviewOfALimitLeavesTheFormerPoseAsAGhost()
    {
        openMannequin();
        m_editor->view().edit([](editor::ViewState& s) { s.showsHud = false; });
        m_viewport->lookFrom(StandardView::Right);
        m_editor->selection().select(SelectionItem::of(joint("Shin_L")));
        settle();
        const editor::FramePtr frame = m_editor->frame();
        const JointIndex index = viewport::jointOfLimits(*frame, m_editor->selection().active());
        std::optional<Vector2> from;
        for (const viewport::LimitShape& shape : viewport::limitsShown(m_viewport->view(), *frame, index, 1))
            if (shape.kind == viewport::LimitShape::Kind::Turn && shape.grips.size() > 1)
                from = pixel(shape.grips[1].at(shape.grips[1].value));
        QVERIFY(from.has_value());
        const QImage before = m_viewport->grabImage({700, 500});
        QTest::mouseMove(m_viewport.get(), toPoint(*from));
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, Qt::ControlModifier, toPoint(*from));
        const QPointF at(toPoint(*from) + QPoint(30, 25));
        QMouseEvent move(QEvent::MouseMove, at, m_viewport->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                         Qt::ControlModifier);
        QCoreApplication::sendEvent(m_viewport.get(), &move);
        m_editor->scheduler().finish();
        QCoreApplication::processEvents();
        // Where the shin was is a blue line now.
        const Vector2 knee = pixel(frame->worldFromJoint(joint("Shin_L"))->translation()),
                      ankle = pixel(frame->worldFromJoint(joint("Foot_L"))->translation());
        const QImage during = m_viewport->grabImage({700, 500});
        const Tints ghost = tints(during, before);
        int along = 0;
        for (double share = 0.2; share < 0.85; share += 0.05) {
            const QColor colour = during.pixelColor(toPoint(Vector2(knee + share * (ankle - knee))));
            along += colour.blue() > colour.red() + 30;
        }
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, Qt::ControlModifier, at.toPoint());
        QVERIFY2(along >= 8 && ghost.blue > 40, qPrintable(QString("%1, %2").arg(along).arg(ghost.blue)));
        settle();
        QVERIFY(tints(m_viewport->grabImage({700, 500}), before).blue < 20);
    }

    void aPoleThatIsNotDrawnIsNotPicked()
    {
        openMannequin();
        apply({{"op", "setHandle"}, {"name", "FootIK_L"}, {"pole", QJsonArray{0.1, 0.5, 0.6}}});
        apply({{"op", "setHandle"}, {"name", "FootIK_R"}, {"pole", QJsonArray{-0.1, 0.5, 0.6}}});
        m_viewport->lookFrom(StandardView::Right);
        m_editor->selection().select(SelectionItem::of(handle("FootIK_R")));
        settle();
        const auto pole = [&](const char* name) { return *m_editor->frame()->find(handle(name))->target.pole; };
        const Vector2 at = pixel(pole("FootIK_R"));
        QVERIFY((pixel(pole("FootIK_L")) - at).norm() < 12); // both are there, seen from the side
        QTest::mouseClick(m_viewport.get(), Qt::LeftButton, {}, toPoint(pixel(pole("FootIK_L"))));
        QCOMPARE(m_editor->selection().active(), SelectionItem::poleOf(handle("FootIK_R")));
        m_editor->selection().clear();
        settle();
        QTest::mouseMove(m_viewport.get(), toPoint(at));
        QVERIFY(m_editor->selection().hovered().kind != SelectionItem::Kind::Pole);
    }

    void playbackHidesTheRigWhereItIsAskedTo()
    {
        keyHand();
        m_editor->view().edit([](editor::ViewState& s) { s.showsHud = s.showsGrid = false; });
        m_editor->playback().clock = [] { return qint64{0}; }; // stays at its first frame
        const auto playing = [&] {
            m_editor->playback().play(21);
            m_editor->goToFrame(21);
            m_editor->playback().play(21);
            m_editor->scheduler().finish();
            QCoreApplication::processEvents();
            return m_viewport->grabImage({700, 500});
        };
        const QImage rig = playing();
        m_editor->view().edit([](editor::ViewState& s) { s.hidesRigInPlayback = true; });
        const QImage mesh = playing();
        const QImage model = m_viewport->grabImage({700, 500}, Viewport::Content::ModelOnly);
        QVERIFY2(differing(rig, mesh) > 500, qPrintable(QString::number(differing(rig, mesh))));
        const QRect figure(150, 0, 400, 500); // without the view cube
        QVERIFY2(differing(mesh.copy(figure), model.copy(figure)) < 40,
                 qPrintable(QString::number(differing(mesh.copy(figure), model.copy(figure)))));
        m_editor->playback().stop();
    }

    void perspectiveComesBackAsItWasAndSoDoViews()
    {
        openMannequin();
        viewport::Camera own = m_viewport->camera();
        own.yaw = 0.9;
        own.distance = 3;
        m_viewport->setCamera(own);
        m_editor->view().edit([](editor::ViewState& s) { s.camera = editor::CameraKind::Right; });
        QVERIFY(m_viewport->camera().isOrthographic);
        viewport::Camera side = m_viewport->camera();
        side.target += Vector3(0, 0.4, 0);
        m_viewport->setCamera(side);
        m_editor->view().edit([](editor::ViewState& s) { s.camera = editor::CameraKind::Perspective; });
        QVERIFY(m_viewport->camera() == own);
        m_viewport->previousView();
        QTRY_VERIFY(!m_viewport->isCameraMoving());
        QVERIFY(m_viewport->camera() == side);
        m_viewport->previousView();
        QTRY_VERIFY(!m_viewport->isCameraMoving());
        QVERIFY(m_viewport->camera().isOrthographic && m_viewport->camera() != side);
        m_viewport->nextView();
        QTRY_VERIFY(!m_viewport->isCameraMoving());
        QVERIFY(m_viewport->camera() == side);
        m_viewport->nextView();
        QTRY_VERIFY(!m_viewport->isCameraMoving());
        QVERIFY(m_viewport->camera() == own);
        QVERIFY(!m_viewport->hasNextView());
    }

    void theCameraGoesAlongWithWhatItFollows()
    {
        keyHand();
        const Vector3 at21 = goal(21, "HandIK_L"), at41 = goal(41, "HandIK_L");
        m_editor->selection().select(SelectionItem::of(handle("HandIK_L")));
        (void)goal(21, "HandIK_L");
        settle();
        m_editor->view().edit([](editor::ViewState& s) { s.follow = editor::Follow::Selection; });
        const Vector3 before = m_viewport->camera().target;
        (void)goal(21, "HandIK_L");
        settle();
        m_editor->goToFrame(41);
        settle();
        QVERIFY((m_viewport->camera().target - before - (at41 - at21)).norm() < 1e-9);
        const Vector3 there = m_viewport->camera().target;
        apply({{"op", "setGoal"}, {"handle", "HandIK_L"}, {"position", QJsonArray{0.2, 1.0, 0.6}}});
        settle();
        QVERIFY(m_viewport->camera().target == there); // an edit is no time that passes

        // The root stays at the floor, and the hips below it travel.
        apply({{"op", "addClip"}, {"name", "walk"}});
        apply({{"op", "addJoint"}, {"name", "floor"}});
        apply({{"op", "link"}, {"joint", "Hips"}, {"parent", "floor"}});
        for (const auto& [frame, z] : {std::pair(1, 0.0), std::pair(41, 2.0)}) {
            m_editor->goToFrame(frame);
            apply({{"op", "setGoal"}, {"handle", "HipsIK"}, {"position", QJsonArray{0.0, 0.95, z}}});
            apply({{"op", "key"}, {"target", "HipsIK"}, {"channels", QJsonArray{"goal.position"}}});
        }
        m_editor->view().edit([](editor::ViewState& s) { s.follow = editor::Follow::Root; });
        const auto hipsAt = [&](int frame) {
            m_editor->goToFrame(frame);
            settle();
            return Vector3(m_editor->frame()->worldFromJoint(joint("Hips"))->translation());
        };
        const Vector3 from = hipsAt(1), target = m_viewport->camera().target, to = hipsAt(41);
        QVERIFY((to - from).norm() > 1);
        QVERIFY((m_viewport->camera().target - target - (to - from)).norm() < 1e-9);
    }

    void framingASmallJointShowsWhatIsAroundIt()
    {
        QVERIFY(m_editor->document().openSample("lamp").has_value());
        settle();
        m_editor->selection().select(SelectionItem::of(joint("Hinge01")));
        const double whole = m_viewport->bounds().size().norm();
        m_viewport->frameSelected();
        QTRY_VERIFY(!m_viewport->isCameraMoving());
        const double seen = m_viewport->camera().distance * std::tan(m_viewport->camera().fieldOfView / 2) * 2; // [m]
        QVERIFY2(seen > 0.08 * whole, qPrintable(QString("%1 of %2 m").arg(seen).arg(whole)));
    }

    void autoTerminationShowsWhereItStopsTheDrag()
    {
        QVERIFY(m_editor->document().openSample("lamp").has_value());
        settle();
        m_editor->view().edit([](editor::ViewState& s) { s.terminationDepth = 2; });
        const Vector2 from = pixel(m_editor->frame()->worldFromJoint(joint("Lever02"))->translation());
        QTest::mouseMove(m_viewport.get(), toPoint(from));
        QTest::mousePress(m_viewport.get(), Qt::LeftButton, {}, toPoint(from));
        const SelectionItem dragged = m_editor->selection().active();
        QVERIFY(dragged.joint().isValid());
        const QPointF at(toPoint(from) + QPoint(12, 6));
        QMouseEvent move(QEvent::MouseMove, at, m_viewport->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_viewport.get(), &move);
        QVERIFY(m_editor->drag().isActive());
        settle();
        JointId stop = dragged.joint();
        for (int i = 0; i < 2; ++i) stop = scene().find(stop)->parent;
        const Vector2 mark = pixel(m_editor->drawnFrame()->worldFromJoint(stop)->translation());
        const QRect below(toPoint(mark) + QPoint(-8, 7), QSize(16, 9));
        const QImage during = m_viewport->grabImage({700, 500}).copy(below);
        QTest::mouseRelease(m_viewport.get(), Qt::LeftButton, {}, at.toPoint());
        QVERIFY(m_editor->document().undo());
        settle();
        const QColor bar = editor::Theme::instance().color("rig.terminator");
        const auto count = [&](const QImage& image) {
            int found = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    found += std::abs(image.pixelColor(x, y).hue() - bar.hue()) < 12 &&
                             image.pixelColor(x, y).saturation() > 60;
            return found;
        };
        QVERIFY2(count(during) > 20, qPrintable(QString::number(count(during))));
        QVERIFY(count(m_viewport->grabImage({700, 500}).copy(below)) < 5);
    }

    void fourViewsShowTheSameSceneAndOneIsActive()
    {
        openMannequin();
        Viewport* main = m_viewport.get();
        viewport::ViewGrid grid(*main);
        grid.resize(900, 700);
        grid.show();
        QVERIFY(QTest::qWaitForWindowExposed(&grid));
        grid.setFour(true);
        const auto views = grid.findChildren<Viewport*>();
        QCOMPARE(views.size(), qsizetype{4});
        for (const Viewport* view : views) QVERIFY(view->isVisible());
        Viewport* front = nullptr;
        for (Viewport* view : views)
            if (viewport::standardViewOf(view->camera()) == StandardView::Front) front = view;
        QVERIFY(front != nullptr && main->isActive() && !front->isActive());
        const viewport::Camera own = main->camera();
        // Two keys of the wheel: the view under the mouse is the active one, and the only one that moves.
        QWheelEvent wheel(QPointF(50, 50), front->mapToGlobal(QPointF(50, 50)), {}, QPoint(0, 240), Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(front, &wheel);
        QVERIFY(front->isActive() && !main->isActive() && &grid.active() == front);
        QCOMPARE(m_editor->view().state().camera, editor::CameraKind::Front);
        QVERIFY(main->camera() == own);
        grid.setFour(false);
        QVERIFY(front->isVisible() && !main->isVisible()); // the active one alone
        grid.setFour(true);
        QVERIFY(test::waitForPicture(*front));
        const FramePtrOf shown = m_editor->finishFrame();
        for (Viewport* view : views) QTRY_COMPARE(view->frameShown(), shown->request);
        main->setParent(nullptr); // the fixture owns it
        m_viewport->hide();
    }

private:
    using FramePtrOf = editor::FramePtr;
};

TENDON_TEST(TestMotion)
#include "tst_motion.moc"

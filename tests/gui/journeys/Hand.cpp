#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/editor/LengthUnit.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"

#include <QMenu>

namespace tendon::test {
namespace {

using namespace editor;

/// Pull anything: knees, elbows and joints that IK drives, by the mouse and as in Blender by the keyboard.
class HandJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;

    [[nodiscard]] std::size_t missed()
    {
        const FramePtr frame = w->frame();
        return static_cast<std::size_t>(std::count_if(frame->handles.begin(), frame->handles.end(),
                                                      [](const HandleView& view) { return view.isMissed; }));
    }
    [[nodiscard]] Vector3 placeOf(const char* joint) { return w->worldOf(joint).translation(); }
    void undoAll()
    {
        while (w->document().undo()) w->settle();
        w->settle();
    }
    void mouse(QEvent::Type type, const QPoint& at, Qt::MouseButton button)
    {
        QMouseEvent event(type, at, w->view->mapToGlobal(at), button,
                          type == QEvent::MouseButtonPress ? button : Qt::NoButton, {});
        QApplication::sendEvent(w->view, &event);
        w->settle();
    }

private slots:
    void aKneeSwingsAndTheFootStays();
    void anElbowSwingsAndTheHandStays();
    void aDrivenJointTurnsByItsRing();
    void aLimitIsPreviewedFromTheSolvedPose();
    void gMovesWithoutAButton();
    void axesAndDigits();
    void escAndTheRightButtonCancel();
    void xDeletesAfterAsking();
};

void HandJourney::aKneeSwingsAndTheFootStays()
{
    w = std::make_unique<RealWindow>("mannequin");
    w->command("Front");
    w->command("Perspective");
    w->key(Qt::Key_W);
    const Vector3 foot = placeOf("Foot_L"), knee = placeOf("Shin_L"), goal = w->goalOf("FootIK_L");
    const std::size_t steps = w->document().history().undoCount();
    w->clickRow("Shin_L");
    w->drag(knee, {20, 0});
    QCOMPARE(w->document().history().undoCount(), steps + 1);
    QVERIFY((w->goalOf("FootIK_L") - goal).norm() < 1e-9);
    QVERIFY2((placeOf("Foot_L") - foot).norm() < 1e-3, qPrintable(QString::number((placeOf("Foot_L") - foot).norm())));
    QVERIFY2((placeOf("Shin_L") - knee).norm() > 0.005, qPrintable(QString::number((placeOf("Shin_L") - knee).norm())));
    // The ankle's limits may keep a foot from its rotation; no place is lost.
    for (const HandleView& view : w->frame()->handles) QVERIFY(view.result.positionError < 1e-3);
    w->picture("hand_knee");
    undoAll();
}

void HandJourney::anElbowSwingsAndTheHandStays()
{
    const Vector3 hand = placeOf("Hand_R"), elbow = placeOf("Forearm_R");
    w->clickRow("Forearm_R");
    w->drag(elbow, {-50, -40});
    QVERIFY((placeOf("Hand_R") - hand).norm() < 1e-3);
    QVERIFY((placeOf("Forearm_R") - elbow).norm() > 0.02);
    w->picture("hand_elbow");
    undoAll();
}

void HandJourney::aDrivenJointTurnsByItsRing()
{
    w->clickRow("UpperArm_R");
    w->key(Qt::Key_E);
    const Vector3 shoulder = placeOf("UpperArm_R"), elbow = placeOf("Forearm_R"), hand = placeOf("Hand_R");
    // Press on the joint's own dot. A ring that is seen from its edge may run over it: askew, so that it turns, too.
    w->drag(shoulder, {40, 40});
    QVERIFY((placeOf("UpperArm_R") - shoulder).norm() < 1e-3);
    QVERIFY2((placeOf("Forearm_R") - elbow).norm() > 0.02,
             qPrintable(QString::number((placeOf("Forearm_R") - elbow).norm())));
    // The chain turns as it is: the distances within it stay.
    QVERIFY(std::abs((placeOf("Hand_R") - placeOf("UpperArm_R")).norm() - (hand - shoulder).norm()) < 2e-3);
    QCOMPARE(missed(), std::size_t(0));
    w->picture("hand_turned");
    undoAll();
    w->key(Qt::Key_W);
}

void HandJourney::aLimitIsPreviewedFromTheSolvedPose()
{
    w->clickRow("Forearm_R");
    const Vector3 shoulder = placeOf("UpperArm_R"), elbow = placeOf("Forearm_R");
    Vector3 during = Vector3::Zero();
    w->dragField(
        "joint.turn.y.to", 30, [&] { during = placeOf("Forearm_R"); }, Qt::ControlModifier);
    QVERIFY2((during - elbow).norm() < 1e-6,
             qPrintable(QString::number((during - elbow).norm()))); // the arm above stays
    QVERIFY((placeOf("UpperArm_R") - shoulder).norm() < 1e-6);
    undoAll();
}

void HandJourney::gMovesWithoutAButton()
{
    w->window->setKeyPreset(KeyPreset::Blender);
    w->clickRow("HandIK_R");
    const Vector3 goal = w->goalOf("HandIK_R");
    const QPoint from = w->onScreen(goal);
    const std::size_t steps = w->document().history().undoCount();
    w->hover(from);
    w->key(Qt::Key_G);
    QVERIFY(w->view->isModal());
    w->hover(from + QPoint(20, -10));
    w->hover(from + QPoint(40, -20));
    w->settle();
    QVERIFY((w->goalOf("HandIK_R") - goal).norm() > 0.02);
    w->picture("hand_modal");
    mouse(QEvent::MouseButtonPress, from + QPoint(40, -20), Qt::LeftButton);
    QVERIFY(!w->view->isModal());
    mouse(QEvent::MouseButtonRelease, from + QPoint(40, -20), Qt::LeftButton);
    QCOMPARE(w->document().history().undoCount(), steps + 1);
    const Vector3 kept = w->goalOf("HandIK_R");
    w->hover(from + QPoint(90, 0)); // nothing follows the mouse any more
    QVERIFY((w->goalOf("HandIK_R") - kept).norm() < 1e-9);
    undoAll();
}

void HandJourney::axesAndDigits()
{
    w->clickRow("HandIK_R");
    const Vector3 goal = w->goalOf("HandIK_R");
    w->hover(w->onScreen(goal));
    w->key(Qt::Key_G);
    w->key(Qt::Key_X);
    for (const Qt::Key digit : {Qt::Key_1, Qt::Key_0}) w->key(digit);
    w->key(Qt::Key_Return);
    QVERIFY2((w->goalOf("HandIK_R") - goal - Vector3(0.1, 0, 0)).norm() < 1e-6, "10 cm along X");
    // Shift is fine: a tenth of the way.
    const QPoint at = w->onScreen(goal);
    const auto moveBy = [&](int y, Qt::KeyboardModifiers held) {
        const QPoint to = at + QPoint(0, y);
        QMouseEvent event(QEvent::MouseMove, to, w->view->mapToGlobal(to), Qt::NoButton, Qt::NoButton, held);
        QApplication::sendEvent(w->view, &event);
        w->settle();
        return w->goalOf("HandIK_R").y();
    };
    w->hover(at);
    w->key(Qt::Key_G);
    w->key(Qt::Key_Y);
    const double first = moveBy(0, {}), fine = moveBy(60, Qt::ShiftModifier), coarse = moveBy(120, {});
    w->key(Qt::Key_Escape);
    QVERIFY((w->goalOf("HandIK_R") - goal - Vector3(0.1, 0, 0)).norm() < 1e-6);
    QVERIFY2(std::abs(fine - first) > 1e-4 && std::abs(fine - first) < 0.2 * std::abs(coarse - fine),
             qPrintable(QString("%1, %2, %3").arg(first).arg(fine).arg(coarse)));
    undoAll();
    // A joint turns about its own axis with the letter twice.
    w->clickRow("Index1_R");
    const auto local = [&] { return w->localOf("Index1_R").rotation; };
    const Quaternion finger = local();
    w->hover(w->onScreen(placeOf("Index1_R")));
    w->key(Qt::Key_R);
    w->key(Qt::Key_X);
    w->key(Qt::Key_X);
    w->key(Qt::Key_5);
    w->key(Qt::Key_Return);
    const Eigen::AngleAxisd turned(finger.conjugate() * local());
    QVERIFY2(degrees(turned.angle()) < 5.01, qPrintable(QString::number(degrees(turned.angle()))));
    if (turned.angle() > 1e-3) QVERIFY(std::abs(turned.axis().x()) > 0.99);
    undoAll();
}

void HandJourney::escAndTheRightButtonCancel()
{
    w->clickRow("FootIK_L");
    const Vector3 goal = w->goalOf("FootIK_L");
    const std::size_t steps = w->document().history().undoCount();
    for (const bool isByKey : {true, false}) {
        const QPoint at = w->onScreen(goal);
        w->hover(at);
        w->key(Qt::Key_G);
        w->hover(at + QPoint(30, 30));
        w->settle();
        QVERIFY((w->goalOf("FootIK_L") - goal).norm() > 0.01);
        if (isByKey)
            w->key(Qt::Key_Escape);
        else
            mouse(QEvent::MouseButtonPress, at + QPoint(30, 30), Qt::RightButton);
        QVERIFY(!w->view->isModal());
        QVERIFY((w->goalOf("FootIK_L") - goal).norm() < 1e-9);
        QVERIFY(QApplication::activePopupWidget() == nullptr); // no menu comes up
        if (!isByKey) mouse(QEvent::MouseButtonRelease, at + QPoint(30, 30), Qt::RightButton);
    }
    QCOMPARE(w->document().history().undoCount(), steps);
}

void HandJourney::xDeletesAfterAsking()
{
    w->clickRow("HandIK_L");
    const std::size_t handles = w->scene().handles->size();
    const auto answer = [&](Qt::Key key) {
        QTimer::singleShot(0, w->window.get(), [key] {
            QTRY_VERIFY(qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr);
            QTest::keyClick(QApplication::activePopupWidget(), key);
        });
        w->key(Qt::Key_X);
    };
    answer(Qt::Key_Escape);
    QCOMPARE(w->scene().handles->size(), handles);
    answer(Qt::Key_Return);
    QCOMPARE(w->scene().handles->size(), handles - 1);
    QVERIFY(w->scene().handleNamed("HandIK_L") == nullptr);
    w->document().undo();
    w->settle();
    QCOMPARE(w->scene().handles->size(), handles);
    w.reset();
}

} // namespace

std::unique_ptr<QObject> makeHandJourney() { return std::make_unique<HandJourney>(); }

} // namespace tendon::test

#include "Hand.moc"

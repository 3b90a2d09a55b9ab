#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include <QCheckBox>
#include <QTemporaryDir>
#include <QToolButton>

namespace tendon::test {
namespace {

using namespace editor;

constexpr const char* kLamp[] = {"Support", "Hinge01", "Lever01", "Hinge02",
                                 "Lever02", "Hinge03", "Lever03", "Reflector"};

/// Journey 2: the table lamp, without any rig.
class LampJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    QTemporaryDir m_folder;
    QByteArray m_terminated; ///< pose after the drag with a terminator

    [[nodiscard]] bool isLocalSame(const FramePtr& a, const FramePtr& b, const char* joint)
    {
        const auto at = static_cast<std::size_t>(a->rig->index(w->joint(joint)));
        return a->solved.local.joints[at] == b->solved.local.joints[at];
    }
    [[nodiscard]] double moved(const FramePtr& a, const FramePtr& b, const char* joint)
    {
        return (a->worldFromJoint(w->joint(joint))->matrix() - b->worldFromJoint(w->joint(joint))->matrix()).norm();
    }
    /// Drags Lever02 by its middle (its pivot is also Hinge02's), 40 cm to the side and down as the view
    /// shows it.
    void dragLever()
    {
        const Vector3 from = w->worldOf("Lever02") * Vector3(0, 0.29, 0);
        const Vector3 pivot = w->worldOf("Lever02").translation();
        const viewport::View view = w->view->view();
        w->drag(from, w->onScreen(pivot + 0.4 * (0.8 * view.right() - 0.6 * view.up())) - w->onScreen(pivot), 12);
        QCOMPARE(w->state->selection().active(), SelectionItem::of(w->joint("Lever02")));
    }

private slots:
    void movingTheSupportKeepsTheLocalTransformsOfOtherJoints();
    void draggingALeverMovesJointsBelowByFkAndJointsAboveByIk();
    void aTerminatorAndItsAncestorsStayPut();
    void autoTerminationCountsLinksFromTheDraggedJoint();
    void theCommandLineReplaysTheScriptOfTheSession();
    void theReopenedProjectDragsTheSame();
};

void LampJourney::movingTheSupportKeepsTheLocalTransformsOfOtherJoints()
{
    w = std::make_unique<RealWindow>("lamp");
    w->command("Front"); // so that every run drags in the plane of the levers' side view
    w->command("Perspective");
    auto* button = w->find<QToolButton>("button.solve.interactive");
    if (!button->isChecked()) w->clickOn(button);
    QVERIFY(button->isChecked() && w->state->view().state().isInteractiveIk); // lit
    const FramePtr before = w->frame();
    w->drag(w->worldOf("Support").translation(), {60, -20});
    const FramePtr after = w->frame();
    QVERIFY(moved(before, after, "Support") > 0.01);
    for (const char* joint : kLamp)
        if (QLatin1StringView(joint) != QLatin1StringView("Support"))
            QVERIFY2(isLocalSame(before, after, joint), joint);
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w->frame()->solved.local == before->solved.local);
}

void LampJourney::draggingALeverMovesJointsBelowByFkAndJointsAboveByIk()
{
    const FramePtr before = w->frame();
    const Vector3 start = before->worldFromJoint(w->joint("Lever02"))->translation();
    dragLever();
    const FramePtr after = w->frame();
    const double distance = (Vector3(after->worldFromJoint(w->joint("Lever02"))->translation()) - start).norm();
    QVERIFY2(std::abs(distance - 0.4) < 0.02, qPrintable(QString("it moved by %1 m").arg(distance)));
    for (const char* joint : {"Hinge03", "Lever03", "Reflector"}) QVERIFY2(isLocalSame(before, after, joint), joint);
    for (const char* joint : {"Hinge02", "Lever01", "Hinge01", "Support"})
        QVERIFY2(moved(before, after, joint) > 1e-6, joint);
    QCOMPARE(w->document().history().undoCount(), std::size_t(1));
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w->frame()->solved.local == before->solved.local);
}

void LampJourney::aTerminatorAndItsAncestorsStayPut()
{
    w->clickRow("Hinge01");
    auto* box = w->find<QCheckBox>("joint.terminator");
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Space); // by the keyboard
    w->settle();
    QVERIFY(box->isChecked());
    QVERIFY(w->badgesOf("Hinge01").contains("terminator|rig.terminator"));
    // The view draws the terminator's mark at the joint: the pixels there change when joints are hidden.
    w->state->selection().clear();
    w->hover({2, 2});
    const FramePtr before = w->frame();
    dragLever();
    const FramePtr after = w->frame();
    for (const char* joint : {"Support", "Hinge01"}) QCOMPARE(moved(before, after, joint), 0.0);
    for (const char* joint : {"Lever01", "Hinge02", "Lever02"}) QVERIFY2(moved(before, after, joint) > 1e-4, joint);
    m_terminated = poseHash(*after);
    w->picture("journey2-terminator");
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w->frame()->solved.local == before->solved.local);
}

void LampJourney::autoTerminationCountsLinksFromTheDraggedJoint()
{
    // Without the terminator: the joint two links above Hinge03 is Hinge02.
    w->clickRow("Hinge01");
    w->command("Terminator");
    QVERIFY(!w->badgesOf("Hinge01").contains("terminator|rig.terminator"));
    w->command("2 links up");
    QCOMPARE(w->state->view().state().terminationDepth, std::optional<int>(2));
    const FramePtr before = w->frame();
    w->clickRow("Hinge03"); // its gizmo is at its pivot, where other joints are too
    w->drag(w->worldOf("Hinge03").translation(), {60, 40});
    const FramePtr after = w->frame();
    for (const char* joint : {"Support", "Hinge01", "Lever01", "Hinge02"}) QCOMPARE(moved(before, after, joint), 0.0);
    for (const char* joint : {"Lever02", "Hinge03"}) QVERIFY2(moved(before, after, joint) > 1e-4, joint);
    w->key(Qt::Key_Z, Qt::ControlModifier); // the drag
    w->command("Auto-termination Off");
    QVERIFY(!w->state->view().state().terminationDepth);
    w->key(Qt::Key_Z, Qt::ControlModifier); // the terminator is removed
    QVERIFY(w->badgesOf("Hinge01").contains("terminator|rig.terminator"));
}

void LampJourney::theCommandLineReplaysTheScriptOfTheSession()
{
    const FramePtr before = w->frame();
    w->state->selection().clear();
    dragLever();
    QCOMPARE(w->document().recorded().back().value("op").toString(), QString("drag"));
    QCOMPARE(w->replayedOn("lamp"), QString());
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w->frame()->solved.local == before->solved.local);
}

void LampJourney::theReopenedProjectDragsTheSame()
{
    const QString file = m_folder.filePath("lamp.tendon");
    const viewport::Camera camera = w->view->camera();
    QVERIFY(w->document().saveAs(file));
    QVERIFY(w->window->files().openFile(file));
    w->settle();
    w->view->setCamera(camera); // as before: the mouse takes the same path
    QVERIFY(w->badgesOf("Hinge01").contains("terminator|rig.terminator"));
    w->state->selection().clear();
    dragLever();
    QCOMPARE(poseHash(*w->frame()), m_terminated);
    w->picture("journey2-end");
}

} // namespace

std::unique_ptr<QObject> makeLampJourney() { return std::make_unique<LampJourney>(); }

} // namespace tendon::test

#include "Lamp.moc"

#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include <QPushButton>

namespace tendon::test {
namespace {

using namespace editor;

/// Journey 5: the telescope folds from the top, with ease and damping earlier.
class TelescopeJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    std::size_t m_start = 0; ///< undo steps when the sample is open

    [[nodiscard]] double slide(const char* joint) { return w->localOf(joint).translation.z(); }
    [[nodiscard]] double slideOn(const FrameResult& frame, const char* joint)
    {
        return frame.solved.local.joints[static_cast<std::size_t>(frame.rig->index(w->joint(joint)))].translation.z();
    }
    /// Drags the goal down by the mouse.
    void press(double way)
    {
        const Vector3 goal = w->goalOf("TopGoal");
        w->dragTo(goal, goal - Vector3(0, way, 0), 3);
    }
    /// Presses from the top down by steps of 3 cm. Returns how far the middle tube has moved while the top one is at
    /// least 5 % of its range from its limit.
    double pressDown()
    {
        double early = 0;
        for (int i = 0; i < 40 && slide("Top") + slide("Middle") > 0.02; ++i) {
            press(0.03);
            if (slide("Top") >= 0.05 * 0.3) early = std::max(early, 0.3 - slide("Middle"));
        }
        return early;
    }
    void undoDownTo(std::size_t steps)
    {
        while (w->document().history().undoCount() > steps) w->key(Qt::Key_Z, Qt::ControlModifier);
    }
    void typeForBoth(const QString& field, const QString& text)
    {
        w->clickRow("Middle");
        w->clickRow("Top", Qt::ControlModifier);
        w->type(field, text);
    }

private slots:
    void theTopTubeSinksFirst();
    void theFoldIsKeyedAndStaysInItsRanges();
    void withEaseTheMiddleTubeStartsEarly();
    void withDampingItMovesFromTheBeginning();
};

void TelescopeJourney::theTopTubeSinksFirst()
{
    w = std::make_unique<RealWindow>("telescope");
    QCOMPARE(w->scene().handles->front().solver, std::string("hd"));
    for (const Joint& joint : *w->scene().joints) QCOMPARE(joint.precedence, 0);
    m_start = w->document().history().undoCount();
    w->command("Front");
    w->clickRow("TopGoal");
    while (slide("Top") > 0.03) {
        press(0.025);
        QVERIFY2(0.3 - slide("Middle") <= 1e-4 || slide("Top") < 1e-3, qPrintable(QString::number(slide("Middle"))));
    }
    for (int i = 0; i < 12 && slide("Middle") > 0; ++i) press(0.06);
    w->picture("journey5-folded");
    QVERIFY2(slide("Top") < 1e-6 && slide("Middle") < 1e-6, // 60 in all
             qPrintable(QStringLiteral("%1 and %2 m are left").arg(slide("Top")).arg(slide("Middle"))));
    press(0.05); // farther down there is nothing left
    QVERIFY(slide("Top") >= 0 && slide("Middle") >= 0);
}

void TelescopeJourney::theFoldIsKeyedAndStaysInItsRanges()
{
    undoDownTo(m_start);
    QVERIFY(std::abs(slide("Top") - 0.3) < 1e-6);
    w->clickOn("autoKey");
    QVERIFY(w->find<QPushButton>("autoKey")->isChecked());
    const int last = w->scene().lastFrame;
    w->state->goToFrame(last);
    w->settle();
    w->clickRow("TopGoal");
    const Vector3 goal = w->goalOf("TopGoal");
    w->dragTo(goal, goal - Vector3(0, 0.65, 0), 20);
    w->clickOn("autoKey");
    QVERIFY(slide("Top") < 1e-3 && slide("Middle") < 0.02);
    for (int frame = w->scene().firstFrame; frame <= last; ++frame) {
        w->state->goToFrame(frame);
        const FramePtr now = w->state->finishFrame();
        for (const char* joint : {"Top", "Middle"})
            QVERIFY2(
                slideOn(*now, joint) >= 0 && slideOn(*now, joint) <= 0.3,
                qPrintable(
                    QStringLiteral("%1 at frame %2: %3").arg(joint).arg(frame).arg(slideOn(*now, joint), 0, 'g', 17)));
        QVERIFY(0.3 - slideOn(*now, "Middle") <= 1e-4 || slideOn(*now, "Top") < 1e-3);
    }
    undoDownTo(m_start);
}

void TelescopeJourney::withEaseTheMiddleTubeStartsEarly()
{
    typeForBoth("joint.slide.z.ease", "0.5");
    const std::size_t eased = w->document().history().undoCount();
    w->clickRow("TopGoal");
    const double early = pressDown();
    QVERIFY2(early > 0.05, qPrintable(QString::number(early)));
    w->picture("journey5-eased");
    undoDownTo(eased);
}

void TelescopeJourney::withDampingItMovesFromTheBeginning()
{
    typeForBoth("joint.slide.z.ease", "0");
    typeForBoth("joint.slide.z.damping", "0.5");
    w->clickRow("TopGoal");
    press(0.03);
    const double way = 0.6 - slide("Top") - slide("Middle");
    QVERIFY(way > 0.02);
    QVERIFY2(std::abs(0.3 - slide("Middle") - way / 3) < 0.01 * way, qPrintable(QString::number(slide("Middle"))));
    QVERIFY(pressDown() > 0.05);
}

} // namespace

std::unique_ptr<QObject> makeTelescopeJourney() { return std::make_unique<TelescopeJourney>(); }

} // namespace tendon::test

#include "Telescope.moc"

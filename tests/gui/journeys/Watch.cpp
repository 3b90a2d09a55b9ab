#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/editor/Theme.h"
#include "app/widgets/NumberField.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeWidget>

#include <set>

namespace tendon::test {
namespace {

using namespace editor;

/// Watching solvers at work: the Compare tab.
class WatchJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    std::shared_ptr<const Scene> m_before;

    void addSolver(const QString& name)
    {
        QMenu* menu = w->find<QPushButton>("compare.solvers")->menu();
        emit menu->aboutToShow(); // as a click does; a menu that is open would wait
        for (QAction* action : menu->actions())
            if (action->text() == name) action->trigger();
        w->settle();
    }
    /// The model alone, as it is drawn.
    [[nodiscard]] QImage model()
    {
        w->settle();
        return w->view->grabImage(w->view->size(), viewport::Viewport::Content::ModelOnly);
    }
    /// Pixels that differ by more than `least`, summed over red, green and blue.
    static int clearPixels(const QImage& a, const QImage& b, int least)
    {
        int clear = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x) {
                const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
                const int difference = std::abs(p.red() - q.red()) + std::abs(p.green() - q.green()) +
                                       std::abs(p.blue() - q.blue());
                clear += difference > least ? 1 : 0;
            }
        return clear;
    }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return w->find<QTreeWidget>("compare.table")->topLevelItem(row)->text(column);
    }

private slots:
    void theTabRecordsTheSelectedHandle();
    void anotherSolverIsComparedWithTheOwn();
    void stepsAreShownInTheView();
    void stagesOfFabrikAreSteppedThrough();
    void theModelFollowsTheShownStep();
    void playingStopsAtTheAnswer();
    void allFramesAreMeasuredAndSaved();
    void theDocumentIsUntouched();
    void passesAdvanceWhileTheTimelinePlays();
    void answersOfTheOthersStandBesideTheModel();
    void ghostsShowTheMovesWithinAPass();
};

void WatchJourney::theTabRecordsTheSelectedHandle()
{
    w = std::make_unique<RealWindow>("mannequin");
    m_before = std::make_shared<const Scene>(w->scene());
    w->window->resize(1600, 1000);
    w->clickRow("HandIK_R");
    w->openTab(BottomTab::Compare);
    QVERIFY(w->find<QLabel>("compare.title")->text().contains("HandIK_R"));
    QCOMPARE(w->find<QTreeWidget>("compare.table")->topLevelItemCount(), 1);
}

void WatchJourney::anotherSolverIsComparedWithTheOwn()
{
    for (const char* solver : {"FABRIK", "Damped least squares"}) addSolver(solver);
    QCOMPARE(w->find<QTreeWidget>("compare.table")->topLevelItemCount(), 3);
    w->picture("watch-compare");
    Theme::instance().set(Theme::Kind::Light, 1);
    w->settle();
    w->picture("watch-compare-light");
    Theme::instance().set(Theme::Kind::Dark, 1);
    w->settle();
}

void WatchJourney::stepsAreShownInTheView()
{
    // What a solver does is told where it is named.
    auto* table = w->find<QTreeWidget>("compare.table");
    for (int row = 0; row < 3; ++row)
        QVERIFY2(table->topLevelItem(row)->toolTip(0).startsWith(table->topLevelItem(row)->text(0).section(" (", 0, 0) +
                                                                 ": "),
                 qPrintable(table->topLevelItem(row)->toolTip(0)));
    QVERIFY(table->topLevelItem(1)->toolTip(0).contains("backward reaching"));
    QVERIFY(table->headerItem()->toolTip(0).contains(table->topLevelItem(2)->toolTip(0)));
    w->clickOn("compare.first");
    const QString start = cell(1, 1), final = cell(1, 3), result = cell(1, 9);
    const QImage atStart = w->seen();
    w->clickOn("compare.step");
    QCOMPARE(w->state->steps().step(), 1);
    QVERIFY(cell(1, 1) != start);
    QCOMPARE(cell(1, 3), final); // how it ended does not depend on the step
    QCOMPARE(cell(1, 9), result);
    QVERIFY(w->seen() != atStart);
    w->clickOn("compare.first");
    QVERIFY(w->seen() == atStart);
    w->clickOn("compare.last");
    QCOMPARE(w->state->steps().step(), w->state->steps().last());
    w->clickOn("compare.back");
    QCOMPARE(w->state->steps().step(), w->state->steps().last() - 1);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->topLevelItem(1)).center());
    const QString words = w->find<QLabel>("compare.step.text")->text();
    QVERIFY2(words.contains("total residual") && words.contains("ms per iteration"), qPrintable(words));
    w->picture("watch-step");
}

void WatchJourney::stagesOfFabrikAreSteppedThrough()
{
    w->clickOn("compare.stages");
    QVERIFY(w->find<QCheckBox>("compare.stages")->isChecked());
    w->settle();
    for (int i = 0; i < 4; ++i) w->clickOn("compare.step");
    QVERIFY(w->find<QLabel>("compare.step.text")->text().startsWith("Pass 1, inward"));
    w->picture("watch-stages");
    w->clickOn("compare.stages");
}

void WatchJourney::playingStopsAtTheAnswer()
{
    auto* pace = w->find<QComboBox>("compare.pace");
    pace->setFocus();
    for (int i = 0; i < 2; ++i) QTest::keyClick(pace, Qt::Key_Down);
    QCOMPARE(pace->currentText(), QString("With each frame"));
    w->clickOn("compare.first");
    const QSignalSpy playing(&w->state->steps(), &StepPlayer::playingChanged);
    w->clickOn("compare.play");
    QTRY_COMPARE_WITH_TIMEOUT(playing.size(), 2, 30000); // begun, and ended by itself
    QCOMPARE(w->state->steps().step(), w->state->steps().last());
}

/// The skin is that of the step, not of the answer with a chain drawn over it.
void WatchJourney::theModelFollowsTheShownStep()
{
    w->clickOn("compare.last");
    const QImage atAnswer = model();
    w->clickOn("compare.first");
    const QImage atStart = model();
    QVERIFY(atStart != atAnswer);
    w->clickOn("compare.eased");
    w->clickOn("compare.last");
    QVERIFY(!w->state->stepDisplay().isDone());
    QVERIFY(w->find<QLabel>("compare.step.text")->text().contains("easing"));
    QTRY_VERIFY_WITH_TIMEOUT(w->state->stepDisplay().isDone(), 10000);
    QVERIFY(w->find<QLabel>("compare.step.text")->text().startsWith("Done"));
    QVERIFY(model() == atAnswer);
    w->clickOn("compare.eased");
}

void WatchJourney::allFramesAreMeasuredAndSaved()
{
    w->clickOn("compare.all");
    auto* table = w->find<QTreeWidget>("compare.clip");
    QVERIFY(table->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(table->topLevelItemCount(), 3, 60000);
    const int frames = w->scene().lastFrame - w->scene().firstFrame + 1;
    for (int row = 0; row < 3; ++row)
        QVERIFY2(table->topLevelItem(row)->text(8).contains(QString::number(frames)),
                 qPrintable(table->topLevelItem(row)->text(8)));
    w->picture("watch-all-frames");

    // A cell leads to the frame that it names, by mouse and by the keyboard; the table stays, and the view goes along.
    const auto place = [table](int row, int column) {
        return QPoint(table->columnViewportPosition(column) + 6,
                      table->visualItemRect(table->topLevelItem(row)).center().y());
    };
    const auto named = [table](int row, int column) {
        return table->topLevelItem(row)->text(column).section(" at ", 1).toInt();
    };
    for (const int column : {1, 7}) {
        const int frame = named(1, column);
        QVERIFY2(frame >= 1 && frame <= frames, qPrintable(table->topLevelItem(1)->text(column)));
        w->state->goToFrame(frame == 3 ? 4 : 3);
        w->settle();
        table->scrollToItem(table->topLevelItem(1));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place(1, column));
        w->settle();
        QCOMPARE(w->document().edit().frame, frame);
        QVERIFY(table->isVisible() && table->topLevelItemCount() == 3);
        QCOMPARE(w->state->comparison().frame(), frame); // chains and ghosts are of this frame
    }
    const int ofSecond = named(2, 7);
    w->state->goToFrame(ofSecond == 3 ? 4 : 3);
    QTest::keyClick(table, Qt::Key_Down);
    QTest::keyClick(table, Qt::Key_Return);
    w->settle();
    QCOMPARE(w->document().edit().frame, ofSecond);
    // Another choice of solvers is measured at once.
    addSolver("Jacobian transpose");
    QTRY_COMPARE_WITH_TIMEOUT(table->topLevelItemCount(), 4, 60000);
    addSolver("Jacobian transpose"); // no more
    QTRY_COMPARE_WITH_TIMEOUT(table->topLevelItemCount(), 3, 60000);

    const QTemporaryDir folder;
    const auto saved = [&](int entry, const QString& name) {
        const QString path = folder.filePath(name);
        w->answerFile(path);
        QMenu* menu = w->find<QPushButton>("compare.save")->menu();
        emit menu->aboutToShow();
        menu->actions().at(entry)->trigger();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QCOMPARE(saved(0, "all.csv").count('\n'), 4);
    QVERIFY(saved(1, "steps.csv").count('\n') > 10);
    const QString stages = saved(2, "stages.csv"); // FABRIK records them
    QVERIFY2(stages.startsWith("solver,pass,direction,stage,joint") && stages.contains("fabrik,1,inward,c place,"),
             qPrintable(stages.left(300)));
    w->clickOn("compare.all"); // this frame again
    QCOMPARE(saved(0, "frame.csv").count('\n'), 4);

    w->clickOn("compare.all");
    auto* cancel = w->find<QPushButton>("compare.clip.cancel");
    if (cancel->isVisible())
        QTest::mouseClick(cancel, Qt::LeftButton);
    else
        w->clickOn("compare.all"); // it was quicker
    QVERIFY(!w->find<QPushButton>("compare.all")->isChecked());
    QVERIFY(w->find<QTreeWidget>("compare.table")->isVisible());
}

void WatchJourney::theDocumentIsUntouched()
{
    QVERIFY(w->scene() == *m_before);
    QVERIFY(!w->document().canUndo());
    w->openTab(BottomTab::Timeline);
    QVERIFY(w->state->comparison().recording() == nullptr); // so the view draws nothing of it
}

/// The seed's demonstration: an arm of points reaches for an object, a pass each frame, eased if so wished.
void WatchJourney::passesAdvanceWhileTheTimelinePlays()
{
    w = std::make_unique<RealWindow>("opengl-arm");
    m_before = std::make_shared<const Scene>(w->scene());
    w->clickRow("Reach");
    w->openTab(BottomTab::Compare);
    const QByteArray answer = poseHash(*w->frame());
    w->command("Passes while playing");
    QVERIFY(w->find<QCheckBox>("compare.playing")->isChecked());
    struct Seen
    {
        int step;
        double error;
    };
    std::vector<Seen> seen;
    const HandleId reach = w->handle("Reach");
    connect(w->state.get(), &Editor::frameReady, this, [&] {
        if (w->state->playback().isPlaying())
            seen.push_back({w->state->steps().step(), w->state->drawnFrame()->find(reach)->result.positionError});
    });
    w->view->setFocus();
    QTest::keyClick(w->view, Qt::Key_Space);
    const auto isDone = [&] { return seen.size() > 1 && seen.back().step == w->state->steps().last(); };
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), 30000);
    QVERIFY(w->find<QLabel>("compare.step.text")->text().startsWith("Done"));
    QTest::keyClick(w->view, Qt::Key_Space);
    disconnect(w->state.get(), nullptr, this, nullptr);
    w->settle();
    QVERIFY(seen.size() > 3);
    for (std::size_t i = 1; i < seen.size() && seen[i].step > seen[i - 1].step; ++i)
        QVERIFY2(seen[i].error < seen[i - 1].error, qPrintable(QString("pass %1").arg(seen[i].step)));
    QCOMPARE(seen.front().step, 0);
    QCOMPARE(poseHash(*w->frame()), answer);
    QVERIFY(w->scene() == *m_before);
    w->clickOn("compare.first");
    for (int i = 0; i < 2; ++i) w->clickOn("compare.step");
    w->picture("watch-passes");
    w->command("Passes while playing");
    QVERIFY(!w->find<QCheckBox>("compare.playing")->isChecked());
}

/// Between two steps, what a solver passes through: ghosts that are seen in both themes.
/// Where the solve is done, the answers of the others are the model in their colours.
void WatchJourney::answersOfTheOthersStandBesideTheModel()
{
    w = std::make_unique<RealWindow>("tree");
    w->clickRow("LeftGoal");
    w->openTab(BottomTab::Compare);
    addSolver("Damped least squares");
    const auto seenWithout = [this] { // what else is drawn of the comparison stays
        const auto asBones = [this](bool isOn) {
            w->state->view().edit([isOn](ViewState& state) {
                state.ghostsAreBones = isOn;
                state.showsHud = false; // its times differ from picture to picture
            });
            w->settle();
        };
        asBones(false);
        const QImage with = w->seen();
        asBones(true);
        const QImage without = w->seen();
        asBones(false);
        return clearPixels(with, without, 60);
    };
    w->clickOn("compare.last");
    QVERIFY2(seenWithout() > 100, qPrintable(QString::number(seenWithout())));
    w->picture("watch-answers");
    w->clickOn("compare.first");
    QCOMPARE(seenWithout(), 0); // steps are drawn as chains
}

void WatchJourney::ghostsShowTheMovesWithinAPass()
{
    w = std::make_unique<RealWindow>("opengl-arm");
    w->clickRow("Reach");
    w->openTab(BottomTab::Compare);
    addSolver("Cyclic coordinate descent");
    w->clickOn("compare.first");
    w->clickOn("compare.step");
    w->clickOn("compare.step");
    for (const Theme::Kind theme : {Theme::Kind::Light, Theme::Kind::Dark}) {
        Theme::instance().set(theme, 1);
        w->settle();
        const QImage with = w->seen();
        w->picture(theme == Theme::Kind::Dark ? "watch-ghosts" : "watch-ghosts-light");
        w->clickOn("compare.ghosts");
        w->settle();
        const QImage without = w->seen();
        w->clickOn("compare.ghosts");
        const int clear = clearPixels(with, without, 150);
        QVERIFY2(clear > 300, qPrintable(QString("%1 pixels").arg(clear)));
    }
}

} // namespace

std::unique_ptr<QObject> makeWatchJourney() { return std::make_unique<WatchJourney>(); }

} // namespace tendon::test

#include "Watch.moc"

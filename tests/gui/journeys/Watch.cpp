#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/editor/Theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QTreeWidget>

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

    void settle()
    {
        w->settle();
        w->state->comparison().finish();
        w->settle();
    }
    void addSolver(const QString& name)
    {
        QMenu* menu = w->find<QPushButton>("compare.solvers")->menu();
        emit menu->aboutToShow(); // as a click does; a menu that is open would wait
        for (QAction* action : menu->actions())
            if (action->text() == name) action->trigger();
        settle();
    }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return w->find<QTreeWidget>("compare.table")->topLevelItem(row)->text(column);
    }
    /// The view without its figures, which change by themselves.
    [[nodiscard]] QImage seen()
    {
        w->state->view().edit([](ViewState& state) { state.showsHud = false; });
        settle();
        return w->view->grabImage(w->view->size());
    }

private slots:
    void theTabRecordsTheSelectedHandle();
    void anotherSolverIsComparedWithTheOwn();
    void stepsAreShownInTheView();
    void stagesOfFabrikAreSteppedThrough();
    void playingStopsAtTheAnswer();
    void theDocumentIsUntouched();
};

void WatchJourney::theTabRecordsTheSelectedHandle()
{
    w = std::make_unique<RealWindow>("mannequin");
    m_before = std::make_shared<const Scene>(w->scene());
    w->window->resize(1600, 1000);
    w->clickRow("HandIK_R");
    auto* tabs = w->find<QTabBar>("bottom.tabs");
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(static_cast<int>(BottomTab::Compare)).center());
    settle();
    QVERIFY(w->find<QLabel>("compare.title")->text().contains("HandIK_R"));
    QCOMPARE(w->find<QTreeWidget>("compare.table")->topLevelItemCount(), 1);
}

void WatchJourney::anotherSolverIsComparedWithTheOwn()
{
    for (const char* solver : {"FABRIK", "Damped least squares"}) addSolver(solver);
    QCOMPARE(w->find<QTreeWidget>("compare.table")->topLevelItemCount(), 3);
    w->picture("watch-compare");
    Theme::instance().set(Theme::Kind::Light, 1);
    settle();
    w->picture("watch-compare-light");
    Theme::instance().set(Theme::Kind::Dark, 1);
    settle();
}

void WatchJourney::stepsAreShownInTheView()
{
    w->clickOn("compare.first");
    const QString start = cell(1, 1);
    const QImage atStart = seen();
    w->clickOn("compare.step");
    QCOMPARE(w->state->steps().step(), 1);
    QVERIFY(cell(1, 1) != start);
    QVERIFY(seen() != atStart);
    w->clickOn("compare.first");
    QVERIFY(seen() == atStart);
    w->clickOn("compare.last");
    QCOMPARE(w->state->steps().step(), w->state->steps().last());
    w->clickOn("compare.back");
    QCOMPARE(w->state->steps().step(), w->state->steps().last() - 1);
    w->picture("watch-step");
}

void WatchJourney::stagesOfFabrikAreSteppedThrough()
{
    w->clickOn("compare.stages");
    QVERIFY(w->find<QCheckBox>("compare.stages")->isChecked());
    settle();
    for (int i = 0; i < 4; ++i) w->clickOn("compare.step");
    QVERIFY(w->find<QLabel>("compare.step.text")->text().startsWith("Pass 1, backward"));
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
    w->clickOn("compare.play");
    QVERIFY(w->state->steps().isPlaying());
    QTRY_VERIFY_WITH_TIMEOUT(!w->state->steps().isPlaying(), 30000);
    QCOMPARE(w->state->steps().step(), w->state->steps().last());
}

void WatchJourney::theDocumentIsUntouched()
{
    QVERIFY(w->scene() == *m_before);
    QVERIFY(!w->document().canUndo());
    auto* tabs = w->find<QTabBar>("bottom.tabs");
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(static_cast<int>(BottomTab::Timeline)).center());
    settle();
    QVERIFY(w->state->comparison().recording() == nullptr); // so the view draws nothing of it
}

} // namespace

std::unique_ptr<QObject> makeWatchJourney() { return std::make_unique<WatchJourney>(); }

} // namespace tendon::test

#include "Watch.moc"

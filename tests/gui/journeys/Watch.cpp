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
    void openCompare()
    {
        auto* tabs = w->find<QTabBar>("bottom.tabs");
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(static_cast<int>(BottomTab::Compare)).center());
        settle();
    }
    /// Steps until the line of words says `words`.
    void stepTo(const QString& words)
    {
        const auto* text = w->find<QLabel>("compare.step.text");
        const StepPlayer& steps = w->state->steps();
        while (!text->text().contains(words) && steps.step() < steps.last())
            QTest::mouseClick(w->find<QWidget>("compare.step"), Qt::LeftButton);
        QVERIFY2(text->text().contains(words), qPrintable(words + ": " + text->text()));
        settle();
    }
    /// The model alone, as it is drawn.
    [[nodiscard]] QImage model()
    {
        settle();
        return w->view->grabImage(w->view->size(), viewport::Viewport::Content::ModelOnly);
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
    void theModelFollowsTheShownStep();
    void playingStopsAtTheAnswer();
    void allFramesAreMeasuredAndSaved();
    void theDocumentIsUntouched();
    void passesAdvanceWhileTheTimelinePlays();
    void theRecordingFollowsASettingWhileItIsDragged();
    void branchesShowTheirCandidatesAndTheirMean();
    void theEllipseMovesAJointToItsNearestPoint();
};

void WatchJourney::theTabRecordsTheSelectedHandle()
{
    w = std::make_unique<RealWindow>("mannequin");
    m_before = std::make_shared<const Scene>(w->scene());
    w->window->resize(1600, 1000);
    w->clickRow("HandIK_R");
    openCompare();
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
    const QString start = cell(1, 1), final = cell(1, 3), result = cell(1, 9);
    const QImage atStart = seen();
    w->clickOn("compare.step");
    QCOMPARE(w->state->steps().step(), 1);
    QVERIFY(cell(1, 1) != start);
    QCOMPARE(cell(1, 3), final); // how it ended does not depend on the step
    QCOMPARE(cell(1, 9), result);
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
        QVERIFY2(table->topLevelItem(row)->text(7).contains(QString::number(frames)),
                 qPrintable(table->topLevelItem(row)->text(7)));
    w->picture("watch-all-frames");

    const QTemporaryDir folder;
    const auto saved = [&](int entry, const QString& name) {
        const QString path = folder.filePath(name);
        QTimer::singleShot(100, w->window.get(), [path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) qFatal("no dialog to save with");
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        QMenu* menu = w->find<QPushButton>("compare.save")->menu();
        emit menu->aboutToShow();
        menu->actions().at(entry)->trigger();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QCOMPARE(saved(0, "all.csv").count('\n'), 4);
    QVERIFY(saved(1, "steps.csv").count('\n') > 10);
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
    auto* tabs = w->find<QTabBar>("bottom.tabs");
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(static_cast<int>(BottomTab::Timeline)).center());
    settle();
    QVERIFY(w->state->comparison().recording() == nullptr); // so the view draws nothing of it
}

/// The seed's demonstration: an arm of points reaches for an object, a pass each frame, eased if so wished.
void WatchJourney::passesAdvanceWhileTheTimelinePlays()
{
    w = std::make_unique<RealWindow>("opengl-arm");
    m_before = std::make_shared<const Scene>(w->scene());
    w->clickRow("Reach");
    openCompare();
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
    settle();
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

/// While a slider moves, before it is let go.
void WatchJourney::theRecordingFollowsASettingWhileItIsDragged()
{
    const auto own = [&] { return w->state->comparison().recording()->solvers.front(); };
    w->clickOn("compare.last");
    w->type("solver.passes", "10");
    settle();
    auto* field = w->find<NumberField>("solver.passes");
    for (QWidget* area = field->parentWidget(); area != nullptr; area = area->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(area)) scroll->ensureWidgetVisible(field);
    settle();
    const double before = field->value();
    const int iterations = own().result.iterations;
    const QPoint from = field->rect().center();
    QTest::mousePress(field, Qt::LeftButton, {}, from);
    for (int x = 0; x <= 60; x += 4) {
        const QPoint to = from - QPoint(x, 0);
        QMouseEvent move(QEvent::MouseMove, to, field->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(field, &move);
    }
    settle();
    QVERIFY2(field->value() < before, qPrintable(QString::number(field->value())));
    QVERIFY(iterations > 2);
    QCOMPARE(own().result.iterations, 1);   // as far to the left as it goes
    QTest::keyClick(field, Qt::Key_Escape); // as it was
    QTest::mouseRelease(field, Qt::LeftButton, {}, from);
    settle();
    QCOMPARE(own().result.iterations, iterations);
    w->key(Qt::Key_Z, Qt::ControlModifier); // the 10
    QVERIFY(w->scene() == *m_before);
}

/// A body with two arms: each asks for its own position of the chest.
void WatchJourney::branchesShowTheirCandidatesAndTheirMean()
{
    std::vector<QJsonObject> script = {{{"op", "removeJoint"}, {"joint", "P1"}},
                                       {{"op", "removeJoint"}, {"joint", "Object"}}};
    const auto joint = [&](const QString& name, const QString& parent, const QJsonArray& at) {
        QJsonObject made{{"op", "addJoint"}, {"name", name}, {"translation", at}};
        if (!parent.isEmpty()) made.insert("parent", parent);
        script.push_back(made);
        script.push_back({{"op", "setSegment"},
                          {"joint", name},
                          {"shape", QJsonObject{{"kind", "sphere"}, {"size", QJsonArray{0.05}}}}});
        script.push_back({{"op", "setBallJoint"},
                          {"joint", name},
                          {"axis", "y"},
                          {"swing", QJsonArray{30, 20, 35, 15}},
                          {"twist", QJsonArray{-20, 20}}});
    };
    joint("Hips", {}, {0, 0.2, 0});
    joint("Chest", "Hips", {0, 0.4, 0});
    for (const auto& [side, x] : {std::pair(QString("L"), 1.0), std::pair(QString("R"), -1.0)}) {
        joint("Upper" + side, "Chest", {0.15 * x, 0.3, 0});
        joint("Lower" + side, "Upper" + side, {0.1 * x, 0.3, 0});
        joint("Hand" + side, "Lower" + side, {0.05 * x, 0.3, 0});
        script.push_back({{"op", "addHandle"},
                          {"name", "Reach" + side},
                          {"start", "Hips"},
                          {"end", "Hand" + side},
                          {"solver", "fabrik"}});
        script.push_back({{"op", "setHandle"},
                          {"name", "Reach" + side},
                          {"parameters", QJsonObject{{"centroid", "equal"}, {"twoSpheres", false}}}});
        script.push_back({{"op", "setGoal"},
                          {"handle", "Reach" + side},
                          {"position", QJsonArray{x > 0 ? 0.75 : -0.1, x > 0 ? 1.2 : 1.35, 0.3}}});
    }
    QVERIFY(w->document().applyAsOne(script));
    w->clickRow("ReachL");
    w->key(Qt::Key_A);
    m_before = std::make_shared<const Scene>(w->scene());
    w->clickOn("compare.stages");
    w->clickOn("compare.first");
    stepTo("one branch wants");
    w->picture("watch-candidate");
    const QImage first = seen();
    stepTo("mean of its candidates");
    w->picture("watch-mean");
    QVERIFY(seen() != first);
    QVERIFY(w->find<QLabel>("compare.step.text")->text().contains("Chest"));
}

void WatchJourney::theEllipseMovesAJointToItsNearestPoint()
{
    w->clickOn("compare.first");
    stepTo("the ellipse that limits");
    QVERIFY(w->find<QWidget>("compare.ellipse")->isVisible());
    w->picture("watch-ellipse");
    stepTo("nearest point of the ellipse");
    QVERIFY(w->find<QWidget>("compare.ellipse")->isVisible());
    w->picture("watch-nearest");
    for (const char* letter : {"g – ", "h – "}) stepTo(letter);
    const auto& solvers = w->state->comparison().recording()->solvers;
    std::set<sdk::Stage> stages;
    for (const RecordedStage& stage : solvers.front().stages) stages.insert(stage.row.stage);
    QCOMPARE(stages.size(), 11u); // a to h, candidates, means, and the root
    QVERIFY(w->scene() == *m_before);
}

} // namespace

std::unique_ptr<QObject> makeWatchJourney() { return std::make_unique<WatchJourney>(); }

} // namespace tendon::test

#include "Watch.moc"

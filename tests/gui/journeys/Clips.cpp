#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/widgets/dope/DopeSheet.h"

#include <QMenu>
#include <QTabBar>

namespace tendon::test {
namespace {

using namespace editor;

/// Clips are added, renamed and duplicated; keys are selected with a box, moved, scaled, copied and deleted; their
/// interpolation is set; and the model's own clips play.
class ClipsJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    DopeSheet* m_sheet = nullptr;

    [[nodiscard]] const KeyList& keys()
    {
        const KeyList* list = w->document().clip()->find({w->handle("FootGoal").value, Property::GoalPosition});
        if (list == nullptr) qFatal("the goal has no keys");
        return *list;
    }
    [[nodiscard]] std::vector<int> frames()
    {
        std::vector<int> result;
        for (std::size_t i = 0; i < keys().size(); ++i)
            result.push_back(static_cast<int>(std::lround(w->scene().fps.frameAt(keys()[i].time))));
        return result;
    }
    void goTo(int frame)
    {
        w->type("frame", QString::number(frame));
        QCOMPARE(w->document().edit().frame, frame);
    }
    void dragOver(const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(m_sheet, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 5; ++i) {
            const QPoint at = from + (to - from) * i / 5;
            QMouseEvent move(QEvent::MouseMove, at, m_sheet->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(m_sheet, &move);
        }
        QTest::mouseRelease(m_sheet, Qt::LeftButton, {}, to);
        w->settle();
    }
    /// A box around a row's keys from one frame to another.
    void pick(int from, int to)
    {
        const int half = (m_sheet->placeOf(2, 0) - m_sheet->placeOf(1, 0)).y() / 2 - 1;
        dragOver(m_sheet->placeOf(1, from) + QPoint(-9, -half), m_sheet->placeOf(1, to) + QPoint(9, half));
    }
    /// Uses the menu that a right-click opens, and those below it.
    void choose(const QStringList& entries)
    {
        auto* timer = new QTimer(m_sheet);
        QObject::connect(timer, &QTimer::timeout, m_sheet, [timer, entries, step = 0]() mutable {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr) return;
            for (QAction* action : menu->actions())
                if (action->text() == entries[step] && action->isEnabled()) {
                    if (++step == entries.size()) timer->deleteLater();
                    menu->setActiveAction(action);
                    if (action->menu() != nullptr)
                        QTest::keyClick(menu, Qt::Key_Right); // opens what is below it
                    else
                        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
                    return;
                }
            timer->deleteLater();
            while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
            QFAIL(qPrintable("the menu has no " + entries[step]));
        });
        timer->start(20);
        const QPoint at = m_sheet->placeOf(1, 6); // on a key that is not selected it would select that
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, m_sheet->mapToGlobal(at));
        QApplication::sendEvent(m_sheet, &event);
        w->settle();
    }
    [[nodiscard]] Vector3 goalAt(int frame)
    {
        w->state->goToFrame(frame);
        return w->state->finishFrame()->handles.front().target.goal.position;
    }

private slots:
    void aClipIsAddedRenamedAndKeyed();
    void keysSelectedWithABoxAreMovedScaledCopiedAndDeleted();
    void interpolationChangesHowAKeyRunsToTheNext();
    void editingADuplicateLeavesTheOriginalClipAlone();
    void theModelsOwnClipsPlay();
};

void ClipsJourney::aClipIsAddedRenamedAndKeyed()
{
    w = std::make_unique<RealWindow>("leg");
    w->reply("step");
    w->command("New clip");
    QCOMPARE(w->document().clip()->name, std::string("step"));
    w->reply("stride");
    w->command("Rename clip");
    QCOMPARE(w->document().clip()->name, std::string("stride"));
    QCOMPARE(w->find<QComboBox>("clip")->currentText(), QString("stride"));
    w->clickRow("FootGoal");
    const QPoint moves[] = {{}, {25, -25}, {20, 10}};
    const int at[] = {1, 11, 21};
    for (int i = 0; i < 3; ++i) {
        goTo(at[i]);
        if (i > 0) w->drag(w->goalOf("FootGoal"), moves[i], 6);
        w->key(Qt::Key_S);
    }
    QCOMPARE(frames(), (std::vector<int>{1, 11, 21}));
    w->find<QTabBar>("bottom.tabs")->setCurrentIndex(1);
    m_sheet = w->find<DopeSheet>("dopeSheet");
    w->settle();
    QVERIFY(m_sheet->isVisible());
}

void ClipsJourney::keysSelectedWithABoxAreMovedScaledCopiedAndDeleted()
{
    pick(11, 21);
    QCOMPARE(m_sheet->selected().size(), std::size_t(2));
    w->picture("clips-box");
    const Vector3 second = goalAt(11), third = goalAt(21);
    dragOver(m_sheet->placeOf(1, 11), m_sheet->placeOf(1, 31));
    QCOMPARE(frames(), (std::vector<int>{1, 31, 41}));
    QVERIFY((goalAt(31) - second).norm() < 1e-12 && (goalAt(41) - third).norm() < 1e-12);
    QCOMPARE(m_sheet->selected().size(), std::size_t(2)); // still
    w->type("dope.stretch", "2");
    QCOMPARE(frames(), (std::vector<int>{1, 31, 51}));
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(frames(), (std::vector<int>{1, 31, 41}));
    pick(31, 41);
    goTo(61);
    choose({"Copy to the current frame"});
    QCOMPARE(frames(), (std::vector<int>{1, 31, 41, 61, 71}));
    QVERIFY((goalAt(61) - second).norm() < 1e-12 && (goalAt(71) - third).norm() < 1e-12);
    pick(31, 41);
    m_sheet->setFocus();
    QTest::keyClick(m_sheet, Qt::Key_Delete);
    w->settle();
    QCOMPARE(frames(), (std::vector<int>{1, 61, 71}));
    w->key(Qt::Key_Z, Qt::ControlModifier); // one step each
    QCOMPARE(frames(), (std::vector<int>{1, 31, 41, 61, 71}));
    w->key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(frames(), (std::vector<int>{1, 61, 71}));
}

void ClipsJourney::interpolationChangesHowAKeyRunsToTheNext()
{
    const Vector3 first = goalAt(1), second = goalAt(61);
    QVERIFY((first - second).norm() > 0.01);
    pick(1, 1);
    QCOMPARE(m_sheet->selected().size(), std::size_t(1));
    choose({"Interpolation", "Step"});
    QCOMPARE(keys()[0].interpolation, Interpolation::Step);
    QCOMPARE(keys()[1].interpolation, Interpolation::Bezier);
    QVERIFY((goalAt(60) - first).norm() < 1e-12);
    choose({"Interpolation", "Linear"});
    QVERIFY((goalAt(16) - (0.75 * first + 0.25 * second)).norm() < 1e-9);
    choose({"Interpolation", "Bezier"});
    QCOMPARE(keys()[0].interpolation, Interpolation::Bezier);
    QVERIFY((goalAt(16) - (0.75 * first + 0.25 * second)).norm() > 1e-4);
    w->picture("clips-keys");
}

void ClipsJourney::editingADuplicateLeavesTheOriginalClipAlone()
{
    const std::size_t clips = w->scene().clips.size();
    w->command("Duplicate clip");
    QCOMPARE(w->scene().clips.size(), clips + 1);
    const std::string copy = w->scene().clips.back()->name;
    QVERIFY(copy != "stride");
    w->choose("clip", QString::fromStdString(copy));
    QCOMPARE(w->document().clip()->name, copy);
    pick(61, 71);
    QTest::keyClick(m_sheet, Qt::Key_Delete);
    w->settle();
    QCOMPARE(frames(), (std::vector<int>{1}));
    QCOMPARE(w->scene().clipNamed("stride")->keyCount(), std::size_t(6)); // goal and pole
    QCOMPARE(w->replayedOn("leg"), QString());
}

void ClipsJourney::theModelsOwnClipsPlay()
{
    w.reset();
    w = std::make_unique<RealWindow>("mannequin");
    const QComboBox* box = w->find<QComboBox>("clip");
    QVERIFY(box->count() >= 1);
    QVERIFY(w->document().clip() != nullptr && w->document().clip()->hasKeys());
    w->key(Qt::Key_Space);
    QVERIFY(w->state->playback().isPlaying());
    std::set<QByteArray> poses;
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 30'000 && poses.size() < 6) { // a busy machine drops frames
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        poses.insert(poseHash(*w->state->frame()));
    }
    w->key(Qt::Key_Space);
    QVERIFY2(poses.size() >= 6, qPrintable(QString("%1 poses seen").arg(poses.size())));
    w->picture("clips-end");
}

} // namespace

std::unique_ptr<QObject> makeClipsJourney() { return std::make_unique<ClipsJourney>(); }

} // namespace tendon::test

#include "Clips.moc"

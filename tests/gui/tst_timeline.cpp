#include "tests/gui/SheetUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/TimelineView.h"
#include "app/widgets/time/TimeRuler.h"
#include "app/widgets/time/ZoomBar.h"

#include <QDialog>
#include <QDockWidget>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::SheetUnderTest;
using tendon::test::WindowUnderTest;

/// What the timeline shows of keys and of the quality of frames; frames that are marked on it, markers and
/// zooming; what stands still around it.
class TestTimeline : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    using Frames = std::vector<double>;
    static QPoint inLane(const TimelineView& timeline, double frame)
    {
        return {qRound(timeline.axis().x(frame)), timeline.keyLaneTop() + 10};
    }
    /// Types into the dialog that opens next, and presses Return.
    static void reply(const QString& text)
    {
        QTimer::singleShot(0, qApp, [text] {
            if (!QTest::qWaitFor([] { return QApplication::activeModalWidget() != nullptr; }))
                qFatal("no dialog has opened");
            auto* line = QApplication::activeModalWidget()->findChild<QLineEdit*>();
            line->setText(text);
            QTest::keyClick(line, Qt::Key_Return);
        });
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void qualityFadesWithAnEditAndComesBack();
    void keysAreNotDrawnOverTheLabels();
    void markedKeysAreMovedAndRetimed();
    void markedFramesArePlayed();
    void theGreyBarZoomsAndPans();
    void markersAreSetMovedNamedAndColoured();
    void theMenuWorksOnTheMarkedFrames();
    void tabsStandStill();
    void anErrorMarksTheLogUntilItIsOpened();
    void theHintIsThatOfTheFocusedPanel();
    void theViewGetsTheKeyboardBackFromTheFrameField();
};

void TestTimeline::qualityFadesWithAnEditAndComesBack()
{
    WindowUnderTest w("leg");
    const auto key = [&](int frame, double height) {
        w.state->goToFrame(frame);
        QVERIFY(
            w.document().apply({{"op", "setGoal"}, {"handle", "FootGoal"}, {"position", QJsonArray{0, height, 0.1}}}));
        QVERIFY(w.document().apply({{"op", "key"}, {"target", "FootGoal"}}));
    };
    const auto finish = [&] { // no frame but the shown one is visited
        w.settle();
        QTRY_VERIFY_WITH_TIMEOUT(w.state->range().isComplete(), 20'000);
    };
    key(100, 0.2);
    key(1, 0.25);
    finish();
    auto* timeline = w.find<TimelineView>("timeline");
    // The strongest of the strip's pixels at a frame, which the playhead does not cover.
    const auto strength = [&](int frame) {
        const QImage image = timeline->grab().toImage();
        const QColor ground = Theme::instance().color("surface.well");
        int strongest = 0;
        for (int y = image.height() - Theme::instance().px(14); y < image.height(); ++y) {
            const QColor seen = image.pixelColor(qRound(timeline->axis().x(frame)), y);
            strongest = std::max({strongest, std::abs(seen.red() - ground.red()),
                                  std::abs(seen.green() - ground.green()), std::abs(seen.blue() - ground.blue())});
        }
        return strongest;
    };
    const int fresh = strength(3);
    QVERIFY2(fresh > 40, qPrintable(QString::number(fresh)));
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"weight", 2}}));
    w.state->settlement().finish(); // while it is under way, a dotted line is there as well
    const int aged = strength(3);
    QVERIFY2(aged > fresh / 5 && aged < fresh * 3 / 5, qPrintable(QString("%1 of %2").arg(aged).arg(fresh)));
    finish();
    QCOMPARE(strength(3), fresh);
    QVERIFY(w.document().apply({{"op", "addClip"}, {"name", "Another"}})); // of which nothing is known yet
    QVERIFY(w.document().apply({{"op", "key"}, {"target", "FootGoal"}}));
    w.state->settlement().finish();
    QCOMPARE(strength(3), 0);
    finish();
    QVERIFY(strength(3) > 40);
}

void TestTimeline::keysAreNotDrawnOverTheLabels()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    w.state->goToFrame(1);
    QVERIFY(w.document().apply({{"op", "key"}, {"target", "FootGoal"}}));
    const Scene& scene = w.document().scene();
    auto* timeline = w.find<QWidget>("timeline");
    const auto redPixels = [&](int from, int to) {
        const QImage image = timeline->grab().toImage();
        const QRgb red = Theme::instance().color("time.key-selected").rgb();
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = from; x < std::min(to, image.width()); ++x) count += image.pixel(x, y) == red ? 1 : 0;
        return count;
    };
    const int labels = TimelineView::labelWidth() - 2;
    w.state->goToFrame(20); // the playhead covers no key
    w.settle();
    QVERIFY(redPixels(labels, timeline->width()) > 0);
    // One frame earlier than the range: that would be between the labels.
    QVERIFY(w.document().apply({{"op", "setRange"}, {"from", 2}, {"to", std::max(40, scene.lastFrame)}}));
    w.settle();
    QCOMPARE(redPixels(0, labels), 0);
}

void TestTimeline::markedKeysAreMovedAndRetimed()
{
    SheetUnderTest w;
    w.window->showBottom(BottomTab::Timeline);
    w.settle();
    TimelineView& line = *w.timeline;
    w.select(w.handle.name.c_str());
    const std::size_t steps = w.document().history().undoCount();
    w.drag(&line, inLane(line, 18), inLane(line, 42), Qt::ShiftModifier);
    QCOMPARE(*w.state->playback().part(), std::pair(18, 42));
    QCOMPARE(w.window->keys().selected().size(), std::size_t(3)); // X, Y and Z of the selected object's keys there
    QCOMPARE(w.document().edit().frame, 10);                      // marking does not scrub
    // The middle moves, as it is dragged
    w.drag(&line, inLane(line, 30), inLane(line, 35), {}, [&] { QCOMPARE(w.goalFrames(), (Frames{1, 25, 45})); });
    QCOMPARE(w.goalFrames(), (Frames{1, 25, 45}));
    QCOMPARE(w.jointFrames(), (Frames{5, 30})); // is not selected
    QCOMPARE(*w.state->playback().part(), std::pair(23, 47));
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    // An end retimes about the other one
    const double grip = 1;
    w.drag(&line, inLane(line, 47) + QPoint(qRound(grip), 0), inLane(line, 71));
    QCOMPARE(w.goalFrames(), (Frames{1, 27, 67}));
    QCOMPARE(*w.state->playback().part(), std::pair(23, 71));
    QCOMPARE(w.document().history().undoCount(), steps + 2);
    // Esc gives all of it back
    QTest::mousePress(&line, Qt::LeftButton, {}, inLane(line, 40));
    SheetUnderTest::moveTo(&line, inLane(line, 60));
    QCOMPARE(w.goalFrames(), (Frames{1, 47, 87}));
    QTest::keyClick(&line, Qt::Key_Escape);
    QTest::mouseRelease(&line, Qt::LeftButton, {}, inLane(line, 60));
    w.settle();
    QCOMPARE(w.goalFrames(), (Frames{1, 27, 67}));
    QCOMPARE(*w.state->playback().part(), std::pair(23, 71));
    QCOMPARE(w.document().history().undoCount(), steps + 2);
    w.key(Qt::Key_Z, Qt::ControlModifier);
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
    // On the ruler one scrubs within the mark; beside it in the lane, the mark goes.
    QTest::mouseClick(&line, Qt::LeftButton, {}, QPoint(inLane(line, 50).x(), 8));
    QCOMPARE(w.document().edit().frame, 50);
    QVERIFY(w.state->playback().part());
    QTest::mouseClick(&line, Qt::LeftButton, {}, inLane(line, 90));
    QVERIFY(!w.state->playback().part());
    // Without a selection the keys of all are meant.
    w.state->selection().clear();
    w.drag(&line, inLane(line, 18), inLane(line, 42), Qt::ShiftModifier);
    w.drag(&line, inLane(line, 28), inLane(line, 29));
    QCOMPARE(w.goalFrames(), (Frames{1, 21, 41}));
    QCOMPARE(w.jointFrames(), (Frames{5, 31}));
    // Deleted, the time takes no state with it that goes on after it.
    const auto blendFrames = [&] { return w.framesOf(w.handle.id.value, Property::Blend); };
    w.apply({{"op", "key"}, {"target", w.handleName()}, {"channels", QJsonArray{"blend"}}, {"frame", 1}});
    w.settle();
    const std::size_t keyed = w.document().history().undoCount();
    QTest::mouseClick(&line, Qt::LeftButton, {}, inLane(line, 90));
    w.drag(&line, inLane(line, 0), inLane(line, 6), Qt::ShiftModifier);
    QTest::keyClick(&line, Qt::Key_Delete);
    w.settle();
    QCOMPARE(w.goalFrames(), (Frames{21, 41}));
    QCOMPARE(w.jointFrames(), (Frames{31}));
    QCOMPARE(blendFrames(), (Frames{7}));
    QCOMPARE(w.document().history().undoCount(), keyed + 1);
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(blendFrames(), (Frames{1}));
}

void TestTimeline::markedFramesArePlayed()
{
    SheetUnderTest w;
    qint64 now = 0;
    Playback& playback = w.state->playback();
    playback.clock = [&] { return now; };
    w.drag(w.timeline, inLane(*w.timeline, 20), inLane(*w.timeline, 29), Qt::ShiftModifier);
    w.window->commands().run(QStringLiteral("time.play"));
    QCOMPARE(playback.frame(), 20);
    std::set<int> seen;
    for (int tick = 0; tick < 60; ++tick) {
        now += 1'000'000'000 / 24;
        playback.tick();
        seen.insert(playback.frame());
    }
    QCOMPARE(*seen.begin(), 20);
    QCOMPARE(*seen.rbegin(), 29);
    QCOMPARE(seen.size(), std::size_t(10));
    w.window->commands().run(QStringLiteral("time.unmark"));
    now += 20'000'000'000 / 24;
    playback.tick();
    QVERIFY2(playback.frame() > 29, qPrintable(QString::number(playback.frame())));
    playback.stop();
}

void TestTimeline::theGreyBarZoomsAndPans()
{
    SheetUnderTest w;
    auto* bar = w.find<ZoomBar>("timeline.zoom");
    const TimeAxis whole = w.timeline->axis();
    const auto grip = [&](bool isLast) {
        const QRectF shown = bar->bar();
        return QPoint(qRound(isLast ? shown.right() - 2 : shown.left() + 2), bar->height() / 2);
    };
    w.drag(bar, grip(true), grip(true) - QPoint(400, 0));
    TimeAxis now = w.timeline->axis();
    QCOMPARE(now.first, whole.first);
    QVERIFY(now.last < whole.last - 20);
    QVERIFY(std::abs(bar->bar().right() - (whole.left + whole.width - 400)) < 4); // the bar is where it was dragged to
    const double span = now.last - now.first;
    w.drag(bar, bar->bar().center().toPoint(), bar->bar().center().toPoint() + QPoint(100, 0));
    now = w.timeline->axis();
    QVERIFY(std::abs(now.last - now.first - span) < 1e-9 && now.first > whole.first + 5);
    w.drag(bar, bar->bar().center().toPoint(),
           bar->bar().center().toPoint() + QPoint(4000, 0)); // no further than the end
    QVERIFY(std::abs(w.timeline->axis().last - whole.last) < 1e-9);
    w.drag(bar, grip(false), grip(false) - QPoint(4000, 0));
    QCOMPARE(w.timeline->axis().first, whole.first);
    w.drag(bar, grip(true), grip(true) - QPoint(300, 0));
    QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->bar().center().toPoint());
    QCOMPARE(w.timeline->axis().last, whole.last);
}

void TestTimeline::markersAreSetMovedNamedAndColoured()
{
    SheetUnderTest w;
    TimelineView& line = *w.timeline;
    const int before = line.height();
    reply("left contact");
    w.window->commands().run(QStringLiteral("marker.add"));
    w.settle();
    QCOMPARE(line.height(), before); // its lane is made of the timeline's own height: the tabs above stand still
    const auto markers = [&]() -> const std::vector<Marker>& { return w.document().clip()->markers; };
    const auto frameOf = [&](std::size_t i) { return w.document().scene().fps.frameAt(markers()[i].time); };
    QCOMPARE(markers().size(), std::size_t(1));
    QCOMPARE(markers()[0].name, std::string("left contact"));
    QCOMPARE(frameOf(0), 10.0);
    const auto flag = [&](double frame) { return QPoint(qRound(line.axis().x(frame)) + 4, 6); };
    const auto isColour = [&](MarkerColor color, double frame) {
        return QColor(line.grab().toImage().pixel(flag(frame))).rgb() == colorOf(color).rgb();
    };
    QVERIFY(isColour(MarkerColor::Blue, 10));
    w.choose(&line, flag(10), {"Colour", "Red"});
    QVERIFY(isColour(MarkerColor::Red, 10));
    const std::size_t steps = w.document().history().undoCount();
    w.drag(&line, flag(10), flag(30));
    QCOMPARE(frameOf(0), 30.0);
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    QCOMPARE(w.document().edit().frame, 10);
    QTest::mouseClick(&line, Qt::LeftButton, {}, flag(30)); // a click goes there
    QCOMPARE(w.document().edit().frame, 30);
    reply("right contact");
    QTest::mouseDClick(&line, Qt::LeftButton, {}, flag(30));
    w.settle();
    QCOMPARE(markers()[0].name, std::string("right contact"));
    QApplication::setActiveWindow(w.window.get()); // as a desktop does after a dialog
    w.apply({{"op", "addMarker"}, {"frame", 60}});
    w.window->commands().run(QStringLiteral("marker.next"));
    QCOMPARE(w.document().edit().frame, 60);
    w.drag(&line, flag(60), flag(30)); // there is one already: it stays beside it
    QCOMPARE(markers().size(), std::size_t(2));
    w.choose(&line, flag(30), {"Delete marker"});
    QCOMPARE(markers().size(), std::size_t(1));
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(markers()[0].color, MarkerColor::Red);
    QCOMPARE(markers()[0].name, std::string("right contact"));
}

void TestTimeline::theMenuWorksOnTheMarkedFrames()
{
    SheetUnderTest w;
    TimelineView& line = *w.timeline;
    w.select(w.handle.name.c_str());
    w.drag(&line, inLane(line, 15), inLane(line, 45), Qt::ShiftModifier);
    w.choose(&line, inLane(line, 20), {"Interpolation", "Linear"});
    const auto keys = w.document().clip()->find({w.handle.id.value, Property::GoalPosition})->toVector();
    QCOMPARE(keys[0].interpolation, Interpolation::Bezier);
    QVERIFY(keys[1].interpolation == Interpolation::Linear && keys[2].interpolation == Interpolation::Linear);
    w.choose(&line, inLane(line, 20), {"Copy keys"});
    w.apply({{"op", "setFrame"}, {"value", 70}});
    w.choose(&line, inLane(line, 20), {"Paste keys"});
    QCOMPARE(w.goalFrames(), (Frames{1, 20, 40, 70, 90}));
    w.choose(&line, inLane(line, 20), {"Set range to marked frames"});
    QCOMPARE(std::pair(w.document().scene().firstFrame, w.document().scene().lastFrame), std::pair(15, 45));
    w.choose(&line, inLane(line, 20), {"Delete key"});
    QCOMPARE(w.goalFrames(), (Frames{1, 70, 90}));
}

/// The tabs stay under the mouse, the panel has one height for all, and the timeline alone leaves no room empty.
void TestTimeline::tabsStandStill()
{
    WindowUnderTest w("leg");
    w.select("FootGoal");
    w.settle();
    auto* tabs = w.find<QTabBar>("bottom.tabs");
    const auto* dock = w.find<QDockWidget>("dock.time");
    const auto* timeline = w.find<QWidget>("timeline");
    const auto placeOf = [&](const QWidget* widget) {
        return QRect(widget->mapTo(w.window.get(), QPoint()), widget->size());
    };
    const QRect atFirst = placeOf(tabs), line = placeOf(timeline);
    const int low = dock->height();
    const auto open = [&](BottomTab tab) {
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(static_cast<int>(tab)).center());
        w.settle();
        w.settle();
    };
    int height = 0;
    for (const BottomTab tab : {BottomTab::Log, BottomTab::Compare, BottomTab::DopeSheet, BottomTab::Timeline,
                                BottomTab::Graph, BottomTab::Script, BottomTab::Timeline}) {
        open(tab);
        QCOMPARE(placeOf(tabs), atFirst);
        QCOMPARE(placeOf(timeline).topLeft().y(), line.top());
        if (tab == BottomTab::Timeline) {
            QCOMPARE(dock->height(), low); // no band
            continue;
        }
        if (height == 0) height = dock->height();
        QCOMPARE(dock->height(), height);
    }
    QVERIFY2(height > low + 150, qPrintable(QString("%1 %2").arg(height).arg(low)));
    // Pulled higher and lower, it is so for all tabs; the timeline can't be pulled up.
    open(BottomTab::Log);
    w.window->resizeDocks({w.find<QDockWidget>("dock.time")}, {height + 70}, Qt::Vertical);
    w.settle();
    open(BottomTab::Timeline);
    w.window->resizeDocks({w.find<QDockWidget>("dock.time")}, {height}, Qt::Vertical);
    w.settle();
    QCOMPARE(dock->height(), low);
    open(BottomTab::Graph);
    QCOMPARE(dock->height(), height + 70);
    QCOMPARE(placeOf(tabs), atFirst);
}

void TestTimeline::anErrorMarksTheLogUntilItIsOpened()
{
    WindowUnderTest w("leg");
    auto* tabs = w.find<QTabBar>("bottom.tabs");
    const int log = static_cast<int>(BottomTab::Log);
    const auto seen = [&] { return tabs->tabIcon(log).pixmap(16, 16).toImage(); };
    const QImage plain = seen();
    w.document().report({{Severity::Warning, "a warning", "", 0}});
    QVERIFY(seen() == plain);
    w.document().report({{Severity::Error, "an error", "", 0}});
    QVERIFY(seen() != plain);
    w.window->showBottom(BottomTab::Log);
    QVERIFY(seen() == plain);
    w.document().report({{Severity::Error, "another, which is read at once", "", 0}});
    QVERIFY(seen() == plain);
}

/// The status line says what the mouse does where it is used.
void TestTimeline::theViewGetsTheKeyboardBackFromTheFrameField()
{
    WindowUnderTest w("mannequin");
    const auto* view = w.find<QWidget>("viewport");
    const auto line = [](NumberField* field) { return field->findChildren<QLineEdit*>().last(); };
    for (const auto& [name, typed] : {std::pair{"frame", "12"}, {"range.last", "40"}, {"frame", "12"}}) {
        auto* field = w.find<NumberField>(name);
        field->setFocus();
        QTest::keyClicks(field, QString(typed).left(1));
        QTest::keyClicks(line(field), QString(typed).mid(1));
        QTest::keyClick(line(field), Qt::Key_Return);
        QVERIFY2(w.window->focusWidget() == view, name);
        w.settle();
        QCOMPARE(w.state->shownFrame(), 12);
    }
    // What is wrong stays open, and Tab goes on in the row.
    auto* field = w.find<NumberField>("frame");
    field->setFocus();
    QTest::keyClicks(field, "1");
    QTest::keyClick(line(field), Qt::Key_Tab);
    QVERIFY(w.window->focusWidget() != view);
}

void TestTimeline::theHintIsThatOfTheFocusedPanel()
{
    WindowUnderTest w("leg");
    const auto* hint = w.find<QLabel>("status.hint");
    QVERIFY(hint->text().contains("orbit"));
    w.window->showBottom(BottomTab::DopeSheet);
    w.find<QWidget>("dopeSheet")->setFocus();
    w.settle();
    w.settle();
    QVERIFY2(hint->text().contains("drag keys"), qPrintable(hint->text()));
    w.find<QWidget>("viewport")->setFocus();
    w.settle();
    w.settle();
    QVERIFY(hint->text().contains("orbit"));
}

TENDON_TEST(TestTimeline)
#include "tst_timeline.moc"

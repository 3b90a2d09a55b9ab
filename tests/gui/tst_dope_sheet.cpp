#include "tests/gui/SheetUnderTest.h"
#include "tests/support/TestProgram.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QToolButton>
#include <QToolTip>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::SheetUnderTest;

/// Keys in the dope sheet, by mouse and keyboard.
class TestDopeSheet : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    using Frames = std::vector<double>;

    static std::size_t stepsOf(SheetUnderTest& w) { return w.document().history().undoCount(); }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    void aNumberHasARowOfItsOwn()
    {
        SheetUnderTest w;
        QCOMPARE(w.sheet->rows().count(), 3); // the summary and two objects, folded
        const QPoint arrow(8, w.sheet->placeOf(w.goalRow(), 1).y());
        QTest::mouseClick(w.sheet, Qt::LeftButton, {}, arrow);
        QCOMPARE(w.sheet->rows().count(), 6);
        for (int axis = 0; axis < 3; ++axis) {
            const DopeRow& row = w.sheet->rows()[w.goalRow() + 1 + axis];
            QCOMPARE(row.text, QString("Goal position"));
            QCOMPARE(row.axis, axis);
            QCOMPARE(row.ticks->size(), std::size_t(3));
        }
        // A key of Y is a key of the whole position in time; what is selected of it is its Y.
        const int y = w.goalRow() + 2;
        QTest::mouseClick(w.sheet, Qt::LeftButton, {}, w.sheet->placeOf(y, 20));
        QCOMPARE(w.window->keys().selected().size(), std::size_t(1));
        QCOMPARE(w.window->keys().selected().begin()->first.component, 1);
        w.drag(w.sheet, w.sheet->placeOf(y, 20), w.sheet->placeOf(y, 25));
        QCOMPARE(w.goalFrames(), (Frames{1, 25, 40}));
        w.key(Qt::Key_Return); // folds in again by the keyboard
        QCOMPARE(w.sheet->rows().count(), 3);
    }

    void keysAreCutCopiedAndPastedWhereTheSheetHasTheFocus()
    {
        SheetUnderTest w;
        QTest::mouseClick(w.sheet, Qt::LeftButton, {}, w.sheet->placeOf(w.goalRow(), 20));
        QTest::mouseClick(w.sheet, Qt::LeftButton, Qt::ShiftModifier, w.sheet->placeOf(w.goalRow(), 40));
        QCOMPARE(w.find<QLabel>("dope.count")->text(), QString("2 keys selected"));
        w.key(Qt::Key_C, Qt::ControlModifier);
        QVERIFY(w.document().edit().copiedPose.joints.empty()); // not the pose
        w.apply({{"op", "setFrame"}, {"value", 60}});
        const std::size_t steps = stepsOf(w);
        w.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40, 60, 80}));
        QCOMPARE(stepsOf(w), steps + 1);
        QVERIFY(w.document().edit().pending.empty());
        QCOMPARE(w.sheet->selected(), (std::set<DopeSheet::KeyRef>{{w.handle.id.value, 60}, {w.handle.id.value, 80}}));
        w.key(Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        w.apply({{"op", "addClip"}, {"name", "Other"}}); // into another clip
        w.settle();
        w.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(w.goalFrames(), (Frames{60, 80}));
        // In the view the same keys are those of the pose.
        w.find<QWidget>("viewport")->setFocus();
        w.key(Qt::Key_C, Qt::ControlModifier);
        QVERIFY(!w.document().edit().copiedPose.joints.empty());
    }

    /// By the menu bar: the keys that are selected, wherever the current frame is.
    void interpolationIsOfTheSelectedKeys()
    {
        SheetUnderTest w;
        const auto kinds = [&] {
            std::vector<Interpolation> list;
            for (const Key& key : w.document().clip()->find({w.handle.id.value, Property::GoalPosition})->toVector())
                list.push_back(key.interpolation);
            return list;
        };
        constexpr auto kStep = Interpolation::Step, kLinear = Interpolation::Linear, kBezier = Interpolation::Bezier;
        w.select(w.handle.name.c_str());
        w.apply({{"op", "setFrame"}, {"value", 1}});
        w.settle();
        const std::size_t steps = stepsOf(w);
        QTest::mouseClick(w.sheet, Qt::LeftButton, {}, w.sheet->placeOf(w.goalRow(), 20));
        QTest::mouseClick(w.sheet, Qt::LeftButton, Qt::ShiftModifier, w.sheet->placeOf(w.goalRow(), 40));
        w.window->commands().run(QStringLiteral("key.step"));
        QCOMPARE(kinds(), (std::vector{kBezier, kStep, kStep}));
        QCOMPARE(stepsOf(w), steps + 1);
        w.state->playback().setPart({{1, 20}}); // what is selected comes before what is marked
        w.settle();
        w.window->commands().run(QStringLiteral("key.linear"));
        QCOMPARE(kinds(), (std::vector{kBezier, kLinear, kLinear}));
        w.state->playback().setPart({});
        w.window->keys().select({});
        w.settle();
        w.window->commands().run(QStringLiteral("key.linear")); // without selected keys, those of this frame
        QCOMPARE(kinds(), (std::vector{kLinear, kLinear, kLinear}));
    }

    void aDragShowsItsFramesAndIsOneStep()
    {
        SheetUnderTest w;
        const std::size_t steps = stepsOf(w);
        const QPoint from = w.sheet->placeOf(w.goalRow(), 20);
        w.drag(w.sheet, from, w.sheet->placeOf(w.goalRow(), 24), {}, [&] {
            QCOMPARE(w.sheet->dragLabel(), QString("20 to 24 (+4)"));
            QCOMPARE(w.goalFrames(), (Frames{1, 24, 40})); // what is seen follows
        });
        QCOMPARE(stepsOf(w), steps + 1);
        QVERIFY(w.sheet->dragLabel().isEmpty());
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        QTest::mousePress(w.sheet, Qt::LeftButton, {}, from);
        SheetUnderTest::moveTo(w.sheet, w.sheet->placeOf(w.goalRow(), 28));
        w.key(Qt::Key_Escape);
        QTest::mouseRelease(w.sheet, Qt::LeftButton, {}, w.sheet->placeOf(w.goalRow(), 28));
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        QCOMPARE(stepsOf(w), steps);
    }

    void keysBetweenFramesAreReadAndSnapped()
    {
        SheetUnderTest w;
        w.window->time().show(18, 24); // so that a frame is many pixels
        const QPoint from = w.sheet->placeOf(w.goalRow(), 20), to = w.sheet->placeOf(w.goalRow(), 21.5);
        w.drag(w.sheet, from, to, Qt::ControlModifier, [&] { QVERIFY(w.sheet->dragLabel().contains("21.5")); });
        const double frame = w.goalFrames()[1];
        QVERIFY2(std::abs(frame - 21.5) < 0.02, qPrintable(QString::number(frame)));
        QCOMPARE(w.find<NumberField>("dope.frame")->text(), QString::number(frame, 'f', 2));
        const QPoint at = w.sheet->placeOf(w.goalRow(), frame);
        QHelpEvent help(QEvent::ToolTip, at, w.sheet->mapToGlobal(at));
        QCoreApplication::sendEvent(w.sheet, &help);
        QVERIFY2(QToolTip::text().startsWith("Frame " + QString::number(frame, 'f', 2)), qPrintable(QToolTip::text()));
        QVERIFY2(QToolTip::text().contains("Goal position Y 120.0 cm"), qPrintable(QToolTip::text()));
        w.choose(w.sheet, at, {"Snap keys to frames"});
        QCOMPARE(w.goalFrames()[1], std::round(frame));
    }

    void fieldsMoveAndStretch()
    {
        SheetUnderTest w;
        w.sheet->selectRow(w.goalRow());
        const std::size_t steps = stepsOf(w);
        w.find<NumberField>("dope.moveBy")->enter(3);
        QCOMPARE(w.goalFrames(), (Frames{4, 23, 43}));
        QCOMPARE(w.find<NumberField>("dope.moveBy")->value(), 0.0);
        w.find<NumberField>("dope.stretch")->enter(2);
        QCOMPARE(w.goalFrames(), (Frames{4, 42, 82}));
        QCOMPARE(w.find<NumberField>("dope.stretch")->value(), 1.0);
        w.find<NumberField>("dope.frame")->enter(1);
        QCOMPARE(w.goalFrames(), (Frames{1, 39, 79}));
        QCOMPARE(stepsOf(w), steps + 3);
        QCOMPARE(w.jointFrames(), (Frames{5, 30})); // not selected
        // A drag of a field is one step, and Esc cancels it.
        auto* field = w.find<NumberField>("dope.moveBy");
        QTest::mousePress(field, Qt::LeftButton, {}, {10, 10});
        SheetUnderTest::moveTo(field, {40, 10});
        SheetUnderTest::moveTo(field, {60, 10});
        QVERIFY(w.goalFrames().front() > 5);
        QTest::mouseRelease(field, Qt::LeftButton, {}, {60, 10});
        w.settle();
        QCOMPARE(stepsOf(w), steps + 4);
        QCOMPARE(field->value(), 0.0);
    }

    /// With snapping on, keys end on frames, and undo and redo take the selection along.
    void stretchedKeysStopAtFramesAndStaySelectedThroughUndo()
    {
        SheetUnderTest w;
        w.sheet->selectRow(w.goalRow());
        const GraphKeys before = w.window->keys().selected();
        w.find<NumberField>("dope.stretch")->enter(0.45);
        QCOMPARE(w.goalFrames(), (Frames{1, 10, 19})); // not 9.55 and 18.55
        const GraphKeys after = w.window->keys().selected();
        QVERIFY(after != before);
        for (int i = 0; i < 2; ++i) {
            w.key(Qt::Key_Z, Qt::ControlModifier);
            QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
            QVERIFY(w.window->keys().selected() == before);
            w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
            QCOMPARE(w.goalFrames(), (Frames{1, 10, 19}));
            QVERIFY(w.window->keys().selected() == after);
        }
        w.key(Qt::Key_Z, Qt::ControlModifier);
        const int margin = Theme::instance().px(10);
        const QPoint right = w.sheet->placeOf(w.goalRow(), 40) + QPoint(margin, 0);
        w.drag(w.sheet, right, w.sheet->placeOf(w.goalRow(), 30) + QPoint(margin, 0));
        QCOMPARE(w.goalFrames(), (Frames{1, 15, 30})); // not 15.1
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(w.window->keys().selected() == before);
        w.window->keys().setSnaps(false);
        w.find<NumberField>("dope.stretch")->enter(0.45);
        QVERIFY(std::abs(w.goalFrames()[1] - 9.55) < 0.01);
    }

    void theSidesOfTheBoxStretchTimes()
    {
        SheetUnderTest w;
        w.sheet->selectRow(w.goalRow());
        const int margin = Theme::instance().px(10);
        const QPoint right = w.sheet->placeOf(w.goalRow(), 40) + QPoint(margin, 0);
        w.drag(w.sheet, right, w.sheet->placeOf(w.goalRow(), 79) + QPoint(margin, 0), {},
               [&] { QCOMPARE(w.sheet->dragLabel(), QString("1 to 79 (200 %)")); });
        QCOMPARE(w.goalFrames(), (Frames{1, 39, 79}));
        const QPoint left = w.sheet->placeOf(w.goalRow(), 1) - QPoint(margin, 0);
        w.drag(w.sheet, left, w.sheet->placeOf(w.goalRow(), 40) - QPoint(margin, 0));
        QCOMPARE(w.goalFrames(), (Frames{40, 59, 79}));
    }

    void theFilterLeavesWhatMatches()
    {
        SheetUnderTest w;
        auto* filter = w.find<QLineEdit>("dope.filter");
        QTest::keyClicks(filter, w.jointName());
        QCOMPARE(w.sheet->rows().count(), 2);
        filter->setText("rotation Z");
        QCOMPARE(w.sheet->rows().count(), 3); // folded out, with the one that was looked for
        QCOMPARE(w.sheet->rows()[2].axis, 2);
        w.sheet->selectRow(1);
        QCOMPARE(w.window->keys().selected().size(), std::size_t(1));
        filter->setText("nothing of that name");
        QCOMPARE(w.sheet->rows().count(), 0);
        filter->clear();
        w.select(w.handle.name.c_str());
        QTest::mouseClick(w.find<QCheckBox>("dope.onlySelected"), Qt::LeftButton, {}, QPoint(8, 8));
        QCOMPARE(w.sheet->rows().count(), 2);
        QCOMPARE(w.sheet->rows()[1].target, w.handle.id.value);
        w.select(w.joint.name.c_str());
        QCOMPARE(w.sheet->rows()[1].target, w.joint.id.value);
    }

    void timeIsTheSameInSheetTimelineAndGraph()
    {
        SheetUnderTest w;
        const TimeAxis before = w.sheet->axis();
        const QPoint at = w.sheet->placeOf(w.goalRow(), 20);
        SheetUnderTest::wheel(w.sheet, at, 5);
        const TimeAxis near = w.sheet->axis();
        QVERIFY(near.pixelsPerFrame() > 1.5 * before.pixelsPerFrame());
        QVERIFY(std::abs(near.x(20) - at.x()) < 1); // about the pointer
        QCOMPARE(w.timeline->axis().first, near.first);
        QVERIFY(std::abs(w.timeline->axis().x(20) - near.x(20)) < 1.5); // one below the other
        w.drag(w.sheet, {600, 60}, {660, 60}, {}, {}, Qt::MiddleButton);
        QVERIFY(std::abs(w.sheet->axis().x(20) - at.x() - 60) < 1);
        SheetUnderTest::wheel(w.timeline, {700, 30}, -3);
        QVERIFY(w.sheet->axis().pixelsPerFrame() < near.pixelsPerFrame());
        const auto* graph = w.find<GraphView>("graph.view");
        QCOMPARE(graph->canvas().time.first, w.sheet->axis().first);
        QCOMPARE(graph->canvas().time.last, w.sheet->axis().last);
        w.apply({{"op", "setFrame"}, {"value", 95}}); // where the view does not reach
        w.settle();
        QVERIFY(w.sheet->axis().last > 95);
        w.sheet->setFocus();
        w.key(Qt::Key_A); // the view's key for all
        QCOMPARE(w.sheet->axis().first, before.first);
        QCOMPARE(w.sheet->axis().last, before.last);
    }

    void keysAreSelectedInSheetAndGraphAtOnce()
    {
        SheetUnderTest w;
        w.select(w.handle.name.c_str());
        GraphState& graph = w.window->graph()->state();
        w.sheet->selectRow(0);
        QCOMPARE(graph.selected().size(), std::size_t(3)); // of the selected object's curves
        QVERIFY(w.window->keys().selected().size() > 3);
        graph.select({{graph.curves()[1].id, {*graph.selected().begin()->second.begin()}}});
        QCOMPARE(w.sheet->selected(), (std::set<DopeSheet::KeyRef>{{w.handle.id.value, 1}}));
        w.select(w.joint.name.c_str()); // the keys stay selected, out of the graph's sight
        QVERIFY(graph.selected().empty());
        QCOMPARE(w.sheet->selected().size(), std::size_t(1));
        w.select(w.handle.name.c_str());
        QCOMPARE(graph.selectedCount(), std::size_t(1));
    }

    void theMenuSetsInterpolationPerKeyAndPastesOntoAnother()
    {
        SheetUnderTest w;
        const QPoint at = w.sheet->placeOf(w.goalRow(), 20);
        w.choose(w.sheet, at, {"Interpolation", "Step"});
        const auto keys = w.document().clip()->find({w.handle.id.value, Property::GoalPosition})->toVector();
        QCOMPARE(keys[0].interpolation, Interpolation::Bezier);
        QCOMPARE(keys[1].interpolation, Interpolation::Step);
        w.choose(w.sheet, at, {"Tangents", "Flat tangents"});
        QCOMPARE(w.document().clip()->find({w.handle.id.value, Property::GoalPosition})->toVector()[1].tangents,
                 TangentMode::Flat);
        // Keys of one joint for another
        w.sheet->selectRow(w.rowOf(w.jointName()));
        w.choose(w.sheet, w.sheet->placeOf(w.rowOf(w.jointName()), 5), {"Copy keys"});
        const Joint other = w.document().scene().joints->toVector()[1];
        w.select(other.name.c_str());
        w.choose(w.sheet, w.sheet->placeOf(w.rowOf(w.jointName()), 5),
                 {"Paste keys onto " + QString::fromStdString(other.name)});
        QCOMPARE(w.framesOf(other.id.value, Property::Rz), (Frames{10, 35}));
        // And the menu of a row
        w.choose(w.sheet, QPoint(60, w.sheet->placeOf(w.goalRow(), 1).y()), {"Delete the keys of this row"});
        QVERIFY(w.goalFrames().empty());
    }

    void theBreakdownSliderKeysBetweenNeighbours()
    {
        SheetUnderTest w;
        w.select(w.handle.name.c_str());
        auto* slider = w.find<QSlider>("dope.breakdown");
        QVERIFY(slider->isEnabled());
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home); // 50 % beyond the key before
        w.settle();
        QCOMPARE(w.goalFrames(), (Frames{1, 10, 20, 40}));
        QCOMPARE(w.jointFrames(), (Frames{5, 30})); // only of what is selected
        const auto keys = w.document().clip()->find({w.handle.id.value, Property::GoalPosition})->toVector();
        QVERIFY(std::abs(keys[1].value[1] - (keys[0].value[1] - 0.5 * (keys[2].value[1] - keys[0].value[1]))) < 1e-12);
    }

    void aBarJoinsEqualKeys()
    {
        SheetUnderTest w;
        const GraphCurve z = *w.window->keys().find({{w.handle.id.value, Property::GoalPosition}, 2});
        const GraphCurve y = *w.window->keys().find({{w.handle.id.value, Property::GoalPosition}, 1});
        const FrameRate fps = w.document().scene().fps;
        const auto at = [&](int frame) { return fps.timeOf(frame).ticks; };
        QVERIFY(isHeld(z, at(1), at(20)) && !isHeld(y, at(1), at(20)));
        QVERIFY(isHeld(y, at(40), at(50)) && isHeld(y, at(-5), at(1))); // after the last key and before the first
        w.apply({{"op", "setTangent"},
                 {"target", w.handleName()},
                 {"frame", 1},
                 {"mode", "free"},
                 {"out", QJsonArray{0, 0, 1}}});
        QVERIFY(!isHeld(*w.window->keys().find(z.id), at(1), at(20))); // equal, but not level
        QVERIFY(isHeld(*w.window->keys().find(z.id), at(20), at(40)));
    }

    /// A capture has a key at every frame; a correction is seen on it, whether it is zoomed in or out.
    void correctionsAreSeenOnDenseKeys()
    {
        SheetUnderTest w;
        for (int frame = 1; frame <= 60; ++frame)
            w.apply({{"op", "key"},
                     {"target", w.handleName()},
                     {"channels", QJsonArray{"goal.position"}},
                     {"frame", frame}});
        w.settle();
        const auto column = [&](double frame) { // of the row's pixels
            const QImage picture = w.sheet->grab().toImage();
            const QPoint at = w.sheet->placeOf(w.goalRow(), frame) * picture.devicePixelRatio();
            QList<QRgb> pixels;
            for (int y = at.y() - 9; y <= at.y() + 9; ++y)
                for (int x = at.x() - 1; x <= at.x() + 1; ++x) pixels << picture.pixel(x, y);
            return pixels;
        };
        const auto lane = [&](double frame) { // of the timeline's lower half of the lane of keys
            const QImage picture = w.timeline->grab().toImage();
            const double x = w.timeline->axis().x(frame);
            QList<QRgb> pixels;
            for (int y = 0; y < picture.height(); ++y) pixels << picture.pixel(qRound(x), y);
            return pixels;
        };
        const auto before = column(30), laneBefore = lane(30);
        w.apply({{"op", "setFrame"}, {"value", 30}});
        w.apply({{"op", "editLayer"}, {"layer", "corrections"}});
        w.apply({{"op", "setGoal"}, {"handle", w.handleName()}, {"position", QJsonArray{0.1, 0.9, 0.4}}});
        w.apply({{"op", "key"}, {"target", w.handleName()}, {"channels", QJsonArray{"goal.position"}}});
        w.apply({{"op", "setFrame"}, {"value", 10}});
        w.settle();
        QVERIFY(column(30) != before && column(30) != column(32));
        QVERIFY(lane(30) != laneBefore && lane(30) != lane(32));
    }

    /// Clicks, drags and commands take keys of the layer that is edited; those of the other one are seen, fainter.
    void keysOfTheEditedLayerAreTaken()
    {
        SheetUnderTest w;
        w.apply({{"op", "editLayer"}, {"layer", "corrections"}});
        for (const int frame : {20, 30}) {
            w.apply({{"op", "setFrame"}, {"value", frame}});
            w.apply({{"op", "setGoal"}, {"handle", w.handleName()}, {"position", QJsonArray{0.1, 0.9, 0.4}}});
            w.apply({{"op", "key"}, {"target", w.handleName()}, {"channels", QJsonArray{"goal.position"}}});
        }
        const auto corrections = [&] {
            Frames frames;
            const ChannelId channel{w.handle.id.value, Property::GoalPosition, Layer::Corrections};
            if (const KeyList* keys = w.document().clip()->find(channel))
                for (const Key& key : keys->toVector()) frames.push_back(w.document().scene().fps.frameAt(key.time));
            return frames;
        };
        const auto click = [&](double frame) {
            QTest::mouseClick(w.sheet, Qt::LeftButton, {}, w.sheet->placeOf(w.goalRow(), frame));
            w.settle();
        };
        const auto isAtFirst = [&] {
            return corrections() == Frames{20, 30} && w.goalFrames() == Frames{1, 20, 40} &&
                   w.jointFrames() == Frames{5, 30};
        };
        const auto undo = [&] {
            w.apply({{"op", "undo"}});
            w.settle();
        };
        w.select(w.handle.name.c_str());
        QVERIFY(isAtFirst());
        // At frame 20 both layers have a key.
        click(20);
        QCOMPARE(w.find<QLabel>("dope.count")->text(), QString("1 key selected"));
        w.key(Qt::Key_Delete);
        QCOMPARE(corrections(), (Frames{30}));
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        undo();
        click(40); // of the clip's own keys alone
        QVERIFY(w.sheet->selected().empty());
        w.drag(w.sheet, w.sheet->placeOf(0, 0.5), w.sheet->placeOf(0, 42) + QPoint(0, 4)); // a box over all keys
        QCOMPARE(w.sheet->selected(), (std::set<DopeSheet::KeyRef>{{w.handle.id.value, 20}, {w.handle.id.value, 30}}));
        click(40); // the selection is empty again
        click(20);
        w.drag(w.sheet, w.sheet->placeOf(w.goalRow(), 20), w.sheet->placeOf(w.goalRow(), 24));
        QCOMPARE(corrections(), (Frames{24, 30}));
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        undo();
        click(20);
        w.key(Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(corrections(), (Frames{30}));
        w.apply({{"op", "setFrame"}, {"value", 35}});
        w.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(corrections(), (Frames{30, 35}));
        QCOMPARE(w.sheet->selected(), (std::set<DopeSheet::KeyRef>{{w.handle.id.value, 35}}));
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        undo();
        undo();
        QVERIFY(isAtFirst());
        // The commands of the window, on the selected handle at a frame; next and previous key.
        w.find<QWidget>("viewport")->setFocus();
        w.apply({{"op", "setFrame"}, {"value", 1}});
        w.key(Qt::Key_Period);
        QCOMPARE(w.state->shownFrame(), 20);
        w.key(Qt::Key_S, Qt::AltModifier);
        QCOMPARE(corrections(), (Frames{30}));
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        undo();
        w.apply({{"op", "setFrame"}, {"value", 20}});
        w.key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        w.key(Qt::Key_Period);
        QCOMPARE(w.state->shownFrame(), 30);
        w.key(Qt::Key_Period); // 40 is of the clip's own keys
        QCOMPARE(w.state->shownFrame(), 30);
        w.apply({{"op", "setFrame"}, {"value", 27}});
        w.key(Qt::Key_V, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(corrections(), (Frames{20, 27, 30}));
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        undo();
        w.state->playback().setPart({{15, 45}});
        w.settle();
        w.key(Qt::Key_S, Qt::AltModifier); // those of the marked frames
        QCOMPARE(corrections(), Frames());
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        undo();
        w.state->playback().setPart({});
        // No correction, at one frame.
        w.apply({{"op", "setFrame"}, {"value", 25}});
        w.window->commands().run(QStringLiteral("layer.keyZero"));
        QCOMPARE(corrections(), (Frames{20, 25, 30}));
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        undo();
        w.state->selection().clear(); // of all that is corrected, and of nothing else
        w.settle();
        w.window->commands().run(QStringLiteral("layer.keyZero"));
        QCOMPARE(corrections(), (Frames{20, 25, 30}));
        QCOMPARE(w.goalFrames(), (Frames{1, 20, 40}));
        QCOMPARE(w.jointFrames(), (Frames{5, 30}));
        undo();
        w.select(w.handle.name.c_str());

        // In the graph.
        w.window->showBottom(BottomTab::Graph);
        auto* graph = w.find<GraphView>("graph.view");
        (void)graph->grab();
        GraphState& curves = w.window->graph()->state();
        const auto clickCurve = [&](Layer layer, double frame) {
            curves.select({});
            const CurveId id{{w.handle.id.value, Property::GoalPosition, layer}, 1};
            QTest::mouseClick(graph, Qt::LeftButton, {}, graph->placeOf(id, frame));
            return curves.selected().size() == 1 && curves.selected().begin()->first.channel.layer == layer;
        };
        QVERIFY(clickCurve(Layer::Corrections, 30));
        QVERIFY(!clickCurve(Layer::Keys, 40));
        curves.selectAll();
        for (const auto& [id, ticks] : curves.selected()) QCOMPARE(id.channel.layer, Layer::Corrections);
        w.apply({{"op", "editLayer"}, {"layer", "keys"}});
        w.settle();
        QVERIFY(curves.selected().empty()); // of the other layer
        QVERIFY(clickCurve(Layer::Keys, 40));
        QVERIFY(!clickCurve(Layer::Corrections, 30));

        // The clip's own keys again; copied corrections are not put into them.
        w.window->showBottom(BottomTab::DopeSheet);
        w.settle();
        w.sheet->setFocus();
        w.apply({{"op", "setFrame"}, {"value", 45}});
        w.key(Qt::Key_V, Qt::ControlModifier);
        QVERIFY(isAtFirst());
        const QImage own = w.sheet->grab().toImage();
        click(30); // of the corrections alone
        QVERIFY(w.sheet->selected().empty());
        click(20);
        w.key(Qt::Key_Delete);
        QCOMPARE(w.goalFrames(), (Frames{1, 40}));
        QCOMPARE(corrections(), (Frames{20, 30}));
        undo();
        w.apply({{"op", "editLayer"}, {"layer", "corrections"}});
        w.settle();
        const QImage corrected = w.sheet->grab().toImage();
        const QPoint at = w.sheet->placeOf(w.goalRow(), 40);
        const auto contrast = [&](const QImage& image) {
            return std::abs(image.pixelColor(at).lightness() - Theme::instance().color("accent.tint").lightness());
        };
        QVERIFY2(contrast(corrected) < 0.7 * contrast(own),
                 qPrintable(QString("%1 %2").arg(contrast(corrected)).arg(contrast(own))));
    }

    void theKeyUnderThePlayheadIsSeen()
    {
        SheetUnderTest w;
        w.apply({{"op", "setFrame"}, {"value", 20}});
        w.select(w.handle.name.c_str());
        w.sheet->selectRow(w.goalRow());
        w.settle();
        const auto red = Theme::instance().color("time.key-selected").rgb();
        const QImage sheet = w.sheet->grab().toImage();
        QCOMPARE(QColor(sheet.pixel(w.sheet->placeOf(w.goalRow(), 20))).rgb(), red);
        const QImage line = w.timeline->grab().toImage();
        const QPoint tick(qRound(w.timeline->axis().x(20)), w.timeline->keyLaneTop() + 12);
        QCOMPARE(QColor(line.pixel(tick)).rgb(), red);
        QCOMPARE(QColor(line.pixel(tick.x(), w.timeline->keyLaneTop() - 2)).rgb(),
                 Theme::instance().color("time.playhead").rgb());
    }
};

TENDON_TEST(TestDopeSheet)
#include "tst_dope_sheet.moc"

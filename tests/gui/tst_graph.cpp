#include "tests/gui/GraphUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/graph/GraphPaint.h"
#include "core/runtime/KeySampling.h"

#include <QTabBar>
#include <QToolButton>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::GraphUnderTest;

/// The tab Graph: curves of the selection, their keys by mouse and keyboard.
class TestGraph : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void curvesAreThoseOfTheSelection();
    void aCurveIsDrawnWhereItsValuesAre();
    void draggedKeysMoveInTimeAsOneStep();
    void escCancelsADrag();
    void aBoxSelectsAndDeleteDeletes();
    void aLassoSelectsWhatItIsAround();
    void fkIsDotted();
    void lettersStandApart();
    void valuesAreReadOverCurves();
    void arrowsStepFromKeyToKeyAndMoveThem();
    void framingPanAndZoom();
    void theRulerScrubs();
    void aDoubleClickAddsAKey();
    void theListHidesAndActivates();
    void linesUpWithTheTimeline();
    void theTransformBoxScalesTimes();
    void undoGivesTheSelectionBack();
    void commandsSetTangentsAndSwitches();
    void theFrameFieldMovesKeys();
};

void TestGraph::curvesAreThoseOfTheSelection()
{
    GraphUnderTest w;
    QCOMPARE(w.state->curves().size(), std::size_t(3));
    QCOMPARE(w.find<QTreeWidget>("graph.list")->topLevelItem(0)->text(0), QString::fromStdString(w.handle.name));
    w.state->editor().selection().clear();
    w.settle();
    QVERIFY(w.state->curves().empty());
    QCOMPARE(w.find<QTreeWidget>("graph.list")->topLevelItemCount(), 0);
}

void TestGraph::aCurveIsDrawnWhereItsValuesAre()
{
    GraphUnderTest w;
    w.state->setHidden({w.curve(0), w.curve(2)}, true);
    const QImage image = w.view->grab().toImage();
    const QColor color = Theme::instance().color("axis.y");
    const auto isNear = [&](QPoint at) {
        for (int y = at.y() - 4; y <= at.y() + 4; ++y) {
            const QColor seen = image.pixelColor(at.x(), y);
            if (std::abs(seen.red() - color.red()) + std::abs(seen.green() - color.green()) < 120) return true;
        }
        return false;
    };
    for (const double frame : {5.0, 11.0, 15.5, 25.0, 33.0})
        QVERIFY2(isNear(w.view->placeOf(w.curve(1), frame)), qPrintable(QString::number(frame)));
    QVERIFY(!isNear(w.view->placeOf(w.curve(1), 11) + QPoint(0, 30)));
}

void TestGraph::draggedKeysMoveInTimeAsOneStep()
{
    GraphUnderTest w;
    const Scene before = w.document().scene();
    const std::size_t steps = w.document().history().undoCount();
    const QPoint key = w.view->placeOf(w.curve(1), 20);
    w.press(key);
    QCOMPARE(w.state->selectedCount(), std::size_t(1));
    w.moveTo(key + w.inFrames(3));
    QCOMPARE(w.frames(), (std::vector<double>{1, 23, 40})); // follows while it is dragged
    w.moveTo(key + w.inFrames(5.2));
    w.release(key + w.inFrames(5.2));
    w.settle();
    QCOMPARE(w.frames(), (std::vector<double>{1, 25, 40})); // at whole frames
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    QVERIFY(w.state->isSelected(w.curve(1), w.document().scene().fps.timeOf(25).ticks));
    QVERIFY(w.document().undo());
    QVERIFY(w.document().scene() == before);
    // There and back is no step.
    w.drag(w.view->placeOf(w.curve(1), 20), w.view->placeOf(w.curve(1), 20));
    QCOMPARE(w.document().history().undoCount(), steps);
}

void TestGraph::escCancelsADrag()
{
    GraphUnderTest w;
    const Scene before = w.document().scene();
    const std::size_t steps = w.document().history().undoCount();
    const QPoint key = w.view->placeOf(w.curve(0), 20);
    w.view->setFocus();
    w.press(key);
    w.moveTo(key + w.inFrames(7));
    QVERIFY(w.document().scene() != before);
    QTest::keyClick(w.view, Qt::Key_Escape);
    w.release(key + w.inFrames(7));
    w.settle();
    QVERIFY(w.document().scene() == before);
    QCOMPARE(w.document().history().undoCount(), steps);
    QVERIFY(w.state->isSelected(w.curve(0), w.document().scene().fps.timeOf(20).ticks));
}

void TestGraph::aBoxSelectsAndDeleteDeletes()
{
    GraphUnderTest w;
    const QRect plot = w.view->canvas().plot;
    const int left = (w.view->placeOf(w.curve(0), 20).x() + w.view->placeOf(w.curve(0), 1).x()) / 2;
    const int right = w.view->placeOf(w.curve(0), 40).x() + 10;
    w.drag({left, plot.bottom() - 2}, {right, plot.top() + 2});
    QCOMPARE(w.state->selectedCount(), std::size_t(6)); // two keys of three curves
    w.view->setFocus();
    w.key(Qt::Key_Delete);
    QCOMPARE(w.frames(), (std::vector<double>{1}));
    QVERIFY(w.state->selected().empty());
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.frames(), (std::vector<double>{1, 20, 40}));
}

void TestGraph::aLassoSelectsWhatItIsAround()
{
    GraphUnderTest w;
    w.window->resize(1920, 1050);
    w.settle();
    QTest::mouseClick(w.find<QToolButton>("button.graph.lasso"), Qt::LeftButton);
    // Around a key, past another one that a box from corner to corner would have in it.
    const QPoint inside = w.view->placeOf(w.curve(1), 20), left = w.view->placeOf(w.curve(1), 1);
    QVERIFY(inside.y() < left.y() - 24);
    const QPoint corners[] = {
        {left.x() - 6, inside.y() - 10}, inside + QPoint(10, -10), inside + QPoint(10, 10), inside + QPoint(-10, 10),
        {left.x() - 6, inside.y() + 10}, left + QPoint(-6, 6),     left + QPoint(-12, 6)};
    w.press(corners[0]);
    for (const QPoint corner : corners) w.moveTo(corner);
    w.release(corners[6]);
    w.settle();
    QVERIFY(w.state->isSelected(w.curve(1), w.document().scene().fps.timeOf(20).ticks));
    QVERIFY(!w.state->isSelected(w.curve(1), w.document().scene().fps.timeOf(1).ticks));
}

void TestGraph::fkIsDotted()
{
    GraphUnderTest w;
    w.state->setHidden({w.curve(0), w.curve(2)}, true);
    const QString name = QString::fromStdString(w.handle.name);
    const QColor color = Theme::instance().color("axis.y");
    /// The share of the columns between two frames that show the curve.
    const auto shareOf = [&](double from, double to) {
        const QImage image = w.view->grab().toImage();
        int seen = 0, all = 0;
        for (double frame = from; frame < to; frame += 1 / w.view->canvas().time.pixelsPerFrame()) {
            const QPoint at = w.view->placeOf(w.curve(1), frame);
            bool isSeen = false;
            for (int y = at.y() - 4; y <= at.y() + 4; ++y) {
                const QColor pixel = image.pixelColor(at.x(), y);
                isSeen = isSeen || std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) < 120;
            }
            ++all;
            seen += isSeen ? 1 : 0;
        }
        return static_cast<double>(seen) / all;
    };
    const auto isSolid = [&](double from, double to) { return shareOf(from, to) > 0.9; };
    const auto isDotted = [&](double from, double to) { return shareOf(from, to) > 0.1 && shareOf(from, to) < 0.8; };
    QVERIFY2(isSolid(3, 18), qPrintable(QString::number(shareOf(3, 18))));
    w.apply({{"op", "setHandle"}, {"name", name}, {"blend", 0}}); // not keyed
    w.settle();
    QVERIFY2(isDotted(3, 18), qPrintable(QString::number(shareOf(3, 18))));
    for (const auto& [frame, blend] : {std::pair{1, 1}, std::pair{24, 0}}) {
        w.apply({{"op", "key"}, {"target", name}, {"channels", QJsonArray{"blend"}}, {"frame", frame}});
        w.apply({{"op", "setKeyValue"},
                 {"target", name},
                 {"channels", QJsonArray{"blend"}},
                 {"frame", frame},
                 {"value", blend}});
        w.apply({{"op", "setTangent"},
                 {"target", name},
                 {"channels", QJsonArray{"blend"}},
                 {"frame", frame},
                 {"interpolation", "step"}});
    }
    w.state->setHidden({{{w.handle.id.value, Property::Blend}, 0}}, true);
    w.settle();
    QVERIFY2(isSolid(3, 18), qPrintable(QString::number(shareOf(3, 18))));
    QVERIFY2(isDotted(26, 38), qPrintable(QString::number(shareOf(26, 38))));
}

void TestGraph::lettersStandApart()
{
    GraphUnderTest w;
    const QString name = QString::fromStdString(w.handle.name);
    const auto isTidy = [&](std::size_t count) {
        const GraphCanvas canvas = w.view->canvas();
        const std::vector<CurveLetter> letters = lettersOf(canvas);
        for (const CurveLetter& letter : letters) {
            if (!QRectF(canvas.plot).contains(letter.box)) return false;
            for (const CurveLetter& other : letters)
                if (letter.curve != other.curve && letter.box.intersects(other.box)) return false;
        }
        return letters.size() == count;
    };
    QVERIFY(isTidy(3));
    // Two end in the same place, and all three near the lower edge.
    for (const auto& [component, value] : {std::pair{"x", 0.301}, std::pair{"y", 0.3}, std::pair{"z", 0.3}})
        w.apply({{"op", "setKeyValue"},
                 {"target", name},
                 {"channels", QJsonArray{"goal.position"}},
                 {"frame", 40},
                 {"components", QJsonArray{component}},
                 {"value", value}});
    w.settle();
    QVERIFY(isTidy(3));
    QTest::mouseClick(w.view, Qt::LeftButton, {}, w.view->rect().center());
    w.view->frameAll();
    QVERIFY(isTidy(3));
}

void TestGraph::valuesAreReadOverCurves()
{
    GraphUnderTest w;
    w.state->setHidden({w.curve(0), w.curve(1)}, true);
    const GraphCanvas canvas = w.view->canvas();
    const double step = canvas.value.labelStep(Theme::instance().px(34));
    double label = std::ceil(canvas.value.low / step) * step;
    while (canvas.value.y(label) > canvas.plot.bottom() - 30) label += step;
    // Through the digits, which stand 3 px above the line of their value.
    const double value = canvas.value.value(canvas.value.y(label) - 6);
    for (const int frame : {1, 20, 40})
        w.apply({{"op", "setKeyValue"},
                 {"target", QString::fromStdString(w.handle.name)},
                 {"channels", QJsonArray{"goal.position"}},
                 {"frame", frame},
                 {"components", QJsonArray{"z"}},
                 {"value", value / 100}});
    w.settle();
    const QImage image = w.view->grab().toImage();
    const QColor color = Theme::instance().color("axis.z");
    const auto isSeen = [&](int x) {
        for (int y = qRound(canvas.value.y(value)) - 3; y <= qRound(canvas.value.y(value)) + 3; ++y) {
            const QColor pixel = image.pixelColor(x, y);
            if (std::abs(pixel.red() - color.red()) + std::abs(pixel.blue() - color.blue()) < 100) return true;
        }
        return false;
    };
    const int left = canvas.plot.left();
    QVERIFY(isSeen(left + 1)); // the curve is there
    for (int x = left + 6; x < left + 11; ++x) QVERIFY2(!isSeen(x), qPrintable(QString::number(x)));
}

void TestGraph::arrowsStepFromKeyToKeyAndMoveThem()
{
    GraphUnderTest w;
    const FrameRate fps = w.document().scene().fps;
    w.view->setFocus();
    QTest::mouseClick(w.view, Qt::LeftButton, {}, w.view->placeOf(w.curve(2), 1));
    w.key(Qt::Key_Right);
    QVERIFY(w.state->isSelected(w.curve(2), fps.timeOf(20).ticks));
    QCOMPARE(w.state->selectedCount(), std::size_t(1));
    w.key(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(w.state->selectedCount(), std::size_t(2));
    w.key(Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(w.frames(), (std::vector<double>{1, 21, 41}));
    QVERIFY(w.state->isSelected(w.curve(2), fps.timeOf(21).ticks));
}

void TestGraph::framingPanAndZoom()
{
    GraphUnderTest w;
    const Scene& scene = w.document().scene();
    const auto time = [&] { return w.view->canvas().time; };
    QCOMPARE(time().first, double(scene.firstFrame));
    w.view->setFocus();
    // Pan: what is under the mouse stays there.
    const QPoint from = w.view->placeOf(w.curve(1), 20), by(37, -21);
    QTest::mousePress(w.view, Qt::MiddleButton, {}, from);
    w.moveTo(from + by, {}, Qt::MiddleButton);
    QTest::mouseRelease(w.view, Qt::MiddleButton, {}, from + by);
    QCOMPARE(w.view->placeOf(w.curve(1), 20), from + by);
    // What panning shows is what is drawn anew there.
    (void)w.view->grab();
    QTest::mousePress(w.view, Qt::MiddleButton, {}, from);
    w.moveTo(from - by, {}, Qt::MiddleButton);
    const QImage panned = w.view->grab().toImage();
    emit w.state->changed();
    const QImage anew = w.view->grab().toImage();
    int different = 0;
    for (int y = 0; y < anew.height(); ++y)
        for (int x = 0; x < anew.width(); ++x)
            different += qAbs(qGray(panned.pixel(x, y)) - qGray(anew.pixel(x, y))) > 24 ? 1 : 0;
    QVERIFY2(different < 40, qPrintable(QString::number(different)));
    QTest::mouseRelease(w.view, Qt::MiddleButton, {}, from);
    // Zoom about the pointer, one axis each.
    const QPoint at = w.view->placeOf(w.curve(1), 20);
    const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, w.view->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(w.view, &event);
    };
    const double scale = time().pixelsPerFrame(), values = w.view->canvas().value.pixelsPerUnit();
    wheel(Qt::ControlModifier);
    QVERIFY(time().pixelsPerFrame() > 1.1 * scale);
    QVERIFY(std::abs(w.view->canvas().value.pixelsPerUnit() - values) < 1e-9);
    wheel(Qt::ShiftModifier);
    QVERIFY(w.view->canvas().value.pixelsPerUnit() > 1.1 * values);
    QVERIFY((w.view->placeOf(w.curve(1), 20) - at).manhattanLength() <= 2);
    // The keys of the view's commands frame here.
    w.state->select({{w.curve(0), {scene.fps.timeOf(20).ticks, scene.fps.timeOf(40).ticks}}});
    QTRY_COMPARE(w.framedAll, 2); // the view's own, when the window is shown and when its first frame is there
    w.key(Qt::Key_F);
    QVERIFY(time().first > 10 && time().first < 20 && time().last > 40 && time().last < 50);
    w.key(Qt::Key_A);
    QCOMPARE(time().first, double(scene.firstFrame));
    QCOMPARE(time().last, double(scene.lastFrame));
    QCOMPARE(w.framedAll + w.framedSelected, 2); // not in the view
}

void TestGraph::theRulerScrubs()
{
    GraphUnderTest w;
    const int x = w.view->placeOf(w.curve(0), 33).x();
    QTest::mouseClick(w.view, Qt::LeftButton, {}, {x, 6});
    w.settle();
    QCOMPARE(w.document().edit().frame, 33);
}

void TestGraph::aDoubleClickAddsAKey()
{
    GraphUnderTest w;
    const KeyList before = w.keys();
    QTest::mouseDClick(w.view, Qt::LeftButton, {}, w.view->placeOf(w.curve(1), 30));
    w.settle();
    QCOMPARE(w.frames(), (std::vector<double>{1, 20, 30, 40}));
    const Time at = w.document().scene().fps.timeOf(30);
    QVERIFY(std::abs(w.keys().at(at)->value[1] - sampleKeys(before, Property::GoalPosition, at)[1]) < 1e-9);
}

void TestGraph::theListHidesAndActivates()
{
    GraphUnderTest w;
    auto* list = w.find<QTreeWidget>("graph.list");
    QTreeWidgetItem* channel = list->topLevelItem(0)->child(0);
    QCOMPARE(channel->childCount(), 3);
    list->scrollToItem(channel->child(1));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualItemRect(channel->child(1)).center() + QPoint(20, 0));
    QVERIFY(w.state->isActive(w.curve(1)) && !w.state->isActive(w.curve(0)));
    channel->child(0)->setCheckState(0, Qt::Unchecked);
    QVERIFY(!w.state->isShown(w.curve(0)) && w.state->isShown(w.curve(1)));
    QCOMPARE(channel->checkState(0), Qt::PartiallyChecked);
    channel->setCheckState(0, Qt::Unchecked);
    QVERIFY(w.state->shown().empty());
    channel->setCheckState(0, Qt::Checked);
    QCOMPARE(w.state->shown().size(), std::size_t(3));
}

void TestGraph::linesUpWithTheTimeline()
{
    GraphUnderTest w;
    auto* timeline = w.find<QWidget>("timeline");
    const int x = w.view->placeOf(w.curve(0), 33).x();
    const QPoint above = timeline->mapFromGlobal(w.view->mapToGlobal(QPoint(x, 0)));
    QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(above.x(), 8));
    w.settle();
    QCOMPARE(w.document().edit().frame, 33);
}

void TestGraph::theTransformBoxScalesTimes()
{
    GraphUnderTest w;
    w.window->commands().run("graph.box");
    const FrameRate fps = w.document().scene().fps;
    const CurveId y = w.curve(1);
    w.state->select({{y, {fps.timeOf(1).ticks, fps.timeOf(20).ticks, fps.timeOf(40).ticks}}});
    const std::size_t steps = w.document().history().undoCount();
    // The right side, a margin away from the last key.
    const QPoint last = w.view->placeOf(y, 40);
    const QPoint side(last.x() + Theme::instance().px(12), (last.y() + w.view->placeOf(y, 1).y()) / 2);
    w.drag(side, side + w.inFrames(39));
    QCOMPARE(w.frames(), (std::vector<double>{1, 39, 79}));
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    QCOMPARE(w.state->selectedCount(), std::size_t(3));
}

/// Of keys every three frames, so that wherever the selected ones go, there were others.
void TestGraph::undoGivesTheSelectionBack()
{
    GraphUnderTest w;
    const QString name = QString::fromStdString(w.handle.name);
    for (int frame = 4; frame <= 37; frame += 3) {
        w.apply({{"op", "setFrame"}, {"value", frame}});
        w.apply({{"op", "key"}, {"target", name}, {"channels", QJsonArray{"goal.position"}}});
    }
    w.settle();
    w.state->setActive({w.curve(0)});
    w.window->commands().run("graph.isolate");
    w.window->commands().run("graph.box");
    (void)w.view->grab();
    const CurveId x = w.curve(0);
    const auto keysAt = [&](std::vector<int> frames) {
        GraphKeys keys;
        for (const int frame : frames) keys[x].insert(w.document().scene().fps.timeOf(frame).ticks);
        return keys;
    };
    const auto undo = [&] { w.key(Qt::Key_Z, Qt::ControlModifier); };
    const auto redo = [&] { w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); };
    const GraphKeys before = keysAt({10, 13, 16, 19}), stretched = keysAt({10, 14, 18, 22});
    const QPoint first = w.view->placeOf(x, 10), last = w.view->placeOf(x, 19);
    w.drag(QPoint(first.x() - 8, qMax(first.y(), last.y()) + 8), QPoint(last.x() + 8, qMin(first.y(), last.y()) - 8));
    QVERIFY(w.state->selected() == before);
    const QPoint side(last.x() + Theme::instance().px(12), (first.y() + last.y()) / 2);
    w.drag(side, side + w.inFrames(3));
    QVERIFY(w.state->selected() == stretched);
    undo();
    QVERIFY(w.state->selected() == before);
    QVERIFY(w.window->keys().selected() == before); // the dope sheet's, too
    redo();
    QVERIFY(w.state->selected() == stretched);
    undo();
    // Three frames on there are keys before and after.
    w.view->setFocus();
    const QPoint key = w.view->placeOf(x, 13);
    w.drag(key, key + w.inFrames(3));
    QVERIFY(w.state->selected() == keysAt({13, 16, 19, 22}));
    undo();
    QVERIFY(w.state->selected() == before);
    redo();
    QVERIFY(w.state->selected() == keysAt({13, 16, 19, 22}));
    undo();
    // Through keys that were deleted; another selection made meanwhile belongs to its step.
    QTest::keyClick(w.view, Qt::Key_Delete);
    w.settle();
    QVERIFY(w.state->selected().empty());
    w.state->select(keysAt({4}));
    undo();
    QVERIFY(w.state->selected() == before);
    redo();
    QVERIFY(w.state->selected() == keysAt({4}));
    QVERIFY(w.window->keys().selected() == keysAt({4}));
    undo();
    // What selects nothing new takes nothing away.
    w.state->select({});
    w.apply({{"op", "setKeyValue"},
             {"target", name},
             {"channels", QJsonArray{"goal.position"}},
             {"frame", 40},
             {"by", 0.1}});
    w.state->select(before);
    undo();
    QVERIFY(w.state->selected() == before);
}

void TestGraph::commandsSetTangentsAndSwitches()
{
    GraphUnderTest w;
    const FrameRate fps = w.document().scene().fps;
    w.state->select({{w.curve(1), {fps.timeOf(20).ticks}}});
    w.window->commands().run("graph.step");
    QVERIFY(w.keys()[1].interpolation == Interpolation::Step);
    QVERIFY(w.keys()[0].interpolation != Interpolation::Step);
    w.window->commands().run("graph.auto");
    QVERIFY(w.keys()[1].interpolation == Interpolation::Bezier);
    w.state->setActive({w.curve(1)});
    w.window->commands().run("graph.isolate");
    QCOMPARE(w.state->shown().size(), std::size_t(1));
    w.window->commands().run("graph.isolate");
    QCOMPARE(w.state->shown().size(), std::size_t(3));
    w.window->commands().run("graph.normalise");
    const auto extent = w.state->extentOfShown(false);
    QVERIFY(extent && extent->low == -1 && extent->high == 1);
    (void)w.view->grab();
    const ValueAxis shown = w.view->canvas().value; // framed again, by what the values are now
    QVERIFY(shown.low < -1 && shown.low > -2 && shown.high > 1 && shown.high < 2);
    w.window->commands().run("graph.buffer");
    QCOMPARE(w.state->buffer().size(), std::size_t(3));
}

void TestGraph::theFrameFieldMovesKeys()
{
    GraphUnderTest w;
    const FrameRate fps = w.document().scene().fps;
    w.state->select({{w.curve(1), {fps.timeOf(20).ticks, fps.timeOf(40).ticks}}});
    w.find<NumberField>("graph.frame")->enter(25);
    QCOMPARE(w.frames(), (std::vector<double>{1, 25, 45}));
    QVERIFY(w.state->isSelected(w.curve(1), fps.timeOf(45).ticks));
}

TENDON_TEST(TestGraph)
#include "tst_graph.moc"

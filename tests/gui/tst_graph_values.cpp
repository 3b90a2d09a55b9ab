#include "tests/gui/GraphUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/graph/Tangents.h"
#include "core/runtime/KeySampling.h"

#include <QLineEdit>
#include <QToolButton>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::GraphUnderTest;

/// The tab Graph: values and tangents of keys, by mouse and keyboard.
class TestGraphValues : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    /// Where the handle's goal is in the newest frame that was solved, as the viewport draws it.
    static Vector3 drawnGoal(GraphUnderTest& w)
    {
        return w.state->editor().frame()->find(w.handle.id)->target.goal.position;
    }
    static void selectAt(GraphUnderTest& w, int component, std::vector<int> frames)
    {
        std::set<std::int64_t> ticks;
        for (const int frame : frames) ticks.insert(w.document().scene().fps.timeOf(frame).ticks);
        w.state->select({{w.curve(component), ticks}});
        w.settle();
    }
    static TangentHandle handleOf(GraphUnderTest& w, int component, int frame, bool isOut)
    {
        for (const TangentHandle& handle : tangentHandles(w.view->canvas()))
            if (handle.curve == w.curve(component) && handle.isOut == isOut &&
                handle.ticks == w.document().scene().fps.timeOf(frame).ticks)
                return handle;
        qFatal("no handle");
    }
    static bool isNear(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void aKeyIsDraggedInValueAsOneStep();
    void shiftKeepsOneAxis();
    void escGivesTheValueBack();
    void theViewFollowsADrag();
    void theValueFieldSetsAndDrags();
    void theBoxScalesValues();
    void upAndDownNudge();
    void handlesEndWhereTheCurveBends();
    void aHandleTurnsBothSides();
    void ctrlBreaksATangent();
    void shiftTurnsSeveral();
    void weightedHandlesStretch();
    void aHeldKeyStaysHeld();
    void buttonsShowTheTangentsOfTheSelection();
    void buttonsActOnTheSelectedAxes();
};

void TestGraphValues::aKeyIsDraggedInValueAsOneStep()
{
    GraphUnderTest w;
    const Scene before = w.document().scene();
    const std::size_t steps = w.document().history().undoCount();
    const KeyList keys = w.keys();
    const QPoint from = w.view->placeOf(w.curve(1), 20), by(0, -23);
    const double expected = keys[1].value[1] + 23 / w.view->canvas().value.pixelsPerUnit() / 100; // cm
    w.drag(from, from + by);
    QVERIFY2(isNear(w.keys()[1].value[1], expected, 1e-9), qPrintable(QString::number(w.keys()[1].value[1])));
    QCOMPARE(w.keys()[1].value[0], keys[1].value[0]);
    QCOMPARE(w.keys()[1].value[2], keys[1].value[2]);
    QCOMPARE(w.frames(), (std::vector<double>{1, 20, 40}));
    QVERIFY((w.view->placeOf(w.curve(1), 20) - from - by).manhattanLength() <= 1); // under the mouse
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    QVERIFY(w.document().undo());
    QVERIFY(w.document().scene() == before);
    // Both axes at once are one step, too.
    w.drag(from, from + by + w.inFrames(4));
    QCOMPARE(w.frames(), (std::vector<double>{1, 24, 40}));
    QVERIFY(isNear(w.keys()[1].value[1], expected, 1e-9));
    QCOMPARE(w.document().history().undoCount(), steps + 1);
}

void TestGraphValues::shiftKeepsOneAxis()
{
    GraphUnderTest w;
    const double value = w.keys()[1].value[1];
    QPoint from = w.view->placeOf(w.curve(1), 20);
    w.drag(from, from + QPoint(w.inFrames(6).x(), -9), Qt::ShiftModifier);
    QCOMPARE(w.frames(), (std::vector<double>{1, 26, 40}));
    QCOMPARE(w.keys()[1].value[1], value);
    from = w.view->placeOf(w.curve(1), 26);
    w.drag(from, from + QPoint(w.inFrames(1).x(), -60), Qt::ShiftModifier);
    QCOMPARE(w.frames(), (std::vector<double>{1, 26, 40}));
    QVERIFY(w.keys()[1].value[1] > value);
}

void TestGraphValues::escGivesTheValueBack()
{
    GraphUnderTest w;
    const Scene before = w.document().scene();
    const std::size_t steps = w.document().history().undoCount();
    const QPoint key = w.view->placeOf(w.curve(0), 20);
    w.view->setFocus();
    w.press(key);
    w.moveTo(key + QPoint(0, 30));
    QVERIFY(w.document().scene() != before);
    QTest::keyClick(w.view, Qt::Key_Escape);
    w.release(key + QPoint(0, 30));
    w.settle();
    QVERIFY(w.document().scene() == before);
    QCOMPARE(w.document().history().undoCount(), steps);
}

void TestGraphValues::theViewFollowsADrag()
{
    GraphUnderTest w;
    w.apply({{"op", "setFrame"}, {"value", 20}});
    w.settle();
    const Vector3 before = drawnGoal(w);
    int drawn = 0;
    connect(&w.state->editor(), &Editor::frameReady, w.view, [&] { ++drawn; });
    const QPoint key = w.view->placeOf(w.curve(1), 20);
    w.press(key);
    for (int i = 1; i <= 3; ++i) {
        w.moveTo(key + QPoint(0, 10 * i));
        const int former = drawn;
        w.settle();
        QVERIFY(drawn > former); // at every place, before the button is released
    }
    QVERIFY(drawnGoal(w).y() < before.y());
    w.release(key + QPoint(0, 30));
}

void TestGraphValues::theValueFieldSetsAndDrags()
{
    GraphUnderTest w;
    selectAt(w, 1, {20});
    auto* field = w.find<NumberField>("graph.value");
    const KeyList before = w.keys();
    QVERIFY(isNear(field->value(), 100 * before[1].value[1], 0.006)); // in cm, as it says
    const std::size_t steps = w.document().history().undoCount();
    QTest::mouseDClick(field, Qt::LeftButton);
    QTest::keyClick(field->findChild<QLineEdit*>(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field->findChild<QLineEdit*>(), "145");
    QTest::keyClick(field->findChild<QLineEdit*>(), Qt::Key_Return);
    w.settle();
    QVERIFY(isNear(w.keys()[1].value[1], 1.45, 1e-12));
    QCOMPARE(w.keys()[1].value[0], before[1].value[0]);
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    // Several keys are mixed, and a drag moves each of them by as much.
    selectAt(w, 1, {1, 20});
    QCOMPARE(field->text(), NumberField::mixedText());
    const double first = w.keys()[0].value[1];
    const QPoint from = field->rect().center();
    QTest::mousePress(field, Qt::LeftButton, {}, from);
    for (const int x : {5, 30, 50}) {
        QMouseEvent move(QEvent::MouseMove, from + QPoint(x, 0), field->mapToGlobal(from + QPoint(x, 0)), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(field, &move);
    }
    QTest::mouseRelease(field, Qt::LeftButton, {}, from + QPoint(50, 0));
    w.settle();
    QVERIFY(w.keys()[0].value[1] > first + 0.02);
    QVERIFY(isNear(w.keys()[1].value[1] - 1.45, w.keys()[0].value[1] - first, 1e-9));
    QCOMPARE(w.keys()[2].value[1], before[2].value[1]);
    QCOMPARE(w.document().history().undoCount(), steps + 2);
}

void TestGraphValues::theBoxScalesValues()
{
    GraphUnderTest w;
    w.window->commands().run("graph.box");
    selectAt(w, 1, {1, 20, 40});
    const KeyList before = w.keys();
    const std::size_t steps = w.document().history().undoCount();
    const auto lowest = std::min({before[0].value[1], before[1].value[1], before[2].value[1]});
    const auto extent = w.state->extentOf(w.state->selected());
    const ValueAxis axis = w.view->canvas().value;
    // The upper side, a margin above the highest key, half way down.
    const int x = (w.view->placeOf(w.curve(1), 1).x() + w.view->placeOf(w.curve(1), 40).x()) / 2;
    const QPoint side(x, qRound(axis.y(extent->high)) - Theme::instance().px(12));
    const QPoint half(0, qRound(axis.pixelsPerUnit() * (extent->high - extent->low) / 2));
    w.drag(side, side + half);
    for (std::size_t i = 0; i < 3; ++i) {
        const double expected = lowest + (before[i].value[1] - lowest) / 2;
        QVERIFY2(isNear(w.keys()[i].value[1], expected, 1.1 / axis.pixelsPerUnit() / 100),
                 qPrintable(QString::number(w.keys()[i].value[1])));
        QCOMPARE(w.keys()[i].value[2], before[i].value[2]);
    }
    QCOMPARE(w.frames(), (std::vector<double>{1, 20, 40}));
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    // Esc gives back what a second drag did.
    const Scene scaled = w.document().scene();
    const QPoint lower(x, qRound(axis.y(100 * lowest)) + Theme::instance().px(12));
    w.view->setFocus();
    w.press(lower);
    w.moveTo(lower + QPoint(0, 15));
    QVERIFY(w.document().scene() != scaled);
    QTest::keyClick(w.view, Qt::Key_Escape);
    w.release(lower + QPoint(0, 15));
    w.settle();
    QVERIFY(w.document().scene() == scaled);
}

void TestGraphValues::upAndDownNudge()
{
    GraphUnderTest w;
    selectAt(w, 2, {20, 40});
    w.view->setFocus();
    const KeyList before = w.keys();
    w.key(Qt::Key_Up);
    QVERIFY(isNear(w.keys()[1].value[2], before[1].value[2] + 0.01, 1e-12)); // 1 cm
    w.key(Qt::Key_Down, Qt::ShiftModifier);
    QVERIFY(isNear(w.keys()[2].value[2], before[2].value[2] - 0.09, 1e-12));
    w.key(Qt::Key_Up, Qt::ControlModifier);
    QVERIFY(isNear(w.keys()[2].value[2], before[2].value[2] - 0.089, 1e-12));
    QCOMPARE(w.keys()[0].value[2], before[0].value[2]);
    QCOMPARE(w.state->selectedCount(), std::size_t(2));
}

void TestGraphValues::handlesEndWhereTheCurveBends()
{
    GraphUnderTest w;
    selectAt(w, 1, {20});
    w.apply({{"op", "setTangent"},
             {"target", QString::fromStdString(w.handle.name)},
             {"channels", QJsonArray{"goal.position"}},
             {"frame", 20},
             {"in", 0.4},
             {"out", -0.3},
             {"inWeight", 0.5},
             {"outWeight", 0.25}});
    w.settle();
    QCOMPARE(tangentHandles(w.view->canvas()).size(), std::size_t(2));
    const GraphCanvas canvas = w.view->canvas();
    const double fps = w.document().scene().fps.perSecond(), y = w.keys()[1].value[1];
    // The ends of the tangents are the control points of the curve.
    const auto expect = [&](bool isOut, double frame, double metres) {
        const QPointF end = handleOf(w, 1, 20, isOut).end;
        QVERIFY2(isNear(end.x(), canvas.time.x(frame), 0.01), qPrintable(QString::number(end.x())));
        QVERIFY2(isNear(end.y(), canvas.value.y(100 * metres), 0.01), qPrintable(QString::number(end.y())));
    };
    expect(false, 20 - 0.5 * 19, y - 0.4 * 0.5 * 19 / fps);
    expect(true, 20 + 0.25 * 20, y - 0.3 * 0.25 * 20 / fps);
    // Only where a Bezier segment leads: none before the first key.
    selectAt(w, 1, {1});
    const auto handles = tangentHandles(w.view->canvas());
    QCOMPARE(handles.size(), std::size_t(1));
    QVERIFY(handles[0].isOut);
}

void TestGraphValues::aHandleTurnsBothSides()
{
    GraphUnderTest w;
    selectAt(w, 1, {20});
    const KeyList before = w.keys();
    const std::size_t steps = w.document().history().undoCount();
    const TangentHandle handle = handleOf(w, 1, 20, true);
    const QPoint end = handle.end.toPoint();
    w.drag(end, end + QPoint(0, -18));
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    const GraphCanvas canvas = w.view->canvas();
    const double rise = (handle.key.y() - handle.end.y() + 18) / canvas.value.pixelsPerUnit() / 100,
                 run = (handle.end.x() - handle.key.x()) / canvas.time.pixelsPerFrame() /
                       w.document().scene().fps.perSecond();
    const Key key = w.keys()[1];
    QVERIFY(key.tangents == TangentMode::Aligned);
    QVERIFY2(isNear(key.out[1], rise / run, 1e-6), qPrintable(QString::number(key.out[1])));
    QCOMPARE(key.in[1], key.out[1]);
    // Other components keep the slopes that they had.
    const Tangents former = tangentsAt(before, Property::GoalPosition, 1);
    QCOMPARE(key.out[0], former.out[0]);
    QCOMPARE(key.in[2], former.in[2]);
    QCOMPARE(key.outWeight, kEvenWeight);
    QVERIFY((handleOf(w, 1, 20, true).end.toPoint() - end - QPoint(0, -18)).manhattanLength() <= 1);
    // The other handle turns it, too; Esc gives it back.
    const Scene scene = w.document().scene();
    const QPoint in = handleOf(w, 1, 20, false).end.toPoint();
    w.view->setFocus();
    w.press(in);
    w.moveTo(in + QPoint(0, -25));
    QVERIFY(w.keys()[1].out[1] < key.out[1]);
    QTest::keyClick(w.view, Qt::Key_Escape);
    w.release(in);
    w.settle();
    QVERIFY(w.document().scene() == scene);
}

void TestGraphValues::ctrlBreaksATangent()
{
    GraphUnderTest w;
    selectAt(w, 1, {20});
    const double slope = tangentsAt(w.keys(), Property::GoalPosition, 1).in[1];
    const QPoint end = handleOf(w, 1, 20, true).end.toPoint();
    w.press(end, Qt::ControlModifier);
    w.moveTo(end + QPoint(0, -30), Qt::ControlModifier);
    w.release(end + QPoint(0, -30), Qt::ControlModifier);
    w.settle();
    QVERIFY(w.keys()[1].tangents == TangentMode::Free);
    QVERIFY(isNear(w.keys()[1].in[1], slope, 1e-12));
    QVERIFY(w.keys()[1].out[1] > slope + 0.01);
    // Once broken, each side turns by itself.
    const double out = w.keys()[1].out[1];
    const QPoint in = handleOf(w, 1, 20, false).end.toPoint();
    w.drag(in, in + QPoint(0, 20));
    QCOMPARE(w.keys()[1].out[1], out);
    QVERIFY(w.keys()[1].in[1] > slope + 0.01);
}

void TestGraphValues::shiftTurnsSeveral()
{
    GraphUnderTest w;
    selectAt(w, 1, {1, 20});
    const Tangents first = tangentsAt(w.keys(), Property::GoalPosition, 0),
                   second = tangentsAt(w.keys(), Property::GoalPosition, 1);
    const std::size_t steps = w.document().history().undoCount();
    const QPoint end = handleOf(w, 1, 20, true).end.toPoint();
    w.press(end, Qt::ShiftModifier);
    w.moveTo(end + QPoint(0, 22), Qt::ShiftModifier);
    w.release(end + QPoint(0, 22), Qt::ShiftModifier);
    w.settle();
    const double turned = w.keys()[1].out[1] - second.out[1];
    QVERIFY(turned < -0.01);
    QVERIFY(isNear(w.keys()[0].out[1] - first.out[1], turned, 1e-9));
    QVERIFY(w.keys()[2].tangents == TangentMode::Auto);
    QCOMPARE(w.document().history().undoCount(), steps + 1);
}

void TestGraphValues::weightedHandlesStretch()
{
    GraphUnderTest w;
    w.window->commands().run("graph.weighted");
    selectAt(w, 1, {20});
    const QPoint end = handleOf(w, 1, 20, true).end.toPoint();
    const QPoint to = end + QPoint(w.inFrames(4).x(), -10);
    w.drag(end, to);
    const double weight = w.keys()[1].outWeight;
    QVERIFY2(isNear(weight, 1.0 / 3 + 4.0 / 20, 0.01), qPrintable(QString::number(weight)));
    QCOMPARE(w.keys()[1].inWeight, kEvenWeight);
    QVERIFY((handleOf(w, 1, 20, true).end.toPoint() - to).manhattanLength() <= 1);
    // At most up to the next key.
    w.drag(to, to + w.inFrames(40));
    QCOMPARE(w.keys()[1].outWeight, 1.0);
    w.window->commands().run("graph.evenWeights");
    QCOMPARE(w.keys()[1].outWeight, kEvenWeight);
}

void TestGraphValues::aHeldKeyStaysHeld()
{
    GraphUnderTest w;
    selectAt(w, 1, {20});
    w.window->commands().run("graph.step");
    const auto handles = tangentHandles(w.view->canvas());
    QCOMPARE(handles.size(), std::size_t(1)); // out of it nothing bends
    const QPoint end = handles[0].end.toPoint();
    w.drag(end, end + QPoint(0, 15));
    QVERIFY(w.keys()[1].tangents == TangentMode::Aligned);
    QVERIFY(w.keys()[1].interpolation == Interpolation::Step);
}

void TestGraphValues::buttonsShowTheTangentsOfTheSelection()
{
    GraphUnderTest w;
    const std::pair<const char*, TangentMode> buttons[] = {{"graph.auto", TangentMode::Auto},
                                                           {"graph.flat", TangentMode::Flat},
                                                           {"graph.linear", TangentMode::Linear},
                                                           {"graph.smooth", TangentMode::Aligned},
                                                           {"graph.broken", TangentMode::Free}};
    const auto button = [&](const char* id) {
        return w.find<QToolButton>(qPrintable(QStringLiteral("button.") + QLatin1StringView(id)));
    };
    for (const auto& [id, mode] : buttons) {
        const GraphKeys all = w.state->chosen();
        GraphKeys two; // of all axes, else the key as a whole does not get the mode
        for (const auto& [curve, ticks] : all) two[curve] = {*ticks.begin(), *std::next(ticks.begin())};
        w.state->select(two);
        QTest::mouseClick(button(id), Qt::LeftButton);
        w.settle();
        QVERIFY2(w.keys()[0].tangents == mode && w.keys()[1].tangents == mode, id);
        QVERIFY(w.keys()[2].tangents == TangentMode::Auto);
        for (const auto& [other, otherMode] : buttons) QCOMPARE(button(other)->isChecked(), other == id);
        if (mode == TangentMode::Auto) continue;
        selectAt(w, 1, {20, 40}); // they differ
        for (const auto& [other, otherMode] : buttons) QVERIFY2(!button(other)->isChecked(), other);
        w.state->select({}); // so that all are chosen again
    }
    selectAt(w, 1, {20});
    QTest::mouseClick(button("graph.step"), Qt::LeftButton);
    w.settle();
    QVERIFY(w.keys()[1].interpolation == Interpolation::Step);
    QVERIFY(button("graph.step")->isChecked());
    QVERIFY(!button("graph.broken")->isChecked());
}

/// A key of X in a box of the mouse, with X alone to be seen, and the row of tangents.
void TestGraphValues::buttonsActOnTheSelectedAxes()
{
    GraphUnderTest w;
    w.apply({{"op", "setKeyValue"},
             {"target", QString::fromStdString(w.handle.name)},
             {"channels", QJsonArray{"goal.position"}},
             {"frame", 1},
             {"value", QJsonArray{0, 1, 0.1}}});
    w.apply({{"op", "setGoal"},
             {"handle", QString::fromStdString(w.handle.name)},
             {"position", QJsonArray{0.25, 1.7, 0.6}}});
    w.apply(
        {{"op", "key"}, {"target", QString::fromStdString(w.handle.name)}, {"channels", QJsonArray{"goal.position"}}});
    w.settle();
    w.state->setActive({w.curve(0)});
    w.window->commands().run("graph.isolate");
    w.settle();
    (void)w.view->grab();
    const auto slopes = [&] { return tangentsAt(w.keys(), Property::GoalPosition, 1); };
    const Tangents before = slopes();
    QVERIFY(before.out[0] != 0 && before.out[1] != 0 && before.out[2] != 0);
    const QPoint key = w.view->placeOf(w.curve(0), 20);
    w.drag(key - QPoint(25, 25), key + QPoint(25, 25));
    QCOMPARE(w.state->selected(), (GraphKeys{{w.curve(0), {w.document().scene().fps.timeOf(20).ticks}}}));
    const std::size_t steps = w.document().history().undoCount();
    const auto click = [&](const char* id) {
        QTest::mouseClick(w.find<QToolButton>(qPrintable(QStringLiteral("button.") + QLatin1StringView(id))),
                          Qt::LeftButton);
        w.settle();
    };
    const auto areOthersAsBefore = [&] {
        for (const std::size_t c : {1, 2})
            if (slopes().in[c] != before.in[c] || slopes().out[c] != before.out[c]) return false;
        return true;
    };
    for (const char* id : {"graph.flat", "graph.linear", "graph.auto", "graph.smooth", "graph.broken", "graph.flat"}) {
        click(id);
        QVERIFY2(areOthersAsBefore(), id);
    }
    click("graph.linear");
    QVERIFY(slopes().in[0] != slopes().out[0]);
    click("graph.flat");
    QCOMPARE(slopes().out[0], 0.0);
    QCOMPARE(slopes().in[0], 0.0);
    QVERIFY(w.find<QToolButton>("button.graph.flat")->isChecked());
    click("graph.auto");
    QCOMPARE(w.keys()[1].tangents, TangentMode::Auto);
    QCOMPARE(slopes().out, before.out);
    while (w.document().history().undoCount() > steps) QVERIFY(w.document().undo());
    QCOMPARE(slopes().out, before.out);
}

TENDON_TEST(TestGraphValues)
#include "tst_graph_values.moc"

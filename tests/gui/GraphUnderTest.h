#pragma once

#include "app/widgets/graph/GraphPanel.h"
#include "app/widgets/graph/GraphView.h"
#include "tests/gui/WindowUnderTest.h"

namespace tendon::test {

/// The window with the tab Graph, and a goal with keys at 1, 20 and 40.
struct GraphUnderTest : WindowUnderTest
{
    GraphUnderTest() : WindowUnderTest("arm")
    {
        handle = document().scene().handles->front();
        const QString name = QString::fromStdString(handle.name);
        int i = 0;
        for (const int frame : {1, 20, 40}) {
            apply({{"op", "setFrame"}, {"value", frame}});
            apply({{"op", "setGoal"}, {"handle", name}, {"position", QJsonArray{0.1 * i, 1 + 0.2 * i * (3 - i), 0.3}}});
            apply({{"op", "key"}, {"target", name}, {"channels", QJsonArray{"goal.position"}}});
            ++i;
        }
        window->showBottom(editor::BottomTab::Graph);
        select(handle.name.c_str());
        view = find<editor::GraphView>("graph.view");
        state = &window->graph()->state();
        (void)view->grab(); // fits the curves
    }
    void apply(const QJsonObject& operation)
    {
        if (const auto done = document().apply(operation); !done) qFatal("%s", done.error().message.c_str());
    }
    [[nodiscard]] editor::CurveId curve(int component) const
    {
        return {{handle.id.value, Property::GoalPosition}, component};
    }
    [[nodiscard]] const KeyList& keys() { return *document().clip()->find({handle.id.value, Property::GoalPosition}); }
    [[nodiscard]] std::vector<double> frames()
    {
        std::vector<double> frames;
        for (const Key& key : keys().toVector()) frames.push_back(document().scene().fps.frameAt(key.time));
        return frames;
    }
    void press(QPoint at, Qt::KeyboardModifiers modifiers = {}) const
    {
        QTest::mousePress(view, Qt::LeftButton, modifiers, at);
    }
    void moveTo(QPoint at, Qt::KeyboardModifiers modifiers = {}, Qt::MouseButton button = Qt::LeftButton) const
    {
        QMouseEvent move(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, button, modifiers);
        QApplication::sendEvent(view, &move);
    }
    void release(QPoint at, Qt::KeyboardModifiers modifiers = {}) const
    {
        QTest::mouseRelease(view, Qt::LeftButton, modifiers, at);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {})
    {
        press(from);
        moveTo((from + to) / 2, modifiers);
        moveTo(to, modifiers);
        release(to, modifiers);
        settle();
    }
    [[nodiscard]] QPoint inFrames(double frames) const
    {
        return {qRound(frames * view->canvas().time.pixelsPerFrame()), 0};
    }

    Handle handle;
    editor::GraphView* view = nullptr;
    editor::GraphState* state = nullptr;
};

} // namespace tendon::test

#pragma once

#include "app/widgets/TimelineView.h"
#include "app/widgets/dope/DopeSheet.h"
#include "app/widgets/graph/GraphPanel.h"
#include "app/widgets/graph/GraphView.h"
#include "tests/gui/WindowUnderTest.h"

#include <QMenu>

namespace tendon::test {

/// The window with the tab Dope sheet, and a goal and a joint with keys of their own.
struct SheetUnderTest : WindowUnderTest
{
    SheetUnderTest() : WindowUnderTest("arm")
    {
        handle = document().scene().handles->front();
        joint = document().scene().joints->front();
        int i = 0;
        for (const int frame : {1, 20, 40}) {
            apply({{"op", "setFrame"}, {"value", frame}});
            apply({{"op", "setGoal"}, {"handle", handleName()}, {"position", QJsonArray{0.1 * i, 1 + 0.2 * i, 0.3}}});
            apply({{"op", "key"}, {"target", handleName()}, {"channels", QJsonArray{"goal.position"}}});
            ++i;
        }
        for (const int frame : {5, 30})
            apply({{"op", "key"}, {"target", jointName()}, {"channels", QJsonArray{"angles"}}, {"frame", frame}});
        apply({{"op", "setFrame"}, {"value", 10}});
        window->showBottom(editor::BottomTab::DopeSheet);
        settle();
        settle();
        sheet = find<editor::DopeSheet>("dopeSheet");
        timeline = find<editor::TimelineView>("timeline");
        sheet->setFocus();
    }
    void apply(const QJsonObject& operation)
    {
        if (const auto done = document().apply(operation); !done) qFatal("%s", done.error().message.c_str());
    }
    [[nodiscard]] QString handleName() const { return QString::fromStdString(handle.name); }
    [[nodiscard]] QString jointName() const { return QString::fromStdString(joint.name); }
    [[nodiscard]] std::vector<double> framesOf(ObjectId target, Property property)
    {
        std::vector<double> frames;
        if (const KeyList* keys = document().clip()->find({target, property}))
            for (const Key& key : keys->toVector()) frames.push_back(document().scene().fps.frameAt(key.time));
        return frames;
    }
    [[nodiscard]] std::vector<double> goalFrames() { return framesOf(handle.id.value, Property::GoalPosition); }
    [[nodiscard]] std::vector<double> jointFrames() { return framesOf(joint.id.value, Property::Rz); }
    [[nodiscard]] int rowOf(const QString& text, int axis = -1) const
    {
        for (int row = 0; row < sheet->rows().count(); ++row)
            if (sheet->rows()[row].text == text && sheet->rows()[row].axis == axis) return row;
        qFatal("there is no row %s", qPrintable(text));
    }
    [[nodiscard]] int goalRow() const { return rowOf(handleName()); }

    static void moveTo(QWidget* widget, QPoint at, Qt::MouseButton button = Qt::LeftButton,
                       Qt::KeyboardModifiers modifiers = {})
    {
        QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, button, modifiers);
        QApplication::sendEvent(widget, &move);
    }
    /// `held` runs before the button is released.
    void drag(QWidget* widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {},
              const std::function<void()>& held = {}, Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mousePress(widget, button, modifiers, from);
        for (int i = 1; i <= 4; ++i) moveTo(widget, from + (to - from) * i / 4, button, modifiers);
        if (held) held();
        QTest::mouseRelease(widget, button, modifiers, to);
        settle();
    }
    static void wheel(QWidget* widget, QPoint at, int steps, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(widget, &event);
    }
    /// Right-clicks, and clicks on entries of the menus that open, one below the other.
    void choose(QWidget* widget, QPoint at, const QStringList& entries)
    {
        bool isDone = false;
        auto* timer = new QTimer(widget);
        QObject::connect(timer, &QTimer::timeout, widget, [&, step = 0]() mutable {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr) return;
            for (QAction* action : menu->actions()) {
                if (action->text() != entries[step]) continue;
                if (!action->isEnabled()) qWarning("%s is greyed", qPrintable(entries[step]));
                isDone = ++step == entries.size();
                if (isDone) timer->stop();
                menu->setActiveAction(action);
                if (isDone)
                    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
                else
                    QTest::keyClick(menu, Qt::Key_Right); // opens what is below it
                return;
            }
            qWarning("the menu has no %s", qPrintable(entries[step]));
            timer->stop();
            while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
        });
        timer->start(10);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &event);
        delete timer;
        if (!isDone) qFatal("the menu was not used");
        QApplication::setActiveWindow(window.get()); // as a desktop does
        settle();
    }

    Handle handle;
    Joint joint;
    editor::DopeSheet* sheet = nullptr;
    editor::TimelineView* timeline = nullptr;
};

} // namespace tendon::test

#pragma once

#include "app/editor/Theme.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/Style.h"
#include "tests/gui/Profile.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QtTest>

namespace tendon::test {

/// The real window with settings of its own. Panels are tested with an empty widget where the viewport would be: they
/// share nothing but the Editor. Journeys use the real viewport.
struct WindowUnderTest
{
    explicit WindowUnderTest(const char* sample, editor::ViewportPort port = {})
    {
        solvers.scan();
        state = std::make_unique<editor::Editor>(solvers);
        if (port.widget == nullptr) {
            port.widget = new QWidget;
            port.widget->setFocusPolicy(Qt::StrongFocus);
            port.frameAll = [this] { ++framedAll; };
            port.frameSelected = [this] { ++framedSelected; };
            port.lookFrom = [](editor::CameraKind) {};
            port.grab = [](QSize size) { return QImage(size, QImage::Format_RGB32); };
        }
        window = std::make_unique<editor::MainWindow>(*state, port);
        window->resize(1366, 768);
        if (!state->document().openSample(sample)) qFatal("no sample %s", sample);
        window->show();
        if (!QTest::qWaitForWindowExposed(window.get())) qFatal("the window does not show");
        QApplication::setActiveWindow(window.get());
        settle();
    }

    void settle()
    {
        QCoreApplication::processEvents();
        state->finishFrame();
        QCoreApplication::processEvents();
    }
    template <typename T>
    [[nodiscard]] T* find(const char* name) const
    {
        T* found = window->findChild<T*>(QLatin1StringView(name));
        if (found == nullptr) qFatal("there is no %s", name);
        return found;
    }
    void select(const char* name)
    {
        const Scene& scene = state->document().scene();
        if (const Handle* handle = scene.handleNamed(name))
            state->selection().select(editor::SelectionItem::of(handle->id));
        else
            state->selection().select(editor::SelectionItem::of(*scene.jointNamed(name)));
        settle();
    }
    /// Sends a key press to the control that has the focus in the window.
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget* focus = window->focusWidget() != nullptr ? window->focusWidget() : window.get();
        QTest::keyClick(focus, code, modifiers);
        settle();
    }
    [[nodiscard]] editor::EditorDocument& document() { return state->document(); }

    SolverRegistry solvers;
    std::unique_ptr<editor::Editor> state;
    std::unique_ptr<editor::MainWindow> window;
    int framedAll = 0, framedSelected = 0;
};

} // namespace tendon::test

#pragma once

#include "app/editor/Editor.h"
#include "app/viewport/Viewport.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/MainWindow.h"
#include "tests/gui/Profile.h"

#include <QComboBox>
#include <QtTest>

class QTreeWidgetItem;

namespace tendon::test {

/// The program's window with the real view, used by mouse and keys as a person does. A journey asks the document only
/// for what it can't see.
struct RealWindow
{
    /// Opens a sample; null: starts as the program does.
    explicit RealWindow(const char* sample, const std::function<void(SolverRegistry&)>& addSolvers = {});
    ~RealWindow();

    [[nodiscard]] editor::EditorDocument& document() { return state->document(); }
    [[nodiscard]] const Scene& scene() { return state->document().scene(); }
    void settle(); ///< waits for the newest frame, its picture, the tab Compare and the camera
    [[nodiscard]] editor::FramePtr frame();

    // What is where
    [[nodiscard]] QPoint onScreen(const Vector3& world) const;
    [[nodiscard]] JointId joint(const char* name);
    [[nodiscard]] HandleId handle(const char* name);
    [[nodiscard]] Affine worldOf(const char* joint);
    [[nodiscard]] LocalTransform localOf(const char* joint);
    [[nodiscard]] Vector3 goalOf(const char* handle);
    template <typename T>
    [[nodiscard]] T* find(const QString& name) const
    {
        T* found = window->findChild<T*>(name);
        if (found == nullptr) qFatal("there is no %s", qPrintable(name));
        return found;
    }

    // The mouse in the view
    void hover(const QPoint& at);
    void moveTo(const QPoint& to, Qt::KeyboardModifiers held = {}); ///< with the left button down
    void click(const Vector3& world, Qt::KeyboardModifiers held = {});
    /// Every move is solved; a picture is drawn at the end only, since that is what costs most without a GPU.
    void drag(const Vector3& from, const QPoint& by, int steps = 10, Qt::KeyboardModifiers held = {});
    /// Drags from one place of the world to where another is seen.
    void dragTo(const Vector3& from, const Vector3& to, int steps = 10);

    // Elsewhere
    void clickOn(QWidget* widget);
    void clickOn(const QString& name) { clickOn(find<QWidget>(name)); }
    void clickRow(const QString& text, Qt::KeyboardModifiers held = {}); ///< in the outliner
    [[nodiscard]] QStringList badgesOf(const QString& row);              ///< in the outliner: icons at its right end
    void choose(const QString& comboBox, const QString& text);           ///< by the keyboard: its first letter
    void type(const QString& numberField, const QString& text);          ///< and Return
    void tick(const QString& checkBox, bool isOn);
    /// Drags a number field sideways. `held` runs before the button is released.
    void dragField(const QString& numberField, int by, const std::function<void()>& held = {},
                   Qt::KeyboardModifiers modifiers = {});
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = {}); ///< to the view
    void command(const QString& words);                           ///< by the command search: Tab, the words, Return
    /// Clicks a button of the dialog that opens next.
    void answer(const QString& button);
    /// Types into the dialog that opens next, then presses Return.
    void reply(const QString& text);
    /// Gives the file dialog that opens next a path, and accepts it.
    void answerFile(const QString& path);
    /// Drags a file onto the middle of the window and lets go of it. False: the window does not want it.
    bool drop(const QString& file);

    /// Saves the script panel's script and runs it with the command line on the sample that was opened. Returns an
    /// empty string if the project it writes equals this document to the byte, otherwise the difference.
    [[nodiscard]] QString replayedOn(const QString& sample);

    // The tab Compare
    void openTab(editor::BottomTab tab);
    /// Steps on until the line of words below the table contains `words`.
    void stepTo(const QString& words);
    [[nodiscard]] QImage seen(); ///< the view without its figures, which change by themselves

    void picture(const QString& name); ///< saves a picture of the whole window in the build's folder of pictures

    SolverRegistry solvers;
    std::unique_ptr<editor::Editor> state;
    viewport::Viewport* view = nullptr;
    std::unique_ptr<editor::MainWindow> window;
};

/// [s] CPU time of this thread so far.
[[nodiscard]] double threadSeconds();

/// A joint's or all joints' transforms as bytes, to compare poses to the bit.
[[nodiscard]] QByteArray poseHash(const editor::FrameResult& frame);

} // namespace tendon::test

#pragma once

#include "app/widgets/MainWindow.h"

#include <QTemporaryDir>

#include <functional>

namespace tendon::test {

/// Goes through every panel, task and dialog of a window that shows the mannequin, with what they show when somebody
/// works with them, and with long names of joints: to take their pictures, or to look for text that is cut.
class EveryPanel
{
public:
    /// `dialog`: the one that is open; null: the window alone.
    using Look = std::function<void(const QString& name, QWidget* dialog)>;
    /// `settle` waits until what has been done is to be seen.
    EveryPanel(editor::MainWindow& window, std::function<void()> settle, Look look);
    void visit();

private:
    void prepare();
    void select(const QStringList& names);
    void look(const QString& name);
    void run(const char* command);
    void apply(const QJsonObject& operation);
    /// Runs, waits for a dialog, looks at it, and closes it. `pages` shows its other pages, each with a name.
    void lookAtDialog(const QString& name, const std::function<void()>& open,
                      const std::function<void(QWidget&)>& pages = {});
    void inspector();
    void bottom();
    void layers();
    void poses();
    void overlays();
    void dialogs();
    void files();
    void tasks();

    editor::MainWindow& m_window;
    editor::EditorDocument& m_document;
    std::function<void()> m_settle;
    Look m_look;
    QTemporaryDir m_folder;
};

} // namespace tendon::test

#pragma once

#include "app/editor/Editor.h"
#include "app/editor/Recovery.h"
#include "app/editor/Theme.h"
#include "app/widgets/CommandTable.h"
#include "app/widgets/ViewportPort.h"

#include <QMainWindow>

class QAction;
class QLabel;
class QStackedWidget;

namespace tendon::editor {

class CommandSearch;
class FileActions;
class FirstRunOverlay;
class LogPanel;
class ScriptPanel;
class StatusStrip;
class TransportBar;

/// The editor's window: menus, tool bar, docks and the viewport, all of them made from the command table.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    MainWindow(Editor& editor, ViewportPort viewport, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Editor& editor() { return m_editor; }
    [[nodiscard]] CommandTable& commands() { return m_commands; }
    [[nodiscard]] FileActions& files() { return *m_files; }
    [[nodiscard]] const ViewportPort& viewport() const { return m_viewport; }

    /// Recovered work or the mannequin, and the tour the first time.
    void begin();
    void showTour();
    void setKeyPreset(KeyPreset preset);
    void setTheme(Theme::Kind kind, double scale);
    void resetLayout();
    void openSearch();
    void showBottom(int tab);

    /// The next two clicks in the view pick the start and the end of a handle with this solver ("" = the usual one).
    void pickChain(const QString& solver);

public slots:
    // What the view tells; app/gui connects them.
    void makeHandle(tendon::JointId start, tendon::JointId end);
    void showChainPicking(bool isPicking);
    void sayRefused(const QString& reason); ///< in the status strip, until something else is done
    void openViewMenu(const QPoint& globalPosition);

private:
    void buildViewport();
    void buildCommands();
    void buildMenus();
    void buildToolBar();
    void buildDocks();
    [[nodiscard]] QList<QAction*> objectActions() const; ///< for the menus of joints and handles
    void followEditor();
    void offerRecovery(const Recovery::Found& found);
    [[nodiscard]] QString hint() const;
    void refresh();
    void refreshSoon();
    void refreshTitle();
    void saveSettings() const;
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override; ///< frames all: only now the view has its size
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    Editor& m_editor;
    ViewportPort m_viewport;
    CommandTable m_commands;
    FileActions* m_files = nullptr;
    LogPanel* m_log = nullptr;
    ScriptPanel* m_script = nullptr;
    StatusStrip* m_status = nullptr;
    TransportBar* m_transport = nullptr;
    QStackedWidget* m_bottom = nullptr;
    CommandSearch* m_search = nullptr;
    FirstRunOverlay* m_tour = nullptr;
    QLabel* m_title = nullptr;
    QByteArray m_firstLayout;
    bool m_isRefreshPending = false;
    QString m_pickSolver;
    bool m_isPicking = false;      ///< the view picks a chain
    bool m_isFramePending = false; ///< another document: the view goes to it with its first frame
};

// What the window can be told to do, by menu. Each adds its commands to the table.
void addFileCommands(MainWindow& window);
void addEditCommands(MainWindow& window);
void addRigCommands(MainWindow& window);
void addAnimateCommands(MainWindow& window);
void addViewCommands(MainWindow& window);
void addHelpCommands(MainWindow& window);

} // namespace tendon::editor

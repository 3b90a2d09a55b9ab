#pragma once

#include "app/editor/Editor.h"
#include "app/editor/Recovery.h"
#include "app/editor/Theme.h"
#include "app/widgets/CommandTable.h"
#include "app/widgets/ViewportPort.h"

#include <QMainWindow>

#include <functional>

class QAction;
class QLabel;
class QStackedWidget;

namespace tendon::editor {

class CommandSearch;
class DopePanel;
class FileActions;
class FirstRunOverlay;
class GraphPanel;
class GraphState;
class LogPanel;
class PluginFiles;
class ScriptPanel;
class StatusStrip;
class Tasks;
class TimeView;
class TimelineView;
class TransportBar;
class ZoomBar;

/// The tabs of the bottom dock, in their order.
enum class BottomTab { Timeline, DopeSheet, Graph, Compare, Log, Script };

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
    [[nodiscard]] GraphPanel* graph() { return m_graph; }
    [[nodiscard]] TimeView& time() { return *m_time; }
    [[nodiscard]] Tasks& tasks() { return *m_tasks; }
    /// The keys of all objects; those that commands on selected keys work on: in the tab Graph, those of its curves.
    [[nodiscard]] GraphState& keys() { return *m_keys; }
    [[nodiscard]] GraphState& shownKeys();
    [[nodiscard]] const ViewportPort& viewport() const { return m_viewport; }

    /// Solver plugins that are loaded from now on; `plugins` outlives the window.
    void setPlugins(PluginFiles& plugins) { m_plugins = &plugins; }
    /// Loads a solver plugin and says what became of it.
    void loadPlugin(const QString& library);

    /// Offers recovered work or opens the mannequin; starts the tour the first time.
    void begin();
    /// Offers what runs that ended without saving have left, that of `file` first, the one that the program was started
    /// with; "" = with none. True: work was recovered.
    bool offerRecovery(const QString& file = {});
    void showTour();
    void setKeyPreset(KeyPreset preset);
    void setTheme(Theme::Kind kind, double scale);
    void resetLayout();
    void openSearch();
    void showBottom(BottomTab tab);

    /// The next two clicks in the view pick the start and the end of a new handle. `solver`: alias, "" = the default.
    void pickChain(const QString& solver, JointId selected = {});
    /// The same for another purpose: `then` has the start and the end, which is below it.
    void pickChain(std::function<void(JointId start, JointId end)> then);
    /// Adds a handle. `solver`: alias, "" = the default. `end` is below `start`.
    void addHandle(const QString& solver, JointId start, JointId end);

public slots:
    // For signals of the view; app/gui connects them.
    void makeHandle(tendon::JointId start, tendon::JointId end); ///< with the solver given to pickChain()
    void showChainPicking(bool isPicking);
    /// In the status strip, until the next edit; with a switch to IK of the handle whose limb FK drives (none = none).
    void showRefusal(const QString& reason, HandleId inFk = {});
    void openViewMenu(const QPoint& globalPosition);

private:
    void buildViewport();
    void buildCommands();
    void buildMenus();
    void buildToolBar();
    void buildDocks();
    QWidget* buildBottom(); ///< the panel of the chosen tab, and below it what always stays where it is
    void showPanel(int tab);
    void arrangeBottom(double scale); ///< as there is room: see the timeline of a low window
    void fitPanel();                  ///< gives the bottom dock the height of what is open in it
    void markLogTab(bool hasErrors);
    void layOutDocks();                                  ///< gives them the sizes that they have at first
    [[nodiscard]] QList<QAction*> objectActions() const; ///< for the context menus of joints and handles
    void followEditor();
    /// "recover", "discard" or "later". `other`: the file that is then not opened here; "" = none.
    [[nodiscard]] QString askToRecover(const Recovery::Found& found, const QString& other);
    [[nodiscard]] QString hint() const;
    void refresh();
    void refreshSoon();
    void refreshTitle();
    void saveSettings() const;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override; ///< frames the scene, now that the view has its size
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; ///< what nobody else has used
    bool eventFilter(QObject* watched, QEvent* event) override;

    Editor& m_editor;
    ViewportPort m_viewport;
    CommandTable m_commands;
    FileActions* m_files = nullptr;
    PluginFiles* m_plugins = nullptr;
    LogPanel* m_log = nullptr;
    ScriptPanel* m_script = nullptr;
    GraphPanel* m_graph = nullptr;
    StatusStrip* m_status = nullptr;
    Tasks* m_tasks = nullptr;
    TransportBar* m_transport = nullptr;
    TimeView* m_time = nullptr;
    GraphState* m_keys = nullptr;
    DopePanel* m_dope = nullptr;
    TimelineView* m_timeline = nullptr;
    ZoomBar* m_zoom = nullptr;
    QStackedWidget* m_bottom = nullptr;
    int m_panelHeight = 0; ///< [px] of the open panel, the same for all; 0 = as it is the first time
    CommandSearch* m_search = nullptr;
    FirstRunOverlay* m_tour = nullptr;
    QLabel* m_title = nullptr;
    QByteArray m_firstLayout;
    bool m_isLow = false;   ///< the timeline or a panel is shown, not both
    bool m_isBrief = false; ///< and of the timeline no keys, because a task is open
    bool m_isRefreshPending = false;
    QString m_pickSolver;
    std::function<void(JointId, JointId)> m_pickThen; ///< instead of making a handle
    bool m_isPicking = false;                         ///< a chain is being picked in the view
    Tool m_toolBeforeLink = Tool::Move;
    JointId m_pickFrom;            ///< the selected joint that a chain is picked from; invalid = none
    bool m_isFramePending = false; ///< frame the new document when its first frame arrives
};

// Each adds the commands of one menu to the table.
void addFileCommands(MainWindow& window);
void addEditCommands(MainWindow& window);
void addRigCommands(MainWindow& window);
void addTaskCommands(MainWindow& window);
void addAnimateCommands(MainWindow& window);
void addLayerCommands(MainWindow& window);
void addTimeCommands(MainWindow& window);
void addViewCommands(MainWindow& window);
void addDisplayCommands(MainWindow& window);
void addHelpCommands(MainWindow& window);
void addPluginCommands(MainWindow& window);

} // namespace tendon::editor

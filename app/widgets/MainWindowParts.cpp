#include "app/widgets/MainWindow.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/ComparePanel.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/FollowCommands.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Inspector.h"
#include "app/widgets/JointPanel.h"
#include "app/widgets/LogPanel.h"
#include "app/widgets/NamedMenus.h"
#include "app/widgets/Outliner.h"
#include "app/widgets/RecentMenu.h"
#include "app/widgets/Section.h"
#include "app/widgets/ShrinkingRow.h"
#include "app/widgets/TimelineView.h"
#include "app/widgets/TransportBar.h"
#include "app/widgets/dope/DopePanel.h"
#include "app/widgets/dope/DopeSheet.h"
#include "app/widgets/graph/GraphCommands.h"
#include "app/widgets/graph/GraphPanel.h"
#include "app/widgets/graph/GraphView.h"
#include "app/widgets/poses/PosesPanel.h"
#include "app/widgets/retarget/RetargetCommands.h"
#include "app/widgets/task/Tasks.h"
#include "app/widgets/time/TimeView.h"
#include "app/widgets/time/ZoomBar.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

// The parts of the window, built once by its constructor.

namespace tendon::editor {
namespace {

// [px] at 100 %
constexpr int kLeastDock = 56;  ///< height of what is in a dock at the side: its search field and a row
constexpr int kLowWindow = 520; ///< a window that is lower shows the timeline or a panel, not both
constexpr int kLeastPanel = 130, kLeastTallPanel = 206; ///< heights of an open panel, tall: Compare and Graph
constexpr int kLeastLowPanel = 96;                      ///< of any in a low window, where it scrolls

/// Holds the viewport; its border is red while Auto Key is on.
class ViewportFrame : public QWidget
{
public:
    ViewportFrame(Editor& editor, QWidget* viewport) : m_editor(editor)
    {
        setObjectName(QStringLiteral("viewportFrame"));
        auto* column = new QVBoxLayout(this);
        const int border = Theme::instance().px(3);
        column->setContentsMargins(border, border, border, border);
        column->addWidget(viewport);
        connect(&editor.document(), &EditorDocument::editChanged, this, qOverload<>(&QWidget::update));
        connect(&editor.document(), &EditorDocument::replaced, this, qOverload<>(&QWidget::update));
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        const bool isRecording = m_editor.document().edit().isAutoKeyOn;
        QPainter(this).fillRect(rect(), Theme::instance().color(isRecording ? "time.record" : "surface.gap"));
    }
    Editor& m_editor;
};

/// The title bar of a dock: name, float, close. Drags pass through it to the dock.
QWidget* titleOf(QDockWidget* dock)
{
    const Theme& theme = Theme::instance();
    auto* bar = new QFrame;
    bar->setObjectName(QStringLiteral("dockTitle"));
    bar->setFixedHeight(theme.size("height.panel-header"));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(theme.px(8), 0, theme.px(4), 0);
    row->setSpacing(theme.px(2));
    row->addWidget(headingOf(dock->windowTitle()), 1);
    const auto add = [&](const char* picture, const QString& tip) {
        auto* button = pictureButton(QLatin1StringView(picture), tip, "text.secondary");
        button->setIconSize({theme.px(12), theme.px(12)});
        button->setFixedSize(theme.px(22), theme.px(22));
        row->addWidget(button);
        return button;
    };
    QObject::connect(add("layers", MainWindow::tr("Float %1, or dock it again").arg(dock->windowTitle())),
                     &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    QObject::connect(add("close", MainWindow::tr("Close %1; Window › %1 opens it again").arg(dock->windowTitle())),
                     &QToolButton::clicked, dock, &QWidget::close);
    return bar;
}

/// The title bar of a dock without one. A plain widget would be -1 pixels high, and so the dock one too low.
class NoTitle : public QWidget
{
public:
    [[nodiscard]] QSize sizeHint() const override { return {0, 0}; }
};

/// As large as what is in it, at any scale: QScrollArea remembers the size that it had first.
class PanelArea : public QScrollArea
{
public:
    [[nodiscard]] QSize sizeHint() const override { return widget()->sizeHint(); }
};

/// A panel of several rows, which scrolls where the window is too low for all of them.
QWidget* scrolled(QWidget* panel)
{
    auto* area = new PanelArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(panel);
    return area;
}

/// How many former versions a save keeps.
void fillBackupMenu(QMenu& menu)
{
    auto* group = new QActionGroup(&menu);
    for (const int count : {0, 1, 2, 5}) {
        QAction* action = menu.addAction(count == 0   ? MainWindow::tr("Keep no former version")
                                         : count == 1 ? MainWindow::tr("Keep the former version")
                                                      : MainWindow::tr("Keep %1 former versions").arg(count));
        action->setCheckable(true);
        action->setChecked(count == FileActions::backupCount());
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &menu, [count] { FileActions::setBackupCount(count); });
    }
}

} // namespace

void MainWindow::buildViewport()
{
    m_viewport.widget->setObjectName(QStringLiteral("viewport"));
    m_viewport.widget->setAccessibleName(tr("View"));
    m_viewport.widget->setProperty("isView", true);
    setCentralWidget(new ViewportFrame(m_editor, m_viewport.area != nullptr ? m_viewport.area : m_viewport.widget));
}

void MainWindow::buildCommands()
{
    addFileCommands(*this);
    addEditCommands(*this);
    addRigCommands(*this);
    addTaskCommands(*this);
    addAnimateCommands(*this);
    addRetargetCommands(*this);
    addFollowCommands(*this);
    addLayerCommands(*this);
    addTimeCommands(*this);
    addGraphCommands(*this);
    addViewCommands(*this);
    addDisplayCommands(*this);
    addHelpCommands(*this);
    addPluginCommands(*this);
}

void MainWindow::buildMenus()
{
    std::map<QStringList, QMenu*> menus;
    for (const QString& title :
         {Command::tr("File"), Command::tr("Edit"), Command::tr("Create"), Command::tr("Rig"), Command::tr("Animate"),
          Command::tr("Solve"), Command::tr("View"), Command::tr("Window"), Command::tr("Help")})
        menus[{title}] = menuBar()->addMenu(title);
    const auto menuFor = [&](const QStringList& path) {
        if (const auto found = menus.find(path); found != menus.end()) return found->second;
        QMenu* menu = menus.at({path.first()})->addMenu(path.last());
        menus[path] = menu;
        return menu;
    };
    for (const auto& command : m_commands.all()) {
        if (command->menu.isEmpty()) continue;
        QMenu* menu = menuFor(command->menu);
        if (command->beginsGroup) menu->addSeparator();
        menu->addAction(m_commands.action(command->id));
        menu->setToolTipsVisible(true);
    }
    followSelectionSets(*menuFor({Command::tr("Edit"), Command::tr("Selection sets")}), *this);
    followCameraBookmarks(*menuFor({Command::tr("View"), Command::tr("Camera bookmarks")}), *this);
    auto* recent = new QMenu(Command::tr("Recent"), this);
    fillRecentMenu(*recent, *m_files);
    auto* backups = new QMenu(tr("Backups"), this);
    fillBackupMenu(*backups);
    for (QMenu* menu : {recent, backups})
        menus.at({Command::tr("File")})->insertMenu(m_commands.action(QStringLiteral("file.import")), menu);
    for (const QDockWidget* dock : findChildren<QDockWidget*>())
        connect(dock, &QDockWidget::visibilityChanged, this, &MainWindow::refreshSoon);

    auto* logo = new QLabel;
    logo->setContentsMargins(Theme::instance().px(10), 0, Theme::instance().px(4), 0);
    logo->setObjectName(QStringLiteral("logo"));
    const auto drawLogo = [this, logo] {
        logo->setPixmap(iconPixmap("tendon", "accent.text", Theme::instance().px(16), logo->devicePixelRatioF()));
        menuBar()->setCornerWidget(logo, Qt::TopLeftCorner); // which gives it its size
    };
    connect(&Theme::instance(), &Theme::changed, logo, drawLogo);
    drawLogo();
    setWindowIcon(icon("tendon", "accent.fill"));

    auto* corner = new QWidget;
    corner->setFixedHeight(Theme::instance().px(26));
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, Theme::instance().px(6), 0);
    row->setSpacing(Theme::instance().px(10));
    m_title = new QLabel;
    m_title->setProperty("role", "label");
    m_title->setObjectName(QStringLiteral("title"));
    m_title->setFixedWidth(Theme::instance().px(260)); // fixed: the corner is laid out once, but the title changes
    m_title->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* search = new QPushButton(icon("search", "text.hint"), tr(" Search commands"));
    // The menu bar does not leave room for the padding of the style sheet.
    search->setFixedWidth(Theme::instance().px(206));
    search->setObjectName(QStringLiteral("searchButton"));
    search->setAccessibleName(tr("Search commands"));
    search->setFocusPolicy(Qt::TabFocus);
    search->setToolTip(tr("Search for a command by name and run it (F3, or Tab in the viewport)"));
    connect(search, &QPushButton::clicked, this, &MainWindow::openSearch);
    row->addWidget(m_title);
    auto* key = new QLabel(QKeySequence(Qt::Key_Tab).toString(QKeySequence::NativeText));
    key->setProperty("role", "key");
    key->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* inside = new QHBoxLayout(search);
    inside->setContentsMargins(0, 0, Theme::instance().px(3), 0);
    inside->addStretch(1);
    inside->addWidget(key);
    row->addWidget(search);
    menuBar()->setCornerWidget(corner, Qt::TopRightCorner);
    const auto wanted = [this, corner, logo] {
        int width = logo->sizeHint().width() + corner->sizeHint().width() + Theme::instance().px(10);
        for (const QAction* action : menuBar()->actions())
            width += menuBar()->fontMetrics().horizontalAdvance(action->text()) + Theme::instance().px(16);
        return width;
    };
    new ShrinkingRow(*menuBar(), wanted,
                     {[this](bool isShort) { m_title->setVisible(!isShort); },
                      [search, key](bool isShort) {
                          search->setText(isShort ? QString() : tr(" Search commands"));
                          search->setFixedWidth(Theme::instance().px(isShort ? 72 : 206));
                      }});
}

void MainWindow::buildToolBar()
{
    const Theme& theme = Theme::instance();
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setFixedHeight(theme.size("height.toolbar"));
    const auto add = [&](const char* id, bool hasText = false) {
        auto* button = new QToolButton;
        button->setDefaultAction(m_commands.action(QLatin1StringView(id)));
        button->setObjectName(QStringLiteral("button.%1").arg(QLatin1StringView(id)));
        button->setFocusPolicy(Qt::TabFocus);
        button->setToolButtonStyle(hasText ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        if (hasText)
            button->defaultAction()->setIconText(
                ' ' + button->defaultAction()->text()); // the style sets icon and text too close
        button->setMinimumSize(theme.size("height.tool-button"), theme.size("height.tool-button"));
        bar->addWidget(button);
        return button;
    };
    for (const char* id : {"view.select", "view.move", "view.rotate", "view.scale", "view.link"}) add(id);
    bar->addSeparator();
    const auto addSegments = [&](std::initializer_list<const char*> ids, bool hasText) {
        auto* segments = new QWidget;
        auto* row = new QHBoxLayout(segments);
        row->setContentsMargins(theme.px(2), 0, theme.px(2), 0);
        row->setSpacing(0);
        for (const char* const* id = ids.begin(); id != ids.end(); ++id) {
            auto* button = new QToolButton;
            button->setDefaultAction(m_commands.action(QLatin1StringView(*id)));
            button->setObjectName(QStringLiteral("button.%1").arg(QLatin1StringView(*id)));
            button->setFocusPolicy(Qt::TabFocus);
            button->setToolButtonStyle(hasText ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
            button->setProperty("segment", id == ids.begin() ? "first" : id + 1 == ids.end() ? "last" : "middle");
            row->addWidget(button);
        }
        bar->addWidget(segments);
    };
    addSegments({"view.local", "view.world", "view.parent"}, true);
    add("view.snap");
    bar->addSeparator();
    std::vector<QToolButton*> worded;
    for (const char* id : {"solve.interactive", "create.handle", "rig.pin", "create.pole", "rig.switch"})
        worded.push_back(add(id, true));
    bar->addSeparator();
    for (const char* id : {"view.ghosts", "view.trails"}) add(id);
    bar->addSeparator();
    auto* camera = new QToolButton;
    camera->setObjectName(QStringLiteral("button.camera"));
    camera->setIcon(icon("camera", "text.primary"));
    camera->setToolTip(tr("Choose the camera"));
    camera->setAccessibleName(tr("Camera"));
    camera->setFocusPolicy(Qt::TabFocus);
    camera->setPopupMode(QToolButton::InstantPopup);
    camera->setMinimumSize(theme.size("height.tool-button"), theme.size("height.tool-button"));
    for (const char* id :
         {"view.perspective", "view.front", "view.right", "view.left", "view.top", "view.back", "view.bottom"})
        camera->addAction(m_commands.action(QLatin1StringView(id)));
    bar->addWidget(camera);
    addSegments({"view.shaded", "view.shadedWire", "view.wire"}, false);
    for (const char* id : {"view.xray", "view.grid", "view.hud"}) add(id);
    auto* stretch = new QWidget;
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(stretch);
    add("edit.undo");
    add("edit.redo");
    auto* label = new QLabel(tr("Keys like "));
    label->setProperty("role", "label");
    QAction* labelled = bar->addWidget(label);
    auto* presets = new ChoiceBox;
    presets->setObjectName(QStringLiteral("keyPreset"));
    presets->setAccessibleName(tr("Keys like"));
    presets->setToolTip(tr("Choose the program whose keys and mouse buttons you know"));
    for (const char* name : kKeyPresetNames) presets->addItem(QLatin1StringView(name));
    connect(presets, &QComboBox::activated, this, [this](int index) { setKeyPreset(static_cast<KeyPreset>(index)); });
    bar->addWidget(presets);
    const auto hideWords = [worded](bool isShort) {
        for (QToolButton* button : worded)
            button->setToolButtonStyle(isShort ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    };
    constexpr int kSpare = 2; // [px] that a button can be narrower than its size hint
    const auto wanted = [bar] { return bar->sizeHint().width() - kSpare * static_cast<int>(bar->actions().size()); };
    new ShrinkingRow(*bar, wanted, {hideWords, [labelled](bool isShort) { labelled->setVisible(!isShort); }});
}

void MainWindow::buildDocks()
{
    const Theme& theme = Theme::instance();
    const auto dock = [&](const char* name, const QString& title, QWidget* widget, Qt::DockWidgetArea area) {
        auto* d = new QDockWidget(title, this);
        d->setObjectName(QLatin1StringView(name));
        d->setWidget(widget);
        d->setTitleBarWidget(titleOf(d));
        addDockWidget(area, d);
        return d;
    };
    auto* outliner = new Outliner(m_editor);
    for (QAction* action : objectActions()) outliner->addAction(action);
    connect(outliner, &Outliner::rigWanted, this, [this] { m_commands.run(QStringLiteral("rig.rigIt")); });
    outliner->setMinimumSize(theme.size("dock.outliner-min"), theme.px(kLeastDock));
    QDockWidget* list = dock("dock.outliner", tr("Outliner"), outliner, Qt::LeftDockWidgetArea);
    auto* inspector = new Inspector(m_editor);
    inspector->setMinimumSize(theme.size("dock.inspector-min"), theme.px(kLeastDock));
    connect(inspector, &Inspector::graphWanted, this, [this](ChannelId channel, int component) {
        showBottom(BottomTab::Graph);
        m_graph->state().setActive({CurveId{channel, component}});
        m_graph->view().frameAll();
    });
    auto* joint = inspector->findChild<JointPanel*>();
    joint->setContextMenuPolicy(Qt::ActionsContextMenu);
    for (const char* id : {"rig.copyJoint", "rig.pasteJoint", "rig.pasteJointMirrored", "rig.guessLimits"})
        joint->addAction(m_commands.action(QLatin1StringView(id)));
    dock("dock.inspector", tr("Inspector"), inspector, Qt::RightDockWidgetArea);

    auto* poses = new PosesPanel(m_editor, m_viewport.grab);
    poses->setMinimumWidth(theme.size("dock.outliner-min"));
    QDockWidget* shelf = dock("dock.poses", tr("Poses"), poses, Qt::LeftDockWidgetArea);
    shelf->hide(); // until it is wanted; then it is high enough for all that it holds
    connect(
        poses, &PosesPanel::read, this,
        [this, list, shelf, poses] {
            const int wanted = shelf->titleBarWidget()->height() + poses->fullHeight();
            if (shelf->isVisible() && !shelf->isFloating() && shelf->height() < wanted)
                resizeDocks({list, shelf}, {list->height() + shelf->height() - wanted, wanted}, Qt::Vertical);
        },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));

    QDockWidget* time = dock("dock.time", tr("Bottom panel"), buildBottom(), Qt::BottomDockWidgetArea);
    time->setTitleBarWidget(new NoTitle);
    connect(m_transport->tabs(), &QTabBar::currentChanged, this, &MainWindow::showPanel);
    connect(&Theme::instance(), &Theme::changed, this, [this] { showPanel(m_transport->tabs()->currentIndex()); });
    showPanel(static_cast<int>(BottomTab::Timeline));
    layOutDocks();
}

QWidget* MainWindow::buildBottom()
{
    auto* bottom = new QWidget;
    bottom->setObjectName(QStringLiteral("bottom"));
    auto* column = new QVBoxLayout(bottom);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_time = new TimeView(m_editor, this);
    m_keys = new GraphState(m_editor, GraphState::Scope::All, this);
    m_bottom = new QStackedWidget;
    // In the order of BottomTab.
    m_bottom->addWidget(new QWidget);
    m_bottom->addWidget(m_dope = new DopePanel(*m_keys, m_commands, *m_time));
    m_bottom->addWidget(m_graph = new GraphPanel(m_editor, m_commands, *m_time));
    m_bottom->addWidget(scrolled(new ComparePanel(m_editor)));
    m_bottom->addWidget(m_log = new LogPanel(m_editor));
    m_bottom->addWidget(m_script = new ScriptPanel(m_editor));
    m_graph->state().shareSelection(*m_keys);
    connect(&m_graph->state(), &GraphState::changed, this, &MainWindow::refreshSoon);
    column->addWidget(m_bottom, 1);
    m_transport = new TransportBar(m_editor, m_commands);
    column->addWidget(m_transport);
    connect(m_transport, &TransportBar::confirmed, m_viewport.widget, [this] { m_viewport.widget->setFocus(); });
    m_timeline = new TimelineView(m_editor, *m_keys, *m_time, m_commands);
    column->addWidget(m_timeline);
    m_zoom = new ZoomBar(m_editor, *m_time);
    column->addWidget(m_zoom);
    const std::pair<const char*, QString> tabs[] = {{"timeline", tr("Timeline")}, {"dope", tr("Dope sheet")},
                                                    {"graph", tr("Graph")},       {"compare", tr("Compare")},
                                                    {"log", tr("Log")},           {"iterate", tr("Script")}};
    for (const auto& [picture, text] : tabs) m_transport->tabs()->addTab(icon(picture, "text.secondary"), text);
    connect(&m_editor.document(), &EditorDocument::reported, this, [this](const Issues& issues) {
        const bool hasErrors = std::any_of(issues.begin(), issues.end(),
                                           [](const Issue& issue) { return issue.severity == Severity::Error; });
        if (hasErrors && m_transport->tabs()->currentIndex() != static_cast<int>(BottomTab::Log)) markLogTab(true);
    });
    return bottom;
}

void MainWindow::markLogTab(bool hasErrors)
{
    const int log = static_cast<int>(BottomTab::Log);
    m_transport->tabs()->setTabIcon(log, hasErrors ? icon("error", "status.error") : icon("log", "text.secondary"));
}

GraphState& MainWindow::shownKeys()
{
    const bool isGraph = m_transport->tabs()->currentIndex() == static_cast<int>(BottomTab::Graph);
    return isGraph ? m_graph->state() : *m_keys;
}

/// In a low window the timeline is above the tabs, too, in the place of an open panel: so tabs and transport stand
/// still there as well.
void MainWindow::arrangeBottom(double scale)
{
    const bool isLow = height() < kLowWindow * scale;
    if (m_bottom == nullptr || isLow == m_isLow) return;
    m_isLow = isLow;
    auto* column = static_cast<QVBoxLayout*>(m_bottom->parentWidget()->layout());
    const std::initializer_list<QWidget*> parts = {m_timeline, m_zoom};
    for (QWidget* part : parts) column->removeWidget(part);
    int at = column->indexOf(m_transport) + (isLow ? 0 : 1);
    for (QWidget* part : parts) column->insertWidget(at++, part);
    showPanel(m_transport->tabs()->currentIndex());
}

/// The panel opens above the tabs, which stay where they are, as do the transport and the timeline. It has one height
/// for all tabs; without one there is no room to be empty.
void MainWindow::showPanel(int index)
{
    const auto tab = static_cast<BottomTab>(index);
    const Theme& theme = Theme::instance();
    auto* dock = findChild<QDockWidget*>(QStringLiteral("dock.time"));
    if (!m_bottom->isHidden() && m_bottom->height() > 0) m_panelHeight = m_bottom->height();
    const bool isOpen = tab != BottomTab::Timeline, wasOpen = !m_bottom->isHidden();
    const int label = tab == BottomTab::DopeSheet ? DopeSheet::labelWidth()
                      : tab == BottomTab::Graph   ? GraphPanel::labelWidth()
                                                  : TimelineView::labelWidth();
    m_timeline->setLabelWidth(label);
    m_zoom->setLeft(label);
    if (tab == BottomTab::Log) markLogTab(false);
    m_isBrief = m_isLow && m_tasks->current() != nullptr;
    const bool isTall = tab == BottomTab::Compare || tab == BottomTab::Graph;
    const int least = m_isLow ? kLeastLowPanel : isTall ? kLeastTallPanel : kLeastPanel;
    // What goes goes first: for both together a low window would have to grow, as it would for an open panel that
    // takes no less than it would like.
    if (!isOpen) m_bottom->hide();
    dock->widget()->setSizePolicy(QSizePolicy::Preferred, isOpen ? QSizePolicy::Preferred : QSizePolicy::Fixed);
    m_bottom->setMinimumHeight(isOpen ? theme.px(least) : 0);
    m_timeline->setBrief(m_isBrief);
    m_timeline->setVisible(!isOpen || !m_isLow);
    m_zoom->setVisible((!isOpen || !m_isLow) && !m_isBrief);
    m_bottom->setCurrentIndex(index);
    if (isOpen) m_bottom->show();
    dock->widget()->layout()->activate();
    if (isOpen && !wasOpen) fitPanel();
}

void MainWindow::fitPanel()
{
    auto* dock = findChild<QDockWidget*>(QStringLiteral("dock.time"));
    int wanted = dock->widget()->sizeHint().height();
    if (!m_bottom->isHidden()) {
        constexpr double kShare = 0.36, kLowShare = 0.42; // of the window, the first time
        const int panel = m_panelHeight != 0 ? m_panelHeight
                                             : static_cast<int>((m_isLow ? kLowShare : kShare) * height());
        wanted += panel - m_bottom->sizeHint().height();
    }
    resizeDocks({dock}, {wanted}, Qt::Vertical);
}

void MainWindow::layOutDocks()
{
    const Theme& theme = Theme::instance();
    const auto dock = [this](const char* name) { return findChild<QDockWidget*>(QLatin1StringView(name)); };
    resizeDocks({dock("dock.outliner"), dock("dock.inspector")},
                {theme.size("dock.outliner"), theme.size("dock.inspector")}, Qt::Horizontal);
    showPanel(m_transport->tabs()->currentIndex());
}

} // namespace tendon::editor

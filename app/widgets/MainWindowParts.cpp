#include "app/widgets/MainWindow.h"

#include "app/editor/Theme.h"
#include "app/widgets/DopeSheet.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Inspector.h"
#include "app/widgets/LogPanel.h"
#include "app/widgets/Outliner.h"
#include "app/widgets/RecentMenu.h"
#include "app/widgets/TimelineView.h"
#include "app/widgets/TransportBar.h"

#include <QComboBox>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

// What the window is put together from, once, when it is made.

namespace tendon::editor {
namespace {

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

} // namespace

void MainWindow::buildViewport()
{
    m_viewport.widget->setObjectName(QStringLiteral("viewport"));
    setCentralWidget(new ViewportFrame(m_editor, m_viewport.widget));
}

void MainWindow::buildCommands()
{
    addFileCommands(*this);
    addEditCommands(*this);
    addRigCommands(*this);
    addAnimateCommands(*this);
    addViewCommands(*this);
    addHelpCommands(*this);
}

void MainWindow::buildMenus()
{
    std::map<QString, QMenu*> menus;
    for (const char* name : {"File", "Edit", "Create", "Rig", "Animate", "Solve", "View", "Window", "Help"})
        menus[QLatin1StringView(name)] = menuBar()->addMenu(QLatin1StringView(name));
    const auto menuFor = [&](const QString& path) {
        if (const auto found = menus.find(path); found != menus.end()) return found->second;
        QMenu* menu = menus.at(path.section('|', 0, 0))->addMenu(path.section('|', 1));
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
    keepRecent(*menuFor(QStringLiteral("File|Recent")), *m_files);
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        QAction* action = dock->toggleViewAction();
        menus.at(QStringLiteral("Window"))->addAction(action);
    }

    auto* corner = new QWidget;
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, Theme::instance().px(6), 0);
    m_title = new QLabel;
    m_title->setProperty("role", "label");
    m_title->setObjectName(QStringLiteral("title"));
    m_title->setFixedWidth(Theme::instance().px(260)); // the corner is laid out once, the title changes
    m_title->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* search = new QPushButton(icon("search", "text.hint"), tr("Search commands   Tab"));
    // The menu bar gives its corner less than the style sheet's padding needs.
    search->setMinimumWidth(Theme::instance().px(176));
    search->setObjectName(QStringLiteral("searchButton"));
    search->setFocusPolicy(Qt::NoFocus);
    search->setToolTip(tr("Find any command by name: Tab in the viewport, or F3"));
    connect(search, &QPushButton::clicked, this, &MainWindow::openSearch);
    row->addWidget(m_title);
    row->addWidget(search);
    menuBar()->setCornerWidget(corner, Qt::TopRightCorner);
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
        button->setMinimumSize(theme.size("height.tool-button"), theme.size("height.tool-button"));
        bar->addWidget(button);
        return button;
    };
    for (const char* id : {"view.select", "view.move", "view.rotate", "view.scale"}) add(id);
    bar->addSeparator();
    for (const char* id : {"view.local", "view.world", "view.parent"})
        add(id)->setToolButtonStyle(Qt::ToolButtonTextOnly);
    add("view.snap");
    bar->addSeparator();
    add("solve.interactive", true);
    add("create.handle", true);
    add("rig.pin", true);
    add("create.pole", true);
    add("rig.switch", true);
    bar->addSeparator();
    for (const char* id : {"view.xray", "view.wire", "view.grid", "view.hud"}) add(id);
    auto* stretch = new QWidget;
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(stretch);
    add("edit.undo");
    add("edit.redo");
    auto* label = new QLabel(tr("Keys like "));
    label->setProperty("role", "label");
    bar->addWidget(label);
    auto* presets = new QComboBox;
    presets->setObjectName(QStringLiteral("keyPreset"));
    for (const char* name : kKeyPresetNames) presets->addItem(QLatin1StringView(name));
    connect(presets, &QComboBox::activated, this, [this](int index) { setKeyPreset(static_cast<KeyPreset>(index)); });
    bar->addWidget(presets);
}

void MainWindow::buildDocks()
{
    const Theme& theme = Theme::instance();
    const auto dock = [&](const char* name, const QString& title, QWidget* widget, Qt::DockWidgetArea area) {
        auto* d = new QDockWidget(title, this);
        d->setObjectName(QLatin1StringView(name));
        d->setWidget(widget);
        addDockWidget(area, d);
        return d;
    };
    auto* outliner = new Outliner(m_editor);
    for (QAction* action : objectActions()) outliner->addAction(action);
    outliner->setMinimumWidth(theme.size("dock.outliner-min"));
    QDockWidget* left = dock("dock.outliner", tr("Outliner"), outliner, Qt::LeftDockWidgetArea);
    auto* inspector = new Inspector(m_editor);
    inspector->setMinimumWidth(theme.size("dock.inspector-min"));
    QDockWidget* right = dock("dock.inspector", tr("Inspector"), inspector, Qt::RightDockWidgetArea);

    auto* bottom = new QWidget;
    auto* column = new QVBoxLayout(bottom);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_transport = new TransportBar(m_editor, m_commands);
    column->addWidget(m_transport);
    column->addWidget(new TimelineView(m_editor));
    m_bottom = new QStackedWidget;
    auto* none = new QWidget;
    none->setMaximumHeight(0);
    m_bottom->addWidget(none);
    m_bottom->addWidget(new DopeSheet(m_editor));
    m_bottom->addWidget(m_log = new LogPanel(m_editor));
    m_bottom->addWidget(m_script = new ScriptPanel(m_editor));
    column->addWidget(m_bottom, 1);
    const std::pair<const char*, QString> tabs[] = {
        {"timeline", tr("Timeline")}, {"dope", tr("Dope sheet")}, {"log", tr("Log")}, {"iterate", tr("Script")}};
    for (const auto& [picture, text] : tabs) m_transport->tabs()->addTab(icon(picture, "text.secondary"), text);
    const auto showTab = [this](int index) {
        m_bottom->setCurrentIndex(index);
        m_bottom->setVisible(index != 0);
        m_bottom->setMinimumHeight(index == 0 ? 0 : Theme::instance().px(130));
    };
    connect(m_transport->tabs(), &QTabBar::currentChanged, this, showTab);
    showTab(0);
    QDockWidget* time = dock("dock.time", tr("Time"), bottom, Qt::BottomDockWidgetArea);
    time->setTitleBarWidget(new QWidget);
    resizeDocks({left, right}, {theme.size("dock.outliner"), theme.size("dock.inspector")}, Qt::Horizontal);
    resizeDocks({time}, {theme.px(120)}, Qt::Vertical);
}

} // namespace tendon::editor

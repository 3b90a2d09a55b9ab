#include "app/widgets/MainWindow.h"

#include "app/editor/Theme.h"
#include "app/widgets/CommandSearch.h"
#include "app/widgets/DopeSheet.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/FirstRunOverlay.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Inspector.h"
#include "app/widgets/LogPanel.h"
#include "app/widgets/Outliner.h"
#include "app/widgets/StatusStrip.h"
#include "app/widgets/TimelineView.h"
#include "app/widgets/TransportBar.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

constexpr int kLayoutVersion = 1;

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
        QPainter(this).fillRect(rect(), Theme::instance().color(m_editor.document().edit().isAutoKeyOn ? "time.record" : "surface.gap"));
    }
    Editor& m_editor;
};

bool isPlainKeyOf(const QWidget* focus, const QKeyEvent* key)
{
    // Space presses buttons and boxes, arrows walk lists: shortcuts don't take them there.
    const int code = key->key();
    if (key->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return false;
    if (qobject_cast<const QAbstractButton*>(focus) != nullptr) return code == Qt::Key_Space || code == Qt::Key_Return;
    if (qobject_cast<const QComboBox*>(focus) != nullptr) return code == Qt::Key_Space || code == Qt::Key_Up || code == Qt::Key_Down;
    if (qobject_cast<const QTabBar*>(focus) != nullptr) return code == Qt::Key_Left || code == Qt::Key_Right;
    if (qobject_cast<const QAbstractItemView*>(focus) != nullptr)
        return code == Qt::Key_Up || code == Qt::Key_Down || code == Qt::Key_Left || code == Qt::Key_Right || code == Qt::Key_Return;
    return false;
}

} // namespace

MainWindow::MainWindow(Editor& editor, ViewportPort viewport, QWidget* parent)
    : QMainWindow(parent), m_editor(editor), m_viewport(std::move(viewport)), m_commands(this)
{
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_files = new FileActions(editor, this);
    m_viewport.widget->setObjectName(QStringLiteral("viewport"));
    m_viewportFrame = new ViewportFrame(editor, m_viewport.widget);
    setCentralWidget(m_viewportFrame);
    m_status = new StatusStrip(editor);
    setStatusBar(m_status);
    buildCommands();
    buildToolBar();
    buildDocks();
    buildMenus();
    m_search = new CommandSearch(m_commands, this);
    qApp->installEventFilter(this);

    connect(m_status, &StatusStrip::logRequested, this, [this] { showBottom(2); });
    connect(&m_commands, &CommandTable::refused, this, [this](const QString& reason) { m_status->say({Severity::Warning, reason.toStdString(), {}, 0}); });
    EditorDocument& document = editor.document();
    connect(&document, &EditorDocument::changed, this, &MainWindow::refreshSoon);
    connect(&document, &EditorDocument::editChanged, this, &MainWindow::refreshSoon);
    connect(&document, &EditorDocument::replaced, this, [this] {
        refreshSoon();
        m_isFramePending = true;
    });
    connect(&editor, &Editor::frameReady, this, [this](const FramePtr& frame) {
        if (!m_isFramePending || frame->revision != m_editor.document().revision()) return; // of the document before
        m_isFramePending = false;
        m_viewport.frameAll();
    });
    connect(&document, &EditorDocument::modifiedChanged, this, &MainWindow::refreshTitle);
    connect(&document, &EditorDocument::gestureEnded, this, &MainWindow::refreshSoon);
    connect(&editor.selection(), &Selection::changed, this, &MainWindow::refreshSoon);
    connect(&editor.view(), &ViewSettings::changed, this, &MainWindow::refreshSoon);
    connect(&editor.playback(), &Playback::playingChanged, this, &MainWindow::refreshSoon);
    connect(&editor.scheduler(), &SolveScheduler::hung, this, [this] {
        m_log->add({{Severity::Error, "a solver did not come back and was left behind; the handles are shown without it. Change a handle's solver to go on", "solver", 0}});
        m_status->say({Severity::Error, "did not come back: its handles are shown as FK until a handle is changed", "A solver", 0});
    });

    QSettings settings;
    const int preset = settings.value("keys", 0).toInt();
    setKeyPreset(static_cast<KeyPreset>(std::clamp(preset, 0, 2)));
    resize(1600, 1000);
    m_firstLayout = saveState(kLayoutVersion);
    restoreGeometry(settings.value("window/geometry").toByteArray());
    restoreState(settings.value("window/layout").toByteArray(), kLayoutVersion);
    refresh();
}

MainWindow::~MainWindow() { qApp->removeEventFilter(this); }

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
    for (const char* name : {"File", "Edit", "Create", "Rig", "Animate", "Solve", "View", "Window", "Help"}) menus[QLatin1StringView(name)] = menuBar()->addMenu(QLatin1StringView(name));
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
    QMenu* recent = menuFor(QStringLiteral("File|Recent"));
    const auto fill = [this, recent] {
        recent->clear();
        for (const QString& path : RecentFiles::list()) {
            const bool isThere = QFileInfo::exists(path);
            QAction* action = recent->addAction(QFileInfo(path).fileName() + (isThere ? QString() : tr("  (missing)")), this, [this, path] { m_files->openFile(path); });
            action->setToolTip(path);
            action->setEnabled(isThere);
        }
        if (recent->isEmpty()) recent->addAction(tr("No files yet"))->setEnabled(false);
    };
    connect(recent, &QMenu::aboutToShow, this, fill);
    fill();
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
    auto* search = new QPushButton(icon("search", "text.hint"), tr("Search commands   Tab"));
    search->setMinimumWidth(Theme::instance().px(176)); // the menu bar gives its corner less than the style sheet's padding needs
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
    for (const char* id : {"view.local", "view.world", "view.parent"}) add(id)->setToolButtonStyle(Qt::ToolButtonTextOnly);
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
    for (const char* id : {"edit.rename", "create.handle", "create.joint", "create.dummy", "rig.terminator", "rig.pin", "rig.unlink", "rig.reset", "edit.delete"}) outliner->addAction(m_commands.action(QLatin1StringView(id)));
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
    const std::pair<const char*, QString> tabs[] = {{"timeline", tr("Timeline")}, {"dope", tr("Dope sheet")}, {"log", tr("Log")}, {"iterate", tr("Script")}};
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

void MainWindow::begin()
{
    Recovery& recovery = m_files->recovery();
    if (const auto found = recovery.find()) {
        QMessageBox box(this);
        box.setObjectName(QStringLiteral("recovery"));
        box.setWindowTitle(tr("Recover unsaved work"));
        box.setText(tr("Tendon ended without saving %1. Its last state, of %2, was kept.").arg(found->title, found->when.toString("d MMM, HH:mm")));
        auto* recover = box.addButton(tr("Recover"), QMessageBox::AcceptRole);
        box.addButton(tr("Throw it away"), QMessageBox::DestructiveRole);
        box.setDefaultButton(recover);
        box.exec();
        if (box.clickedButton() == recover) {
            if (const auto done = recovery.recover(*found); done) return;
            m_log->add({{Severity::Error, "what was kept could not be read", found->file.toStdString(), 0}});
        } else {
            recovery.discard(*found);
        }
    }
    (void)m_editor.document().openSample("mannequin");
    if (!QSettings().value("tour/done", false).toBool()) showTour();
}

void MainWindow::showTour()
{
    if (m_tour == nullptr) {
        m_tour = new FirstRunOverlay(this);
        connect(m_tour, &FirstRunOverlay::presetChosen, this, &MainWindow::setKeyPreset);
        connect(m_tour, &FirstRunOverlay::finished, this, [this] {
            QSettings().setValue("tour/done", true);
            m_tour->hide();
            m_viewport.widget->setFocus();
        });
    }
    m_tour->begin();
}

void MainWindow::setKeyPreset(KeyPreset preset)
{
    m_commands.setPreset(preset);
    m_editor.view().edit([&](ViewState& s) { s.navigation = static_cast<Navigation>(preset); });
    if (auto* box = findChild<QComboBox*>(QStringLiteral("keyPreset"))) box->setCurrentIndex(static_cast<int>(preset));
    QSettings().setValue("keys", static_cast<int>(preset));
    refresh();
}

void MainWindow::setTheme(Theme::Kind kind, double scale)
{
    Theme::instance().set(kind, scale);
    QSettings().setValue("theme", kind == Theme::Kind::Dark ? "dark" : "light");
    QSettings().setValue("scale", scale);
    refresh();
}

void MainWindow::resetLayout()
{
    restoreState(m_firstLayout, kLayoutVersion);
    for (QDockWidget* dock : findChildren<QDockWidget*>()) dock->show();
}

void MainWindow::openSearch() { m_search->open(); }
void MainWindow::showBottom(int tab) { m_transport->tabs()->setCurrentIndex(tab); }

void MainWindow::refreshSoon()
{
    if (m_isRefreshPending) return;
    m_isRefreshPending = true;
    QTimer::singleShot(0, this, [this] {
        m_isRefreshPending = false;
        refresh();
    });
}

void MainWindow::refresh()
{
    m_commands.refresh();
    refreshTitle();
    const bool isMaya = m_commands.preset() == KeyPreset::Maya;
    const QString key = m_commands.action("key.set")->shortcut().toString(QKeySequence::NativeText);
    m_status->setHint(m_editor.drag().isActive() ? tr("<b>Esc</b> gives it back")
                                                 : tr("<b>LMB</b> drag the goal · <b>%1</b> orbit · <b>Ctrl</b> on a limit field = preview · <b>%2</b> key").arg(isMaya ? tr("Alt LMB") : m_commands.preset() == KeyPreset::Blender ? tr("MMB") : tr("Alt MMB"), key));
}

void MainWindow::refreshTitle()
{
    const EditorDocument& document = m_editor.document();
    const QString title = document.title() + (document.isModified() ? tr(" · changed") : document.path().empty() ? tr(" · not saved yet") : QString());
    m_title->setText(title);
    setWindowTitle(tr("%1[*] - Tendon").arg(document.title()));
    setWindowModified(document.isModified());
}

void MainWindow::saveSettings() const
{
    QSettings settings;
    settings.setValue("window/geometry", saveGeometry());
    settings.setValue("window/layout", saveState(kLayoutVersion));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_files->mayLeave()) {
        event->ignore();
        return;
    }
    m_files->recovery().remove();
    saveSettings();
    event->accept();
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    QTimer::singleShot(50, this, [this] { m_viewport.frameAll(); });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString path = event->mimeData()->urls().first().toLocalFile();
    event->acceptProposedAction();
    QMetaObject::invokeMethod(this, [this, path] { m_files->openFile(path); }, Qt::QueuedConnection);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (watched == m_viewport.widget && key->key() == Qt::Key_Tab) {
            event->accept();
            return false;
        }
        if (isPlainKeyOf(qobject_cast<QWidget*>(watched), key)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress && watched == m_viewport.widget) {
        const int code = static_cast<QKeyEvent*>(event)->key();
        if (code == Qt::Key_Tab) {
            openSearch();
            return true;
        }
        if (code == Qt::Key_Escape && m_editor.drag().isActive()) {
            m_editor.drag().cancel();
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace tendon::editor

#include "app/widgets/MainWindow.h"

#include "app/editor/PluginFiles.h"
#include "app/editor/RecentFiles.h"
#include "app/editor/ShortNames.h"
#include "app/editor/Theme.h"
#include "app/widgets/CommandSearch.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/FirstRunOverlay.h"
#include "app/widgets/FitOnScreen.h"
#include "app/widgets/HandleDefaults.h"
#include "app/widgets/LiveScale.h"
#include "app/widgets/LogPanel.h"
#include "app/widgets/Preferences.h"
#include "app/widgets/RigNames.h"
#include "app/widgets/StatusStrip.h"
#include "app/widgets/TimelineView.h"
#include "app/widgets/TransportBar.h"
#include "app/widgets/task/Tasks.h"
#include "core/scene/Check.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>

#include <utility>

namespace tendon::editor {
namespace {

constexpr int kLayoutVersion = 1;

bool isPlainKeyOf(const QWidget* focus, const QKeyEvent* key)
{
    // Space presses buttons, letters choose in combo boxes and arrows move through lists: shortcuts must not take these
    // keys there.
    const int code = key->key();
    const bool isReturn = code == Qt::Key_Return || code == Qt::Key_Enter;
    if (key->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return false;
    if (qobject_cast<const QAbstractButton*>(focus) != nullptr) return code == Qt::Key_Space || code == Qt::Key_Return;
    if (qobject_cast<const QComboBox*>(focus) != nullptr)
        return code == Qt::Key_Up || code == Qt::Key_Down || (!key->text().isEmpty() && key->text()[0].isPrint());
    if (qobject_cast<const QAbstractSlider*>(focus) != nullptr)
        return (code >= Qt::Key_Home && code <= Qt::Key_PageDown); // Home, End, the arrows, Page Up and Down
    if (qobject_cast<const QTabBar*>(focus) != nullptr) return code == Qt::Key_Left || code == Qt::Key_Right;
    if (qobject_cast<const QAbstractItemView*>(focus) != nullptr) {
        // The open list of a combo box takes Return where it overrides shortcuts, so that it must see that event.
        if (focus->window()->windowType() == Qt::Popup && isReturn) return false;
        return code == Qt::Key_Up || code == Qt::Key_Down || code == Qt::Key_Left || code == Qt::Key_Right || isReturn;
    }
    return false;
}

bool isView(const QObject* object) { return object->property("isView").toBool(); }

} // namespace

MainWindow::MainWindow(Editor& editor, ViewportPort viewport, QWidget* parent)
    : QMainWindow(parent), m_editor(editor), m_viewport(std::move(viewport)), m_commands(this)
{
    setObjectName(QStringLiteral("mainWindow"));
    // Before the panels, which show them when they hear of the change. Others have editors of their own: previews,
    // films.
    const auto followNames = [&editor] { SceneNames::instance().follow(editor.document().scene()); };
    connect(&editor.document(), &EditorDocument::changed, this, followNames);
    connect(&editor.document(), &EditorDocument::replaced, this, followNames);
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_files = new FileActions(editor, this);
    if (m_viewport.grab) m_files->setPictureSource(m_viewport.grab);
    m_files->setModelPicture(m_viewport.draw);
    m_files->setModelPreparation(m_viewport.prepare);
    buildViewport();
    m_status = new StatusStrip(editor);
    setStatusBar(m_status);
    m_tasks = new Tasks(*this);
    buildCommands();
    buildToolBar();
    buildDocks();
    buildMenus();
    m_search = new CommandSearch(m_commands, m_viewport.widget, this);
    qApp->installEventFilter(this);

    followEditor();

    QSettings settings;
    const int preset = settings.value("keys", 0).toInt();
    setKeyPreset(static_cast<KeyPreset>(std::clamp(preset, 0, 2)));
    resize(1600, 1000);
    m_firstLayout = saveState(kLayoutVersion);
    constexpr double kShare = 0.9; // of the screen, the first time
    const QSize room = QGuiApplication::primaryScreen()->availableGeometry().size();
    resize((QSizeF(room) * kShare).toSize());
    restoreGeometry(settings.value("window/geometry").toByteArray());
    restoreState(settings.value("window/layout").toByteArray(), kLayoutVersion);
    m_panelHeight = std::clamp(settings.value("window/panelHeight", 0).toInt(), 0, 4000);
    preferences::apply(*this);
    refresh();
}

void MainWindow::followEditor()
{
    const QString keying = QStringLiteral("key.set"); // whose key the status line names: another with each preset
    const auto nameKey = [this, keying] { m_status->setKeyOfKeying(m_commands.keyText(keying)); };
    connect(m_commands.action(keying), &QAction::changed, this, nameKey);
    nameKey();
    connect(&m_commands, &CommandTable::refused, this, [this](const QString& reason) { showRefusal(reason); });
    EditorDocument& document = m_editor.document();
    connect(&document, &EditorDocument::changed, this, &MainWindow::refreshSoon);
    connect(&document, &EditorDocument::editChanged, this, &MainWindow::refreshSoon);
    connect(m_tasks, &Tasks::changed, this, [this] {
        const bool isBrief = m_isLow && m_tasks->current() != nullptr; // a task takes room from the timeline
        if (isBrief != m_isBrief) showPanel(m_transport->tabs()->currentIndex());
        refreshSoon();
    });
    connect(m_tasks, &Tasks::helpWanted, this, [this] { m_commands.run(QStringLiteral("help.manual")); });
    connect(&document, &EditorDocument::replaced, this, [this] {
        m_tasks->leave(); // it was about the other document
        refreshSoon();
        m_isFramePending = true;
        preferences::applyUndoSteps(*this); // each document has a history of its own
    });
    connect(&m_editor, &Editor::frameReady, this, [this](const FramePtr& frame) {
        if (!m_isFramePending || frame->revision != m_editor.document().revision())
            return; // a frame of the previous document
        m_isFramePending = false;
        if (!m_editor.document().edit().camera) m_viewport.frameAll(); // else it is seen as it was last
    });
    connect(&document, &EditorDocument::modifiedChanged, this, &MainWindow::refreshTitle);
    connect(&document, &EditorDocument::gestureEnded, this, &MainWindow::refreshSoon);
    connect(&m_editor.selection(), &Selection::changed, this, [this] {
        if (const JointId joint = m_editor.selection().active().joint();
            m_isPicking && joint.isValid() && m_viewport.pickChainJoint)
            m_viewport.pickChainJoint(joint); // clicked in the outliner
        refreshSoon();
    });
    connect(&m_editor.view(), &ViewSettings::changed, this, [this] {
        if (const Tool tool = m_editor.view().state().tool; tool != Tool::Link) m_toolBeforeLink = tool;
        refreshSoon();
    });
    connect(&m_editor.playback(), &Playback::playingChanged, this, &MainWindow::refreshSoon);
    connect(&m_editor.playback(), &Playback::partChanged, this, &MainWindow::refreshSoon);
    connect(qApp, &QApplication::focusChanged, this, &MainWindow::refreshSoon);
    connect(&m_editor.scheduler(), &SolveScheduler::hung, this, [this](const QString& solver) {
        const Issue issue{
            Severity::Error,
            tr("stopped responding and was disabled; its handles fall back to FK. Choose another solver").toStdString(),
            solver.toStdString(), 0};
        m_log->add({issue});
        m_status->report(issue);
    });
}

MainWindow::~MainWindow()
{
    qApp->removeEventFilter(this);
    m_tasks->leave();
    hide(); // docks tell this window that they are hidden; ~QWidget would let them tell what is no MainWindow any more
}

void MainWindow::begin()
{
    if (offerRecovery()) return;
    (void)m_files->openSample(QStringLiteral("mannequin"));
    if (!QSettings().value("tour/done", false).toBool()) showTour();
}

bool MainWindow::offerRecovery(const QString& file)
{
    const QString wanted = file.isEmpty() ? QString() : QFileInfo(file).absoluteFilePath();
    for (const Recovery::Found& found : m_files->recovery().find(wanted)) {
        const QString other = found.path == wanted ? QString() : wanted;
        const QString answer = askToRecover(found, other);
        if (answer == "discard") m_files->recovery().discard(found);
        if (answer != "recover") continue;
        const auto done = m_files->recovery().recover(found);
        if (done) {
            if (!other.isEmpty()) RecentFiles::add(other); // as the question has said
            return true;
        }
        emit m_editor.document().reported({{Severity::Error, done.error().message, done.error().where, 0}});
    }
    return false;
}

QString MainWindow::askToRecover(const Recovery::Found& found, const QString& other)
{
    QMessageBox box(this);
    box.setObjectName(QStringLiteral("recovery"));
    box.setWindowTitle(tr("Recover unsaved work"));
    const QString when = found.when.toString("d MMM, HH:mm:ss");
    box.setText(tr("Tendon closed without saving %1. A recovery file from %2 was found.").arg(found.title, when));
    if (!found.picture.isNull()) box.setIconPixmap(QPixmap::fromImage(found.picture));
    QStringList more;
    const QString name = QFileInfo(found.path).fileName(), saved = found.saved.toString("d MMM, HH:mm:ss");
    if (found.isOlderThanFile())
        more << tr("%1 was saved after that, on %2. The recovered work is older; saving it replaces what is in the "
                   "file.")
                    .arg(name, saved);
    else if (found.saved.isValid())
        more << tr("The recovered work is newer than %1, which was saved on %2.").arg(name, saved);
    else
        more << (name.isEmpty() ? tr("It has not been saved to a file yet.")
                                : tr("%1 no longer exists.").arg(found.path));
    if (!found.path.isEmpty()) // two folders may have files of one name
        more << tr("Folder: %1").arg(QDir::toNativeSeparators(QFileInfo(found.path).absolutePath()));
    if (!other.isEmpty())
        more << tr("Recover shows it here instead of %1, which you find in File › Recent. Later opens %1 now and "
                   "asks again at the next start.")
                    .arg(QFileInfo(other).fileName());
    if (found.damaged > 0) more << tr("The newest recovery file is damaged; this is the one written before it.");
    box.setInformativeText(more.join("\n\n"));
    auto* recover = box.addButton(tr("Recover"), QMessageBox::AcceptRole);
    auto* discard = box.addButton(tr("Discard"), QMessageBox::DestructiveRole);
    auto* later = box.addButton(tr("Later"), QMessageBox::RejectRole);
    auto* usual = found.isOlderThanFile() ? later : recover;
    usual->setProperty("main", true);
    box.setDefaultButton(usual);
    box.setEscapeButton(later);
    box.exec();
    return box.clickedButton() == recover ? "recover" : box.clickedButton() == discard ? "discard" : "later";
}

void MainWindow::showTour()
{
    if (m_tour == nullptr) {
        m_tour = new FirstRunOverlay(this, m_commands);
        connect(m_tour, &FirstRunOverlay::lookChosen, this, &MainWindow::setTheme);
        connect(m_tour, &FirstRunOverlay::presetChosen, this, &MainWindow::setKeyPreset);
        connect(m_tour, &FirstRunOverlay::finished, this, [this] {
            QSettings().setValue("tour/done", true);
            m_viewport.widget->setFocus(); // first: what is hidden with the focus would hand it on among its own
            m_tour->hide();
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
    const double former = Theme::instance().scale();
    QList<QDockWidget*> docks;
    QList<int> widths;
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        // A hidden one has no width of its own: it would give the ones beside it a wrong one.
        if (dock->isHidden() || dock->isFloating() || dockWidgetArea(dock) == Qt::BottomDockWidgetArea) continue;
        docks << dock;
        widths << qRound(dock->width() * scale / former);
    }
    // The open panel keeps its share of the window, as a new window gives it one whatever the scale.
    if (!m_bottom->isHidden()) m_panelHeight = m_bottom->height();
    arrangeBottom(scale); // first: what does not fit would make the window larger
    scaleWidgets(former, scale);
    Theme::instance().set(kind, scale);
    if (scale != former) // when all parts have told what they need now, and rows that are too wide have lost words
        QMetaObject::invokeMethod(
            this,
            [this, docks, widths, panel = m_panelHeight] {
                QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
                resizeDocks(docks, widths, Qt::Horizontal);
                m_panelHeight = panel;
                fitPanel();
            },
            Qt::QueuedConnection);
    QSettings().setValue("theme", kind == Theme::Kind::Dark ? "dark" : "light");
    QSettings().setValue("scale", scale);
    refresh();
}

void MainWindow::resetLayout()
{
    m_tasks->leave();
    restoreState(m_firstLayout, kLayoutVersion);
    layOutDocks();
}

void MainWindow::openSearch() { m_search->open(); }
void MainWindow::showBottom(BottomTab tab) { m_transport->tabs()->setCurrentIndex(static_cast<int>(tab)); }

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
    m_status->setHint(hint());
}

QString MainWindow::hint() const
{
    if (m_isPicking && m_pickFrom.isValid())
        return tr("Click a joint below %1 to end the chain there, or one above it to start there · <b>Enter</b> makes "
                  "the chain that is shown · <b>Esc</b> cancels")
            .arg(QString::fromStdString(nameOf(m_editor.document().scene(), m_pickFrom.value)).toHtmlEscaped());
    if (m_isPicking) return tr("Click the first joint of the chain, then the last · <b>Esc</b> cancels");
    if (m_editor.drag().isActive()) return tr("<b>Esc</b> cancels · type a number for an exact value");
    if (m_editor.view().state().tool == Tool::Link)
        return tr("Drag a joint onto its new parent · <b>Esc</b> leaves the tool");
    if (m_tasks->current() != nullptr) return m_tasks->current()->hint();
    const auto keyOf = [this](const char* id) { return m_commands.keyText(QLatin1StringView(id)); };
    if (m_editor.selection().active().kind == SelectionItem::Kind::Effector)
        return tr("Drag the effector: the point that is to meet the goal · <b>Shift</b> stays on the bone · <b>%1</b> "
                  "back to the goal")
            .arg(keyOf("rig.effector"));
    const QWidget* focus = focusWidget();
    const BottomTab tab = static_cast<BottomTab>(m_transport->tabs()->currentIndex());
    if (m_editor.playback().part() && focus == m_timeline)
        return tr("Drag the middle of the marked frames to move their keys, an end to retime them · <b>%1</b> plays "
                  "them · "
                  "<b>Esc</b> unmarks them")
            .arg(keyOf("time.play"));
    if ((tab == BottomTab::DopeSheet || tab == BottomTab::Graph) && m_bottom->isAncestorOf(focus))
        return tr(
            "<b>LMB</b> drag keys · <b>Ctrl</b> no snap · <b>MMB</b> pan · wheel zooms at the pointer · <b>Ctrl+C</b> "
            "copy keys");
    const KeyPreset preset = m_commands.preset();
    const QString orbit = preset == KeyPreset::Maya      ? tr("Alt LMB")
                          : preset == KeyPreset::Blender ? tr("MMB")
                                                         : tr("Alt MMB");
    return tr("<b>LMB</b> drag a goal · <b>%1</b> orbit · <b>Ctrl</b>-drag a limit to preview · <b>%2</b> set key")
        .arg(orbit, keyOf("key.set"));
}

QList<QAction*> MainWindow::objectActions() const
{
    QList<QAction*> actions;
    for (const char* id : {"key.set",
                           "key.delete",
                           "edit.copyPose",
                           "edit.pastePose",
                           "edit.pasteMirrored",
                           "rig.reset",
                           "create.handle",
                           "create.constraint.parent",
                           "create.constraint.aim",
                           "create.constraint.copy",
                           "create.pole",
                           "create.curvePoint",
                           "rig.switch",
                           "follow.fromHere",
                           "follow.keepFrames",
                           "follow.hold",
                           "follow.letGo",
                           "rig.pin",
                           "rig.effector",
                           "rig.terminator",
                           "create.joint",
                           "create.dummy",
                           "rig.link",
                           "rig.unlink",
                           "rig.copyJoint",
                           "rig.pasteJoint",
                           "rig.pasteJointMirrored",
                           "rig.copyParameters",
                           "rig.mirrorParameters",
                           "view.frameSelected",
                           "view.hide",
                           "view.isolate",
                           "view.lock",
                           "edit.rename",
                           "edit.delete"})
        actions << m_commands.action(QLatin1StringView(id));
    return actions;
}

void MainWindow::pickChain(const QString& solver, JointId selected)
{
    m_pickSolver = solver;
    m_pickThen = nullptr;
    m_pickFrom = selected;
    if (m_viewport.startChainPick) m_viewport.startChainPick(selected);
}

void MainWindow::pickChain(std::function<void(JointId, JointId)> then)
{
    pickChain(QString(), JointId());
    m_pickThen = std::move(then);
}

void MainWindow::makeHandle(JointId start, JointId end)
{
    if (const auto then = std::exchange(m_pickThen, nullptr)) return then(start, end);
    addHandle(std::exchange(m_pickSolver, {}), start, end);
}

void MainWindow::addHandle(const QString& solver, JointId start, JointId end)
{
    EditorDocument& document = m_editor.document();
    const QString handle = freeName(document.scene(), QString::fromStdString(nameOf(document.scene(), end.value)) +
                                                          QStringLiteral(" IK"));
    const QJsonObject operation = handleOperation(document.scene(), document.clip(), document.solvers(), handle, solver,
                                                  start, end);
    // A long chain takes time: the handle may come after this returns.
    (void)document.work().apply(operation, document.services(), [w = QPointer(this), handle](const Result<void>& done) {
        if (!done || w == nullptr) return;
        Editor& editor = w->editor();
        if (const Handle* made = editor.document().scene().handleNamed(handle.toStdString()))
            editor.selection().select(SelectionItem::of(made->id));
    });
}

void MainWindow::showChainPicking(bool isPicking)
{
    m_isPicking = isPicking;
    if (isPicking) m_status->clearReport();
    refreshSoon();
    // chainPicked comes right after this if a chain was picked; if not, forget the chosen solver.
    if (!isPicking)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (m_isPicking) return;
                m_pickSolver.clear();
                m_pickThen = nullptr;
            },
            Qt::QueuedConnection);
}

void MainWindow::showRefusal(const QString& reason, HandleId inFk)
{
    std::vector<Remedy> remedies;
    if (inFk.isValid()) remedies.push_back(remedyOfFk(m_editor, inFk));
    m_status->report({Severity::Warning, reason.toStdString(), {}, inFk.value}, std::move(remedies));
}

void MainWindow::openViewMenu(const QPoint& globalPosition)
{
    // The menu is about the object under the pointer.
    const SelectionItem under = m_editor.selection().hovered();
    if (under.isValid() && !m_editor.selection().contains(under)) m_editor.selection().select(under);
    m_commands.refresh();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("viewMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool isAny = !m_editor.selection().isEmpty();
    // For an object, only the commands that can run; otherwise, commands for the view and the whole scene.
    if (isAny) {
        for (QAction* action : objectActions())
            if (action->isEnabled()) menu->addAction(action);
    } else {
        for (const char* id : {"create.handle", "create.joint", "edit.selectHandles", "rig.reset", "view.frameAll",
                               "view.xray", "view.grid", "view.hud"})
            menu->addAction(m_commands.action(QLatin1StringView(id)));
    }
    menu->popup(globalPosition);
}

void MainWindow::refreshTitle()
{
    const EditorDocument& document = m_editor.document();
    const QString state = document.history().isSaved() && document.isPosed() ? tr(" · unkeyed pose")
                          : document.isModified()                            ? tr(" · unsaved changes")
                          : document.path().empty()                          ? tr(" · not saved yet")
                                                                             : QString();
    m_title->setText(document.title() + state);
    setWindowTitle(tr("%1[*] - Tendon").arg(document.title()));
    setWindowModified(document.isModified());
}

void MainWindow::saveSettings() const
{
    QSettings settings;
    settings.setValue("window/geometry", saveGeometry());
    settings.setValue("window/layout", saveState(kLayoutVersion));
    settings.setValue("window/panelHeight", m_bottom->isHidden() ? m_panelHeight : m_bottom->height());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_files->mayStop() || !m_files->mayLeave()) {
        event->ignore();
        return;
    }
    m_files->recovery().remove();
    m_tasks->leave(); // the docks that it hides are part of the layout
    saveSettings();
    event->accept();
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    QTimer::singleShot(50, this, [this] {
        if (!m_editor.document().edit().camera) m_viewport.frameAll();
    });
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    arrangeBottom(Theme::instance().scale());
    QMainWindow::resizeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString path = event->mimeData()->urls().first().toLocalFile();
    event->acceptProposedAction();
    QMetaObject::invokeMethod(
        this,
        [this, path] {
            if (PluginFiles::isLibrary(path))
                loadPlugin(path);
            else
                m_files->openFile(path);
        },
        Qt::QueuedConnection);
}

void MainWindow::loadPlugin(const QString& library)
{
    if (m_plugins == nullptr) return;
    const auto loaded = m_plugins->open(library);
    if (!loaded)
        return m_editor.document().report({{Severity::Error, loaded.error().message, loaded.error().where, 0}});
    m_status->report({Severity::Info,
                      tr("The solver %1 was added; choose it in the inspector")
                          .arg(QString::fromStdString(loaded->name))
                          .toStdString(),
                      {},
                      0});
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    ViewSettings& view = m_editor.view();
    if (event->key() != Qt::Key_Escape) return QMainWindow::keyPressEvent(event);
    if (view.state().tool != Tool::Link) return m_tasks->leave();
    view.edit([this](ViewState& state) { state.tool = m_toolBeforeLink; });
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show)
        if (auto* dialog = qobject_cast<QDialog*>(watched)) keepOnScreen(*dialog);
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (isView(watched) && key->key() == Qt::Key_Tab) {
            event->accept();
            return false;
        }
        if (isPlainKeyOf(qobject_cast<QWidget*>(watched), key)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress && isView(watched)) {
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

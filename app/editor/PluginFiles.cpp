#include "app/editor/PluginFiles.h"

#include "app/editor/Editor.h"

#include <QFileInfo>
#include <QLibrary>
#include <QPluginLoader>
#include <QSettings>

namespace tendon::editor {
namespace {

constexpr const char* kSetting = "plugins";

} // namespace

PluginFiles::PluginFiles(SolverRegistry& solvers, Editor& editor, QObject* parent)
    : QObject(parent), m_solvers(solvers), m_editor(editor)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kQuiet);
    connect(&m_timer, &QTimer::timeout, this, &PluginFiles::reload);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &PluginFiles::noteChange);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &PluginFiles::noteChange);

    QStringList kept;
    for (const QString& library : QSettings().value(kSetting).toStringList()) {
        if (!QFileInfo::exists(library)) continue; // deleted since: forgotten
        kept << library;
        if (const auto added = m_solvers.add(library.toStdString());
            !added && m_solvers.find(library.toStdString()) == nullptr)
            editor.document().report({{Severity::Warning, added.error().message, added.error().where, 0}});
    }
    if (kept != QSettings().value(kSetting).toStringList()) QSettings().setValue(kSetting, kept);
    // Which plugins are foreign is told by what their files contain: reading them all is not for this thread.
    m_reading.start(
        [solvers = m_solvers](Job::Control& control) {
            for (const SolverInfo& solver : solvers.solvers())
                if (!control.cancelled) static_cast<void>(solvers.isForeign(solver));
        },
        [this] { reload(); });
}

bool PluginFiles::isLibrary(const QString& path) { return QLibrary::isLibrary(path) && QFileInfo(path).isFile(); }

Result<SolverInfo> PluginFiles::open(const QString& library)
{
    const QString path = QFileInfo(library).canonicalFilePath();
    for (const SolverInfo& known : m_solvers.solvers())
        if (!known.file.empty() && QFileInfo(QString::fromStdString(known.file)).canonicalFilePath() == path) {
            const std::string alias = known.alias;
            reload();
            return *m_solvers.find(alias);
        }
    auto added = m_solvers.add(path.toStdString());
    if (!added) return added;
    QStringList remembered = QSettings().value(kSetting).toStringList();
    if (!remembered.contains(path)) QSettings().setValue(kSetting, remembered << path);
    watch();
    m_editor.document().report(
        {{Severity::Info,
          tr("solver \"%1\" was added; choose it in the inspector, or compare it in the tab Compare")
              .arg(QString::fromStdString(added->name))
              .toStdString(),
          path.toStdString(), 0}});
    takeUp();
    return added;
}

void PluginFiles::noteChange()
{
    m_sinceChange.start();
    m_timer.start();
}

void PluginFiles::reload()
{
    watch(); // before they are looked at, so that no change falls between
    if (const QString file = unreadable();
        !file.isEmpty() && m_sinceChange.isValid() && !m_sinceChange.hasExpired(kBroken)) {
        m_timer.start();
        emit unfinished(file);
        return;
    }
    Issues said;
    for (const SolverRegistry::Replaced& replaced : m_solvers.reload()) {
        const SolverInfo& solver = replaced.solver;
        if (replaced.error)
            said.push_back({Severity::Error, replaced.error->message, replaced.error->where, 0});
        else
            said.push_back({Severity::Info,
                            tr("solver \"%1\" was built anew and is used from now on")
                                .arg(QString::fromStdString(solver.name))
                                .toStdString(),
                            solver.file, 0});
    }
    if (said.empty()) return;
    m_editor.document().report(said);
    takeUp();
}

QString PluginFiles::unreadable() const
{
    for (const SolverInfo& solver : m_solvers.solvers())
        if (const QString file = QString::fromStdString(solver.file);
            m_solvers.isForeign(solver) && QPluginLoader(file).metaData().isEmpty())
            return file;
    return {};
}

/// Solves all that is shown once more.
void PluginFiles::takeUp()
{
    m_editor.scheduler().enableAll();
    m_editor.settlement().settleAgain();
    m_editor.comparison().record();
    m_editor.range().clear();
    emit changed();
    m_editor.goToFrame(m_editor.shownFrame());
}

/// Anew, as the watcher may still follow a file that was replaced, for as long as a plugin's process has it open.
void PluginFiles::watch()
{
    if (const QStringList before = m_watcher.files(); !before.isEmpty()) m_watcher.removePaths(before);
    QStringList paths;
    for (const SolverInfo& solver : m_solvers.solvers()) {
        if (solver.file.empty() || !m_solvers.isForeign(solver)) continue;
        const QFileInfo file(QString::fromStdString(solver.file));
        paths << file.absoluteFilePath() << file.absolutePath();
    }
    for (const QString& path : QStringList(paths))
        if (m_watcher.files().contains(path) || m_watcher.directories().contains(path)) paths.removeAll(path);
    paths.removeDuplicates();
    if (!paths.isEmpty()) m_watcher.addPaths(paths);
}

} // namespace tendon::editor

#pragma once

#include "app/editor/CurrentJob.h"
#include "core/solve/SolverRegistry.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace tendon::editor {

class Editor;

/// Solver plugins that come, and are built anew, while the editor runs. A library that was opened once is used from
/// where it is, now and at the next start; whenever its file is replaced, it is taken up again with the parameters that
/// it has then. What happened is reported to the document's log. GUI thread.
class PluginFiles : public QObject
{
    Q_OBJECT
public:
    static constexpr int kQuiet = 300;   ///< [ms] without a change after which a readable file counts as whole
    static constexpr int kBroken = 3000; ///< [ms] without a change after which one that cannot be read counts as broken

    /// Opens the libraries that are remembered. Both outlive this.
    PluginFiles(SolverRegistry& solvers, Editor& editor, QObject* parent = nullptr);

    [[nodiscard]] static bool isLibrary(const QString& path);

    /// Adds the solver of a library, and remembers it. Error: as SolverRegistry::add().
    Result<SolverInfo> open(const QString& library);

    /// Takes up the plugins whose files were replaced: what happens by itself after kQuiet. A file that is not whole
    /// yet is looked at again.
    void reload();

signals:
    void changed();                          ///< solvers were added or replaced
    void unfinished(const QString& library); ///< is not whole yet, or broken: the solver that was there goes on

private:
    void noteChange();
    [[nodiscard]] QString unreadable() const; ///< the file of a foreign plugin that is none now; "" = all are
    void watch();
    void takeUp();

    SolverRegistry& m_solvers;
    Editor& m_editor;
    QFileSystemWatcher m_watcher;
    QTimer m_timer;
    QElapsedTimer m_sinceChange; ///< of any of the files
    CurrentJob m_reading;        ///< of all plugins, after the start; then their files are watched
};

} // namespace tendon::editor

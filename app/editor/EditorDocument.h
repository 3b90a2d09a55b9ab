#pragma once

#include "app/editor/GestureWork.h"
#include "app/editor/WorkQueue.h"
#include "core/document/ChangeSet.h"
#include "core/document/Document.h"
#include "core/io/project/ProjectFile.h"
#include "core/solve/ClipSettler.h"

#include <QJsonObject>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace tendon::editor {

/// The one open document of a window: a value that is changed by operations only, signals that tell what has changed,
/// and a record of the operations. GUI thread.
class EditorDocument : public QObject
{
    Q_OBJECT
public:
    /// Starts with an empty project. `solvers` outlives the document.
    explicit EditorDocument(const SolverRegistry& solvers, QObject* parent = nullptr);

    [[nodiscard]] const Scene& scene() const { return m_document.scene(); }
    [[nodiscard]] const EditState& edit() const { return m_document.edit; }
    [[nodiscard]] const Clip* clip() const { return m_document.clip(); } ///< null = none
    [[nodiscard]] const SolverRegistry& solvers() const { return *m_document.solvers; }
    [[nodiscard]] const Services& services() const { return m_document.services; }
    [[nodiscard]] const std::string& path() const { return m_document.path; } ///< "" = not saved yet
    [[nodiscard]] QString title() const; ///< name of the file or the sample, or "Untitled"
    [[nodiscard]] bool isModified() const { return !m_document.history.isSaved() || isPosed(); }
    [[nodiscard]] bool isPosed() const { return !edit().pending.empty(); } ///< not keyed, so not in the file
    [[nodiscard]] const History& history() const { return m_document.history; }
    [[nodiscard]] std::uint64_t revision() const { return m_revision; } ///< grows with every change of scene or state
    /// What was done since the document was opened; carried out on what was opened, it gives the same bytes.
    [[nodiscard]] const std::vector<QJsonObject>& recorded() const { return m_recorded; }

    /// Carries out an operation ({"op": "setGoal", ...}). An open gesture is ended first. An error changes nothing and
    /// is also reported. An operation that takes time may not be done yet when this returns (see WorkQueue::add()).
    Result<void> apply(const QJsonObject& operation) { return m_work.apply(operation, services(), {}); }
    /// Several operations as one undo step, all or nothing.
    Result<void> applyAsOne(const std::vector<QJsonObject>& operations);
    /// Carries out an operation now, however long it takes: for scripts.
    Result<void> applyNow(const QJsonObject& operation);

    /// Undoes the last step. While operations are being prepared, cancels those instead.
    bool undo() { return m_work.undo(); }
    bool redo() { return m_work.redo(); }
    [[nodiscard]] bool canUndo() const { return !m_work.isEmpty() || m_document.history.undoCount() > 0; }
    [[nodiscard]] bool canRedo() const { return m_document.history.redoCount() > 0; }

    [[nodiscard]] GestureWork& gesture() { return m_gesture; }
    [[nodiscard]] const GestureWork& gesture() const { return m_gesture; }
    [[nodiscard]] WorkQueue& work() { return m_work; }

    // Another document takes the place of this one; work and gestures are cancelled. On an error this one stays.
    void clear();
    Result<void> openFile(const QString& path);
    Result<void> openSample(const std::string& name);
    void adoptSample(Project project, const std::string& name);
    void adopt(Project project, std::string path, const QString& title);
    /// From now on this is an unsaved document of its own, and its file another's.
    void becomeCopy(const QString& title);
    void markUnsaved();  ///< its file no longer holds it
    Result<void> save(); ///< to path()
    Result<void> saveAs(const QString& path);

    /// A copy for another thread, with evaluators of its own.
    [[nodiscard]] Document copyForJob() const;
    /// Records an operation that a job has carried out on a copy without changing it, and reports its messages.
    void noteDone(const QJsonObject& operation, const Issues& messages);
    /// Records the operation by which a job has saved a copy.
    void noteSaved(const QJsonObject& operation, const Document& saved);
    void setSettled(SettledClipPtr clip) { m_document.services.settled = std::move(clip); } ///< Services::settled

    // For GestureWork and WorkQueue
    /// Changes the document by `change`, then emits signals for what differs. Returns what `change` returned.
    Result<void> change(const std::function<Result<void>(Document&)>& change);
    Result<void> take(PreparedStep step, const QJsonObject& operation); ///< of this revision
    [[nodiscard]] std::unique_ptr<Gesture> makeGesture() { return std::make_unique<Gesture>(m_document); }
    void record(const QJsonObject& operation); ///< and reports the messages that it left
    void report(const Issues& issues);
    void reportError(const Error& error);

signals:
    void changed(const tendon::ChangeSet& changes); ///< the scene
    void editChanged();                             ///< frame, clip, Auto Key, pending values
    void replaced();                       ///< by another document; changed() and editChanged() are not emitted
    void modifiedChanged(bool isModified); ///< or what is modified: the scene, or a pose that is not keyed
    void recordedOperation(const QJsonObject& operation, bool replacesLast);
    void reported(const tendon::Issues& issues); ///< hints, warnings and errors
    void gestureEnded();
    void gestureRefused(const tendon::Error& error); ///< an update failed after GestureWork::update() had returned
    void workChanged(bool isWorking);

private:
    Document m_document;
    QString m_name; ///< title while there is no file
    std::vector<QJsonObject> m_recorded;
    std::uint64_t m_revision = 1;
    GestureWork m_gesture;
    WorkQueue m_work;
};

} // namespace tendon::editor

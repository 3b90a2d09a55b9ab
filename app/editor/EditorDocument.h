#pragma once

#include "core/document/ChangeSet.h"
#include "core/document/Document.h"
#include "core/document/Gesture.h"
#include "core/document/Operation.h"

#include <QJsonObject>
#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace tendon::editor {

/// The one open document, for a window: changed by operations only, each of which it records, tells of and reports on.
/// GUI thread.
class EditorDocument : public QObject
{
    Q_OBJECT
public:
    /// Begins with an empty project. `solvers` outlives it.
    explicit EditorDocument(const SolverRegistry& solvers, QObject* parent = nullptr);
    ~EditorDocument() override;

    [[nodiscard]] const Scene& scene() const { return m_document.scene(); }
    [[nodiscard]] const EditState& edit() const { return m_document.edit; }
    [[nodiscard]] const Clip* clip() const { return m_document.clip(); }
    [[nodiscard]] const SolverRegistry& solvers() const { return *m_document.solvers; }
    [[nodiscard]] const std::string& path() const { return m_document.path; } ///< "" = stands nowhere yet
    [[nodiscard]] QString title() const; ///< file name, sample's title or "Untitled"
    [[nodiscard]] bool isModified() const { return m_isUnsavedFromStart || !m_document.history.isSaved(); }
    [[nodiscard]] const History& history() const { return m_document.history; }
    [[nodiscard]] std::uint64_t revision() const { return m_revision; } ///< grows with every change of scene or state

    /// Carries out an operation ({"op": "setGoal", ...}), as one step. An error changes nothing and is also reported.
    Result<void> apply(const QJsonObject& operation);

    /// Several operations that undo() and redo() of this class take as one. When one fails, those before it are undone.
    Result<void> applyAsOne(const std::vector<QJsonObject>& operations);

    // A gesture: the same operation with other values again and again, which counts as one step. While one is open, apply()
    // ends it first.
    void beginGesture();
    Result<void> updateGesture(const QJsonObject& operation) { return updateGesture(std::vector<QJsonObject>{operation}); }
    Result<void> updateGesture(const std::vector<QJsonObject>& operations); ///< several that count as one
    void endGesture();
    void cancelGesture(); ///< as before it
    [[nodiscard]] bool isInGesture() const { return m_gesture != nullptr; }

    /// Takes back the last step, or what was posed on keyed channels and not keyed since: that is no step of the history,
    /// and its operation is taken out of the record.
    bool undo();
    bool redo();
    [[nodiscard]] bool canUndo() const { return isPosedLast() || m_document.history.undoCount() > 0; }
    [[nodiscard]] bool canRedo() const { return !m_unposed.empty() || m_document.history.redoCount() > 0; }

    // Another document takes the place of this one. On an error this one stays.
    void clear();
    Result<void> openFile(const QString& path);
    Result<void> openSample(const std::string& name);
    void adopt(Project project, std::string path, const QString& title, bool isModified = false);
    Result<void> save(); ///< where it stands
    Result<void> saveAs(const QString& path);

    /// What was done since the document was opened, as operations; carried out on what was opened they give the same bytes.
    [[nodiscard]] const std::vector<QJsonObject>& recorded() const { return m_recorded; }

    /// A copy to work with in another thread: its own solvers' scratch, nothing shared that changes.
    [[nodiscard]] Document copyForJob() const;
    /// Notes an operation that a job has carried out on a copy, and its messages. For operations on files alone.
    void noteDone(const QJsonObject& operation, const Issues& messages);
    /// Carries out "import" with a model that has been read already.
    Result<void> applyImport(const QJsonObject& operation, ImportedModel model);

signals:
    void changed(const tendon::ChangeSet& changes); ///< the scene
    void editChanged();                             ///< frame, clip, Auto Key, pending values
    void replaced();                                ///< another document altogether; changed() and editChanged() do not come
    void modifiedChanged(bool isModified);
    void recordedOperation(const QJsonObject& operation, bool replacesLast);
    void recordTakenBack(); ///< the last recorded operations have gone
    void reported(const tendon::Issues& issues);    ///< hints, warnings and errors, as they come
    void gestureEnded();

private:
    struct Group
    {
        std::size_t begin, end; ///< undo counts before its first step and after its last
    };
    /// Operations that changed pending values alone: what was before and after them.
    struct Posing
    {
        std::size_t begin, end; ///< their places in the record
        EditState before, after;
        std::vector<QJsonObject> operations = {}; ///< once they are taken back
    };
    [[nodiscard]] bool isPosedLast() const { return !m_posed.empty() && m_posed.back().end == m_recorded.size(); }
    /// Notes what was recorded from `begin` on as posing, if it was nothing else.
    void notePosing(std::size_t begin, const Scene& before, const EditState& editBefore);
    void takeBackPosing();
    void poseAgain();
    void forgetGroupsBeyond(std::size_t undoCount);
    void announce(const Scene& before, const EditState& editBefore);
    void record(const QJsonObject& operation);
    void report(const Issues& issues);
    void reportError(const Error& error);

    Document m_document;
    QString m_title;
    std::unique_ptr<Gesture> m_gesture;
    Scene m_sceneBeforeGesture;
    EditState m_editBeforeGesture;
    std::vector<QJsonObject> m_recorded;
    std::vector<Posing> m_posed, m_unposed; ///< to take back; to do again
    std::vector<Group> m_groups; ///< in order; none overlap
    std::uint64_t m_revision = 1;
    bool m_wasModified = false;
    bool m_isUnsavedFromStart = false; ///< recovered work: modified although nothing was done yet
};

} // namespace tendon::editor

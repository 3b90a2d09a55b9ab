#pragma once

#include "core/document/ChangeSet.h"
#include "core/document/Document.h"
#include "core/document/Gesture.h"
#include "core/document/Operation.h"

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tendon::editor {

/// The one open document, for a window: changed by operations only, each of which it records, tells of and reports on.
/// GUI thread.
///
/// Operations that take time (Operation::takesTime) are worked out in another thread from the scene as it is, and put
/// in when they are done; when the document has moved on by then, they are worked out anew. What is quick is done when
/// apply() or updateGesture() returns: they wait for it, but never longer than the eye can see.
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

    static constexpr int kPatience = 25;    ///< [ms] that apply() waits for what takes time
    static constexpr int kDragPatience = 8; ///< [ms] that updateGesture() does
    static constexpr int kHang = 4000;      ///< [ms] after which a drag whose solver does not come back is given up

    using Done = std::function<void(const Result<void>&)>;

    /// Carries out an operation ({"op": "setGoal", ...}), as one step. An error changes nothing and is also reported.
    /// What takes time may be still to come on success: its errors are then only reported.
    Result<void> apply(const QJsonObject& operation) { return applyAsOne({operation}); }

    /// Several operations that undo() and redo() of this class take as one. When one fails, those before it are undone.
    /// `then` hears how it went, maybe before this returns.
    Result<void> applyAsOne(const std::vector<QJsonObject>& operations, Done then = {});

    /// Carries it out here and now, however long it takes: for scripts.
    Result<void> applyNow(const QJsonObject& operation);

    // What is being worked out
    [[nodiscard]] bool isWorking() const;
    [[nodiscard]] double workDone() const; ///< 0 ... 1; negative = it can't be told
    void cancelWork();                     ///< the document stays as it is
    /// Waits, without serving events, until all that was asked for is done, gestures too: for scripts, pictures, tests.
    /// False: it does not come to an end.
    bool finishWork();

    // A gesture: the same operation with other values again and again, which counts as one step. While one is open,
    // apply() ends it first.
    void beginGesture();
    Result<void> updateGesture(const QJsonObject& operation)
    {
        return updateGesture(std::vector<QJsonObject>{operation});
    }
    Result<void> updateGesture(const std::vector<QJsonObject>& operations); ///< several that count as one
    void finishGesture(); ///< ends it when its last update has been worked out
    void endGesture();    ///< at once: an update that takes longer than the eye can see is dropped
    void cancelGesture(); ///< as before it
    [[nodiscard]] bool isInGesture() const { return m_gesture != nullptr; }

    /// Takes back the last step, or what was posed on keyed channels and not keyed since: that is no step of the
    /// history, and its operation is taken out of the record.
    bool undo();
    bool redo();
    /// While something is being worked out it is that which is taken back.
    [[nodiscard]] bool canUndo() const { return isWorking() || isPosedLast() || m_document.history.undoCount() > 0; }
    [[nodiscard]] bool canRedo() const { return !m_unposed.empty() || m_document.history.redoCount() > 0; }

    // Another document takes the place of this one. On an error this one stays.
    void clear();
    Result<void> openFile(const QString& path);
    Result<void> openSample(const std::string& name);
    void adoptSample(Project project, const std::string& name);
    void adopt(Project project, std::string path, const QString& title, bool isModified = false);
    Result<void> save(); ///< where it stands
    Result<void> saveAs(const QString& path);

    /// What was done since the document was opened, as operations; carried out on what was opened they give the same
    /// bytes.
    [[nodiscard]] const std::vector<QJsonObject>& recorded() const { return m_recorded; }

    /// A copy to work with in another thread: its own solvers' scratch, nothing shared that changes.
    [[nodiscard]] Document copyForJob() const;
    /// Notes an operation that a job has carried out on a copy, and its messages. For operations on files alone.
    void noteDone(const QJsonObject& operation, const Issues& messages);
    /// Notes that a job has saved a copy.
    void noteSaved(const QJsonObject& operation, const Document& saved);
    /// Carries out "import" with a model that has been read already.
    Result<void> applyImport(const QJsonObject& operation, ImportedModel model, Done then = {});

signals:
    void changed(const tendon::ChangeSet& changes); ///< the scene
    void editChanged();                             ///< frame, clip, Auto Key, pending values
    void replaced(); ///< another document altogether; changed() and editChanged() do not come
    void modifiedChanged(bool isModified);
    void recordedOperation(const QJsonObject& operation, bool replacesLast);
    void recordTakenBack();                      ///< the last recorded operations have gone
    void reported(const tendon::Issues& issues); ///< hints, warnings and errors, as they come
    void gestureEnded();
    void gestureRefused(const tendon::Error& error); ///< an update failed after updateGesture() had returned
    void workChanged(bool isWorking);

private:
    struct Task; ///< operations to be worked out
    struct Run;  ///< a thread that does so
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
    /// A step of the document: carried out by `carry`, recorded, told of. Errors are reported.
    Result<void> step(const QJsonObject& operation, const std::function<Result<void>()>& carry);
    /// Several of them that count as one.
    Result<void> stepsAsOne(const std::vector<QJsonObject>& operations,
                            const std::function<Result<void>(std::size_t)>& carry);
    Result<void> enqueue(Task task);
    void startTask();
    void finishTask();
    void goOnWorking(); ///< when a gesture has ended
    [[nodiscard]] std::unique_ptr<Run> makeRun(const Scene& scene, const EditState& edit,
                                               const std::vector<QJsonObject>& operations, Services services,
                                               const std::shared_ptr<SolvedPoses>& poses, std::function<void()> then);
    void letGo(std::unique_ptr<Run>& run);
    Result<void> runGesture(bool waits);
    void finishGestureRun();
    [[nodiscard]] bool settleGesture(int milliseconds); ///< false: it is still being worked out
    void closeGesture();
    void leaveHungGesture();
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
    std::vector<Group> m_groups;            ///< in order; none overlap
    std::uint64_t m_revision = 1;
    bool m_wasModified = false;
    bool m_isUnsavedFromStart = false; ///< recovered work: modified although nothing was done yet

    std::vector<Task>
        m_tasks; ///< in the order they were asked for; the first is being worked out, unless a gesture goes on
    std::unique_ptr<Run> m_run;
    std::shared_ptr<SolvedPoses> m_runPoses; ///< of m_run's thread
    std::unique_ptr<Run> m_gestureRun;
    std::shared_ptr<SolvedPoses> m_gesturePoses;           ///< of m_gestureRun's thread
    std::optional<std::vector<QJsonObject>> m_gestureNext; ///< the newest update, while another is being worked out
    Result<void> m_gestureOutcome;
    bool m_isGestureEnding = false; ///< when nothing of it is being worked out any more
    bool m_isWaiting = false;       ///< in updateGesture(), which hands on the error itself
    QTimer m_gestureWatch;
    std::vector<std::unique_ptr<Run>> m_left; ///< nobody waits for these
};

} // namespace tendon::editor

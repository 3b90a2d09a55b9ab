#pragma once

#include "app/editor/FrameEvaluator.h"
#include "app/editor/Job.h"
#include "core/solve/SolveRecording.h"

#include <QObject>
#include <QTimer>

#include <optional>

namespace tendon::editor {

using RecordingPtr = std::shared_ptr<const SolveRecording>;

/// Records how several solvers solve one handle at the shown frame, in another thread, and again whenever the document,
/// the frame or the choice changes. Reads the document and never changes it. GUI thread.
class Comparison : public QObject
{
    Q_OBJECT
public:
    static constexpr int kHang = 4000; ///< [ms] after which a recording is given up: a solver does not return

    /// `solvers` outlives the comparison.
    explicit Comparison(const SolverRegistry& solvers, QObject* parent = nullptr);

    /// Nothing is recorded while it is inactive.
    void setActive(bool isActive);
    [[nodiscard]] bool isActive() const { return m_isActive; }

    void setHandle(HandleId handle);
    [[nodiscard]] HandleId handle() const { return m_handle; }

    /// Aliases of solvers that the handle's own is compared with.
    void setOthers(std::vector<std::string> aliases);
    [[nodiscard]] const std::vector<std::string>& others() const { return m_others; }

    /// The handle's own solver, then the others.
    [[nodiscard]] std::vector<std::string> solversFor(const Handle& handle) const;

    /// The handle's own solver, then those of the others that the newest recording has: they return, so a frame can
    /// wait for them.
    [[nodiscard]] std::vector<std::string> recordedSolversFor(const Handle& handle) const;

    /// What to record from: called for every frame that is requested to be drawn. A frame that watches the handle
    /// brings its own recording.
    void setSource(const FrameRequest& source);

    /// The newest recording, the handle's own solver first; null before the first, and when there is nothing to record.
    [[nodiscard]] RecordingPtr recording() const { return m_isActive ? m_recording : nullptr; }
    /// Takes the recording of a frame that was evaluated with one, in the place of one that is made here.
    void setRecording(const FrameResult& frame);
    [[nodiscard]] std::int32_t frame() const { return m_frame; } ///< of the recording
    /// Why there is no recording; "" = nothing is wrong.
    [[nodiscard]] const QString& problem() const { return m_problem; }

    /// What of it is drawn in the view.
    struct View
    {
        bool hasGhosts = true;    ///< of the iterations before the shown one
        bool isStaged = false;    ///< steps are the stages of each pass, of the first solver that records them
        bool showsPasses = false; ///< while the timeline plays: the solve so many passes further, not the answer
        int passesPerFrame = 1;
        bool operator==(const View&) const = default;
    };
    void setView(View view);
    [[nodiscard]] const View& view() const { return m_view; }
    /// The solver whose stages are stepped through; null = steps are iterations. More of these come behind its stages.
    [[nodiscard]] const SolverRecording* staged() const;
    [[nodiscard]] const SolverRecording* stagedAt(std::int32_t step) const; ///< the same; null behind its last stage
    [[nodiscard]] bool hasStages() const; ///< some solver of the recording records them
    [[nodiscard]] std::int32_t lastStep() const;
    [[nodiscard]] std::int32_t iterationAt(std::int32_t step) const; ///< the pass of a stage, or the step itself
    [[nodiscard]] std::int32_t stepAt(std::int32_t iteration) const; ///< the first step that iterationAt() says that of

    void record(); ///< once more, as when solvers have been replaced
    /// Waits for the recording of the newest source: for scripts, pictures and tests.
    void finish();

signals:
    void recorded();      ///< recording() or problem() has changed
    void choiceChanged(); ///< handle(), others() or view() has changed

private:
    void take(const std::shared_ptr<Result<SolveRecording>>& made, std::int32_t frame);
    void giveUp();
    void clear(const QString& problem);

    const SolverRegistry& m_solvers;
    bool m_isActive = false, m_isStale = false, m_isGivenUp = false;
    HandleId m_handle;
    std::vector<std::string> m_others;
    View m_view;
    std::optional<FrameRequest> m_source;
    RecordingPtr m_recording;
    std::int32_t m_frame = 0;
    QString m_problem;
    std::unique_ptr<Job> m_job;
    std::vector<std::unique_ptr<Job>> m_hung; ///< left behind; they are destroyed when their threads have ended
    QTimer m_watch;
};

} // namespace tendon::editor

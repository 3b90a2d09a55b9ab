#pragma once

#include "app/editor/Comparison.h"
#include "app/editor/StepPlayer.h"

namespace tendon::editor {

/// The poses that are drawn of a recorded solve: those of the shown step, at once or eased. The handle's own solver
/// poses the drawn model, mesh included. The document and what is baked know nothing of it. GUI thread.
///
/// Eased, a pose moves from where it is to the step's within kEase, along (1 - cos pi t) / 2. Should the step change
/// on the way, it moves on to the new one, and arrives when it would have. At the end it is the step's, to the bit.
class StepDisplay : public QObject
{
    Q_OBJECT
public:
    static constexpr double kEase = 1; ///< [s]

    /// Both outlive the display.
    StepDisplay(const Comparison& comparison, const StepPlayer& steps, QObject* parent = nullptr);

    void setEased(bool isEased);
    [[nodiscard]] bool isEased() const { return m_isEased; }
    [[nodiscard]] bool isDone() const { return !m_isMoving; } ///< the drawn poses are the step's

    /// The drawn pose of the joints that solver `index` of the recording moves; empty if it has none.
    [[nodiscard]] const std::vector<LocalTransform>& poseOf(std::size_t index) const { return m_poses.at(index).now; }

    /// What is drawn instead of `answer`, the solved frame: the own solver's pose in it. `answer` itself where nothing
    /// else is to be seen; it may be null.
    [[nodiscard]] FramePtr frameFor(const FramePtr& answer) const;

    /// The time [ns]; tests replace it.
    std::function<qint64()> clock;
    /// Shows what the time says. The timer calls it.
    void tick();

signals:
    void changed();

private:
    struct Pose
    {
        std::vector<LocalTransform> from, now;
    };
    [[nodiscard]] const std::vector<LocalTransform>& targetOf(std::size_t index) const;
    void follow(); ///< the recording or the step has changed

    const Comparison& m_comparison;
    const StepPlayer& m_steps;
    QElapsedTimer m_elapsed;
    QTimer m_timer; ///< runs while a pose moves
    RecordingPtr m_recording;
    std::vector<Pose> m_poses; ///< (solvers of the recording)
    bool m_isEased = false, m_isMoving = false;
    qint64 m_begin = 0;                 ///< of the movement
    mutable FramePtr m_answer, m_drawn; ///< the last of frameFor(), until the poses change
};

} // namespace tendon::editor

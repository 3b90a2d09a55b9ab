#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/PoseSlew.h"
#include "app/editor/Selection.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>

namespace tendon::editor {

/// The pose that is drawn while it is on its way to the newest frame's: during a drag it follows by a bounded speed,
/// and when a clip has been settled it eases into the answer. All other frames are drawn as they come. The document,
/// keys and what is baked know nothing of it. GUI thread.
class DrawnPose : public QObject
{
    Q_OBJECT
public:
    explicit DrawnPose(QObject* parent = nullptr);

    /// The newest frame. Solvers move the chains of handles and what is above selected joints (interactive IK); the
    /// others are moved by hand.
    void take(const FramePtr& frame, const Selection& selection);

    /// What is drawn instead of `frame`: `frame` itself, unless it is the newest one and its pose is on its way.
    [[nodiscard]] FramePtr frameFor(const FramePtr& frame) const;

    [[nodiscard]] bool hasArrived() const { return m_slew.hasArrived(); }
    void finish(); ///< arrives at once

    /// The time [ns]; tests replace it.
    std::function<qint64()> clock;
    /// Shows what the time says. The timer calls it.
    void tick();

signals:
    void changed(); ///< the drawn pose, without a new frame

private:
    void show();
    [[nodiscard]] double secondsSinceLast(bool wasMoving);

    QElapsedTimer m_elapsed;
    QTimer m_timer; ///< runs while the pose is on its way
    qint64 m_last = 0;
    PoseSlew m_slew;
    FramePtr m_frame; ///< the newest
    FramePtr m_start; ///< the one before the first of the drag; null: nothing is dragged
    FramePtr m_drawn; ///< m_frame in the shown pose; null: m_frame
};

} // namespace tendon::editor

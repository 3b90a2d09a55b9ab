#pragma once

#include "app/editor/BendRate.h"
#include "app/editor/Editor.h"
#include "app/widgets/TimeAxis.h"
#include "app/widgets/graph/GraphDrag.h"
#include "app/widgets/time/KeyTimes.h"
#include "app/widgets/time/MarkerLane.h"
#include "app/widgets/time/TimeView.h"

#include <QWidget>

#include <map>
#include <memory>
#include <optional>
#include <set>

class QMenu;

namespace tendon::editor {

class CommandTable;

/// Markers, ruler, keys, and the quality of the frames solved so far. The left mouse button scrubs by whole frames;
/// with Shift it marks frames, whose keys are then moved and retimed (MarkedRange). Middle: pans. Wheel: zooms.
class TimelineView : public QWidget
{
    Q_OBJECT
public:
    /// `keys`: of all objects; it and `time` outlive this.
    TimelineView(Editor& editor, GraphState& keys, TimeView& time, CommandTable& commands, QWidget* parent = nullptr);
    ~TimelineView() override;

    [[nodiscard]] TimeAxis axis() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }
    [[nodiscard]] int keyLaneTop() const; ///< [px] markers and ruler are above it

    /// Width of the column of labels at the left; the same as in the panel below, so that frames line up.
    void setLabelWidth(int width);
    [[nodiscard]] static int labelWidth();

    /// Frames at which a knee snaps: amber in the quality strip.
    [[nodiscard]] const std::set<int>& warnings() const;

private:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void press(QPointF at, Qt::KeyboardModifiers modifiers);
    void scrub(double x);
    void endDrag(bool isKept);
    [[nodiscard]] std::optional<QRectF> markedBand() const;
    void fillMenu(QMenu& menu);
    void paintKeys(QPainter& painter, const TimeAxis& axis) const;
    void paintQuality(QPainter& painter, const TimeAxis& axis) const;
    void paintJumps(QPainter& painter, const QRectF& strip, const TimeAxis& axis) const;
    bool event(QEvent* event) override;
    [[nodiscard]] QString textAt(int frame) const;
    [[nodiscard]] const ClipSolution* solution() const;  ///< of the shown clip, as far as it is known; else null
    void showTip(const QPoint& at, const QString& text); ///< above the ruler, whose numbers it leaves to be read
    void noteQuality(const FrameResult& frame);
    void ageQuality(); ///< what is known is of the scene before an edit
    void forgetQuality();

    struct Quality
    {
        double error = 0; ///< [m] 0 = every goal met
        bool isAtLimit = false;
        bool isSoft = false;
        bool isCautious = false;
        bool isSnapping = false; ///< of an aged one; of the others, see warnings()
        bool isAged = false;     ///< of the scene before the last edits: drawn faded until the frame is solved again
    };
    Editor& m_editor;
    GraphState& m_keys;
    TimeView& m_time;
    CommandTable& m_commands;
    MarkerLane m_markers;
    mutable KeyTimes m_times;
    std::unique_ptr<GraphDrag> m_drag;
    std::optional<QPoint> m_panFrom;
    QPoint m_mouse;
    bool m_isScrubbing = false;
    int m_labelWidth = labelWidth();
    std::map<int, Quality> m_quality;                ///< by frame, as last solved
    std::map<int, Bends> m_bends;                    ///< by frame, of those that are not aged
    mutable std::optional<std::set<int>> m_warnings; ///< unset: m_bends has changed
    std::shared_ptr<const Scene> m_qualityScene;     ///< that m_bends and what is not aged belong to
    ClipId m_qualityClip;                            ///< and all of m_quality
};

} // namespace tendon::editor

#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/TimeAxis.h"
#include "app/widgets/graph/GraphDrag.h"
#include "app/widgets/time/KeyTimes.h"
#include "app/widgets/time/MarkerLane.h"
#include "app/widgets/time/TimeView.h"

#include <QWidget>

#include <memory>
#include <optional>

class QMenu;

namespace tendon::editor {

class CommandTable;

/// Markers, ruler, keys, and the quality of each frame of the range (SolvedRange). The left mouse button scrubs by
/// whole frames; with Shift it marks frames, whose keys are then moved and retimed (MarkedRange). Middle: pans. Wheel:
/// zooms.
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
    [[nodiscard]] int keyLane() const;    ///< [px] height of the row of keys

    /// Width of the column of labels at the left; the same as in the panel below, so that frames line up.
    void setLabelWidth(int width);
    [[nodiscard]] static int labelWidth();
    /// Without the row of keys: where a task needs the room.
    void setBrief(bool isBrief);

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
    void paintShownFrames(QPainter& painter, const TimeAxis& axis) const;
    void paintQuality(QPainter& painter, const TimeAxis& axis) const;
    void paintJumps(QPainter& painter, const QRectF& strip, const TimeAxis& axis) const;
    bool event(QEvent* event) override;
    [[nodiscard]] QString textAt(int frame) const;
    [[nodiscard]] const ClipSolution* solution() const;  ///< of the shown clip, as far as it is known; else null
    void showTip(const QPoint& at, const QString& text); ///< above the ruler, whose numbers it leaves to be read
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
    bool m_isBrief = false;
};

} // namespace tendon::editor

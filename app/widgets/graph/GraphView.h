#pragma once

#include "app/widgets/graph/GraphDrag.h"
#include "app/widgets/graph/GraphState.h"
#include "app/widgets/time/TimeView.h"

#include <QKeySequence>
#include <QPixmap>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace tendon::editor {

/// The curves of the graph over time. Left mouse button: selects and drags keys, draws a box; on the ruler it scrubs.
/// Middle: pans. Wheel: zooms about the pointer, with Ctrl in time alone, with Shift in value alone. Which frames are
/// seen is the same as in the timeline.
class GraphView : public QWidget
{
    Q_OBJECT
public:
    GraphView(GraphState& state, TimeView& time, QWidget* parent = nullptr);

    [[nodiscard]] static int leftMargin(); ///< from the widget's edge to the first frame
    [[nodiscard]] GraphCanvas canvas() const;
    /// The position of a key, for tests.
    [[nodiscard]] QPoint placeOf(const CurveId& curve, double frame) const;

    void frameAll();      ///< all that is shown, and the whole range
    void frameSelected(); ///< the selected keys, or the active curves
    void deleteSelected();
    /// The keys that frame all and the selected ones: those of the view's commands.
    void setFrameKeys(std::function<QList<QKeySequence>()> all, std::function<QList<QKeySequence>()> selected);
    void setNoKeysText(std::function<QString()> text) { m_noKeysText = std::move(text); } ///< shown instead of keys

signals:
    /// A right click: what is under it is selected by then.
    void menuRequested(QPoint globalPosition);

private:
    struct Hit
    {
        CurveId curve;
        std::int64_t ticks;
    };
    [[nodiscard]] QRect plot() const;
    [[nodiscard]] std::optional<Hit> keyAt(QPointF at) const;
    [[nodiscard]] std::optional<CurveId> curveAt(QPointF at) const;
    void fitValues(double low, double high);
    void pan(QPoint by);
    void zoom(QPointF at, double timeFactor, double valueFactor);
    void scrub(double x);
    void press(QPointF at, Qt::KeyboardModifiers modifiers);
    void goToKey(int direction, bool isAdded);
    void nudge(double frames, double shown);
    /// Shown units that an arrow key changes values by: ten times as much with Shift, a tenth with Ctrl.
    [[nodiscard]] double nudgeStep(Qt::KeyboardModifiers modifiers) const;
    void redraw(); ///< the layer of curves and keys, too
    void paintLayer(const QRect& exposed);
    void paintBefore(QPainter& painter, const GraphCanvas& canvas) const;
    void endDrag(bool isKept);
    [[nodiscard]] static bool matches(const QKeyEvent& event, const std::function<QList<QKeySequence>()>& keys);

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    void keyPressEvent(QKeyEvent*) override;

    GraphState& m_state;
    TimeView& m_time;
    double m_low = -1, m_high = 1; ///< shown values that are seen
    std::unique_ptr<GraphDrag> m_drag;
    std::optional<QPoint> m_panFrom;
    QPoint m_mouse;
    bool m_isScrubbing = false, m_isFitPending = true, m_isPanning = false;
    std::function<QList<QKeySequence>()> m_frameAllKeys, m_frameSelectedKeys;
    std::function<QString()> m_noKeysText = [] { return QString(); };

    mutable TraceCache m_traces;
    QPixmap m_layer; ///< curves and keys over the plot: panning moves it and draws what comes in
    bool m_isLayerOld = true;
};

} // namespace tendon::editor

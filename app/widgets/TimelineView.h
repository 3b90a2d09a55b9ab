#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/TimeAxis.h"

#include <QWidget>

namespace tendon::editor {

/// Ruler, keys, and the quality of each frame of the range (SolvedRange). The left mouse button scrubs by whole frames.
class TimelineView : public QWidget
{
    Q_OBJECT
public:
    explicit TimelineView(Editor& editor, QWidget* parent = nullptr);

    [[nodiscard]] TimeAxis axis() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

    /// Width of the column of labels at the left; the same as in the panel below, so that frames line up.
    void setLabelWidth(int width);
    [[nodiscard]] static int labelWidth();

private:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void paintRuler(QPainter& painter, const TimeAxis& axis) const;
    void paintKeys(QPainter& painter, const TimeAxis& axis) const;
    void paintQuality(QPainter& painter, const TimeAxis& axis) const;
    void paintJumps(QPainter& painter, const QRectF& strip, const TimeAxis& axis) const;
    bool event(QEvent* event) override;
    [[nodiscard]] QString textAt(int frame) const;
    [[nodiscard]] const ClipSolution* solution() const;  ///< of the shown clip, as far as it is known; else null
    void showTip(const QPoint& at, const QString& text); ///< above the ruler, whose numbers it leaves to be read
    Editor& m_editor;
    int m_labelWidth = labelWidth();
};

/// Draws the playhead at a frame over a whole widget.
void paintPlayhead(QPainter& painter, const TimeAxis& axis, int frame, int height, bool hasCap);

} // namespace tendon::editor

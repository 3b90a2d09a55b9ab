#pragma once

#include "app/widgets/time/TimeView.h"

#include <QWidget>

namespace tendon::editor {

/// The grey bar below the timeline: which part of all frames is shown. A drag of its middle pans, one of its ends
/// zooms, a double click shows the whole range.
class ZoomBar : public QWidget
{
    Q_OBJECT
public:
    ZoomBar(Editor& editor, TimeView& view, QWidget* parent = nullptr);

    void setLeft(int left); ///< of the first frame, as in the timeline [px]
    [[nodiscard]] QRectF bar() const;

private:
    enum class Part { None, First, Last, Middle };
    [[nodiscard]] Part partAt(QPointF at) const;
    [[nodiscard]] TimeAxis track() const; ///< of all frames
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    QSize sizeHint() const override;

    TimeView& m_view;
    int m_left = 0;
    // The drag
    Part m_part = Part::None;
    QPointF m_from;
    TimeAxis m_track; ///< where it began
    double m_first = 0, m_last = 0;
};

} // namespace tendon::editor

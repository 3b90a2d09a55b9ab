#pragma once

#include "core/io/export/AnimationExport.h"

#include <QWidget>

namespace tendon::editor {

/// The joint error of a written file: one bar per sample, and the tolerance as a dashed line when it fits the scale.
class ErrorGraph : public QWidget
{
    Q_OBJECT
public:
    /// `tolerance` in metres.
    ErrorGraph(std::vector<ReadBack::Sample> samples, double tolerance, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

private:
    void paintEvent(QPaintEvent* event) override;
    void paintScale(QPainter& painter, const QRectF& plot) const;
    void paintFrames(QPainter& painter, const QRectF& plot) const;

    std::vector<ReadBack::Sample> m_samples;
    double m_tolerance;
    double m_top = 0; ///< [m] upper end of the scale
};

} // namespace tendon::editor

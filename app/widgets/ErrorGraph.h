#pragma once

#include "core/io/export/AnimationExport.h"

#include <QWidget>

namespace tendon::editor {

/// How far the joints of a written file are from what was meant, sample by sample: a bar each, and the tolerance as a
/// broken line where it is near enough to be seen.
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

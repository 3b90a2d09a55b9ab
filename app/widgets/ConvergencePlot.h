#pragma once

#include "app/editor/Editor.h"

#include <QWidget>

namespace tendon::editor {

/// How recorded solves converge: a curve for each solver over its iterations, on a logarithmic scale. A click or a drag
/// shows the iteration under the pointer; the arrow keys step.
class ConvergencePlot : public QWidget
{
    Q_OBJECT
public:
    enum class Quantity {
        Error,         ///< what the handle's goal is missed by, with its tolerance as a band
        SingularValues ///< of the goals' Jacobian of one solver
    };
    explicit ConvergencePlot(Editor& editor, QWidget* parent = nullptr);

    void setQuantity(Quantity quantity);
    void setSolver(std::size_t index); ///< whose singular values are shown
    [[nodiscard]] QSize sizeHint() const override;

private:
    struct Curve
    {
        std::size_t look = 0;
        std::vector<std::pair<int, double>> points; ///< iteration, value
    };
    [[nodiscard]] std::vector<Curve> curves() const;
    [[nodiscard]] QRectF plotArea() const;
    [[nodiscard]] double xOf(double iteration) const;
    [[nodiscard]] double yOf(double value) const;
    void fitScale(const std::vector<Curve>& curves);
    void paintGrid(QPainter& painter) const;
    void paintTolerance(QPainter& painter) const;
    [[nodiscard]] QPointF placeOfLegend(const std::vector<Curve>& curves, const QSizeF& size) const;
    void paintLegend(QPainter& painter, const std::vector<Curve>& curves) const;
    void paintCurve(QPainter& painter, const Curve& curve) const;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showAt(double x);
    [[nodiscard]] double tolerance() const; ///< [m or degrees]; 0 = none

    Editor& m_editor;
    Quantity m_quantity = Quantity::Error;
    std::size_t m_solver = 0;
    double m_low = -4, m_high = 0; ///< powers of ten at the ends of the scale
    int m_lastIteration = 1;
};

/// What a step misses the handle's goal by: [m], or [rad] for goals that ask for a direction or a rotation alone. A
/// solve without such a goal misses nothing.
[[nodiscard]] double missOf(const SolverRecording& recording, const SolveStep& step);
[[nodiscard]] bool isMissAnAngle(const SolverRecording& recording);

} // namespace tendon::editor

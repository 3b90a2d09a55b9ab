#pragma once

#include "core/conformance/PosedProblem.h"

#include <QPointF>
#include <QWidget>

#include <optional>

namespace tendon::editor {

/// A problem of the conformance suite with the answer of a solver, to be looked at from all sides: drag, arrow keys and
/// wheel. Changes nothing.
class ProblemView : public QWidget
{
    Q_OBJECT
public:
    explicit ProblemView(QWidget* parent = nullptr);

    void setProblem(const conformance::PosedProblem* problem); ///< null = none
    [[nodiscard]] bool hasProblem() const { return m_problem.has_value(); }
    [[nodiscard]] QSize sizeHint() const override;

    [[nodiscard]] QPointF placeOf(const Vector3& point) const; ///< [px] where a point of the problem is drawn

private:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void turn(double yaw, double pitch); ///< [rad]
    void fit();
    void paintBodies(QPainter& painter, const std::vector<Vector3>& places, const QColor& colour, bool isAnswer) const;
    void paintGoals(QPainter& painter) const;

    std::optional<conformance::PosedProblem> m_problem;
    Vector3 m_centre = Vector3::Zero();
    double m_radius = 1;                ///< [m] around the centre, which is all seen at zoom 1
    double m_yaw = 0.6, m_pitch = 0.35; ///< [rad]
    double m_zoom = 1;
    QPointF m_last; ///< of the mouse
};

} // namespace tendon::editor

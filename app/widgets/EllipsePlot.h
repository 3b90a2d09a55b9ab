#pragma once

#include "app/editor/Editor.h"
#include "app/editor/StageEllipse.h"

#include <QWidget>

namespace tendon::editor {

/// The limiting ellipse of a ball joint at the shown stage of a pass: the joint's name, its four semi-axes by axis and
/// angle, the swing that the pass asks for, and the nearest point of the ellipse. Hidden at stages without one.
class EllipsePlot : public QWidget
{
    Q_OBJECT
public:
    explicit EllipsePlot(Editor& editor, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

private:
    [[nodiscard]] std::optional<StageEllipse> shown() const;
    [[nodiscard]] std::pair<QString, std::array<QString, 2>> limited(const StageEllipse& ellipse) const;
    [[nodiscard]] double widestSwing(const StageEllipse& ellipse) const;
    void refresh();
    void paintEvent(QPaintEvent* event) override;

    Editor& m_editor;
};

} // namespace tendon::editor

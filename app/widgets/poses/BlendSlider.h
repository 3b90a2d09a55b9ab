#pragma once

#include "app/editor/Editor.h"

#include <QSlider>

#include <functional>

namespace tendon::editor {

/// Blends the current pose toward another while it is dragged, live and as one step of undo. It comes back to 0 when it
/// is let go, since the pose as it is then is the blended one; Esc cancels. With the arrow keys, Enter or leaving the
/// slider ends the step.
class BlendSlider : public QSlider
{
    Q_OBJECT
public:
    /// `operation`: for a share, 0 to 1; an empty one = nothing can be applied. `editor` outlives the slider.
    BlendSlider(Editor& editor, std::function<QJsonObject(double share)> operation, QWidget* parent = nullptr);

    [[nodiscard]] bool isBlending() const { return m_isBlending; }

private:
    void begin();
    void take(int percent);
    void finish();
    void cancel();
    void reset();
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

    Editor& m_editor;
    std::function<QJsonObject(double)> m_operation;
    bool m_isBlending = false;
};

} // namespace tendon::editor

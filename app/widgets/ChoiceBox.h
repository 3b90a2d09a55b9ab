#pragma once

#include <QComboBox>

namespace tendon::editor {

/// A combo box of the window. Only the keyboard gives it the focus: after a click, one-letter shortcuts work on.
/// Without the focus it leaves the mouse wheel to the panel that scrolls.
class ChoiceBox : public QComboBox
{
    Q_OBJECT
public:
    explicit ChoiceBox(QWidget* parent = nullptr);

protected:
    void wheelEvent(QWheelEvent* event) override;
};

} // namespace tendon::editor

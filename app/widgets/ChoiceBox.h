#pragma once

#include <QComboBox>

namespace tendon::editor {

/// A combo box of the window. Only the keyboard gives it the focus: after a click, one-letter shortcuts work on.
/// Without the focus it leaves the mouse wheel to the panel that scrolls. A text for which there is no room is
/// shortened in the middle; the tooltip then says all of it. Its list is as wide as its longest text, if the screen is.
class ChoiceBox : public QComboBox
{
    Q_OBJECT
public:
    explicit ChoiceBox(QWidget* parent = nullptr);
    void showPopup() override;
    [[nodiscard]] QSize sizeHint() const override; ///< if it is to fit its contents: with room for the longest text

protected:
    void wheelEvent(QWheelEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int room(const QStyleOptionComboBox& option) const; ///< for the text
    [[nodiscard]] QString shown() const; ///< as much of the current text as there is room for
};

} // namespace tendon::editor

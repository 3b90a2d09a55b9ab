#pragma once

#include <QLabel>

namespace tendon::editor {

/// One line of plain text that shortens in the middle when there is too little room, as names do that a user chose. Its
/// tooltip is then the whole text.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QString shown() const;
};

} // namespace tendon::editor

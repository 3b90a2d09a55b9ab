#pragma once

#include <QLabel>

namespace tendon::editor {

/// One line of text that shortens in the middle when there is too little room, as names do that a user chose; sentences
/// shorten at their end. What names have in common goes first. Its tooltip is then the whole text. Rich text shortens
/// to plain text.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override;
    void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }

protected:
    void paintEvent(QPaintEvent*) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QString shown() const; ///< plain; all of it if it fits
    [[nodiscard]] bool isRich() const;
    [[nodiscard]] bool isWhole() const; ///< all of it fits

    Qt::TextElideMode m_mode = Qt::ElideMiddle;
};

} // namespace tendon::editor

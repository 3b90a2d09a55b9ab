#pragma once

#include "app/widgets/ShortNames.h"

#include <QLabel>

#include <optional>
#include <utility>

namespace tendon::editor {

/// One line of text that shortens in the middle when there is too little room, as names do that a user chose; sentences
/// shorten at their end. Its tooltip is then the whole text. Rich text shortens to plain text.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override;
    void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }
    /// Of a name: it leaves out first what it has in common with the others.
    void setNames(ShortNames names) { m_names = std::move(names); }

protected:
    void paintEvent(QPaintEvent*) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QString shown() const; ///< plain; all of it if it fits
    [[nodiscard]] bool isRich() const;
    [[nodiscard]] bool isWhole() const; ///< all of it fits

    Qt::TextElideMode m_mode = Qt::ElideMiddle;
    std::optional<ShortNames> m_names;
};

} // namespace tendon::editor

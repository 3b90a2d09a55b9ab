#include "app/widgets/ChoiceCard.h"

#include "app/editor/Theme.h"

#include <QPainter>

namespace tendon::editor {

ChoiceCard::ChoiceCard(const QString& name, const QString& note, QWidget* parent)
    : QAbstractButton(parent), m_note(note)
{
    setText(name);
    setCheckable(true);
    setAccessibleName(note.isEmpty() ? name : name + ", " + note);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    connect(this, &QAbstractButton::toggled, this, qOverload<>(&QWidget::update));
}

int ChoiceCard::headHeight() { return Theme::instance().px(32); }

QSize ChoiceCard::sizeHint() const
{
    const Theme& theme = Theme::instance();
    const int text = QFontMetrics(theme.font(13, 600)).horizontalAdvance(this->text());
    const int note = QFontMetrics(theme.font(11)).horizontalAdvance(m_note);
    return {std::max(text, note) + theme.px(44), headHeight() + (m_note.isEmpty() ? theme.px(4) : theme.px(18))};
}

void ChoiceCard::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double radius = theme.size("radius.button");
    painter.setPen(QPen(theme.color(isChecked()    ? "accent.fill"
                                    : underMouse() ? "line.strong"
                                                   : "line.control"),
                        isChecked() ? 2 : 1));
    painter.setBrush(theme.color(isChecked() ? "accent.tint" : "surface.control"));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);

    const double pad = theme.px(10), dot = theme.px(14);
    const QRectF mark(pad, (headHeight() - dot) / 2 + theme.px(2), dot, dot);
    const double ring = isChecked() ? dot / 3.2 : 1; // a thick ring marks the choice
    painter.setPen(QPen(theme.color(isChecked() ? "accent.fill" : "line.strong"), ring));
    painter.setBrush(theme.color(isChecked() ? "text.on-accent" : "surface.well"));
    painter.drawEllipse(mark.adjusted(ring / 2, ring / 2, -ring / 2, -ring / 2));
    const double left = pad + dot + theme.px(8);
    painter.setPen(theme.color("text.primary"));
    painter.setFont(theme.font(13, 600));
    painter.drawText(QRectF(left, theme.px(2), width() - left, headHeight()), Qt::AlignVCenter, text());
    painter.setPen(theme.color("text.secondary"));
    painter.setFont(theme.font(11));
    painter.drawText(QRectF(left, headHeight() - theme.px(5), width() - left, theme.px(16)), Qt::AlignVCenter, m_note);
}

} // namespace tendon::editor

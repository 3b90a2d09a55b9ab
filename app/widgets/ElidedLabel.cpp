#include "app/widgets/ElidedLabel.h"

#include "app/editor/ShortNames.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QTextDocumentFragment>
#include <QToolTip>

namespace tendon::editor {

bool ElidedLabel::isRich() const
{
    return textFormat() == Qt::RichText || (textFormat() == Qt::AutoText && Qt::mightBeRichText(text()));
}

QString ElidedLabel::shown() const
{
    const QString plain = isRich() ? QTextDocumentFragment::fromHtml(text()).toPlainText() : text();
    return shortened(plain, fontMetrics(), contentsRect().width(), m_mode);
}

bool ElidedLabel::isWhole() const { return isRich() ? sizeHint().width() <= width() : shown() == text(); }

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("…")), QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* event)
{
    if (isRich() && isWhole()) return QLabel::paintEvent(event);
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shown(),
                          foregroundRole());
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || isWhole()) return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
}

} // namespace tendon::editor

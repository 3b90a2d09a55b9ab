#include "app/widgets/FocusRing.h"

#include "app/editor/Theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QFocusEvent>
#include <QFocusFrame>
#include <QPainter>
#include <QPointer>

namespace tendon::editor {
namespace {

class Ring : public QFocusFrame
{
public:
    Ring() { setObjectName(QStringLiteral("focusRing")); }

private:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = Theme::instance();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.color("focus.ring"), 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), theme.size("radius.card"),
                                theme.size("radius.card"));
    }
};

class KeyboardFocus : public QObject
{
public:
    using QObject::QObject;

private:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::FocusIn && event->type() != QEvent::FocusOut) return false;
        auto* widget = qobject_cast<QWidget*>(watched);
        if (widget == nullptr ||
            (qobject_cast<QAbstractButton*>(widget) == nullptr && qobject_cast<QComboBox*>(widget) == nullptr))
            return false;
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        const bool isByKeyboard = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
                                  reason == Qt::ShortcutFocusReason;
        if (event->type() == QEvent::FocusIn && isByKeyboard && widget->isVisible()) {
            if (m_ring == nullptr) m_ring = new Ring; // deleted with the window that it is drawn in
            m_ring->setWidget(widget);
        } else if (m_ring != nullptr && m_ring->widget() == widget) {
            m_ring->setWidget(nullptr);
        }
        return false;
    }
    QPointer<Ring> m_ring;
};

} // namespace

void installFocusRing(QApplication& application) { application.installEventFilter(new KeyboardFocus(&application)); }

} // namespace tendon::editor

#include "app/widgets/ChoiceBox.h"

#include "app/editor/ShortNames.h"

#include <QHelpEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>
#include <QWheelEvent>

namespace tendon::editor {

ChoiceBox::ChoiceBox(QWidget* parent) : QComboBox(parent) { setFocusPolicy(Qt::TabFocus); }

void ChoiceBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

QString ChoiceBox::shown() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    int room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
    if (!option.currentIcon.isNull()) room -= iconSize().width() + 4; // as the style has it
    return shortened(option.currentText, fontMetrics(), room);
}

void ChoiceBox::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    if (currentIndex() < 0 && !placeholderText().isEmpty()) option.currentText = placeholderText();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = currentIndex() < 0 ? option.currentText : shown();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

bool ChoiceBox::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || currentIndex() < 0 || shown() == currentText())
        return QComboBox::event(event);
    const QString tip = toolTip().isEmpty() ? currentText() : currentText() + '\n' + toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
    return true;
}

} // namespace tendon::editor

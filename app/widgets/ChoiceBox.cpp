#include "app/widgets/ChoiceBox.h"

#include "app/editor/ShortNames.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QScreen>
#include <QScrollBar>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace tendon::editor {

ChoiceBox::ChoiceBox(QWidget* parent) : QComboBox(parent) { setFocusPolicy(Qt::TabFocus); }

void ChoiceBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

int ChoiceBox::room(const QStyleOptionComboBox& option) const
{
    const int width = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
    return option.currentIcon.isNull() ? width : width - iconSize().width() - 4; // as the style has it
}

QSize ChoiceBox::sizeHint() const
{
    QSize hint = QComboBox::sizeHint();
    if (sizeAdjustPolicy() != AdjustToContents) return hint;
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.rect = QRect(QPoint(), hint);
    int longest = 0;
    for (int i = 0; i < count(); ++i) longest = std::max(longest, fontMetrics().horizontalAdvance(itemText(i)));
    hint.rwidth() += std::max(0, longest - room(option));
    return hint;
}

void ChoiceBox::showPopup()
{
    const QRect free = screen()->availableGeometry();
    const QMargins frame = view()->contentsMargins();
    const int longest = view()->sizeHintForColumn(modelColumn()) + frame.left() + frame.right() +
                        view()->verticalScrollBar()->sizeHint().width();
    view()->setMinimumWidth(std::min(std::max(longest, width()), free.width()));
    QComboBox::showPopup();
    QWidget* list = view()->window();
    const QRect place = list->frameGeometry();
    list->move(std::max(free.left(), std::min(place.left(), free.right() + 1 - place.width())), place.top());
}

QString ChoiceBox::shown() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    return shortened(option.currentText, fontMetrics(), room(option));
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

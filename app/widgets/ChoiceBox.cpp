#include "app/widgets/ChoiceBox.h"

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

} // namespace tendon::editor

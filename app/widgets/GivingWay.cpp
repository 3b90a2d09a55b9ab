#include "app/widgets/GivingWay.h"

#include "app/editor/Theme.h"

#include <QEvent>
#include <QWidget>

namespace tendon::editor {

GivingWay::GivingWay(QWidget& row, std::function<int()> wanted, std::vector<Step> steps)
    : QObject(&row), m_row(row), m_wanted(std::move(wanted)), m_steps(std::move(steps))
{
    row.installEventFilter(this);
    connect(&Theme::instance(), &Theme::changed, this, &GivingWay::fit,
            Qt::QueuedConnection); // by then the sizes are the new ones
}

void GivingWay::fit()
{
    while (m_taken > 0) m_steps[--m_taken](false);
    while (m_taken < m_steps.size() && m_wanted() > m_row.width()) m_steps[m_taken++](true);
}

bool GivingWay::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) fit();
    return false;
}

} // namespace tendon::editor

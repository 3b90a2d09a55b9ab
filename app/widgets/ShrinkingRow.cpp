#include "app/widgets/ShrinkingRow.h"

#include "app/editor/Theme.h"

#include <QEvent>
#include <QWidget>

namespace tendon::editor {

ShrinkingRow::ShrinkingRow(QWidget& row, std::function<int()> wanted, std::vector<Step> steps)
    : QObject(&row), m_row(row), m_wanted(std::move(wanted)), m_steps(std::move(steps))
{
    row.installEventFilter(this);
    connect(&Theme::instance(), &Theme::changed, this, &ShrinkingRow::fit,
            Qt::QueuedConnection); // after the widgets have their new sizes
}

void ShrinkingRow::fit()
{
    while (m_hidden > 0) m_steps[--m_hidden](false);
    while (m_hidden < m_steps.size() && m_wanted() > m_row.width()) m_steps[m_hidden++](true);
}

bool ShrinkingRow::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) fit();
    return false;
}

} // namespace tendon::editor

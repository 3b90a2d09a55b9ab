#include "app/widgets/ShrinkingRow.h"

#include "app/editor/Theme.h"

#include <QEvent>
#include <QWidget>

namespace tendon::editor {

ShrinkingRow::ShrinkingRow(QWidget& row, std::function<int()> wanted, std::vector<Step> steps)
    : QObject(&row), m_row(row), m_wanted(std::move(wanted)), m_steps(std::move(steps)), m_isHidden(m_steps.size())
{
    row.installEventFilter(this);
    connect(&Theme::instance(), &Theme::changed, this, &ShrinkingRow::fit,
            Qt::QueuedConnection); // after the widgets have their new sizes
}

void ShrinkingRow::fit()
{
    for (std::size_t i = 0; i < m_isHidden.size(); ++i) hide(i, false);
    std::size_t last = 0;
    while (last < m_steps.size() && m_wanted() > m_row.width()) hide(last++, true);
    // The last one may have left room for words that went before it.
    for (std::size_t i = last; i-- > 0;) {
        hide(i, false);
        if (m_wanted() > m_row.width()) hide(i, true);
    }
}

void ShrinkingRow::hide(std::size_t step, bool isShort)
{
    if (m_isHidden[step] == isShort) return;
    m_isHidden[step] = isShort;
    m_steps[step](isShort);
}

bool ShrinkingRow::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) fit();
    return false;
}

} // namespace tendon::editor

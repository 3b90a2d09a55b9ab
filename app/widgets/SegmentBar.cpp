#include "app/widgets/SegmentBar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace tendon::editor {

SegmentBar::SegmentBar(const QString& name, const QList<Choice>& choices, bool fills, QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this))
{
    setAccessibleName(name);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (int i = 0; i < choices.size(); ++i) {
        auto* button = new QToolButton;
        button->setText(choices[i].text);
        button->setToolTip(choices[i].tip);
        button->setAccessibleName(QStringLiteral("%1: %2").arg(name, choices[i].text));
        button->setCheckable(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setProperty("segment", i == 0 ? "first" : i + 1 == choices.size() ? "last" : "middle");
        button->setSizePolicy(fills ? QSizePolicy::Expanding : QSizePolicy::Preferred, QSizePolicy::Fixed);
        m_group->addButton(button, i);
        row->addWidget(button, fills ? 1 : 0);
    }
    setCurrent(0);
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentBar::chosen);
}

int SegmentBar::current() const { return m_group->checkedId(); }

void SegmentBar::setCurrent(int index)
{
    if (QAbstractButton* button = m_group->button(index)) button->setChecked(true);
}

} // namespace tendon::editor

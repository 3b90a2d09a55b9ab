#include "app/widgets/Section.h"

#include "app/editor/Theme.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/Icons.h"
#include "app/widgets/NumberField.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tendon::editor {
namespace {

/// What is in a layout, row by row and from left to right, whatever the order in which it was added to a grid.
std::vector<int> inReadingOrder(const QLayout& layout)
{
    std::vector<int> order(static_cast<std::size_t>(layout.count()));
    std::iota(order.begin(), order.end(), 0);
    const auto* grid = qobject_cast<const QGridLayout*>(&layout);
    if (grid == nullptr) return order;
    const auto cellOf = [grid](int item) {
        int row = 0, column = 0, rows = 0, columns = 0;
        grid->getItemPosition(item, &row, &column, &rows, &columns);
        return std::pair(row, column);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cellOf(a) < cellOf(b); });
    return order;
}

} // namespace

Section::Section(const QString& title, QWidget* parent) : QWidget(parent)
{
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(4), 0, theme.px(8), 0);
    row->setSpacing(theme.px(6));
    m_header = new QToolButton;
    m_header->setText(title);
    m_header->setFont(theme.font(12, 600));
    m_header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_header->setCheckable(true);
    m_header->setChecked(true);
    m_header->setStyleSheet(
        QStringLiteral("QToolButton { border: 0; font-weight: 600; padding: 4px 0; } QToolButton:checked { background: "
                       "transparent; color: palette(window-text); }"));
    m_header->setIcon(icon(QStringLiteral("chevron-down"), QStringLiteral("text.hint")));
    m_header->setIconSize({theme.px(12), theme.px(12)});
    m_header->setToolTip(tr("Collapse or expand"));
    m_header->setFocusPolicy(Qt::TabFocus);
    row->addWidget(m_header);
    m_hint = new ElidedLabel;
    m_hint->setProperty("role", "hint");
    row->addWidget(m_hint, 1);
    m_end = new QHBoxLayout;
    m_end->setSpacing(theme.px(4));
    row->addLayout(m_end);
    column->addLayout(row);

    m_content = new QWidget;
    m_body = new QVBoxLayout(m_content);
    m_body->setContentsMargins(theme.px(8), theme.px(2), theme.px(8), theme.px(10));
    m_body->setSpacing(theme.px(4));
    column->addWidget(m_content);
    column->addWidget(separatorLine());
    connect(m_header, &QToolButton::toggled, this, &Section::setOpen);
}

void Section::setHint(const QString& hint) { m_hint->setText(hint); }

void Section::setOpen(bool isOpen)
{
    m_header->setChecked(isOpen);
    m_header->setIcon(
        icon(isOpen ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), QStringLiteral("text.hint")));
    m_content->setVisible(isOpen);
}

void Section::orderTabs()
{
    QWidget* before = m_header;
    const auto visit = [&](const auto& self, const QLayout& layout) -> void {
        for (const int i : inReadingOrder(layout)) {
            QLayoutItem* item = layout.itemAt(i);
            QWidget* widget = item->widget();
            if (item->layout() != nullptr) self(self, *item->layout());
            if (widget == nullptr) continue;
            if (widget->focusPolicy() & Qt::TabFocus) {
                setTabOrder(before, widget);
                before = widget;
            } else if (widget->layout() != nullptr) {
                self(self, *widget->layout());
            }
        }
    };
    visit(visit, *m_body);
}

QLabel* headingOf(const QString& text)
{
    auto* label = new QLabel(text);
    label->setProperty("role", "heading");
    return label;
}

QWidget* separatorLine()
{
    auto* line = new QFrame;
    line->setFixedHeight(1);
    line->setStyleSheet(QStringLiteral("background: palette(dark);"));
    return line;
}

void setRowsShown(QTreeWidget& table, int rows)
{
    table.setFixedHeight(table.header()->sizeHint().height() + Theme::instance().px(22) * rows +
                         2 * table.frameWidth());
}

QToolButton* pictureButton(const QString& picture, const QString& tip, const QString& color)
{
    auto* button = new QToolButton;
    button->setIcon(icon(picture, color));
    button->setToolTip(tip);
    button->setAccessibleName(tip.section(QStringLiteral(" ("), 0, 0));
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QLabel* addRow(QVBoxLayout* body, const QString& text, const QList<QWidget*>& fields, const QString& tip)
{
    const Theme& theme = Theme::instance();
    auto* row = new QHBoxLayout;
    row->setSpacing(theme.px(4));
    auto* label = new QLabel(text);
    label->setProperty("role", "label");
    label->setFixedWidth(theme.px(76));
    label->ensurePolished(); // for its font
    label->setWordWrap(label->sizeHint().width() > label->width());
    label->setToolTip(tip);
    row->addWidget(label);
    for (QWidget* field : fields) {
        if (!tip.isEmpty() && field->toolTip().isEmpty()) field->setToolTip(tip);
        // For screen readers, which do not see the label beside the field.
        const auto* number = qobject_cast<NumberField*>(field);
        const bool isAxis = number != nullptr && !number->format().axis.isNull();
        if (field->accessibleName().isEmpty())
            field->setAccessibleName(isAxis ? text + ' ' + number->format().axis : text);
        row->addWidget(field, 1);
    }
    body->addLayout(row);
    return label;
}

} // namespace tendon::editor

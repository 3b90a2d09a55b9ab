#pragma once

#include "app/editor/ShortNames.h"
#include "app/editor/Theme.h"

#include <QStyledItemDelegate>

namespace tendon::editor {

/// Rows of a list whose text is a name, or has one in it.
class NameRows : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

private:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const int pictures =
            (option->features.testFlag(QStyleOptionViewItem::HasDecoration) ? option->decorationSize.width() : 0) +
            (option->features.testFlag(QStyleOptionViewItem::HasCheckIndicator) ? Theme::instance().px(20) : 0);
        const int room = option->rect.width() - pictures - Theme::instance().px(12);
        if (option->rect.width() > 0) option->text = shortened(option->text, option->fontMetrics, room);
    }
};

} // namespace tendon::editor

#include "app/widgets/IssueRows.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Texts.h"

#include <QCoreApplication>
#include <QListWidget>
#include <QStyledItemDelegate>

namespace tendon::editor {
namespace {

/// Rows as high as their text needs, which a list that wraps words does not make by itself.
class WrappedRows : public QStyledItemDelegate
{
public:
    explicit WrappedRows(QListWidget* list) : QStyledItemDelegate(list), m_list(*list) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        const Theme& theme = Theme::instance();
        const int width = m_list.viewport()->width(), room = width - m_list.iconSize().width() - theme.px(16);
        const QRect text = item.fontMetrics.boundingRect(QRect(0, 0, std::max(room, 1), QWIDGETSIZE_MAX),
                                                         Qt::TextWordWrap, item.text);
        return {width, std::max(m_list.iconSize().height(), text.height()) + theme.px(6)};
    }

private:
    QListWidget& m_list;
};

} // namespace

Mark markOf(Severity severity)
{
    return severity == Severity::Error ? Mark::Error : severity == Severity::Warning ? Mark::Warning : Mark::Info;
}

MarkLook lookOf(Mark mark)
{
    const auto word = [](const char* text) { return QCoreApplication::translate("Mark", text); };
    switch (mark) {
    case Mark::Ok: return {"ok", "status.ok", "ok", word("OK")};
    case Mark::Info: return {"info", "status.info", "info", word("Note")};
    case Mark::Warning: return {"warning", "status.warn", "warn", word("Warning")};
    case Mark::Error: break;
    }
    return {"error", "status.error", "error", word("Error")};
}

QIcon iconOf(Mark mark)
{
    const MarkLook look = lookOf(mark);
    return icon(look.icon, look.token);
}

QString textOf(const Issue& issue) { return QString::fromStdString(issue.line()); }

void makeIssueList(QListWidget& list)
{
    const int side = Theme::instance().px(16);
    list.setIconSize({side, side});
    list.setWordWrap(true);
    list.setItemDelegate(new WrappedRows(&list));
    list.setResizeMode(QListView::Adjust);
    list.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list.setSelectionMode(QAbstractItemView::NoSelection);
}

QListWidgetItem* addFinding(QListWidget& list, Mark mark, const QString& text)
{
    auto* row = new QListWidgetItem(iconOf(mark), text, &list);
    row->setData(Qt::AccessibleTextRole, QStringLiteral("%1: %2").arg(lookOf(mark).word, text));
    return row;
}

} // namespace tendon::editor

#include "app/widgets/IssueRows.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Texts.h"

#include <QCoreApplication>
#include <QListWidget>

namespace tendon::editor {

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
    list.setSelectionMode(QAbstractItemView::NoSelection);
}

QListWidgetItem* addFinding(QListWidget& list, Mark mark, const QString& text)
{
    auto* row = new QListWidgetItem(iconOf(mark), text, &list);
    row->setData(Qt::AccessibleTextRole, QStringLiteral("%1: %2").arg(lookOf(mark).word, text));
    return row;
}

} // namespace tendon::editor

#pragma once

#include "core/base/Issue.h"

#include <QIcon>
#include <QString>

class QListWidget;
class QListWidgetItem;

namespace tendon::editor {

/// A severity as every list shows it: an icon, a colour and a word.
enum class Mark { Ok, Info, Warning, Error };

struct MarkLook
{
    const char* icon;
    const char* token;   ///< colour
    const char* message; ///< property "message" of a frame in the style sheet
    QString word;        ///< for screen readers: "Warning"
};

[[nodiscard]] Mark markOf(Severity severity);
[[nodiscard]] MarkLook lookOf(Mark mark);
[[nodiscard]] QIcon iconOf(Mark mark);

/// "where: text".
[[nodiscard]] QString textOf(const Issue& issue);

/// Sets a list up for findings: icon size, word wrap, no selection.
void makeIssueList(QListWidget& list);
/// Adds a finding with its mark; screen readers read the mark first.
QListWidgetItem* addFinding(QListWidget& list, Mark mark, const QString& text);

} // namespace tendon::editor

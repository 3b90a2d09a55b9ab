#pragma once

#include "core/base/Issue.h"

#include <QIcon>
#include <QString>

class QListWidget;
class QListWidgetItem;

namespace tendon::editor {

/// How good or bad something is, as it is shown everywhere: by an outline, a colour and a word.
enum class Mark { Ok, Info, Warning, Error };

struct MarkLook
{
    const char* icon;
    const char* token;   ///< colour
    const char* message; ///< property "message" of a frame in the style sheet
    QString word;        ///< for who sees neither: "Warning"
};

[[nodiscard]] Mark markOf(Severity severity);
[[nodiscard]] MarkLook lookOf(Mark mark);
[[nodiscard]] QIcon iconOf(Mark mark);

/// Where it is and what it is.
[[nodiscard]] QString textOf(const Issue& issue);

/// Makes a list one of findings: their icons, words that wrap, and no selection.
void makeIssueList(QListWidget& list);
/// Adds a finding with its mark, which screen readers say before it.
QListWidgetItem* addFinding(QListWidget& list, Mark mark, const QString& text);

} // namespace tendon::editor

#pragma once

#include "core/base/Result.h"

#include <QJsonObject>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

struct Document;

/// Operations in order, each with the line of the text where it begins, those inside a group too.
struct Script
{
    struct Entry
    {
        QJsonObject operation;
        int line = 0;             ///< from 1
        int number = 0;           ///< from 1, counting operations; those of a group have the group's
        std::vector<Entry> inner; ///< of a group, in order
    };
    std::vector<Entry> entries;
};

/// Reads a JSON array of operations, or one operation per line (empty lines are skipped). Errors name the line.
[[nodiscard]] Result<Script> parseScript(std::string_view text);

/// What runScript() does with pending values before an operation that writes a file, and at the end of the script:
/// neither the file nor the scene holds them.
enum class OnPending {
    Leave,   ///< they stay pending
    Fail,    ///< an error that names them and the operation that posed them
    Key,     ///< keys them: the operation keyPending
    Discard, ///< discards them with a warning: the operation discardPending
};

struct RunOptions
{
    OnPending onPending = OnPending::Leave;
    std::string saveTo; ///< project file to write together with the script's files; empty = none
    std::function<void(int done, int count)> progress = {};
    std::string file = {}; ///< where the script was read from, which it does not write over; empty = nowhere
};

/// Carries out a whole script as one transaction. On an error, which names the line and the operation (of a group, the
/// one inside it), the document is as it was and no file has been written or changed, not even one that an earlier
/// operation asked for.
/// `document.messages` receives the messages of all operations.
[[nodiscard]] Result<void> runScript(Document& document, const Script& script, const RunOptions& options = {});

/// The operations, one per line, as parseScript() reads them.
[[nodiscard]] std::string scriptToText(const std::vector<QJsonObject>& operations);

} // namespace tendon

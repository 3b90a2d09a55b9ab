#pragma once

#include "core/document/Document.h"

#include <QJsonObject>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// Operations in order, each with the line of the text where it begins.
struct Script
{
    struct Entry
    {
        QJsonObject operation;
        int line = 0;   ///< from 1
        int number = 0; ///< from 1, counting operations
    };
    std::vector<Entry> entries;
};

/// Reads a JSON array of operations, or one operation a line (empty lines are skipped). Errors name the line.
[[nodiscard]] Result<Script> parseScript(std::string_view text);

struct RunOptions
{
    std::string saveTo; ///< a project to write with the script's own files, empty = none
    std::function<void(int done, int count)> progress;
};

/// Carries out all of a script or nothing: on an error, which names the line and the operation, the document is as it
/// was and no file has been written or changed, also none that an operation before it asked for. `document.messages`
/// gets what all operations had to say.
[[nodiscard]] Result<void> runScript(Document& document, const Script& script, const RunOptions& options = {});

/// The operations one a line, as parseScript reads them.
[[nodiscard]] std::string scriptToText(const std::vector<QJsonObject>& operations);

} // namespace tendon

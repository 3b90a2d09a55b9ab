#pragma once

#include <span>
#include <string_view>

namespace tendon {

/// A kind of file that is read as a model or written as an export. One table for the export's check, file dialogs and
/// help.
struct FileFormat
{
    std::string_view title;  ///< "Collada"
    std::string_view suffix; ///< in lower case, without the dot
    bool isRead = false;
    bool isWritten = false;
};

[[nodiscard]] std::span<const FileFormat> fileFormats();                 ///< the usual ones first
[[nodiscard]] const FileFormat* findFileFormat(std::string_view suffix); ///< null = there is none

} // namespace tendon

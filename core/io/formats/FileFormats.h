#pragma once

#include <span>
#include <string_view>

namespace tendon {

/// A kind of file that can be imported. One table for file dialogs and help; what can be written has its own
/// (export/Exporter.h).
struct FileFormat
{
    std::string_view title;  ///< "Collada"
    std::string_view suffix; ///< in lower case, without the dot
    bool carriesMotion;      ///< animations can be in it, not only a model
};

[[nodiscard]] std::span<const FileFormat> fileFormats();                 ///< the usual ones first
[[nodiscard]] const FileFormat* findFileFormat(std::string_view suffix); ///< null = there is none

} // namespace tendon

#pragma once

#include <QString>

namespace tendon::editor {

// What file dialogs offer, from the tables of import formats and exporters.

[[nodiscard]] QString modelFilters();                      ///< to import: all that are read, then each, then all files
[[nodiscard]] QString openFilters();                       ///< projects and models
[[nodiscard]] QString exportFilters();                     ///< to write: each by itself
[[nodiscard]] QString exportFilter(const QString& suffix); ///< the one of exportFilters() for a suffix

} // namespace tendon::editor

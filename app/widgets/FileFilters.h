#pragma once

#include <QString>

namespace tendon::editor {

// What file dialogs offer, from the tables of import formats and exporters.

[[nodiscard]] QString modelFilters();  ///< importable formats: all of them, then each, then all files
[[nodiscard]] QString motionFilters(); ///< the same of formats that carry motion
[[nodiscard]] QString openFilters();   ///< projects and models
[[nodiscard]] QString exportFilters(); ///< exportable formats, each by itself
[[nodiscard]] QString exportFilter(const QString& suffix); ///< the filter in exportFilters() for a suffix

} // namespace tendon::editor

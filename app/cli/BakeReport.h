#pragma once

#include "core/document/ExportJob.h"

#include <QJsonObject>

#include <string>

namespace tendon::cli {

/// The report of `tendon bake`, as described in the manual.
[[nodiscard]] QJsonObject bakeReport(const std::string& file, const ExportOutcome& outcome);

/// The same in a few lines: a line per clip, then the size of the file and what the read-back found.
[[nodiscard]] std::string bakeSummary(const std::string& file, const ExportOutcome& outcome);

} // namespace tendon::cli

#pragma once

#include "core/solve/ClipComparison.h"
#include "core/solve/SolveRecording.h"

#include <string>

namespace tendon::editor {

/// What the tab Compare shows, as comma-separated values: a line of names with units, then a line for each row; metres,
/// radians and seconds. Cells without a value are empty.
[[nodiscard]] std::string tableCsv(const SolveRecording& recording, std::int32_t frame); ///< a row for each solver
[[nodiscard]] std::string clipCsv(std::span<const ClipScore> scores);                    ///< a row for each solver
[[nodiscard]] std::string convergenceCsv(const SolveRecording& recording); ///< a row for each step of each solver
/// A row for each stage that a solver records: candidates, their mean, ellipses, and where each stage puts its joint.
/// `rig` is the recording's.
[[nodiscard]] std::string stagesCsv(const SolveRecording& recording, const CompiledRig& rig);

} // namespace tendon::editor

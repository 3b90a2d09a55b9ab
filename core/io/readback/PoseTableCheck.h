#pragma once

#include "core/base/Result.h"
#include "core/io/readback/Original.h"
#include "core/io/readback/ReadBack.h"

#include <string>

namespace tendon {

/// Reads a pose table (.json or .csv) from disk and compares it with the original: world positions and angles of all
/// joints at all samples; in a JSON table also the axes, and the world transforms that follow from the local ones.
[[nodiscard]] Result<ReadBack> checkPoseTable(const std::string& path, const Original& original);

} // namespace tendon

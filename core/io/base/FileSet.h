#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendon {

/// A file to be written, `name` relative to a folder with '/' between its parts.
struct OutputFile
{
    std::string name;
    std::vector<std::uint8_t> bytes;
};

/// Writes files that belong together into `folder`: all of them are complete on the disk before the first takes its
/// place, and they do so in the order given (the one that refers to the others comes last). When that fails halfway,
/// files that were not there before are removed again. A file beside (any but the last) that is there already with
/// other content is not replaced unless `mayReplace` names it: it may be someone else's. Returns the number of bytes of
/// all.
[[nodiscard]] Result<std::int64_t> writeFiles(const std::string& folder, const std::vector<OutputFile>& files,
                                              const std::vector<std::string>& mayReplace = {});

} // namespace tendon

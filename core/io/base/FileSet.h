#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendon {

/// A file to be written; `name` is relative to a folder, with '/' as separator.
struct OutputFile
{
    std::string name;
    std::vector<std::uint8_t> bytes;
};

/// Error: `folder` already has one of the files (any but the last) with other content, and `mayReplace` does not name
/// it: it may belong to something else.
[[nodiscard]] Result<void> checkFilesBeside(const std::string& folder, const std::vector<OutputFile>& files,
                                            const std::vector<std::string>& mayReplace);

/// Writes files into `folder`, which is a FileStage's, in the given order. Returns the total number of bytes.
[[nodiscard]] Result<std::int64_t> writeFiles(const std::string& folder, const std::vector<OutputFile>& files);

} // namespace tendon

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

/// Writes files that belong together into `folder`. All of them are complete on disk before the first one is renamed to
/// its final name; they are renamed in the given order, so the file that refers to the others comes last. If that fails
/// halfway, files that did not exist before are removed. An existing file with other content, except the last one, is
/// replaced only if `mayReplace` names it: it may belong to something else. Returns the total number of bytes.
[[nodiscard]] Result<std::int64_t> writeFiles(const std::string& folder, const std::vector<OutputFile>& files,
                                              const std::vector<std::string>& mayReplace = {});

} // namespace tendon

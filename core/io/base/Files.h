#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tendon {

/// A file's bytes. Errors: not there, not a file, not readable, larger than `maxBytes`.
[[nodiscard]] Result<std::string> readFile(const std::string& path, std::int64_t maxBytes = std::int64_t{1} << 31);

/// Writes one file by a FileStage: whole or not at all, and only over what may be replaced.
[[nodiscard]] Result<void> writeFile(const std::string& path, std::string_view bytes);

/// Writes bytes into a file that nobody else knows yet, as those of a FileStage are.
[[nodiscard]] Result<void> writePlainFile(const std::string& path, std::string_view bytes);

/// True when both paths lead to one existing file or folder, by links too.
[[nodiscard]] bool isSameFile(const std::string& a, const std::string& b);

/// SHA-256 of bytes, lower-case hex.
[[nodiscard]] std::string sha256(std::string_view bytes);

} // namespace tendon

#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tendon {

/// A file's bytes. Errors: not there, not a file, not readable, larger than `maxBytes`.
[[nodiscard]] Result<std::string> readFile(const std::string& path, std::int64_t maxBytes = std::int64_t{1} << 31);

/// Writes a file whole or not at all: on failure an existing file is as it was and nothing is left over.
[[nodiscard]] Result<void> writeFile(const std::string& path, std::string_view bytes);

/// True when both paths lead to one existing file or folder.
[[nodiscard]] bool isSameFile(const std::string& a, const std::string& b);

/// SHA-256 of bytes, lower-case hex.
[[nodiscard]] std::string sha256(std::string_view bytes);

} // namespace tendon

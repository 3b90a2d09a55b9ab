#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// A model's file and its folder, the only place that names inside the file may refer to. A name is accepted only if it
/// is relative, has no "..", and leads to a regular file inside the folder after links have been followed.
class ModelFolder
{
public:
    /// A file on disk. Errors: missing, not a regular file, too large, unreadable.
    static Result<ModelFolder> open(const std::string& path);
    /// A self-contained model, such as one embedded in a project: names refer to nothing.
    static ModelFolder fromBytes(std::string name, std::vector<std::uint8_t> bytes);

    [[nodiscard]] const std::string& fileName() const { return m_fileName; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return m_bytes; }

    /// The file that a URI names, percent-decoded; not for data URIs. Errors: refused, missing, unreadable, too large.
    /// The limit on size counts all files together.
    [[nodiscard]] Result<std::vector<std::uint8_t>> read(std::string_view uri);

private:
    ModelFolder() = default;

    std::string m_fileName;
    std::string m_folder; ///< real path; empty = none
    std::vector<std::uint8_t> m_bytes;
    std::size_t m_bytesRead = 0;
};

/// Decodes percent escapes; malformed ones are kept.
[[nodiscard]] std::string percentDecoded(std::string_view text);

} // namespace tendon

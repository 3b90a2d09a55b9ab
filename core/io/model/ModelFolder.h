#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// A model's file and the folder it stands in: the only place from which names inside the file may read. A name becomes
/// a path only when it is relative, does not climb, and leads to a plain file that (links followed) lies inside.
class ModelFolder
{
public:
    /// For a file on disk. Errors: not there, no plain file, too large, unreadable.
    static Result<ModelFolder> open(const std::string& path);
    /// For a model that is whole in itself, such as one kept inside a project: no name leads anywhere.
    static ModelFolder fromBytes(std::string name, std::vector<std::uint8_t> bytes);

    [[nodiscard]] const std::string& fileName() const { return m_fileName; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return m_bytes; }

    /// The file that a URI names. Percent escapes are undone first. `data:` is not for here. Errors: refused, missing,
    /// unreadable, too large; all files together are limited as one is.
    [[nodiscard]] Result<std::vector<std::uint8_t>> read(std::string_view uri);

private:
    ModelFolder() = default;

    std::string m_fileName;
    std::string m_folder; ///< real path; empty = none
    std::vector<std::uint8_t> m_bytes;
    std::size_t m_bytesRead = 0;
};

/// Undoes percent escapes; a malformed one stays as it stands.
[[nodiscard]] std::string percentDecoded(std::string_view text);

} // namespace tendon

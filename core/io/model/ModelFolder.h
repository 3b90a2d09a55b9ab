#pragma once

#include "core/base/Result.h"
#include "core/io/base/Descriptor.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// Opens the file that a URI names, for reading (CompanionFiles::open(), or requestFile() across a process).
using OpenCompanion = std::function<Result<Descriptor>(std::string_view uri)>;

/// What readers see of a model: its bytes, and those of the files beside it.
class ModelFolder
{
public:
    /// Errors: unreadable, or it changed while it was read.
    static Result<ModelFolder> read(std::string fileName, const Descriptor& file, OpenCompanion open);

    [[nodiscard]] const std::string& fileName() const { return m_fileName; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return m_bytes; }

    /// The bytes of the file that a URI names, percent-encoded; not for data URIs. Errors: those of opening;
    /// unreadable.
    [[nodiscard]] Result<std::vector<std::uint8_t>> read(std::string_view uri);

private:
    ModelFolder() = default;

    std::string m_fileName;
    std::vector<std::uint8_t> m_bytes;
    OpenCompanion m_open;
};

/// Decodes percent escapes; malformed ones are kept.
[[nodiscard]] std::string percentDecoded(std::string_view text);

} // namespace tendon

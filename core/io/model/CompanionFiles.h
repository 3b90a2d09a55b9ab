#pragma once

#include "core/base/Result.h"
#include "core/io/base/Descriptor.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace tendon {

/// Opens a model and the files beside it for a reader that cannot open files itself. The model's folder is the only
/// place that names inside the model may refer to: a name is accepted only if it is relative, has no "..", and leads to
/// a regular file inside the folder after links have been followed.
class CompanionFiles
{
public:
    /// A self-contained model, such as one embedded in a project: nothing stands beside it.
    CompanionFiles() = default;

    /// Opens the model itself; names refer to its folder from then on. Errors: missing, not a regular file, too large.
    [[nodiscard]] Result<Descriptor> openModel(const std::string& path);

    /// The file that a URI names, percent-encoded; not for data URIs. Errors: refused, missing, too large. The limit on
    /// size counts all files together.
    [[nodiscard]] Result<Descriptor> open(std::string_view uri);

private:
    [[nodiscard]] Result<Descriptor> openPlain(const std::string& path);

    std::string m_folder; ///< real path; empty = none
    std::size_t m_bytesOpened = 0;
};

} // namespace tendon

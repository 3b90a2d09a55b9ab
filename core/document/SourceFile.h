#pragma once

#include "core/document/Arguments.h"
#include "core/document/Draft.h"
#include "core/io/import/ModelImport.h"

namespace tendon {

/// Reads the model that the field "file" names, with the unit and the up axis that the operation gives.
[[nodiscard]] Result<ImportedModel> importFile(const Draft& draft, const Arguments& arguments);

/// The clip of a file that the field "clip" names; the first one where it is left out. Error: there is none, or no
/// such.
[[nodiscard]] Result<const Clip*> clipOfFile(const Scene& source, const Arguments& arguments);

/// The name of a new clip: the field "as", which must be free, else `wanted`, made free.
[[nodiscard]] Result<std::string> newClipName(const Scene& scene, const Arguments& arguments,
                                              const std::string& wanted);

} // namespace tendon

#pragma once

#include "core/io/formats/gltf/GltfFile.h"

#include <optional>
#include <string>
#include <string_view>

namespace tendon::gltf {

[[nodiscard]] bool isData(std::string_view uri);

/// The bytes of a "data:...;base64," URI.
[[nodiscard]] Result<Bytes> dataOf(std::string_view uri);

/// The media type of a data URI, "" when it names none.
[[nodiscard]] std::string mediaTypeOf(std::string_view dataUri);

/// The file that a URI names, relative to the folder of the .gltf, percent-decoded. None when it is anything else than
/// a plain relative path that stays within that folder: a scheme, an absolute path, "..", a backslash, a control
/// character.
[[nodiscard]] std::optional<std::string> localFileOf(std::string_view uri);

/// A file name as a URI: what needs it is percent-encoded.
[[nodiscard]] std::string uriOf(const std::string& fileName);

} // namespace tendon::gltf

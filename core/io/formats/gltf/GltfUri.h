#pragma once

#include "core/base/Result.h"
#include "core/io/formats/gltf/GltfJson.h"

#include <optional>
#include <string>
#include <string_view>

namespace tendon::gltf {

/// True for a data URI: one that holds the bytes themselves.
[[nodiscard]] bool isDataUri(std::string_view uri);

/// The bytes of a data URI, base64 (of either alphabet) or percent-encoded. Errors: incomplete, invalid base64.
[[nodiscard]] Result<Bytes> decodeDataUri(std::string_view uri);

/// The file that a URI names, relative to the folder of the .gltf, percent-decoded. Empty unless it is a plain relative
/// path within that folder: no scheme, absolute path, "..", backslash or control character.
[[nodiscard]] std::optional<std::string> localFileOf(std::string_view uri);

/// A file name as a URI, percent-encoded where necessary.
[[nodiscard]] std::string uriOf(const std::string& fileName);

} // namespace tendon::gltf

#pragma once

#include "core/io/formats/gltf/GltfFile.h"

#include <string_view>

namespace tendon::gltf {

/// Reads a .glb or .gltf in order to edit it: the container, and checks that everything an export walks through (nodes,
/// buffers, accessors, animations, ...) is an array of objects with indices in range and without cycles. `bin` ends
/// where buffers[0] does, and hasBin says that buffers[0] is the BIN chunk. Files beside a .gltf are not opened. Errors
/// name the place as a JSON pointer.
[[nodiscard]] Result<GltfFile> parseGltf(std::string_view bytes);

/// A member that is an array; an empty array otherwise.
[[nodiscard]] const Json& arrayOf(const Json& object, const char* name);

/// A member that is an index (0 ... count - 1); -1 if it is absent or anything else.
[[nodiscard]] int indexOf(const Json& object, const char* name, std::size_t count);

} // namespace tendon::gltf

#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <vector>

namespace tendon::gltf {

/// JSON whose members keep their order, so that what is not edited is written as it was read.
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

} // namespace tendon::gltf

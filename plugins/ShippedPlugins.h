#pragma once

#include <span>
#include <string_view>

namespace tendon {

/// SHA-256 of the plugin libraries that this program is built with, in lower-case hexadecimal digits.
[[nodiscard]] std::span<const std::string_view> shippedPlugins();

} // namespace tendon

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tendon {

/// The media type of an image by its first bytes, whatever its name says: PNG, JPEG, WebP or KTX2; empty for anything
/// else.
[[nodiscard]] inline std::string pictureTypeOf(std::span<const std::uint8_t> bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
    if (text.starts_with("\xff\xd8\xff")) return "image/jpeg";
    if (text.starts_with("RIFF") && text.substr(0, 12).ends_with("WEBP")) return "image/webp";
    if (text.starts_with("\xabKTX 20\xbb")) return "image/ktx2";
    return {};
}

} // namespace tendon

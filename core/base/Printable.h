#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace tendon {

/// UTF-8 text as it may be sent to a terminal: whatever would control the terminal or reorder the text, and bytes that
/// are not UTF-8, become escapes such as \x1b and \u{202e}. Line breaks stay.
[[nodiscard]] inline std::string printable(std::string_view text)
{
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto escaped = [](const char* form, unsigned value) {
        char escape[16];
        std::snprintf(escape, sizeof escape, form, value);
        return std::string(escape);
    };
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const unsigned char first = byteAt(i);
        const std::size_t length = first < 0x80       ? 1
                                   : first >> 5 == 6  ? 2
                                   : first >> 4 == 14 ? 3
                                   : first >> 3 == 30 ? 4
                                                      : 0;
        std::uint32_t code = length <= 1 ? first : first & (0x7FU >> length);
        bool isWhole = length > 0 && i + length <= text.size();
        for (std::size_t k = 1; isWhole && k < length; ++k) {
            isWhole = byteAt(i + k) >> 6 == 2;
            code = code << 6 | (byteAt(i + k) & 0x3FU);
        }
        const bool controls = code < 0x20 || (code >= 0x7F && code < 0xA0);
        const bool reorders = (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
                              (code >= 0x2066 && code <= 0x2069);
        if (!isWhole)
            result += escaped("\\x%02x", first);
        else if (controls && code != '\n')
            result += escaped("\\x%02x", code);
        else if (reorders)
            result += escaped("\\u{%04x}", code);
        else
            result += text.substr(i, length);
        i += isWhole ? length : 1;
    }
    return result;
}

/// The same on one line, with the middle left out of what is longer than `maxBytes`.
[[nodiscard]] inline std::string printableLine(std::string text, std::size_t maxBytes = 2000)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    if (text.size() > maxBytes) {
        const auto isInside = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
        std::size_t begin = maxBytes * 3 / 4, end = text.size() - maxBytes / 4;
        while (begin > 0 && isInside(begin)) --begin;
        while (end < text.size() && isInside(end)) ++end;
        text.replace(begin, end - begin, " ... ");
    }
    return printable(text);
}

} // namespace tendon

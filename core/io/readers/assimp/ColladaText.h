#pragma once

#include <string>
#include <string_view>

namespace tendon::assimp {

/// The value of an attribute in XML text: `meter` of <unit>. Enough for what is asked of COLLADA here.
inline std::string_view attribute(std::string_view text, std::string_view element, std::string_view name)
{
    const std::size_t begin = text.find("<" + std::string(element));
    if (begin == std::string_view::npos) return {};
    const std::string_view tag = text.substr(begin, text.find('>', begin) - begin);
    const std::size_t at = tag.find(std::string(name) + "=");
    if (at == std::string_view::npos || at + name.size() + 2 >= tag.size()) return {};
    const std::string_view value = tag.substr(at + name.size() + 2);
    return value.substr(0, value.find_first_of("\"'"));
}

} // namespace tendon::assimp

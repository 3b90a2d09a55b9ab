#include "core/io/assimp/FbxTakes.h"

#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace tendon::assimp {
namespace {

using namespace std::string_view_literals;

constexpr double kTicksPerSecond = 46'186'158'000;
constexpr std::size_t kFarthest = 4096; ///< bytes from a stack's name to its own properties

/// "S", its length and text, as often as `count`; then "L" and a number. Nothing where the bytes say otherwise.
std::optional<std::int64_t> numberAfterTexts(std::string_view bytes, int count)
{
    for (; count > 0; --count) {
        std::uint32_t length = 0;
        if (bytes.size() < 5 || bytes[0] != 'S') return std::nullopt;
        std::memcpy(&length, bytes.data() + 1, sizeof length);
        if (length > bytes.size() - 5) return std::nullopt;
        bytes.remove_prefix(5 + length);
    }
    std::int64_t number = 0;
    if (bytes.size() < 9 || bytes[0] != 'L') return std::nullopt;
    std::memcpy(&number, bytes.data() + 1, sizeof number);
    return number;
}

/// Binary: the name's record is its text, a mark and the class; the property is "LocalStart" "KTime" "Time" "" number.
std::vector<FbxTake> takesOfBinary(std::string_view file)
{
    constexpr auto kClass = "\0\1AnimStack"sv, kProperty = "LocalStart"sv;
    std::vector<FbxTake> takes;
    for (auto at = file.find(kClass); at != file.npos; at = file.find(kClass, at + 1)) {
        // The text's length stands four bytes before it: the one distance at which it is right.
        std::size_t length = 0;
        std::uint32_t stated = 0;
        for (; length < 1024 && at >= length + 5; ++length) {
            std::memcpy(&stated, file.data() + at - length - 4, sizeof stated);
            if (stated == length + kClass.size() && file[at - length - 5] == 'S') break;
        }
        if (stated != length + kClass.size()) continue;
        const auto rest = file.substr(at + kClass.size(), kFarthest);
        const auto property = rest.substr(0, rest.find(kClass)).find(kProperty);
        if (property == rest.npos) continue;
        if (const auto ticks = numberAfterTexts(rest.substr(property + kProperty.size()), 3))
            takes.push_back({std::string(file.substr(at - length, length)), static_cast<double>(*ticks) / kTicksPerSecond});
    }
    return takes;
}

/// Text: `AnimationStack: 12, "AnimStack::NAME", "" { Properties70: { P: "LocalStart", "KTime", "Time", "",NUMBER`
std::vector<FbxTake> takesOfText(std::string_view file)
{
    constexpr auto kClass = "\"AnimStack::"sv, kProperty = "\"LocalStart\""sv;
    std::vector<FbxTake> takes;
    for (auto at = file.find(kClass); at != file.npos; at = file.find(kClass, at + 1)) {
        const auto name = file.substr(at + kClass.size(), 1024);
        auto body = file.substr(at + kClass.size(), kFarthest);
        body = body.substr(0, body.find(kClass));
        body = body.substr(0, body.find("\n\t}"sv));
        const auto property = body.find(kProperty);
        if (property == body.npos || name.find('"') == name.npos) continue;
        const auto line = body.substr(property, body.find('\n', property) - property);
        const auto comma = line.rfind(',');
        std::int64_t ticks = 0;
        if (comma == line.npos ||
            std::from_chars(line.data() + comma + 1, line.data() + line.size(), ticks).ec != std::errc())
            continue;
        takes.push_back({std::string(name.substr(0, name.find('"'))), static_cast<double>(ticks) / kTicksPerSecond});
    }
    return takes;
}

} // namespace

std::vector<FbxTake> takesOf(std::span<const std::uint8_t> file)
{
    const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
    return bytes.starts_with("Kaydara FBX Binary"sv) ? takesOfBinary(bytes) : takesOfText(bytes);
}

} // namespace tendon::assimp

#include "core/roles/RoleNames.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>

namespace tendon {
namespace {

constexpr std::array<std::string_view, 55> kBodyRoles = {
    "hips",
    "spine",
    "chest",
    "upperChest",
    "neck",
    "head",
    "jaw",
    "leftEye",
    "rightEye",
    "leftUpperLeg",
    "leftLowerLeg",
    "leftFoot",
    "leftToes",
    "rightUpperLeg",
    "rightLowerLeg",
    "rightFoot",
    "rightToes",
    "leftShoulder",
    "leftUpperArm",
    "leftLowerArm",
    "leftHand",
    "rightShoulder",
    "rightUpperArm",
    "rightLowerArm",
    "rightHand",
    "leftThumbMetacarpal",
    "leftThumbProximal",
    "leftThumbDistal",
    "leftIndexProximal",
    "leftIndexIntermediate",
    "leftIndexDistal",
    "leftMiddleProximal",
    "leftMiddleIntermediate",
    "leftMiddleDistal",
    "leftRingProximal",
    "leftRingIntermediate",
    "leftRingDistal",
    "leftLittleProximal",
    "leftLittleIntermediate",
    "leftLittleDistal",
    "rightThumbMetacarpal",
    "rightThumbProximal",
    "rightThumbDistal",
    "rightIndexProximal",
    "rightIndexIntermediate",
    "rightIndexDistal",
    "rightMiddleProximal",
    "rightMiddleIntermediate",
    "rightMiddleDistal",
    "rightRingProximal",
    "rightRingIntermediate",
    "rightRingDistal",
    "rightLittleProximal",
    "rightLittleIntermediate",
    "rightLittleDistal",
};

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> list)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

/// Without a number from 1 up at the end; unchanged if there is none.
std::string_view withoutNumber(std::string_view name)
{
    const auto last = name.find_last_not_of("0123456789");
    if (last == std::string_view::npos || last + 1 == name.size() || name[last + 1] == '0') return name;
    return name.substr(0, last + 1);
}

/// Without its side; the rest begins as it stands, "UpperArm".
std::string_view withoutSide(std::string_view name)
{
    if (name.starts_with("left")) return name.substr(4);
    if (name.starts_with("right")) return name.substr(5);
    return {};
}

/// "Leg2Upper" of a body with many legs.
bool isOfManyLegs(std::string_view part)
{
    if (!part.starts_with("Leg")) return false;
    const std::string_view rest = part.substr(3);
    const auto word = rest.find_first_not_of("0123456789");
    return word != 0 && word != std::string_view::npos && rest[0] != '0' &&
           isOneOf(rest.substr(word), {"Upper", "Lower", "Foot"});
}

bool isLink(std::string_view name)
{
    if (name.starts_with("arm")) {
        const auto word = name.find_first_not_of("0123456789", 3);
        if (word == 3 || word == std::string_view::npos || name[3] == '0') return false;
        name = name.substr(word);
    }
    return withoutNumber(name) == "link" && name != "link";
}

} // namespace

std::span<const std::string_view> bodyRoles() { return kBodyRoles; }

bool isRoleName(std::string_view name)
{
    if (name == "root" || isLink(name)) return true;
    if (std::find(kBodyRoles.begin(), kBodyRoles.end(), name) != kBodyRoles.end()) return true;
    const std::string_view plain = withoutNumber(name);
    if (plain != name && isOneOf(plain, {"tail", "ear", "wing", "fin"})) return true;
    const std::string_view part = withoutSide(name);
    if (part.empty()) return false;
    const std::string_view plainPart = withoutNumber(part);
    if (plainPart != part && isOneOf(plainPart, {"Ear", "Wing", "Fin", "Tail"})) return true;
    if (isOneOf(part, {"IndexMetacarpal", "MiddleMetacarpal", "RingMetacarpal", "LittleMetacarpal"})) return true;
    for (const std::string_view pair : {"Front", "Hind"})
        if (part.starts_with(pair))
            return isOneOf(part.substr(pair.size()), {"Shoulder", "UpperLeg", "LowerLeg", "Foot", "Toes"});
    return isOfManyLegs(part);
}

Side sideOfRole(std::string_view role)
{
    const std::string_view part = withoutSide(role);
    if (part.empty() || std::isupper(static_cast<unsigned char>(part[0])) == 0) return Side::Centre;
    return role.starts_with("left") ? Side::Left : Side::Right;
}

bool isFingerRole(std::string_view role)
{
    for (const std::string_view finger : {"Thumb", "Index", "Middle", "Ring", "Little"})
        if (role.find(finger) != std::string_view::npos) return true;
    return false;
}

std::string mirroredRole(std::string_view role)
{
    const Side side = sideOfRole(role);
    if (side == Side::Centre) return std::string(role);
    return (side == Side::Left ? "right" : "left") + std::string(withoutSide(role));
}

std::string roleInWords(std::string_view role)
{
    std::string words;
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t i = 0; i < role.size(); ++i) {
        const char c = role[i];
        const bool isUpper = std::isupper(static_cast<unsigned char>(c)) != 0;
        if (i > 0 && (isUpper || isDigit(c) != isDigit(role[i - 1]))) words += ' ';
        words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return words;
}

} // namespace tendon

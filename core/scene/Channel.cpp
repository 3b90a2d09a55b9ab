#include "core/scene/Channel.h"

namespace tendon {
namespace {

constexpr std::array<std::string_view, kPropertyCount> kNames = {
    "tx",   "ty",    "tz",    "rx",    "ry", "rz", "sx", "sy", "sz", "rotation", "goal.position", "goal.rotation",
    "pole", "twist", "blend", "weight"};

} // namespace

int componentCount(Property property)
{
    if (isQuaternion(property)) return 4;
    return property == Property::GoalPosition || property == Property::Pole ? 3 : 1;
}

std::string_view propertyName(Property property) { return kNames[static_cast<std::size_t>(property)]; }

std::optional<Property> propertyFromName(std::string_view name)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == name) return static_cast<Property>(i);
    return std::nullopt;
}

} // namespace tendon

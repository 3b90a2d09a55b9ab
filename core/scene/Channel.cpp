#include "core/scene/Channel.h"

#include <algorithm>
#include <string>

namespace tendon {
namespace {

using Names = std::array<std::string, kPropertyCount>;

Names makeNames()
{
    Names names = {"tx",
                   "ty",
                   "tz",
                   "rx",
                   "ry",
                   "rz",
                   "sx",
                   "sy",
                   "sz",
                   "rotation",
                   "goal.position",
                   "goal.rotation",
                   "pole",
                   "twist",
                   "blend",
                   "weight",
                   "roll",
                   "space",
                   "pole.space"};
    for (int i = 0; i < kMaxCurvePoints; ++i)
        names[static_cast<std::size_t>(curvePoint(i))] = "curve." + std::to_string(i);
    return names;
}

const Names& allNames()
{
    static const Names names = makeNames();
    return names;
}

} // namespace

std::string_view layerName(Layer layer) { return layer == Layer::Keys ? "keys" : "corrections"; }

std::optional<Layer> layerFromName(std::string_view name)
{
    for (const Layer layer : {Layer::Keys, Layer::Corrections})
        if (name == layerName(layer)) return layer;
    return std::nullopt;
}

int componentCount(Property property)
{
    if (isQuaternion(property)) return 4;
    return property == Property::GoalPosition || property == Property::Pole || isCurvePoint(property) ? 3 : 1;
}

std::string_view propertyName(Property property) { return allNames()[static_cast<std::size_t>(property)]; }

std::optional<Property> propertyFromName(std::string_view name)
{
    const auto found = std::find(allNames().begin(), allNames().end(), name);
    if (found == allNames().end()) return std::nullopt;
    return static_cast<Property>(found - allNames().begin());
}

} // namespace tendon

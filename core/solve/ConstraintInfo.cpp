#include "core/solve/ConstraintInfo.h"

#include <cassert>
#include <utility>
#include <vector>

namespace tendon {
namespace {

const char* const kDescriptions[] = {
    R"({"id": "org.tendon.parent", "alias": "parent", "name": "Parent constraint", "version": "1.0.0", "sdk": [2, 0],
        "summary": "The joint goes along with its goal, as if it were its child, and keeps its offset to it",
        "jointKinds": ["fixed", "revolute", "prismatic", "universal", "ball", "axes", "free"],
        "features": ["pose-goal", "position-goal", "hard-limits", "closed-form"], "chain": {"maxJoints": 1},
        "parameters": []})",
    R"({"id": "org.tendon.aim", "alias": "aim", "name": "Aim constraint", "version": "1.0.0", "sdk": [2, 0],
        "summary": "An axis of the joint points at its goal; another one may be kept upright, or toward a pole",
        "jointKinds": ["fixed", "revolute", "prismatic", "universal", "ball", "axes", "free"],
        "features": ["aim-goal", "pole", "hard-limits", "closed-form"], "chain": {"maxJoints": 1},
        "parameters": [
          {"id": "up", "label": "Up axis", "group": "Roll", "unit": "", "kind": "enum",
           "values": ["none", "x", "y", "z", "-x", "-y", "-z"], "default": "none",
           "doc": "Axis of the joint that is turned toward the pole, or without a pole up (+Y of the world), as far as the aim allows. none: the joint turns from its FK pose to its aim by the shortest way. Where the aim comes within 20 degrees of straight up or down, the up direction is tilted aside by up to 10 degrees, so that an aim that passes overhead turns the joint round smoothly."}
        ]})",
    R"({"id": "org.tendon.copy", "alias": "copy", "name": "Copy constraint", "version": "1.0.0", "sdk": [2, 0],
        "summary": "Chosen axes of the joint are where those of its goal are, in the world or as far from rest as another joint's",
        "jointKinds": ["fixed", "revolute", "prismatic", "universal", "ball", "axes", "free"],
        "features": ["pose-goal", "position-goal", "hard-limits", "closed-form"], "chain": {"maxJoints": 1},
        "parameters": [
          {"id": "space", "label": "Space", "group": "Copy", "unit": "", "kind": "enum", "values": ["world", "local"], "default": "world",
           "doc": "world: the joint is where its goal is. local: it is as far from its rest pose as the joint that it follows is from its own, each in the space of its parent; where they are in the world does not matter."},
          {"id": "tx", "label": "Position X", "group": "Copy", "unit": "", "kind": "bool", "default": true, "doc": "Whether the channel tx of the joint is copied; it keeps its FK value otherwise."},
          {"id": "ty", "label": "Position Y", "group": "Copy", "unit": "", "kind": "bool", "default": true, "doc": "The same for ty."},
          {"id": "tz", "label": "Position Z", "group": "Copy", "unit": "", "kind": "bool", "default": true, "doc": "The same for tz."},
          {"id": "rx", "label": "Rotation X", "group": "Copy", "unit": "", "kind": "bool", "default": true, "doc": "Whether the angle rx of the joint is copied, in its rotation order; it keeps its FK angle otherwise."},
          {"id": "ry", "label": "Rotation Y", "group": "Copy", "unit": "", "kind": "bool", "default": true, "doc": "The same for ry."},
          {"id": "rz", "label": "Rotation Z", "group": "Copy", "unit": "", "kind": "bool", "default": true, "doc": "The same for rz."}
        ]})",
};

std::vector<SolverInfo> readInfos()
{
    std::vector<SolverInfo> infos;
    for (const char* json : kDescriptions) {
        auto info = parseSolverInfo(json);
        assert(info);
        info->features.emplace_back("constraint");
        infos.push_back(*std::move(info));
    }
    return infos;
}

} // namespace

std::span<const SolverInfo> constraintInfos()
{
    static const std::vector<SolverInfo> infos = readInfos();
    return infos;
}

const SolverInfo* findConstraint(std::string_view idOrAlias)
{
    for (const SolverInfo& info : constraintInfos())
        if (info.alias == idOrAlias || info.id == idOrAlias) return &info;
    return nullptr;
}

} // namespace tendon

#include "core/io/import/SceneBuilder.h"

#include <algorithm>
#include <cstdio>

namespace tendon {
namespace {

/// Where an axis comes to stand so that it keeps its limits: `value` or the nearer limit.
double within(const AxisFreedom& axis, double value)
{
    return axis.limited ? std::clamp(value, axis.lower(), axis.upper()) : value;
}

std::string moved(char axis, bool turns, double from, double to)
{
    constexpr double kDegrees = 57.29577951308232;
    char text[120];
    if (turns)
        std::snprintf(text, sizeof text, "its rest pose is beyond its limits: it is set to %g degrees about %c",
                      to * kDegrees, axis);
    else
        std::snprintf(text, sizeof text,
                      "its rest pose is beyond its limits: it is set to %g m along %c instead of %g m", to, axis, from);
    return text;
}

} // namespace

void applyFreedoms(const SourceModel& model, const JointPlan& plan, Scene& scene, Issues& issues)
{
    const double metres = model.metresPerUnit;
    std::vector<Joint> joints = scene.joints->toVector();
    for (const SourceFreedoms& from : model.freedoms) {
        const std::int32_t entry = plan.entryOfNode[static_cast<std::size_t>(from.node)];
        if (entry < 0) continue;
        Joint& joint = joints[static_cast<std::size_t>(entry)];
        joint.turning = from.turning;
        joint.sliding = from.sliding;
        joint.turningRates.speed = from.turningSpeed;
        joint.slidingRates.speed = from.slidingSpeed * metres;
        joint.segment = from.segment;
        joint.segment.size *= metres;
        joint.segment.offset *= metres;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            AxisFreedom& slide = joint.sliding[axis];
            slide.from *= metres;
            slide.to *= metres;
            const char letter = static_cast<char>('x' + axis);
            const auto keepWithin = [&](const AxisFreedom& freedom, double rest, Property property, bool turns) {
                const double value = within(freedom, rest);
                if (!freedom.active || value == rest) return;
                scene.statics.edit()[{joint.id.value, property}] = {value};
                issues.push_back(
                    {Severity::Info, moved(letter, turns, rest, value), "joint " + joint.name, joint.id.value});
            };
            const auto index = static_cast<int>(axis);
            keepWithin(joint.turning[axis], 0, static_cast<Property>(static_cast<int>(Property::Rx) + index), true);
            keepWithin(slide, joint.rest.translation[index],
                       static_cast<Property>(static_cast<int>(Property::Tx) + index), false);
        }
    }
    scene.joints = std::move(joints);
}

} // namespace tendon

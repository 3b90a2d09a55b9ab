#include "core/document/DrivenJoints.h"

#include "core/document/Posing.h"

#include <algorithm>

namespace tendon {
namespace {

bool isActive(const AxisFreedom& axis) { return axis.active; }

/// Whether a solve may change the property.
bool mayMove(const Joint& joint, Property property)
{
    if (property <= Property::Tz) return joint.sliding[static_cast<std::size_t>(property)].active;
    if (property == Property::Rotation)
        return joint.ball || std::any_of(joint.turning.begin(), joint.turning.end(), isActive);
    if (property > Property::Rz) return false; // scale
    const auto axis = static_cast<std::size_t>(property) - static_cast<std::size_t>(Property::Rx);
    return joint.ball || joint.turning[axis].active;
}

/// Whether the joint is between the handle's start and end, below every terminator.
bool isInChain(const Scene& scene, const Handle& handle, JointId joint)
{
    for (const Joint* at = scene.find(handle.end); at != nullptr && !at->isTerminator; at = scene.find(at->parent)) {
        if (at->id == joint) return true;
        if (at->id == handle.start) return false;
    }
    return false;
}

} // namespace

const Handle* drivingHandle(const Draft& draft, const Joint& joint, Property property)
{
    if (!mayMove(joint, property)) return nullptr;
    for (const Handle& handle : *draft.scene.handles) {
        if (!isInChain(draft.scene, handle, joint.id)) continue;
        const bool turns = property > Property::Tz;
        const bool isEndLeftAlone = handle.orientationWeight == 0 && handle.offset.isZero();
        if (turns && joint.id == handle.end && isEndLeftAlone) continue;
        const auto value = [&](Property p) { return channelValue(draft, {handle.id.value, p}, draft.time())[0]; };
        if (value(Property::Blend) >= 1 && value(Property::Weight) > 0) return &handle;
    }
    return nullptr;
}

void warnIfDriven(Draft& draft, JointId id, std::span<const Property> properties, const char* what)
{
    const Joint* joint = draft.scene.find(id);
    if (joint == nullptr) return;
    for (const Property property : properties) {
        const Handle* handle = drivingHandle(draft, *joint, property);
        if (handle == nullptr) continue;
        draft.say(Severity::Warning,
                  "its " + std::string(what) + " does not show, because the handle " + handle->name +
                      " drives it; switch the handle to FK, or lower its blend",
                  joint->name, id.value);
        return;
    }
}

} // namespace tendon

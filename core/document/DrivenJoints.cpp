#include "core/document/DrivenJoints.h"

#include "core/document/Posing.h"
#include "core/scene/Constraint.h"

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

/// Whether a constraint may change the property.
bool mayChange(const Handle& constraint, const Joint& joint, Property property)
{
    const ConstrainedAxes axes = constrainedAxes(constraint);
    if (property <= Property::Tz) {
        const bool slides = std::any_of(joint.sliding.begin(), joint.sliding.end(), isActive);
        return axes.slides[static_cast<std::size_t>(property)] && (!slides || mayMove(joint, property));
    }
    if (!mayMove(joint, property)) return false;
    return property == Property::Rotation
               ? axes.anyTurns()
               : axes.turns[static_cast<std::size_t>(property) - static_cast<std::size_t>(Property::Rx)];
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
    for (const Handle& handle : *draft.scene.handles) {
        const bool isMoved = isConstraint(handle)
                                 ? handle.end == joint.id && mayChange(handle, joint, property)
                                 : mayMove(joint, property) && isInChain(draft.scene, handle, joint.id);
        if (!isMoved) continue;
        const bool turns = property > Property::Tz;
        const bool isEndLeftAlone = handle.orientationWeight == 0 && handle.offset.isZero();
        if (turns && joint.id == handle.end && isEndLeftAlone && !isConstraint(handle)) continue;
        const auto value = [&](Property p) { return channelValue(draft, {handle.id.value, p}, draft.time())[0]; };
        const double weight = value(Property::Weight);
        if (value(Property::Blend) >= 1 && (isConstraint(handle) ? weight >= 1 : weight > 0)) return &handle;
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
                  "the " + std::string(what) + " does not show while the handle " + handle->name +
                      " drives this joint; switch the handle to FK, or lower its blend",
                  joint->name, id.value);
        return;
    }
}

} // namespace tendon

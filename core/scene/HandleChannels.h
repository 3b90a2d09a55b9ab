#pragma once

#include "core/scene/Constraint.h"
#include "core/scene/Handle.h"
#include "core/scene/Joint.h"

namespace tendon {

/// Whether the pose depends on a channel of a handle as it is set up. Keys of the others stay in the document, for the
/// time when they count again: those of the goal while the chain follows a curve, and the other way round.
[[nodiscard]] inline bool readsChannel(const Handle& handle, Property property)
{
    if (isCurvePoint(property)) return curveIndex(property) < handle.curvePoints;
    switch (property) {
    case Property::GoalPosition:
    case Property::GoalRotation: return !handle.hasCurve() && !copiesLocally(handle);
    case Property::PoleSpace:
    case Property::Pole: return handle.hasPole && !handle.poleTarget.isValid();
    case Property::Roll: return handle.hasCurve();
    default: return true;
    }
}

/// Whether the handle's curve begins at the chain's start wherever its first point is: the start joint cannot slide, or
/// the solver's setting "root" is "free" (its second choice).
[[nodiscard]] inline bool beginsAtStart(const Handle& handle, const Joint& start)
{
    const auto root = handle.parameters.find("root");
    if (root != handle.parameters.end() && root->second >= 1) return true;
    for (const AxisFreedom& axis : start.sliding)
        if (axis.active) return false;
    return true;
}

} // namespace tendon

#pragma once

#include "core/base/Id.h"
#include "core/math/Transform.h"

#include <map>
#include <string>
#include <vector>

namespace tendon {

/// An IK handle: makes the end joint (or a point of it) meet a goal by moving the joints from start to end.
/// What can be keyed (goal position and rotation, pole, twist, blend, weight) is not here but in the scene's static
/// values and clips, as for joints.
struct Handle
{
    HandleId id;
    std::string name;           ///< unique over joints and handles
    JointId start;              ///< topmost joint that may move
    JointId end;
    Vector3 offset = Vector3::Zero(); ///< [m] the effector: a point in the end joint's space

    std::string solver;         ///< alias: "dls", "two-bone", ...
    std::map<std::string, double> parameters; ///< those that differ from the solver's defaults

    double orientationWeight = 0; ///< 0 = the end joint's rotation is left alone
    std::int32_t priority = 1;    ///< 1 solves first, then 2, ... (Maya's numbering)
    bool hasPole = false;
    JointId poleTarget;           ///< the pole follows this joint; none = the channel "pole" holds a point in the world
    JointId follow;               ///< the goal moves with this joint; none = the world
    double soft = 0;              ///< 0 ... 0.5 share of the reach over which full extension is eased
    double stretch = 1;           ///< >= 1: bones may lengthen up to this factor
    bool isPinned = false;        ///< its goal holds its world place while other handles or joints are dragged
    bool isSticky = false;        ///< keeps its place while it has no keys
    std::vector<Vector3> curve;   ///< control points in the world (spline IK); empty = none

    double positionTolerance = 1e-4;  ///< [m]
    double rotationTolerance = 1e-3;  ///< [rad]
    std::int32_t maxIterations = 0;   ///< 0 = the solver's own default

    bool operator==(const Handle&) const = default;
};

} // namespace tendon

#pragma once

#include "core/base/Id.h"
#include "core/math/Transform.h"

#include <map>
#include <string>
#include <vector>

namespace tendon {

/// Soft wishes that choose among the poses that meet a handle's goal: weights, 0 = off. 1 pulls as hard as the pose
/// that the goal alone leads to holds on. What each compares with, decision 0013 says.
struct Objectives
{
    double restPose = 0;    ///< like the rest pose
    double naturalPose = 0; ///< like the joints' preferred angles
    double velocity = 0;    ///< like the pose one frame before
    double power = 0;       ///< with little mass moved since one frame before

    bool operator==(const Objectives&) const = default;
    [[nodiscard]] bool isAny() const { return restPose > 0 || naturalPose > 0 || wantMotion(); }
    /// True when the frame before has to be known.
    [[nodiscard]] bool wantMotion() const { return velocity > 0 || power > 0; }
};

/// An IK handle: makes the end joint (or a point of it) meet a goal by moving the joints from start to end.
/// What can be keyed (goal position and rotation, pole, twist, blend, weight) is not here but in the scene's static
/// values and clips, as for joints.
struct Handle
{
    HandleId id;
    std::string name; ///< unique over joints and handles
    JointId start;    ///< topmost joint that may move
    JointId end;
    Vector3 offset = Vector3::Zero(); ///< [m] the effector: a point in the end joint's space

    std::string solver;                       ///< alias: "dls", "two-bone", ...
    std::map<std::string, double> parameters; ///< those that differ from the solver's defaults

    double orientationWeight = 0; ///< 0 = the end joint's rotation is left alone
    std::int32_t priority = 1;    ///< 1 solves first, then 2, ... (Maya's numbering)
    bool hasPole = false;
    JointId poleTarget;         ///< the pole follows this joint; none = the channel "pole" holds a point in the world
    JointId follow;             ///< the goal moves with this joint; none = the world
    double soft = 0;            ///< 0 ... 0.5 share of the reach over which full extension is eased
    double stretch = 1;         ///< >= 1: bones may lengthen up to this factor
    bool isPinned = false;      ///< its goal holds its world place while other handles or joints are dragged
    bool isSticky = false;      ///< keeps its place while it has no keys
    std::vector<Vector3> curve; ///< control points in the world (spline IK); empty = none

    Objectives objectives;           ///< of the solve; handles that are solved together share the largest of each
    double positionTolerance = 1e-4; ///< [m]
    double rotationTolerance = 1e-3; ///< [rad]
    std::int32_t maxIterations = 0;  ///< 0 = the solver's own default

    bool operator==(const Handle&) const = default;
};

} // namespace tendon

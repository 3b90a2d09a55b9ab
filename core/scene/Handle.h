#pragma once

#include "core/base/Id.h"
#include "core/math/Transform.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// Weights of objectives that choose among the poses that meet a handle's goal; 0 = off. At 1 an objective counts as
/// much as staying at the pose that the goal alone leads to. See decision 0013.
struct Objectives
{
    double restPose = 0;    ///< near the rest pose
    double naturalPose = 0; ///< near the preferred angles
    double velocity = 0;    ///< near the pose one frame before
    double power = 0;       ///< moving little mass since one frame before

    bool operator==(const Objectives&) const = default;
    [[nodiscard]] bool isAny() const { return restPose > 0 || naturalPose > 0 || wantMotion(); }
    /// True if the frame before has to be known.
    [[nodiscard]] bool wantMotion() const { return velocity > 0 || power > 0; }
};

/// What a handle does with a goal beyond its reach.
enum class Unreachable {
    Stretch, ///< straightens the chain toward it
    Hold, ///< keeps the pose of the latest earlier frame of the clip at which the goal was in reach, else the FK pose
};

/// An IK handle: moves the joints from start to end so that the end joint (or a point of it) meets a goal, or points at
/// it.
/// What can be keyed (goal position and rotation, pole, twist, blend, weight) is stored in the scene's static values
/// and clips, as for joints.
struct Handle
{
    HandleId id;
    std::string name; ///< unique among joints and handles
    JointId start;    ///< topmost joint that it may move
    JointId end;
    Vector3 offset = Vector3::Zero(); ///< [m] the effector: a point in the end joint's space
    /// Unit vector in the end joint's space that points at the goal, seen from the effector, wherever that is. None =
    /// the effector meets the goal.
    std::optional<Vector3> aimAxis;

    std::string solver;                       ///< alias: "dls", "two-bone", ...
    std::map<std::string, double> parameters; ///< those that differ from the solver's defaults

    double orientationWeight = 0; ///< 0 = the goal's rotation is ignored
    std::int32_t priority = 1;    ///< where not all goals can be met, 1 comes first, then 2, ... (Maya's numbering)
    bool hasPole = false;
    JointId poleTarget; ///< the pole is at this joint; none = at the channel "pole", in the world
    JointId follow;     ///< the goal is in the space of this joint; none = the world
    double soft = 0;    ///< 0 ... 0.5: share of the reach over which the chain slows down before it is straight
    double stretch = 1; ///< >= 1: bones may lengthen up to this factor
    Unreachable unreachable = Unreachable::Stretch;
    bool isPinned = false;      ///< its goal stays in place in the world while others are dragged
    bool isSticky = false;      ///< holds the goal in place while it has no keys; has no effect yet
    std::vector<Vector3> curve; ///< control points in the world (spline IK); empty = none

    Objectives objectives;           ///< handles that are solved together use the largest of each
    double positionTolerance = 1e-4; ///< [m]
    double rotationTolerance = 1e-3; ///< [rad]
    std::int32_t maxIterations = 0;  ///< 0 = the solver's own default

    bool operator==(const Handle&) const = default;
};

} // namespace tendon

#pragma once

#include "core/base/Id.h"
#include "core/math/Transform.h"
#include "core/scene/Channel.h"

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

inline constexpr std::int32_t kMinCurvePoints = 2;

inline constexpr double kMinSquash = 0.01;

/// What a handle does with a goal beyond its reach.
enum class Unreachable {
    Stretch, ///< straightens the chain toward it
    Hold, ///< keeps the pose of the latest earlier frame of the clip at which the goal was in reach, else the FK pose
};

/// An IK handle: moves the joints from start to end so that the end joint (or a point of it) meets a goal, or points at
/// it. A handle with a curve lays its joints along the curve in place of that; it has a goal, too, for the time when
/// the curve is taken away. What can be keyed (goal position and rotation, pole, twist, blend, weight, roll, the
/// curve's control points) is stored in the scene's static values and clips, as for joints.
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
    JointId poleTarget; ///< the pole is at this joint; none = at the channel "pole"
    /// The goal, and the pole, are in the space of this joint, or of this handle's goal; 0 = the world. Keys of the
    /// channels "space" and "pole.space" take over in the clips that have any.
    ObjectId follow = 0, poleFollow = 0;
    std::vector<ObjectId> spaces; ///< what keys may have goal or pole follow beside the world, each once
    double soft = 0;    ///< 0 ... 0.5: share of the reach over which the chain slows down before it is straight
    double stretch = 1; ///< >= 1: bones may lengthen up to this factor
    double squash = 1;  ///< kMinSquash ... 1: bones may shorten to this factor rather than bend further than at rest
    Unreachable unreachable = Unreachable::Stretch;
    bool isPinned = false;        ///< its goal stays in place in the world while others are dragged
    bool isSticky = true;         ///< without keys its goal and pole stay in the world; else see isCarried()
    std::int32_t curvePoints = 0; ///< control points of the curve that the chain follows; 0 = it meets a goal
    JointId startUp;              ///< joint that the chain's start faces with the side that does so at rest; none = no
    JointId endUp;                ///< the same for the chain's last bone; twist counts from there

    Objectives objectives;           ///< handles that are solved together use the largest of each
    double positionTolerance = 1e-4; ///< [m]
    double rotationTolerance = 1e-3; ///< [rad]
    std::int32_t maxIterations = 0;  ///< 0 = the solver's own default

    [[nodiscard]] bool hasCurve() const { return curvePoints > 0; }
    /// Its goal and pole go along with the joint above its start as long as they have no keys: their static values are
    /// in the space of that joint. Keys and pending values are in the world.
    [[nodiscard]] bool isCarried() const { return !isSticky && !isPinned && follow == 0 && poleFollow == 0; }
    /// The joints and handles that it looks at, now or at some key: what moves one of these is solved before. What
    /// carries it is above its chain.
    [[nodiscard]] std::vector<ObjectId> followed() const;
    /// True if a key may have the goal or the pole follow this object; 0 = the world.
    [[nodiscard]] bool mayFollow(ObjectId object) const;
    bool operator==(const Handle&) const = default;
};

/// The channels of what the chain meets: the goal's position, and its rotation if that counts; or the curve's points.
[[nodiscard]] inline std::vector<Property> targetChannels(const Handle& handle)
{
    std::vector<Property> channels;
    for (int i = 0; i < handle.curvePoints; ++i) channels.push_back(curvePoint(i));
    if (handle.hasCurve()) return channels;
    channels.push_back(Property::GoalPosition);
    if (handle.orientationWeight > 0) channels.push_back(Property::GoalRotation);
    return channels;
}

} // namespace tendon

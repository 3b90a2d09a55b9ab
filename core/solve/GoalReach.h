#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"
#include "core/scene/GoalPose.h"

#include <span>
#include <string>
#include <vector>

namespace tendon {

/// The factor for the bones of a chain whose goal is at `distance`, as a share of the distance that its end has at
/// rest: about clamp(distance, squash, 1), rounded at both ends so that the bend starts and stops without a jerk. 1
/// from rest on outward; distance / factor never decreases with the distance.
[[nodiscard]] double squashFactor(double distance, double squash);

/// How far a handle's chain reaches, and what becomes of a goal near and beyond that: soft reach lets the chain slow
/// down before it is straight, stretch lengthens its bones, squash shortens them. All three change what is asked of the
/// solver, and the lengths of the bones afterwards, so that they work the same with every solver.
///
/// With d the distance of the goal from the chain's start, R the length of the straight chain, and soft(d) of
/// sdk/SoftReach.h, the solver is asked for the distance a = soft(d) (without soft reach: d / s) on the same line. Then
/// the chain is scaled about its start by s = d / a (without soft reach: d / R), at least 1 and at most
/// Handle::stretch. Rotations and the bend plane do not change by that.
///
/// A goal nearer than the distance D that the end has from the start in the rest pose is asked for as if it were at the
/// distance d / squashFactor(d / D, Handle::squash), and s may be as little as that factor. So the chain keeps the bend
/// that it has at rest and shortens, until it is as short as it may be; from there on it bends further.
class GoalReach
{
public:
    /// What is asked of the solver in one frame.
    struct Request
    {
        Vector3 position = Vector3::Zero(); ///< [m] of the effector, in the world
        Vector3 start = Vector3::Zero();    ///< [m] of the chain
        Vector3 aim = Vector3::Zero();      ///< [m] where the end of the lengthened chain should come
        double stretch = 1;                 ///< factor for the chain's bones
        double softened = 0;                ///< [m] how far short of a goal within reach the effector stays on purpose
        double shortfall = 0; ///< [m] how far the goal is beyond a chain with soft reach, however stretched
    };

    /// `joints` are those that the handle moves, top first; `others` are the chains that are solved together with it.
    GoalReach(const CompiledRig& rig, const Handle& handle, std::vector<JointIndex> joints,
              std::span<const std::vector<JointIndex>> others);

    /// True if the goal is farther than the chain reaches, stretched as far as it may be, or too near to its start for
    /// the longest bone. Limits are not looked at. For the pose `model`, which is final above the chain.
    [[nodiscard]] bool isBeyond(const ModelPose& model, const GoalPose& goal) const;

    /// [m] of the straight chain in the pose `model`, up to the point that has to be reached.
    [[nodiscard]] double length(const ModelPose& model) const;

    /// For the pose `model`, which is final above the chain.
    [[nodiscard]] Request request(const ModelPose& model, const GoalPose& goal) const;

    /// The factor for the chain's bones once it is solved and its end, without a turned offset, is at `end`: that which
    /// brings it nearest to the aim. It is request.stretch unless limits hold the chain back.
    [[nodiscard]] double stretch(const Request& request, const Vector3& end) const;
    /// The effector as a point of the end joint, as far as it is part of the reach.
    [[nodiscard]] Vector3 endPoint() const { return m_turnsWhole ? Vector3(Vector3::Zero()) : m_offset; }
    [[nodiscard]] bool canStretch() const { return m_stretch > 1 || m_squash < 1; }

    /// Why soft reach, stretch and squash, or the policy Hold have no effect on this chain, as the end of a sentence;
    /// empty = they have.
    [[nodiscard]] const std::string& softObstacle() const { return m_softObstacle; }
    [[nodiscard]] const std::string& stretchObstacle() const { return m_stretchObstacle; }
    [[nodiscard]] const std::string& holdObstacle() const { return m_holdObstacle; }

private:
    struct Span
    {
        Vector3 start = Vector3::Zero(); ///< [m] of the chain
        Vector3 rest = Vector3::Zero();  ///< [m] from the point that has to be reached to the goal
        double reach = 0;                ///< [m] of the straight chain
        double nearest = 0;              ///< [m] the chain folded as far as its bones allow
    };
    [[nodiscard]] Span span(const ModelPose& model, const GoalPose& goal) const;

    std::vector<JointIndex> m_joints;
    Vector3 m_offset;     ///< the effector, in the end joint's space
    bool m_turnsWhole;    ///< the goal's rotation is asked: the offset is not part of the reach
    double m_soft = 0;    ///< 0 where soft reach has no effect
    double m_stretch = 1; ///< 1 where stretch has no effect
    double m_squash = 1;  ///< 1 where squash has no effect
    double m_rest = 0;    ///< how far the end is from the start at rest, as a share of the reach
    double m_tolerance;   ///< [m]
    std::string m_softObstacle, m_stretchObstacle, m_holdObstacle;
};

} // namespace tendon

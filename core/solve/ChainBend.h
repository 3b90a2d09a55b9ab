#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <numbers>
#include <optional>
#include <span>

namespace tendon {

/// The bones of a chain, the distance of the effector from the last joint among them.
struct ChainLength
{
    double reach = 0;   ///< [m] all together
    double longest = 0; ///< [m]
};

/// Of the chain through `joints`, top first, to a point [m, model space].
[[nodiscard]] ChainLength chainLength(const ModelPose& model, std::span<const JointIndex> joints,
                                      const Vector3& effector);

/// How a chain bends in a pose.
struct ChainBend
{
    Vector3 start = Vector3::Zero();     ///< [m] model space: pivot of the first joint
    Vector3 end = Vector3::Zero();       ///< the effector
    Vector3 direction = Vector3::Zero(); ///< unit, perpendicular to start -> end; 0 if straight
    double reach = 0;                    ///< [m] length of the chain along its joints
};

/// The bend points from the line start -> effector to the mean of the inner joints, weighed by kit::bendWeight(); where
/// a hinge is nearly straight, its HingeBend says more. `start` is at or above `end`; the effector is the point
/// `offset` in the space of `end`.
[[nodiscard]] ChainBend chainBend(const CompiledRig& rig, const LocalPose& local, const ModelPose& model,
                                  JointIndex start, JointIndex end, const Vector3& offset);

/// True if a chain bends so evenly to both sides of the line from its start to the effector [m, model space] that its
/// bend is what is left of a difference: a small move may turn it round.
[[nodiscard]] bool isBendFaint(const CompiledRig& rig, const ModelPose& model, JointIndex start, JointIndex end,
                               const Vector3& effector);

/// A chain whose only inner joint that turns is a hinge, such as a knee. Few hinges are square to their bones. The
/// inner joint of one that is not lies beside the line start -> end when the chain is straight, so that its direction
/// turns by a quarter turn as the chain goes straight. There the plane of the hinge says what faces the pole instead.
class HingeBend
{
public:
    /// Of the chain in a pose, as chainBend() describes it. None when no inner joint or several turn, or that joint is
    /// no hinge.
    [[nodiscard]] static std::optional<HingeBend> of(const CompiledRig& rig, const LocalPose& local,
                                                     const ModelPose& model, JointIndex start, JointIndex end,
                                                     const Vector3& offset);

    /// [rad, about start -> end] by which the direction of the inner joints is turned away from what faces the pole,
    /// when start and end are `distance` [m] apart: 0 where the chain is well bent, and the whole angle to the plane of
    /// the hinge where it is straight. Continuous in the distance.
    [[nodiscard]] double lead(double distance) const;
    [[nodiscard]] double leadOfPose() const { return leadAt(m_angle); }

private:
    [[nodiscard]] double leadAt(double angle) const;

    Vector3 m_axis = Vector3::Zero();                              ///< unit, model space
    Vector3 m_before = Vector3::Zero(), m_after = Vector3::Zero(); ///< [m] start -> hinge -> end, in the pose
    Vector3 m_meanBefore = Vector3::Zero(); ///< [m] start -> weighted mean of the inner joints: what the hinge leaves
    Vector3 m_meanAfter = Vector3::Zero();  ///< and what it turns
    double m_angle = 0;                     ///< [rad] the bend in the pose, 0 = straight
    double m_lower = 0, m_upper = 0;        ///< [rad] its limits
    double m_side = 1;                      ///< to which it bends: the sign of the bend
};

/// A pole that shows the bend: out from the middle of the line start -> effector, as far as the chain is long. `twist`
/// [rad] is the handle's, which turns the bend about `axis` (unit, start -> goal) away from the pole.
[[nodiscard]] Vector3 poleShowing(const ChainBend& bend, const Vector3& axis, double twist);

/// A bend may swing where it turns by more than this [rad] when a goal, a pole or an end of the chain moves by
/// kSmallMove, a share of the reach.
inline constexpr double kMaxSwing = std::numbers::pi / 18, kSmallMove = 0.01;
/// The same of a larger move, for what swings all at once.
inline constexpr double kMaxLargeSwing = 2.5 * kMaxSwing, kLargeMove = 0.05;
/// By this much [rad] a joint may turn when the goal moves by kLargeMove along an axis: less than kMaxLargeSwing,
/// because it may turn farther when the goal moves between the axes.
inline constexpr double kMaxGoalSwing = 2 * kMaxSwing;

/// The angle [rad, 0 ... pi/2] between the pole and the line from the chain's start to its end, if the pole is so near
/// to that line that the bend may swing; else none. The plane turns by what moves across the line at the pole, divided
/// by the pole's distance from the line; what an end moves by counts there by the law of the lever.
[[nodiscard]] std::optional<double> nearPole(const Vector3& start, const Vector3& end, const Vector3& pole,
                                             double reach);

/// The pole that setHandle's "auto" sets: one that leaves the handle's chain bent as it is in the pose. A straight
/// chain gets one on the side to which the preferred angles bend it, else in front of it (+Z; +Y when the chain runs
/// along Z). [m] in the world.
[[nodiscard]] Vector3 defaultPole(const CompiledRig& rig, const LocalPose& local, const ModelPose& model,
                                  const Handle& handle, double twist);

} // namespace tendon

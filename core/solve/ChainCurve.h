#pragma once

#include "core/solve/HandleTarget.h"
#include "core/solve/ProblemBuilder.h"

#include <tendon/kit/Kinematics.h>

#include <optional>
#include <span>
#include <vector>

namespace tendon {

/// The curve that a handle's chain follows, as solvers take it. What the chain's start and its last bone face becomes
/// twist here: the side of the joint that faces the up joint in the rest pose is turned about the bone until it does
/// so again. That takes an answer without twist first; see faceUps(). After construction nothing allocates.
class ChainCurve
{
public:
    /// `joints`: those that the handle moves, top first, at least two. `rest`: the rest pose.
    ChainCurve(const CompiledRig& rig, const Handle& handle, std::span<const JointIndex> joints,
               const ProblemBuilder& builder, const ModelPose& rest);

    /// Takes up the control points of a frame, and its roll and twist unless there are up joints, which need an answer
    /// without any twist to be measured by.
    void set(const HandleTarget& target);

    /// Where there are up joints: takes up the twists that turn the chain toward them, by the frames (n) of the answer
    /// without twist, with roll and twist on top; the curve is then to be solved again. The twist between the two ends
    /// takes the shorter way. False where there is no up joint.
    [[nodiscard]] bool faceUps(const HandleTarget& target, std::span<const kit::Frame<double>> frames);

    /// Of the up joints that the last faceUps() turned to, the angle to the bone of the one that is nearest to that
    /// bone's line [rad], where so near that a small move may twist the bone: nearPole() of the bone. Else none.
    [[nodiscard]] const std::optional<double>& nearUp() const { return m_nearUp; }

    [[nodiscard]] const sdk::Curve& curve() const { return m_curve; }

private:
    /// A joint that faces something: its body and the next one's, and the side that faces it in the rest pose.
    struct Facing
    {
        std::int32_t body = -1, next = -1;
        Vector3 side = Vector3::Zero(); ///< in the joint's space; zero = none
    };
    [[nodiscard]] double angleTo(const Facing& facing, const Vector3& place,
                                 std::span<const kit::Frame<double>> frames);

    Facing m_start, m_end;
    std::vector<double> m_points;
    double m_length; ///< [m] of the chain in the rest pose
    sdk::Curve m_curve;
    std::optional<double> m_nearUp;
};

} // namespace tendon

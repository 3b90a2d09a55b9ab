#pragma once

#include "core/solve/SolveRecording.h"

#include <array>
#include <optional>
#include <vector>

namespace tendon::editor {

/// The limiting ellipse of a joint's swing, at the stages e to g of a pass: where it is counted, in angles.
struct StageEllipse
{
    std::size_t row = 0;                   ///< of the stage e in SolverRecording::stages
    std::size_t shown = 0;                 ///< of the stage that the pass is at
    bool isMoved = false;                  ///< at f and g: the node is at the nearest point
    bool isInside = false;                 ///< the swing before limits is within them, so nothing moves
    std::array<double, 4> semiAxes{};      ///< [rad] +a, -a, +b, -b
    std::array<double, 2> asked{}, kept{}; ///< [rad] the swing before limits and, once it is moved, after
};

/// The ellipse that the pass is at after the first `count` stages; none at other stages.
[[nodiscard]] std::optional<StageEllipse> ellipseAtStage(const SolverRecording& recording, std::size_t count);

/// The joint whose swing the ellipse limits, in `rig`; -1 = the recording is of another one.
[[nodiscard]] JointIndex limitedJoint(const SolverRecording& recording, const StageEllipse& ellipse,
                                      const CompiledRig& rig);

/// The axis of the joint's frame that a (0) or b (1) of its ellipse swings about: "X", "Y" or "Z". Precondition: its
/// limits are those of a ball.
[[nodiscard]] char axisOfSwing(const Joint& joint, int which);

/// The same ellipse in space, across the edge that the limited joint ties: where the node may be. It lies on a sphere
/// about the end of the edge that stays, which goes through the point of the limits that is nearest to the node.
struct EllipseInSpace
{
    static constexpr std::size_t kRimPoints = 96;

    JointIndex limited = -1;                  ///< the joint whose swing is limited, in the rig
    Vector3 fixed = Vector3::Zero();          ///< [m] the end of the edge that stays
    Vector3 centre = Vector3::Zero();         ///< [m] where the node is without swing
    Vector3 asked = Vector3::Zero();          ///< [m] where it is before limits
    std::optional<Vector3> kept;              ///< [m] where the node is from f on: at the nearest point, then beyond
    std::vector<Vector3> rim;                 ///< (kRimPoints) [m] all around
    std::array<std::vector<Vector3>, 4> axes; ///< [m] +a, -a, +b, -b, each from the centre to the rim
    std::array<double, 4> semiAxes{};         ///< [rad] of the same
};

/// Where `ellipse` of `recording` is. None: the recording does not tell how the joint stands, or `rig` is another one.
[[nodiscard]] std::optional<EllipseInSpace> inSpace(const SolverRecording& recording, const StageEllipse& ellipse,
                                                    const CompiledRig& rig);

} // namespace tendon::editor

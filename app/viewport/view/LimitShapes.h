#pragma once

#include "app/viewport/view/Camera.h"
#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <functional>
#include <optional>
#include <vector>

namespace tendon::viewport {

/// An end of a limit that can be dragged.
struct LimitGrip
{
    int end = 0;                       ///< 0 lower, 1 upper; of a swing +a, -a, +b, -b as BallLimits has them
    double value = 0;                  ///< [rad] or [m]
    double least = 0, most = 0;        ///< as far as it may go
    std::function<Vector3(double)> at; ///< [m] where the end is drawn when it has a value
};

/// One limit of a joint, drawn where it is: what the end of its bone (or of a pointer standing out from it) may reach.
struct LimitShape
{
    enum class Kind { Swing, Twist, Turn, Slide };

    Kind kind = Kind::Turn;
    int axis = 0;                     ///< 0 x, 1 y, 2 z; swing: the twist axis
    Vector3 centre = Vector3::Zero(); ///< [m] the joint; slide: where the slide is at 0
    std::vector<Vector3> rim = {};    ///< [m] from one end of the range to the other; swing: once around
    Vector3 now = Vector3::Zero();    ///< [m] where it stands
    bool isReached = false;           ///< it stands at an end of the range
    double from = 0, to = 0,
           value = 0; ///< [rad] or [m]; swing: semi-axes +a and -a, and the share of the way to the rim
    std::vector<LimitGrip> grips = {};
};

/// Which grip of a joint's limits.
struct LimitGripName
{
    LimitShape::Kind kind = LimitShape::Kind::Turn;
    int axis = 0, end = 0;

    bool operator==(const LimitGripName&) const = default;
};

/// The grip within `reach` pixels that is nearest.
[[nodiscard]] std::optional<LimitGripName> pickLimitGrip(const std::vector<LimitShape>& shapes, const View& view,
                                                         const Vector2& pixel, double reach);
[[nodiscard]] const LimitGrip* findGrip(const std::vector<LimitShape>& shapes, const LimitGripName& name);

/// One drag of a grip: the value whose place is nearest to the pointer, followed from where it was.
class LimitDrag
{
public:
    LimitDrag(const LimitGrip& grip, const View& view, const Vector2& pixel);

    void moveTo(const View& view, const Vector2& pixel, double step); ///< `step` [rad] or [m] to round to; 0: none
    [[nodiscard]] double value() const { return m_value; }

private:
    LimitGrip m_grip;
    Vector2 m_offset; ///< [px] from the grip to where it was taken hold of
    double m_reached; ///< before rounding
    double m_value;
};

/// The limits that are in force on joint `index`: axes that are active and limited, or a ball's swing and twist. `size`
/// [m] is how far out they are drawn; the direction is that of the bone to the first child that stands apart, else the
/// longest.
[[nodiscard]] std::vector<LimitShape> limitShapes(const CompiledRig& rig, const LocalPose& local,
                                                  const ModelPose& model, JointIndex index, double size);

/// Length of the bone that begins at a joint, or that leads to it when it is the last. [m]
[[nodiscard]] double boneLength(const CompiledRig& rig, const ModelPose& model, JointIndex index);

} // namespace tendon::viewport

#pragma once

#include "app/viewport/view/Camera.h"
#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <functional>
#include <optional>
#include <vector>

namespace tendon::viewport {

/// A grip to drag one end of a limit.
struct LimitGrip
{
    int end = 0;                       ///< 0 lower, 1 upper; for a swing +a, -a, +b, -b as in BallLimits
    double value = 0;                  ///< [rad] or [m]
    double least = 0, most = 0;        ///< bounds of the value
    std::function<Vector3(double)> at; ///< [m] position of the grip for a value
};

/// One limit of a joint as a shape in the world: what the end of its bone (or of a pointer from the joint) may reach.
struct LimitShape
{
    enum class Kind { Swing, Twist, Turn, Slide };

    Kind kind = Kind::Turn;
    int axis = 0;                     ///< 0 x, 1 y, 2 z; swing: the twist axis
    Vector3 centre = Vector3::Zero(); ///< [m] position of the joint; for a slide: its position at 0
    std::vector<Vector3> rim = {};    ///< [m] from one end of the range to the other; for a swing: all around
    Vector3 now = Vector3::Zero();    ///< [m] current position
    bool isReached = false;           ///< the joint is at an end of the range
    double from = 0, to = 0,
           value = 0; ///< [rad] or [m]; for a swing: semi-axes +a and -a, and the share of the way to the rim
    std::vector<LimitGrip> grips = {};
};

/// Identifies a grip of a joint's limits.
struct LimitGripName
{
    LimitShape::Kind kind = LimitShape::Kind::Turn;
    int axis = 0, end = 0;

    bool operator==(const LimitGripName&) const = default;
};

struct LimitGripHit
{
    LimitGripName name;
    double distance = 0; ///< [px] from the pixel to the grip's middle
};
/// The nearest grip within `reach` pixels.
[[nodiscard]] std::optional<LimitGripHit> pickLimitGrip(const std::vector<LimitShape>& shapes, const View& view,
                                                        const Vector2& pixel, double reach);
[[nodiscard]] const LimitGrip* findGrip(const std::vector<LimitShape>& shapes, const LimitGripName& name);

/// One drag of a grip: finds the value whose position is nearest to the pointer, starting from the current value.
class LimitDrag
{
public:
    LimitDrag(const LimitGrip& grip, const View& view, const Vector2& pixel);

    void moveTo(const View& view, const Vector2& pixel, double step); ///< `step` [rad] or [m] to round to; 0: none
    [[nodiscard]] double value() const { return m_value; }

private:
    LimitGrip m_grip;
    Vector2 m_offset; ///< [px] from the grip to the point where the drag started
    double m_reached; ///< before rounding
    double m_value;
};

/// The effective limits of joint `index`: axes that are active and limited, or the swing and twist of a ball joint.
/// `size` [m] is the radius at which they are drawn, in the direction of the bone to the first child that is not at the
/// joint's position, otherwise of the longest bone.
[[nodiscard]] std::vector<LimitShape> limitShapes(const CompiledRig& rig, const LocalPose& local,
                                                  const ModelPose& model, JointIndex index, double size);

/// [m] The length of the bone that starts at a joint, or that leads to it if the joint is the last.
[[nodiscard]] double boneLength(const CompiledRig& rig, const ModelPose& model, JointIndex index);

} // namespace tendon::viewport

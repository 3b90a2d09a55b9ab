#pragma once

#include "core/runtime/CompiledRig.h"

#include <span>
#include <vector>

namespace tendon::editor {

/// A pose on its way to another, as it is shown: the local transforms of all joints. It has no clock; advance() tells
/// it how much time has passed. Where it arrives it is the other pose to the bit.
///
/// - follow(): toward a pose that keeps moving, such as a drag's. Joints that are solved turn by at most kTurn, so that
///   another branch is seen as a quick turn; ordinary motion is slower and is not held back.
/// - ease(): into a pose that stays, in a time that depends on how far it is.
class PoseSlew
{
public:
    static constexpr double kTurn = 15;   ///< [rad/s] half a turn in 0.2 s
    static constexpr double kSlide = 15;  ///< [lengths/s]
    static constexpr double kEase = 0.16; ///< [s] the longest
    static constexpr double kFar = 0.35;  ///< [rad] from here on it takes the longest; below, by the square root

    /// Shows a pose at once.
    void jump(std::span<const LocalTransform> pose);

    /// From now on toward `pose`, which has as many joints as the pose before. `isSolved` (joints): 1 = it is bounded;
    /// the others are there at once. `length` [m]: what the speed of slides is measured by.
    void follow(std::span<const LocalTransform> pose, std::span<const std::uint8_t> isSolved, double length);

    /// From now on into `pose`; all joints arrive together. Nothing moves where it is the pose that is shown.
    void ease(std::span<const LocalTransform> pose, double length);

    /// So much time has passed. [s]
    void advance(double seconds);

    [[nodiscard]] const std::vector<LocalTransform>& shown() const { return m_shown; }
    [[nodiscard]] bool hasArrived() const { return m_way == Way::None; }

private:
    enum class Way { None, Follow, Ease };

    [[nodiscard]] double distance() const; ///< [rad] the largest of a joint, to the target
    void step(double seconds);

    Way m_way = Way::None;
    std::vector<LocalTransform> m_shown, m_from, m_target;
    std::vector<std::uint8_t> m_isSolved;
    double m_length = 1;
    double m_time = 0, m_duration = 0; ///< [s] of an ease
};

} // namespace tendon::editor

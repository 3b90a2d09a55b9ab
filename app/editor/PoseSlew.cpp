#include "app/editor/PoseSlew.h"

#include "core/solve/SolveRecording.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon::editor {
namespace {

constexpr double kInvisible = 2e-4; ///< [rad] nobody sees so small a step
constexpr double kSameAngle = 1e-9; ///< [rad] rounding

} // namespace

void PoseSlew::jump(std::span<const LocalTransform> pose)
{
    m_shown.assign(pose.begin(), pose.end());
    m_way = Way::None;
}

void PoseSlew::follow(std::span<const LocalTransform> pose, std::span<const std::uint8_t> isSolved, double length)
{
    m_target.assign(pose.begin(), pose.end());
    m_isSolved.assign(isSolved.begin(), isSolved.end());
    m_length = length;
    m_way = Way::Follow;
    step(0); // what is not bounded
}

void PoseSlew::ease(std::span<const LocalTransform> pose, double length)
{
    m_target.assign(pose.begin(), pose.end());
    m_length = length;
    const double far = distance();
    if (far < kInvisible) return jump(pose);
    m_from = m_shown;
    m_time = 0;
    m_duration = kEase * std::sqrt(std::min(1.0, far / kFar));
    m_way = Way::Ease;
}

void PoseSlew::advance(double seconds)
{
    if (m_way == Way::Follow) step(seconds);
    if (m_way != Way::Ease) return;
    m_time += seconds;
    if (m_time >= m_duration) return jump(std::vector(m_target));
    m_shown = posesBetween(m_from, m_target, 0.5 * (1 - std::cos(std::numbers::pi * m_time / m_duration)));
}

double PoseSlew::distance() const
{
    double largest = 0;
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        const LocalTransform &now = m_shown[i], &to = m_target[i];
        largest = std::max({largest, now.rotation.angularDistance(to.rotation),
                            (now.translation - to.translation).norm() / m_length, (now.scale - to.scale).norm()});
    }
    return largest;
}

void PoseSlew::step(double seconds)
{
    bool isThere = true;
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        LocalTransform& now = m_shown[i];
        const LocalTransform& to = m_target[i];
        const double turn = now.rotation.angularDistance(to.rotation),
                     slide = (now.translation - to.translation).norm() / m_length;
        const double share = std::min(turn > kSameAngle ? kTurn * seconds / turn : 1,
                                      slide > kSameAngle ? kSlide * seconds / slide : 1);
        if (m_isSolved[i] == 0 || share >= 1) {
            now = to;
            continue;
        }
        now.rotation = now.rotation.slerp(share, to.rotation);
        now.translation += share * (to.translation - now.translation);
        now.scale = to.scale;
        isThere = false;
    }
    if (isThere) m_way = Way::None;
}

} // namespace tendon::editor

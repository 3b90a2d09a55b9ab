#include "core/retarget/TurnShare.h"

#include "core/math/Degrees.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {
namespace {

/// [rad] The turn about an axis, of those that differ by whole turns the one that is nearest to `near`.
double angleAbout(const Vector3& axis, const Quaternion& turn, double near)
{
    constexpr double kWhole = 2 * std::numbers::pi;
    const double angle = 2 * std::atan2(axis.dot(turn.vec()), turn.w());
    return angle + kWhole * std::round((near - angle) / kWhole);
}

} // namespace

TurnShare::TurnShare(const std::vector<Time>& times, const std::vector<Quaternion>& turns)
{
    constexpr double kFar = 150 / kDegrees;
    double farthest = 0;
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (const Quaternion& turn : turns) {
        farthest = std::max(farthest, turn.angularDistance(Quaternion::Identity()));
        sum += turn.vec() * turn.vec().transpose();
    }
    if (farthest < kFar) return;
    m_axis = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sum).eigenvectors().col(2);
    std::vector<double> angles;
    for (const Quaternion& turn : turns) angles.push_back(angleAbout(m_axis, turn, angles.empty() ? 0 : angles.back()));
    m_angle = ClipTrack(times, std::move(angles), false);
}

Quaternion TurnShare::of(const Quaternion& turn, Time time, double share) const
{
    if (m_axis.isZero()) return Quaternion::Identity().slerp(share, turn);
    const double angle = angleAbout(m_axis, turn, m_angle.at(time));
    const auto about = [&](double by) { return Quaternion(Eigen::AngleAxisd(by, m_axis)); };
    const Quaternion beside = turn * about(-angle);
    return (Quaternion::Identity().slerp(share, beside) * about(share * angle)).normalized();
}

} // namespace tendon

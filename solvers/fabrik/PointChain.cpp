#include "solvers/fabrik/PointChain.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon::fabrik {

namespace {

/// A pass, joint by joint. It is one long chain of dependent operations, and what it costs is their latency. So the
/// distance to the next joint is found without waiting for the point it is measured from: with f the point before last,
/// p = f + k v the last one and w = joint - f,
///     |joint - p|^2 = |w|^2 + k^2 |v|^2 - k (2 w.v),
/// where all but k, the last quotient, is known earlier. (k |v| is the last length but for rounding; without that
/// rounding each step would hand on the error of the one before, enlarged.)
class Pass
{
public:
    explicit Pass(const Vector3& start) : m_fx(start[0]), m_fy(start[1]), m_fz(start[2]) {}

    /// Moves `joint` to `length` from the joint before it, on the line between them.
    void place(Vector3& joint, double length)
    {
        const double wx = joint[0] - m_fx, wy = joint[1] - m_fy, wz = joint[2] - m_fz;
        const double far = wx * wx + (wy * wy + wz * wz), twice = 2 * (wx * m_vx + (wy * m_vy + wz * m_vz));
        double squared = (far + m_kkvv) - m_k * twice;
        m_fx += m_k * m_vx;
        m_fy += m_k * m_vy;
        m_fz += m_k * m_vz;
        m_vx = joint[0] - m_fx;
        m_vy = joint[1] - m_fy;
        m_vz = joint[2] - m_fz;
        double vv = m_vx * m_vx + (m_vy * m_vy + m_vz * m_vz);
        if (squared < far / 16) [[unlikely]] { // folded back: too many digits have gone
            squared = vv;
            if (squared < 1e-280) {
                m_vx = vv = squared = 1;
                m_vy = m_vz = 0;
            }
        }
        m_k = length / squared * std::sqrt(squared); // quotients and root at the same time
        m_kkvv = length * length * (vv / squared);
        joint = {m_fx + m_k * m_vx, m_fy + m_k * m_vy, m_fz + m_k * m_vz};
    }

private:
    double m_fx, m_fy, m_fz;             ///< f
    double m_vx = 0, m_vy = 0, m_vz = 0; ///< v
    double m_k = 0, m_kkvv = 0;          ///< k, k^2 |v|^2
};

} // namespace

Vector3 onLine(const Vector3& from, const Vector3& through, double length)
{
    Vector3 point = through;
    Pass(from).place(point, length);
    return point;
}

void reachBackward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& target)
{
    Pass pass(target);
    points.back() = target;
    for (std::size_t i = lengths.size(); i-- > 0;) pass.place(points[i], lengths[i]);
}

void reachForward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& root)
{
    Pass pass(root);
    points.front() = root;
    for (std::size_t i = 0; i < lengths.size(); ++i) pass.place(points[i + 1], lengths[i]);
}

void stretchToward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& target)
{
    const Vector3 line = target - points.front();
    const double distance = line.norm();
    const Vector3 direction = distance > 0 ? Vector3(line / distance) : Vector3::UnitX();
    for (std::size_t i = 0; i < lengths.size(); ++i) points[i + 1] = points[i] + direction * lengths[i];
}

void bendToward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& direction, double distance,
                const Vector3& aside)
{
    // An arc of length s that turns by t has the chord s sin(t / 2) / (t / 2), which falls from s to 0 as t grows to
    // 2 pi.
    const double whole = reachOf(lengths);
    double least = 0, most = std::numbers::pi; // of t / 2
    for (int step = 0; step < 60; ++step) {
        const double half = 0.5 * (least + most);
        (whole * std::sin(half) > distance * half ? least : most) = half;
    }
    const double half = 0.5 * (least + most), radius = 0.5 * whole / half;
    double passed = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        passed += lengths[i];
        const double angle = half - passed / radius;
        points[i + 1] = points[0] + direction * (radius * (std::sin(half) - std::sin(angle))) +
                        aside * (radius * (std::cos(angle) - std::cos(half)));
    }
}

Vector3 onTwoSpheres(const Vector3& from, double a, const Vector3& to, double b, const Vector3& joint)
{
    const Vector3 line = to - from, arm = joint - from;
    const double distance = line.norm();
    Vector3 direction = Vector3::UnitX();
    if (distance > 0)
        direction = line / distance;
    else if (arm.norm() > 0)
        direction = kit::anyPerpendicular(arm); // a == b: the whole sphere is one circle's worth
    const double near = distance > 0 ? std::clamp((a * a - b * b + distance * distance) / (2 * distance), -a, a) : 0;
    Vector3 aside = arm - direction * direction.dot(arm);
    const double off = aside.norm();
    aside = off > 1e-12 * a ? Vector3(aside / off) : kit::anyPerpendicular(direction);
    return from + direction * near + aside * std::sqrt(std::max(0.0, a * a - near * near));
}

bool straightenToward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& target)
{
    const Vector3 root = points.front(), own = points.back() - root, line = target - root;
    const double distance = line.norm(), before = own.norm();
    if (!(before > 0 && before < distance && distance < reachOf(lengths))) return false;
    const Vector3 along = own / before;
    const auto asideOf = [&](std::size_t i) {
        const Vector3 bone = points[i + 1] - points[i];
        return Vector3(bone - along * along.dot(bone));
    };
    for (std::size_t i = 0; i < lengths.size(); ++i)
        if (!(along.dot(points[i + 1] - points[i]) > 0)) return false;

    // The bones' parts aside sum to zero whatever the share of them that is left; their parts along are then as long as
    // lengths allow, and their sum falls from the reach to `before` as that share grows from 0 to 1.
    double least = 0, most = 1;
    for (int step = 0; step < 60; ++step) {
        const double share = 0.5 * (least + most);
        double sum = 0;
        for (std::size_t i = 0; i < lengths.size(); ++i)
            sum += std::sqrt(std::max(0.0, lengths[i] * lengths[i] - share * share * asideOf(i).squaredNorm()));
        (sum > distance ? least : most) = share;
    }
    const Quaternion turn = kit::leastRotation(own, line);
    Vector3 joint = root;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const Vector3 aside = least * asideOf(i);
        const double forward = std::sqrt(std::max(0.0, lengths[i] * lengths[i] - aside.squaredNorm()));
        const Vector3 bone = turn * Vector3(aside + along * forward);
        points[i] = joint;
        joint += bone;
    }
    points.back() = joint;
    return true;
}

double reachOf(std::span<const double> lengths)
{
    double sum = 0;
    for (const double length : lengths) sum += length;
    return sum;
}

double holeOf(std::span<const double> lengths)
{
    double longest = 0;
    for (const double length : lengths) longest = std::max(longest, length);
    return 2 * longest - reachOf(lengths);
}

} // namespace tendon::fabrik

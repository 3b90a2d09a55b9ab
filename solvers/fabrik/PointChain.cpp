#include "solvers/fabrik/PointChain.h"

#include <algorithm>
#include <cmath>

namespace tendon::fabrik {

namespace {

/// The passes are one long chain of dependent operations: what they cost is latency. So a point is kept in registers from
/// step to step, and the line is scaled by one quotient.
struct Point
{
    double x, y, z;

    explicit Point(const Vector3& v) : x(v[0]), y(v[1]), z(v[2]) {}

    /// Moves to `length` from where it is, on the line through `v`.
    void step(const Vector3& v, double length)
    {
        const double dx = v[0] - x, dy = v[1] - y, dz = v[2] - z;
        const double squared = dx * dx + (dy * dy + dz * dz);
        if (squared < 1e-280) [[unlikely]] {
            x += length;
            return;
        }
        const double k = length / std::sqrt(squared);
        x += dx * k;
        y += dy * k;
        z += dz * k;
    }
    void store(Vector3& v) const { v = {x, y, z}; }
};

} // namespace

Vector3 onLine(const Vector3& from, const Vector3& through, double length)
{
    Point point(from);
    point.step(through, length);
    return {point.x, point.y, point.z};
}

void reachBackward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& target)
{
    Point at(target);
    points.back() = target;
    for (std::size_t i = lengths.size(); i-- > 0;) {
        at.step(points[i], lengths[i]);
        at.store(points[i]);
    }
}

void reachForward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& root)
{
    Point at(root);
    points.front() = root;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        at.step(points[i + 1], lengths[i]);
        at.store(points[i + 1]);
    }
}

void stretchToward(std::span<Vector3> points, std::span<const double> lengths, const Vector3& target)
{
    const Vector3 line = target - points.front();
    const double distance = line.norm();
    const Vector3 direction = distance > 0 ? Vector3(line / distance) : Vector3::UnitX();
    for (std::size_t i = 0; i < lengths.size(); ++i) points[i + 1] = points[i] + direction * lengths[i];
}

Vector3 onTwoSpheres(const Vector3& from, double a, const Vector3& to, double b, const Vector3& joint)
{
    const Vector3 line = to - from, arm = joint - from;
    const double distance = line.norm();
    Vector3 direction = Vector3::UnitX();
    if (distance > 0) direction = line / distance;
    else if (arm.norm() > 0) direction = kit::anyPerpendicular(arm); // a == b: the whole sphere is one circle's worth
    const double near = distance > 0 ? std::clamp((a * a - b * b + distance * distance) / (2 * distance), -a, a) : 0;
    Vector3 aside = arm - direction * direction.dot(arm);
    const double off = aside.norm();
    aside = off > 1e-12 * a ? Vector3(aside / off) : kit::anyPerpendicular(direction);
    return from + direction * near + aside * std::sqrt(std::max(0.0, a * a - near * near));
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
    return std::max(0.0, 2 * longest - reachOf(lengths));
}

} // namespace tendon::fabrik

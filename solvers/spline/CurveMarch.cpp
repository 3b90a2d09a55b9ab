#include "solvers/spline/CurveMarch.h"

#include <limits>

namespace tendon::spline {

namespace {

constexpr double kLeastStep = 1e-3; ///< of a piece of the curve: it may leave a sphere and return within less unseen
constexpr int kMaxRootSteps = 100;

/// Carries a frame by the reflections that swap two points and then the tangents there.
Quaternion doubleReflection(const Vector3& fromPoint, const Vector3& fromTangent, const Vector3& toPoint,
                            const Vector3& toTangent)
{
    const Vector3 first = toPoint - fromPoint;
    const double along = first.squaredNorm();
    if (!(along > 0)) return kit::leastRotation(fromTangent, toTangent);
    const Vector3 reflected = fromTangent - 2 / along * first.dot(fromTangent) * first;
    const Vector3 second = toTangent - reflected;
    if (!(second.squaredNorm() > 1e-24)) return kit::leastRotation(fromTangent, toTangent);
    // Two reflections are a rotation by twice the angle from the first plane's normal to the second's.
    const Vector3 axis = first.cross(second);
    return Quaternion(first.dot(second), axis[0], axis[1], axis[2]).normalized();
}

} // namespace

CurveMarch::CurveMarch(const kit::BSpline& curve)
    : m_curve(curve), m_endPoint(curve.point(curve.end())), m_endTangent(curve.tangent(curve.end()))
{
}

/// [m] of the curve up to `u`, by Gauss's formula of five points on eighths of the pieces.
double CurveMarch::lengthTo(double u) const
{
    constexpr double kNode[] = {0, 0.5384693101056831, 0.9061798459386640};
    constexpr double kWeight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    const int parts = std::max(1, static_cast<int>(std::ceil(8 * u)));
    const double half = 0.5 * u / parts;
    double length = 0;
    for (int i = 0; i < parts; ++i) {
        const double middle = (2 * i + 1) * half;
        length += half * kWeight[0] * m_curve.derivative(middle).norm();
        for (int k = 1; k < 3; ++k)
            length += half * kWeight[k] *
                      (m_curve.derivative(middle - half * kNode[k]).norm() +
                       m_curve.derivative(middle + half * kNode[k]).norm());
    }
    return length;
}

CurveMarch::Place CurveMarch::placeAt(double share) const
{
    if (share <= 0) return onCurve(0);
    if (share >= 1) return onCurve(m_curve.end());
    const double wanted = share * lengthTo(m_curve.end());
    double before = 0, after = m_curve.end();
    for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (before + after);
        (lengthTo(middle) < wanted ? before : after) = middle;
    }
    return onCurve(0.5 * (before + after));
}

CurveMarch::Place CurveMarch::next(const Place& from, const Vector3& centre, double length) const
{
    if (from.beyond > 0) return behindEnd(centre, length);
    double u = from.u, distance = (m_curve.point(u) - centre).norm();
    bool isInside = distance < length;
    const bool wasInside = isInside;
    while (u < m_curve.end()) {
        // No point of this piece is nearer to the sphere than the fastest way there.
        const double limit = m_curve.speedLimit(u), pieceEnd = std::floor(u) + 1;
        const double step = std::max(std::abs(length - distance) / std::max(limit, 1e-300), kLeastStep);
        const double following = std::min(u + step, pieceEnd);
        const double there = (m_curve.point(following) - centre).norm();
        if (isInside && there >= length) return onCurve(crossing(u, following, centre, length));
        isInside = isInside || there < length;
        u = following;
        distance = there;
    }
    return isInside || wasInside ? behindEnd(centre, length) : nearest(from.u, centre);
}

/// Looks at each dip of the distance: the first one that no other is clearly below.
CurveMarch::Place CurveMarch::nearest(double from, const Vector3& centre) const
{
    constexpr int kLooksPerPiece = 16;
    constexpr double kClearly = 1 - 1e-9;
    const double golden = 0.5 * (std::sqrt(5.0) - 1);
    const auto distance = [&](double u) { return (m_curve.point(u) - centre).norm(); };
    const int looks = std::max(2, static_cast<int>(std::ceil(kLooksPerPiece * (m_curve.end() - from))));
    const auto at = [&](int look) { return from + (m_curve.end() - from) * look / looks; };
    double best = from, least = distance(from);
    for (int look = 0; look <= looks; ++look) {
        double low = at(std::max(0, look - 1)), high = at(std::min(looks, look + 1));
        if (distance(at(look)) > std::min(distance(low), distance(high))) continue;
        for (int i = 0; i < 60; ++i) { // golden section
            const double a = high - golden * (high - low), b = low + golden * (high - low);
            (distance(a) <= distance(b) ? high : low) = distance(a) <= distance(b) ? b : a;
        }
        for (const double u : {0.5 * (low + high), at(look)}) {
            if (!(distance(u) < kClearly * least)) continue;
            least = distance(u);
            best = u;
        }
    }
    return onCurve(best);
}

/// The root of the distance from the sphere between two parameters, by the Illinois method.
double CurveMarch::crossing(double inside, double outside, const Vector3& centre, double length) const
{
    const auto excess = [&](double u) { return (m_curve.point(u) - centre).norm() - length; };
    double below = excess(inside), above = excess(outside); // halved where one end stays for long
    double leastBelow = -below, leastAbove = above;
    int lastSide = 0;
    for (int i = 0; i < kMaxRootSteps && above > 0; ++i) {
        const double u = outside - above * (outside - inside) / (above - below);
        if (!(u > inside && u < outside)) break; // nothing between the two
        const double value = excess(u);
        if (std::abs(value) <= 1e-15 * length) return u;
        if (value < 0) {
            inside = u;
            below = value;
            leastBelow = -value;
            if (lastSide < 0) above *= 0.5;
            lastSide = -1;
        } else {
            outside = u;
            above = leastAbove = value;
            if (lastSide > 0) below *= 0.5;
            lastSide = 1;
        }
    }
    return leastBelow < leastAbove ? inside : outside;
}

CurveMarch::Place CurveMarch::behindEnd(const Vector3& centre, double length) const
{
    // |end + s tangent - centre| = length
    const Vector3 offset = m_endPoint - centre;
    const double along = offset.dot(m_endTangent);
    const double inside = along * along - offset.squaredNorm() + length * length;
    const double s = std::max(0.0, -along + std::sqrt(std::max(0.0, inside)));
    return {m_curve.end(), s, m_endPoint + s * m_endTangent};
}

Vector3 CurveMarch::tangent(const Place& place) const
{
    return place.beyond > 0 ? m_endTangent : m_curve.tangent(place.u);
}

Quaternion CurveMarch::transport(const Place& from, const Place& to) const
{
    Quaternion carried = Quaternion::Identity();
    if (!(to.u > from.u)) return carried;
    constexpr int kStepsPerPiece = 16; // the method is of fourth order
    const int steps = 4 + static_cast<int>(std::ceil(kStepsPerPiece * (to.u - from.u)));
    Vector3 point = m_curve.point(from.u), tangent = m_curve.tangent(from.u);
    for (int i = 1; i <= steps; ++i) {
        const double u = i == steps ? to.u : from.u + (to.u - from.u) * i / steps;
        const Vector3 nextPoint = m_curve.point(u), nextTangent = m_curve.tangent(u);
        carried = (doubleReflection(point, tangent, nextPoint, nextTangent) * carried).normalized();
        point = nextPoint;
        tangent = nextTangent;
    }
    return carried;
}

} // namespace tendon::spline

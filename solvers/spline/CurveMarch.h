#pragma once

#include <tendon/kit/BSpline.h>

namespace tendon::spline {

using kit::Quaternion;
using kit::Vector3;

/// Walks along a curve and, beyond its end, along the straight line that leaves it there.
class CurveMarch
{
public:
    /// A place on that way. `u`: the parameter of the curve; `beyond` [m]: how far behind the curve's end.
    struct Place
    {
        double u = 0;
        double beyond = 0;
        Vector3 point = Vector3::Zero();
    };

    explicit CurveMarch(const kit::BSpline& curve);

    [[nodiscard]] const Vector3& end() const { return m_endPoint; } ///< of the curve

    /// At this share (0 ... 1) of the curve's length.
    [[nodiscard]] Place placeAt(double share) const;

    /// The first place behind `from` that is `length` away from `centre`. Where `centre` is farther than that from the
    /// whole rest of the curve: the place of that rest that is nearest to it, the first of several.
    [[nodiscard]] Place next(const Place& from, const Vector3& centre, double length) const;

    /// The way's direction, unit; zero where the whole curve is one point.
    [[nodiscard]] Vector3 tangent(const Place& place) const;

    /// The rotation that carries a frame along the way without turning it about the way: rotation-minimising frames by
    /// double reflection (Wang, Juettler, Zheng and Liu 2008, "Computation of rotation minimizing frames", section 5).
    [[nodiscard]] Quaternion transport(const Place& from, const Place& to) const;

private:
    [[nodiscard]] Place onCurve(double u) const { return {u, 0, m_curve.point(u)}; }
    [[nodiscard]] Place behindEnd(const Vector3& centre, double length) const;
    [[nodiscard]] Place nearest(double from, const Vector3& centre) const;
    [[nodiscard]] double crossing(double inside, double outside, const Vector3& centre, double length) const;
    [[nodiscard]] double lengthTo(double u) const;

    const kit::BSpline& m_curve;
    Vector3 m_endPoint, m_endTangent;
};

} // namespace tendon::spline

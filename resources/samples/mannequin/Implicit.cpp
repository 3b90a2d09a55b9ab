#include "resources/samples/mannequin/Implicit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tendon::mannequin {

namespace {

constexpr double Section::*kExtents[] = {&Section::right, &Section::left, &Section::front, &Section::back};

/// Slopes of a cubic Hermite curve through the sections that stays monotone between them (Fritsch and Carlson 1980, in
/// the harmonic-mean form of Fritsch and Butland 1984).
std::vector<Section> monotoneSlopes(const std::vector<Section>& s)
{
    std::vector<Section> slopes(s.size());
    for (const auto extent : kExtents) {
        std::vector<double> secant(s.size() - 1);
        for (std::size_t i = 0; i + 1 < s.size(); ++i)
            secant[i] = (s[i + 1].*extent - s[i].*extent) / (s[i + 1].t - s[i].t);
        slopes.front().*extent = secant.front();
        slopes.back().*extent = secant.back();
        for (std::size_t i = 1; i + 1 < s.size(); ++i) {
            const double before = secant[i - 1], after = secant[i];
            slopes[i].*extent = before * after > 0 ? 2 * before * after / (before + after) : 0;
        }
    }
    return slopes;
}

Section sectionAt(const std::vector<Section>& s, const std::vector<Section>& slopes, double t)
{
    if (t <= s.front().t) return s.front();
    if (t >= s.back().t) return s.back();
    std::size_t i = 1;
    while (s[i].t < t) ++i;
    const double width = s[i].t - s[i - 1].t;
    const double u = (t - s[i - 1].t) / width;
    const double h01 = u * u * (3 - 2 * u), h10 = u * (1 - u) * (1 - u), h11 = u * u * (u - 1);
    Section result;
    result.t = t;
    for (const auto extent : kExtents)
        result.*extent = (1 - h01) * (s[i - 1].*extent) + h01 * (s[i].*extent) +
                         width * (h10 * (slopes[i - 1].*extent) + h11 * (slopes[i].*extent));
    return result;
}

/// Cubic smooth minimum (Quilez 2013): twice differentiable, differs from min() only where the two are within k.
double smoothMinimum(double a, double b, double k)
{
    if (k <= 0) return std::min(a, b);
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - h * h * h * k / 6;
}

double power(double x, double exponent) { return exponent == 2 ? x * x : std::pow(std::abs(x), exponent); }

} // namespace

void Implicit::addLoft(const Loft& loft, double blend)
{
    Part part;
    part.length = (loft.end - loft.begin).norm();
    part.origin = loft.begin;
    part.axis = (loft.end - loft.begin) / part.length;
    part.front = (loft.front - loft.front.dot(part.axis) * part.axis).normalized();
    part.side = part.axis.cross(part.front);
    part.sections = loft.sections;
    part.slopes = monotoneSlopes(loft.sections);
    part.beginCap = loft.beginCap;
    part.endCap = loft.endCap;
    part.exponent = loft.exponent;
    part.blend = blend;
    double widest = 0;
    for (const Section& section : loft.sections)
        for (const auto extent : kExtents) widest = std::max(widest, section.*extent);
    part.boundCentre = (loft.begin + loft.end) / 2;
    part.reach = std::max({widest, loft.beginCap, loft.endCap}) * 1.5;
    part.boundRadius = part.length / 2 + part.reach;
    m_parts.push_back(std::move(part));
}

void Implicit::addEllipsoid(const Vector3& centre, const Vector3& radii, double blend, const Vector3& axis)
{
    Part part;
    part.origin = centre;
    part.axis = axis.normalized();
    part.front = (Vector3::UnitZ() - part.axis.z() * part.axis).normalized();
    part.side = part.axis.cross(part.front);
    part.radii = radii;
    part.blend = blend;
    part.boundCentre = centre;
    part.boundRadius = radii.maxCoeff();
    m_parts.push_back(std::move(part));
}

double Implicit::loftValue(const Part& part, const Vector3& p, double limit)
{
    const Vector3 d = p - part.origin;
    const double along = d.dot(part.axis), u = d.dot(part.side), v = d.dot(part.front);
    const double inside = std::clamp(along, 0.0, part.length);
    const double beyond = along - inside;
    const double radius = std::sqrt(u * u + v * v + beyond * beyond);
    if (radius - part.reach > limit) return radius - part.reach; // too far to count, before the dear part
    const Section s = sectionAt(part.sections, part.slopes, inside / part.length);
    const double cap = beyond < 0 ? part.beginCap : part.endCap;
    // Radial distance: 1 - 1/q is the share of the ray from the axis that lies outside the superellipsoid q = 1.
    const double n = part.exponent;
    const double q = std::pow(power(u / (u > 0 ? s.right : s.left), n) + power(v / (v > 0 ? s.front : s.back), n) +
                                  (beyond == 0 ? 0 : power(beyond / cap, n)),
                              1 / n);
    if (q < 1e-6) return -std::min({s.right, s.left, s.front, s.back});
    return radius * (1 - 1 / q);
}

double Implicit::ellipsoidValue(const Part& part, const Vector3& p)
{
    const Vector3 d = p - part.origin;
    const Vector3 local(d.dot(part.side), d.dot(part.axis), d.dot(part.front));
    const double q = local.cwiseQuotient(part.radii).norm();
    if (q < 1e-6) return -part.radii.minCoeff();
    return local.norm() * (1 - 1 / q);
}

double Implicit::value(const Vector3& p) const
{
    double result = std::numeric_limits<double>::max();
    for (const Part& part : m_parts) {
        const double atLeast = (p - part.boundCentre).norm() - part.boundRadius;
        if (atLeast > result + part.blend) continue;
        const double value = part.length > 0 ? loftValue(part, p, result + part.blend) : ellipsoidValue(part, p);
        result = result == std::numeric_limits<double>::max() ? value : smoothMinimum(result, value, part.blend);
    }
    return result;
}

Vector3 Implicit::normal(const Vector3& p) const
{
    // Four samples at the corners of a tetrahedron give the gradient (Quilez 2015).
    static const std::array<Vector3, 4> kCorners = {Vector3(1, -1, -1), Vector3(-1, -1, 1), Vector3(-1, 1, -1),
                                                    Vector3(1, 1, 1)};
    constexpr double kStep = 5e-4; // [m] small against the thinnest finger
    Vector3 sum = Vector3::Zero();
    for (const Vector3& corner : kCorners) sum += corner * value(p + kStep * corner);
    const double length = sum.norm();
    return length > 0 ? Vector3(sum / length) : Vector3::UnitY();
}

Vector3 Implicit::project(Vector3 p, int steps) const
{
    for (int step = 0; step < steps; ++step) p -= value(p) * normal(p);
    return p;
}

} // namespace tendon::mannequin

#include "app/viewport/view/DisplayList.h"

#include <algorithm>
#include <cmath>

namespace tendon::viewport {
namespace {

constexpr double kCasing = 1;  // [px] on each side
constexpr double kFeather = 1; // [px] room for the smooth edge

} // namespace

void DisplayList::hideBehind(const Vector2& from, double depthFrom, const Vector2& to, double depthTo)
{
    const Vector2 along = to - from;
    const double length2 = along.squaredNorm();
    m_depthSlope = length2 > 1 ? Vector2((depthTo - depthFrom) / length2 * along) : Vector2(Vector2::Zero());
    m_depthAtOrigin = depthFrom - m_depthSlope.dot(from);
    m_isOnTop = false;
}

float DisplayList::depthAt(const Vector2& at) const
{
    return m_isOnTop ? -1.0f : static_cast<float>(std::max(m_depthAtOrigin + m_depthSlope.dot(at), 0.0));
}

void DisplayList::segment(const Vector2& from, const Vector2& to, double width, Rgba colour)
{
    const Vector2 along = to - from;
    const double length = along.norm();
    const Vector2 u = length > 1e-9 ? Vector2(along / length) : Vector2(1, 0), v(-u.y(), u.x());
    const double half = width / 2, reach = half + kFeather;
    const auto corner = [&](double a, double b) {
        const Vector2 at = from + a * u + b * v;
        return Vertex{static_cast<float>(at.x()),
                      static_cast<float>(at.y()),
                      static_cast<float>(a),
                      static_cast<float>(b),
                      static_cast<float>(length),
                      static_cast<float>(half),
                      -1,
                      0,
                      depthAt(at),
                      colour};
    };
    const Vertex c[] = {corner(-reach, -reach), corner(length + reach, -reach), corner(length + reach, reach),
                        corner(-reach, reach)};
    m_vertices.insert(m_vertices.end(), {c[0], c[1], c[2], c[0], c[2], c[3]});
}

void DisplayList::disc(const Vector2& centre, double radius, double innerRadius, Rgba colour)
{
    const std::size_t first = m_vertices.size();
    segment(centre, centre, 2 * radius, colour);
    for (std::size_t i = first; i < m_vertices.size(); ++i) m_vertices[i].innerRadius = static_cast<float>(innerRadius);
}

std::vector<std::array<Vector2, 2>> DisplayList::segmentsOf(std::span<const Vector2> points, bool isClosed,
                                                            Dash dash) const
{
    std::vector<std::array<Vector2, 2>> segments;
    const std::size_t count = points.size() < 2 ? 0 : points.size() - (isClosed ? 0 : 1);
    const double on = dash.on * m_scale, period = (dash.on + dash.off) * m_scale;
    double walked = 0; // along the line, so that dashes continue around corners
    for (std::size_t i = 0; i < count; ++i) {
        const Vector2 from = points[i], to = points[(i + 1) % points.size()];
        const double length = (to - from).norm();
        if (period <= 0) {
            segments.push_back({from, to});
            continue;
        }
        // A line that ends far outside the screen would make far too many dashes.
        if (length > 400 * period || length <= 0) continue;
        for (double at = std::floor(walked / period) * period - walked; at < length; at += period) {
            const double begin = std::max(at, 0.0), end = std::min(at + on, length);
            if (end > begin)
                segments.push_back(
                    {Vector2(from + (to - from) * (begin / length)), Vector2(from + (to - from) * (end / length))});
        }
        walked += length;
    }
    return segments;
}

void DisplayList::lines(std::span<const std::array<Vector2, 2>> segments, double width, Rgba colour)
{
    if (m_casing.a > 0)
        for (const auto& [from, to] : segments)
            segment(from, to, (width + 2 * kCasing) * m_scale, m_casing.withAlpha(colour.a / 255.0));
    for (const auto& [from, to] : segments) segment(from, to, width * m_scale, colour);
}

void DisplayList::line(const Vector2& from, const Vector2& to, double width, Rgba colour, Dash dash)
{
    const std::array<Vector2, 2> points = {from, to};
    polyline(points, width, colour, false, dash);
}

void DisplayList::polyline(std::span<const Vector2> points, double width, Rgba colour, bool isClosed, Dash dash)
{
    lines(segmentsOf(points, isClosed, dash), width, colour);
}

void DisplayList::dot(const Vector2& centre, double radius, Rgba colour)
{
    if (m_casing.a > 0) disc(centre, (radius + kCasing) * m_scale, -1, m_casing.withAlpha(colour.a / 255.0));
    disc(centre, radius * m_scale, -1, colour);
}

void DisplayList::ring(const Vector2& centre, double radius, double width, Rgba colour)
{
    const double inner = radius - width / 2, outer = radius + width / 2;
    if (m_casing.a > 0)
        disc(centre, (outer + kCasing) * m_scale, (inner - kCasing) * m_scale, m_casing.withAlpha(colour.a / 255.0));
    disc(centre, outer * m_scale, inner * m_scale, colour);
}

void DisplayList::fill(std::span<const Vector2> convex, Rgba colour)
{
    const auto corner = [&](const Vector2& at) {
        return Vertex{static_cast<float>(at.x()), static_cast<float>(at.y()), 0, 0, 0, 0, -1, 1, depthAt(at), colour};
    };
    for (std::size_t i = 2; i < convex.size(); ++i)
        m_vertices.insert(m_vertices.end(), {corner(convex[0]), corner(convex[i - 1]), corner(convex[i])});
}

std::vector<Vector2> convexHull(std::vector<Vector2> points)
{
    // Andrew's monotone chain.
    std::sort(points.begin(), points.end(),
              [](const Vector2& a, const Vector2& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
    if (points.size() < 3) return points;
    const auto turn = [](const Vector2& o, const Vector2& a, const Vector2& b) {
        return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
    };
    std::vector<Vector2> hull(2 * points.size());
    std::size_t size = 0;
    for (const Vector2& point : points) {
        while (size >= 2 && turn(hull[size - 2], hull[size - 1], point) <= 0) --size;
        hull[size++] = point;
    }
    const std::size_t lower = size + 1;
    for (std::size_t i = points.size() - 1; i-- > 0;) {
        while (size >= lower && turn(hull[size - 2], hull[size - 1], points[i]) <= 0) --size;
        hull[size++] = points[i];
    }
    hull.resize(size - 1);
    return hull;
}

} // namespace tendon::viewport

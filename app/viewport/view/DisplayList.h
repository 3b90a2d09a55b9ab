#pragma once

#include "app/viewport/view/Camera.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tendon::viewport {

struct Rgba
{
    std::uint8_t r = 255, g = 255, b = 255, a = 255;

    [[nodiscard]] Rgba withAlpha(double share) const { return {r, g, b, static_cast<std::uint8_t>(a * share + 0.5)}; }
    bool operator==(const Rgba&) const = default;
};

/// [px] The lengths of strokes and gaps.
struct Dash
{
    double on = 0, off = 0; ///< 0: solid
};

/// Flat shapes in painting order, as triangles for the GPU. Each pixel knows its distance to the shape, so edges are
/// smooth without multisampling. Coordinates are pixels from the top left corner.
///
/// While a casing is set, every line, ring and outline gets a rim of that colour, one pixel wider on each side, which
/// keeps it legible on every background.
class DisplayList
{
public:
    struct Vertex
    {
        float x, y;
        float along, across, length, halfWidth; ///< of the segment inside the triangle
        float innerRadius, isPlain; ///< radius of a ring's hole, otherwise -1; 1 = covers the whole triangle
        float depth;                ///< depth buffer value; below 0: drawn over everything
        Rgba colour;
    };
    void clear()
    {
        m_vertices.clear();
        stayOnTop();
    }
    [[nodiscard]] std::span<const Vertex> vertices() const { return m_vertices; } ///< three per triangle

    void setCasing(Rgba colour) { m_casing = colour; }
    /// Factor for all widths and radii: the scale of the interface.
    void setScale(double scale) { m_scale = scale; }
    [[nodiscard]] double scale() const { return m_scale; }

    /// Nearer surfaces hide the shapes that follow. Their depth (depth buffer values) changes linearly between the two
    /// points [px]; if both points coincide, it is the first depth everywhere.
    void hideBehind(const Vector2& from, double depthFrom, const Vector2& to, double depthTo);
    /// The shapes that follow are drawn over everything, as after clear().
    void stayOnTop() { m_isOnTop = true; }

    void line(const Vector2& from, const Vector2& to, double width, Rgba colour, Dash dash = {});
    void polyline(std::span<const Vector2> points, double width, Rgba colour, bool isClosed = false, Dash dash = {});
    /// Draws several lines that share one casing, so that no casing covers another line.
    void lines(std::span<const std::array<Vector2, 2>> segments, double width, Rgba colour);
    void dot(const Vector2& centre, double radius, Rgba colour);
    void ring(const Vector2& centre, double radius, double width, Rgba colour);
    void fill(std::span<const Vector2> convex, Rgba colour); ///< has no casing and no smooth edge; draw an outline, too

private:
    void segment(const Vector2& from, const Vector2& to, double width, Rgba colour);
    [[nodiscard]] float depthAt(const Vector2& at) const;
    void disc(const Vector2& centre, double radius, double innerRadius, Rgba colour);
    std::vector<std::array<Vector2, 2>> segmentsOf(std::span<const Vector2> points, bool isClosed, Dash dash) const;

    std::vector<Vertex> m_vertices;
    Rgba m_casing{0, 0, 0, 0};
    double m_scale = 1;
    bool m_isOnTop = true;                  ///< false: the depth at a pixel is
    double m_depthAtOrigin = 0;             ///< this value at the top left corner
    Vector2 m_depthSlope = Vector2::Zero(); ///< plus this slope per pixel
};

/// The convex hull of points, counter-clockwise with y up.
[[nodiscard]] std::vector<Vector2> convexHull(std::vector<Vector2> points);

} // namespace tendon::viewport

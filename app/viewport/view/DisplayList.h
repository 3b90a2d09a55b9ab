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

/// Lengths of strokes and gaps. [px]
struct Dash
{
    double on = 0, off = 0; ///< 0: solid
};

/// Flat shapes in the order in which they are painted, ready for the graphics card: triangles whose pixels know their
/// distance to the shape, which makes edges smooth without multisampling. Pixels from the top left corner.
///
/// While a casing is set, every line, ring and outline first gets a rim of it, one pixel wider on each side: that keeps
/// it legible on anything.
class DisplayList
{
public:
    struct Vertex
    {
        float x, y;
        float along, across, length, halfWidth; ///< of the segment that the triangle covers
        float innerRadius, isPlain;             ///< -1 unless a ring; 1 = covered everywhere
        float depth;                            ///< of the depth buffer; below 0: over everything
        Rgba colour;
    };
    void clear()
    {
        m_vertices.clear();
        stayOnTop();
    }
    [[nodiscard]] std::span<const Vertex> vertices() const { return m_vertices; } ///< three per triangle

    void setCasing(Rgba colour) { m_casing = colour; }
    /// Factor of all widths and radii: the interface's scale.
    void setScale(double scale) { m_scale = scale; }
    [[nodiscard]] double scale() const { return m_scale; }

    /// What comes next is hidden by what is nearer in the scene; its depth goes evenly from one point to the other
    /// (pixels, depths of the depth buffer), and is the first's everywhere when they are in one place.
    void hideBehind(const Vector2& from, double depthFrom, const Vector2& to, double depthTo);
    /// What comes next is over everything, as after clear().
    void stayOnTop() { m_isOnTop = true; }

    void line(const Vector2& from, const Vector2& to, double width, Rgba colour, Dash dash = {});
    void polyline(std::span<const Vector2> points, double width, Rgba colour, bool isClosed = false, Dash dash = {});
    /// Several lines that share one casing, so that none lies over another's colour.
    void lines(std::span<const std::array<Vector2, 2>> segments, double width, Rgba colour);
    void dot(const Vector2& centre, double radius, Rgba colour);
    void ring(const Vector2& centre, double radius, double width, Rgba colour);
    void fill(std::span<const Vector2> convex, Rgba colour); ///< no casing, no smooth edge: outline it

private:
    void segment(const Vector2& from, const Vector2& to, double width, Rgba colour);
    [[nodiscard]] float depthAt(const Vector2& at) const;
    void disc(const Vector2& centre, double radius, double innerRadius, Rgba colour);
    std::vector<std::array<Vector2, 2>> segmentsOf(std::span<const Vector2> points, bool isClosed, Dash dash) const;

    std::vector<Vertex> m_vertices;
    Rgba m_casing{0, 0, 0, 0};
    double m_scale = 1;
    bool m_isOnTop = true;                  ///< else the depth at a pixel is
    double m_depthAtOrigin = 0;             ///< this at the top left corner, and
    Vector2 m_depthSlope = Vector2::Zero(); ///< so much more per pixel
};

/// The outline of points: the smallest convex polygon around them, counter-clockwise on paper with y up.
[[nodiscard]] std::vector<Vector2> convexHull(std::vector<Vector2> points);

} // namespace tendon::viewport

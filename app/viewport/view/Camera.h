#pragma once

#include "core/scene/ViewSetup.h"

#include <optional>
#include <span>
#include <vector>

namespace tendon::viewport {

using Vector2 = Eigen::Vector2d;
using Matrix4 = Eigen::Matrix4d;

/// A ray in the world.
struct Ray
{
    Vector3 origin = Vector3::Zero();
    Vector3 direction = -Vector3::UnitZ(); ///< unit

    [[nodiscard]] Vector3 at(double distance) const { return origin + distance * direction; }
};

enum class StandardView { Front, Back, Right, Left, Top, Bottom };

/// A camera that orbits a target point at a distance. A plain value: copy it to remember a view. The front of a model
/// is +Z; the view "right" looks from +X.
struct Camera : ViewCamera
{
    Camera() = default;
    explicit Camera(const ViewCamera& camera) : ViewCamera(camera) {}

    [[nodiscard]] Quaternion worldFromView() const; ///< view space looks along -Z, +Y up
    [[nodiscard]] Vector3 forward() const;
    [[nodiscard]] Vector3 eye() const;

    bool operator==(const Camera&) const = default;
};

/// Looks from a side without perspective; keeps the target and the distance.
[[nodiscard]] Camera lookingFrom(const Camera& camera, StandardView view);
/// The side that the camera looks from, if it is exactly one.
[[nodiscard]] std::optional<StandardView> standardViewOf(const Camera& camera);

/// Orbits the eye about the target. Pitch stops short of straight up and down. Turns perspective on.
[[nodiscard]] Camera orbited(const Camera& camera, double yaw, double pitch);
/// Moves eye and target so that the target's plane stays under the pointer. `height` is that of the view in pixels.
[[nodiscard]] Camera panned(const Camera& camera, const Vector2& pixels, double height);
/// Zooms in (factor < 1) or out. The point of the target's plane under `pointer` (in -1 ... 1, y up) stays under it.
[[nodiscard]] Camera zoomed(const Camera& camera, double factor, const Vector2& pointer = Vector2::Zero(),
                            double aspect = 1);

/// An axis-aligned box in the world. Empty until something is added.
struct Bounds
{
    Vector3 low = Vector3::Constant(1e300), high = Vector3::Constant(-1e300);

    void add(const Vector3& point)
    {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    }
    void add(const Bounds& other)
    {
        if (!other.isEmpty()) {
            add(other.low);
            add(other.high);
        }
    }
    [[nodiscard]] bool isEmpty() const { return low.x() > high.x(); }
    [[nodiscard]] Vector3 centre() const { return 0.5 * (low + high); }
    [[nodiscard]] Vector3 size() const { return high - low; }
};

/// Frames the points from the same direction: they fill `share` of the picture's smaller side. If all points are at one
/// position, the distance stays within sensible bounds.
[[nodiscard]] Camera framing(const Camera& camera, std::span<const Vector3> points, double aspect, double share = 0.82);
[[nodiscard]] Camera framing(const Camera& camera, const Bounds& bounds, double aspect, double share = 0.82);

/// The views that a camera was moved to, as a browser keeps pages: back to those before, forward again.
class ViewHistory
{
public:
    static constexpr std::size_t kMaxViews = 50;

    /// The camera leaves this view for another one that nothing of the history leads to.
    void note(const Camera& before);
    [[nodiscard]] bool hasPrevious() const { return !m_before.empty(); }
    [[nodiscard]] bool hasNext() const { return !m_after.empty(); }
    /// Goes one view back or on from `now`. Precondition: there is one.
    [[nodiscard]] Camera previous(const Camera& now) { return step(m_before, m_after, now); }
    [[nodiscard]] Camera next(const Camera& now) { return step(m_after, m_before, now); }
    void clear() { *this = {}; }

private:
    static Camera step(std::vector<Camera>& from, std::vector<Camera>& to, const Camera& now);

    std::vector<Camera> m_before, m_after; ///< the nearest last
};

/// A camera with the size of its picture: converts from the world to pixels and back. Pixels: x right, y down, from the
/// top left corner, in the unit of the size.
class View
{
public:
    View() : View(Camera(), 1, 1) {}
    View(const Camera& camera, double width, double height);

    struct Projected
    {
        Vector2 pixel = Vector2::Zero();
        double depth = 0;       ///< [m] along the viewing direction
        double windowDepth = 0; ///< depth buffer value: 0 at the near plane, 1 at the far plane
        bool isInFront = false; ///< of the near plane; if false, pixel has no meaning
    };

    [[nodiscard]] Projected project(const Vector3& world) const;
    [[nodiscard]] Ray ray(const Vector2& pixel) const;
    /// [m] The length of one pixel at the depth of a point.
    [[nodiscard]] double metresPerPixel(const Vector3& world) const;
    /// The intersection of a pixel's ray with the plane through `point` that faces the eye.
    [[nodiscard]] Vector3 onFacingPlane(const Vector2& pixel, const Vector3& point) const;

    [[nodiscard]] const Camera& camera() const { return m_camera; }
    [[nodiscard]] double width() const { return m_width; }
    [[nodiscard]] double height() const { return m_height; }
    [[nodiscard]] double nearPlane() const { return m_near; }
    [[nodiscard]] const Matrix4& viewFromWorld() const { return m_viewFromWorld; }
    [[nodiscard]] const Matrix4& clipFromView() const { return m_clipFromView; }
    [[nodiscard]] Vector3 right() const { return m_viewFromWorld.block<1, 3>(0, 0).transpose(); }
    [[nodiscard]] Vector3 up() const { return m_viewFromWorld.block<1, 3>(1, 0).transpose(); }
    [[nodiscard]] Vector3 forward() const { return -m_viewFromWorld.block<1, 3>(2, 0).transpose(); }
    /// The unit direction from a point to the eye; without perspective the same everywhere.
    [[nodiscard]] Vector3 toEye(const Vector3& world) const;

private:
    Camera m_camera;
    double m_width, m_height;
    double m_near, m_far;
    Matrix4 m_viewFromWorld, m_clipFromView;
};

} // namespace tendon::viewport

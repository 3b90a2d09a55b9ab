#include "app/viewport/view/Camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace tendon::viewport {
namespace {

constexpr double kQuarter = std::numbers::pi / 2;
constexpr double kSteepest = kQuarter - 0.01;      // [rad] straight down has no yaw; stop a little before
constexpr double kNearest = 1e-4, kFarthest = 1e5; // [m] distance of the eye

struct Direction
{
    StandardView view;
    double yaw, pitch;
};
constexpr std::array<Direction, 6> kDirections = {{{StandardView::Front, 0, 0},
                                                   {StandardView::Back, 2 * kQuarter, 0},
                                                   {StandardView::Right, kQuarter, 0},
                                                   {StandardView::Left, -kQuarter, 0},
                                                   {StandardView::Top, 0, -kQuarter},
                                                   {StandardView::Bottom, 0, kQuarter}}};

/// Half the height of the picture at the target. [m]
double halfHeight(const Camera& camera) { return camera.distance * std::tan(camera.fieldOfView / 2); }

} // namespace

Quaternion Camera::worldFromView() const
{
    return Quaternion(Eigen::AngleAxisd(yaw, Vector3::UnitY()) * Eigen::AngleAxisd(pitch, Vector3::UnitX()));
}

Vector3 Camera::forward() const { return worldFromView() * -Vector3::UnitZ(); }

Vector3 Camera::eye() const { return target - distance * forward(); }

Camera lookingFrom(const Camera& camera, StandardView view)
{
    Camera result = camera;
    for (const Direction& direction : kDirections)
        if (direction.view == view) {
            result.yaw = direction.yaw;
            result.pitch = direction.pitch;
        }
    result.isOrthographic = true;
    return result;
}

std::optional<StandardView> standardViewOf(const Camera& camera)
{
    if (!camera.isOrthographic) return std::nullopt;
    for (const Direction& direction : kDirections)
        if (std::abs(std::remainder(camera.yaw - direction.yaw, 4 * kQuarter)) < 1e-9 &&
            std::abs(camera.pitch - direction.pitch) < 1e-9)
            return direction.view;
    return std::nullopt;
}

Camera orbited(const Camera& camera, double yaw, double pitch)
{
    Camera result = camera;
    result.yaw = std::remainder(camera.yaw + yaw, 4 * kQuarter);
    result.pitch = std::clamp(camera.pitch + pitch, -kSteepest, kSteepest);
    result.isOrthographic = false;
    return result;
}

Camera panned(const Camera& camera, const Vector2& pixels, double height)
{
    Camera result = camera;
    const double metresPerPixel = 2 * halfHeight(camera) / std::max(height, 1.0);
    result.target += camera.worldFromView() * Vector3(-pixels.x() * metresPerPixel, pixels.y() * metresPerPixel, 0);
    return result;
}

Camera zoomed(const Camera& camera, double factor, const Vector2& pointer, double aspect)
{
    Camera result = camera;
    result.distance = std::clamp(camera.distance * factor, kNearest, kFarthest);
    const double shrunk = halfHeight(camera) - halfHeight(result);
    result.target += camera.worldFromView() * Vector3(pointer.x() * aspect * shrunk, pointer.y() * shrunk, 0);
    return result;
}

Camera framing(const Camera& camera, std::span<const Vector3> points, double aspect, double share)
{
    if (points.empty()) return camera;
    const Quaternion viewFromWorld = camera.worldFromView().conjugate();
    const double tanY = std::tan(camera.fieldOfView / 2) * share, tanX = tanY * aspect;

    Bounds seen;
    for (const Vector3& point : points) seen.add(viewFromWorld * point);
    Camera result = camera;
    Vector3 centre = seen.centre();

    if (camera.isOrthographic) {
        result.distance = std::max(seen.size().y() / 2 / tanY, seen.size().x() / 2 / tanX);
    } else {
        // The eye is where the planes through the outermost points meet. That is exact for x and for y alone, so this
        // uses the larger of the two distances and centres the other direction.
        const auto fit = [&](int axis, double tangent) {
            double high = -1e300, low = 1e300;
            for (const Vector3& point : points) {
                const Vector3 view = viewFromWorld * point;
                high = std::max(high, view[axis] + tangent * view.z());
                low = std::min(low, view[axis] - tangent * view.z());
            }
            // eye at (c, z):  view[axis] - c <= tangent * (z - view.z)  for all points, and the same on the other side
            return std::pair{(high + low) / 2, (high - low) / 2 / tangent};
        };
        const auto [x, zForX] = fit(0, tanX);
        const auto [y, zForY] = fit(1, tanY);
        centre.x() = x;
        centre.y() = y;
        result.distance = std::max(zForX, zForY) - centre.z();
    }
    const double least = std::max(seen.size().norm() * 0.5, 0.15); // objects without size still get a sensible view
    result.distance = std::clamp(result.distance, least, kFarthest);
    result.target = camera.worldFromView() * centre;
    return result;
}

Camera framing(const Camera& camera, const Bounds& bounds, double aspect, double share)
{
    if (bounds.isEmpty()) return camera;
    std::vector<Vector3> corners;
    for (int i = 0; i < 8; ++i)
        corners.emplace_back(i & 1 ? bounds.high.x() : bounds.low.x(), i & 2 ? bounds.high.y() : bounds.low.y(),
                             i & 4 ? bounds.high.z() : bounds.low.z());
    return framing(camera, corners, aspect, share);
}

void ViewHistory::note(const Camera& before)
{
    m_after.clear();
    if (!m_before.empty() && m_before.back() == before) return;
    if (m_before.size() == kMaxViews) m_before.erase(m_before.begin());
    m_before.push_back(before);
}

Camera ViewHistory::step(std::vector<Camera>& from, std::vector<Camera>& to, const Camera& now)
{
    const Camera there = from.back();
    from.pop_back();
    to.push_back(now);
    return there;
}

View::View(const Camera& camera, double width, double height)
    : m_camera(camera), m_width(std::max(width, 1.0)), m_height(std::max(height, 1.0))
{
    const Quaternion viewFromWorld = camera.worldFromView().conjugate();
    const double h = halfHeight(camera), w = h * m_width / m_height;
    m_viewFromWorld = Matrix4::Identity();
    m_viewFromWorld.topLeftCorner<3, 3>() = viewFromWorld.toRotationMatrix();
    m_viewFromWorld.topRightCorner<3, 1>() = viewFromWorld * -camera.eye();

    // 24 bits of depth over four decades: a tenth of a millimetre at a figure's distance.
    m_near = camera.isOrthographic ? -100 * camera.distance : camera.distance / 50;
    m_far = 200 * camera.distance;
    m_clipFromView = Matrix4::Zero();
    if (camera.isOrthographic) {
        m_clipFromView(0, 0) = 1 / w;
        m_clipFromView(1, 1) = 1 / h;
        m_clipFromView(2, 2) = -2 / (m_far - m_near);
        m_clipFromView(2, 3) = -(m_far + m_near) / (m_far - m_near);
        m_clipFromView(3, 3) = 1;
    } else {
        m_clipFromView(0, 0) = camera.distance / w;
        m_clipFromView(1, 1) = camera.distance / h;
        m_clipFromView(2, 2) = -(m_far + m_near) / (m_far - m_near);
        m_clipFromView(2, 3) = -2 * m_far * m_near / (m_far - m_near);
        m_clipFromView(3, 2) = -1;
    }
}

View::Projected View::project(const Vector3& world) const
{
    const Eigen::Vector4d view = m_viewFromWorld * world.homogeneous();
    const Eigen::Vector4d clip = m_clipFromView * view;
    Projected result;
    result.depth = -view.z();
    result.isInFront = result.depth > m_near;
    if (!result.isInFront) return result;
    result.pixel = Vector2((clip.x() / clip.w() + 1) / 2 * m_width, (1 - clip.y() / clip.w()) / 2 * m_height);
    result.windowDepth = 0.5 + 0.5 * clip.z() / clip.w();
    return result;
}

Ray View::ray(const Vector2& pixel) const
{
    const double h = halfHeight(m_camera);
    const double x = (2 * pixel.x() / m_width - 1) * h * m_width / m_height, y = (1 - 2 * pixel.y() / m_height) * h;
    const Quaternion worldFromView = m_camera.worldFromView();
    if (m_camera.isOrthographic)
        return {m_camera.eye() + worldFromView * Vector3(x, y, 0) + m_near * forward(), forward()};
    return {m_camera.eye(), (worldFromView * Vector3(x, y, -m_camera.distance)).normalized()};
}

double View::metresPerPixel(const Vector3& world) const
{
    const double atTarget = 2 * halfHeight(m_camera) / m_height;
    if (m_camera.isOrthographic) return atTarget;
    return atTarget * std::max((world - m_camera.eye()).dot(forward()), m_near) / m_camera.distance;
}

Vector3 View::onFacingPlane(const Vector2& pixel, const Vector3& point) const
{
    const Ray r = ray(pixel);
    const double facing = r.direction.dot(forward());
    return r.at((point - r.origin).dot(forward()) / facing);
}

Vector3 View::toEye(const Vector3& world) const
{
    if (m_camera.isOrthographic) return -forward();
    const Vector3 away = m_camera.eye() - world;
    const double length = away.norm();
    return length > 0 ? Vector3(away / length) : Vector3(-forward());
}

} // namespace tendon::viewport

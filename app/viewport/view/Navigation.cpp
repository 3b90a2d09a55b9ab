#include "app/viewport/view/Navigation.h"

#include <cmath>
#include <numbers>

namespace tendon::viewport {
namespace {

constexpr double kTurnPerPixel = 0.008; // [rad] half a turn over some 400 pixels
constexpr double kZoomPerPixel = 0.006;

} // namespace

CameraMove cameraMoveFor(MousePreset preset, MouseButton button, HeldKeys keys)
{
    switch (preset) {
    case MousePreset::Maya:
        if (!keys.alt) break;
        return button == MouseButton::Left     ? CameraMove::Orbit
               : button == MouseButton::Middle ? CameraMove::Pan
                                               : CameraMove::Zoom;
    case MousePreset::Blender:
        if (button != MouseButton::Middle) break;
        return keys.shift ? CameraMove::Pan : keys.control ? CameraMove::Zoom : CameraMove::Orbit;
    case MousePreset::Max:
        if (button != MouseButton::Middle) break;
        return keys.alt && keys.control ? CameraMove::Zoom : keys.alt ? CameraMove::Orbit : CameraMove::Pan;
    }
    return CameraMove::None;
}

Camera moved(const Camera& camera, CameraMove move, const Vector2& pixels, double height)
{
    switch (move) {
    case CameraMove::None: break;
    case CameraMove::Orbit: return orbited(camera, -kTurnPerPixel * pixels.x(), -kTurnPerPixel * pixels.y());
    case CameraMove::Pan: return panned(camera, pixels, height);
    case CameraMove::Zoom: return zoomed(camera, std::exp(-kZoomPerPixel * (pixels.x() - pixels.y())));
    }
    return camera;
}

Camera between(const Camera& from, const Camera& to, double share)
{
    if (share >= 1) return to;
    const double left = 1 - share, t = 1 - left * left * left; // OutCubic
    Camera camera = to;
    camera.target = from.target + t * (to.target - from.target);
    camera.distance = from.distance * std::pow(to.distance / from.distance, t);
    camera.yaw = from.yaw + t * std::remainder(to.yaw - from.yaw, 2 * std::numbers::pi);
    camera.pitch = from.pitch + t * (to.pitch - from.pitch);
    camera.isOrthographic = to.isOrthographic && from.isOrthographic; // flattens on arrival
    return camera;
}

} // namespace tendon::viewport

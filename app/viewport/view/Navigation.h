#pragma once

#include "app/viewport/view/Camera.h"

namespace tendon::viewport {

/// The ways to move a camera with the mouse.
enum class CameraMove { None, Orbit, Pan, Zoom };

/// The mouse buttons and keys that move the camera, as in other programs.
enum class MousePreset { Maya, Blender, Max };
enum class MouseButton { Left, Middle, Right };
struct HeldKeys
{
    bool shift = false, control = false, alt = false;
};
[[nodiscard]] CameraMove cameraMoveFor(MousePreset preset, MouseButton button, HeldKeys keys);

/// The camera after the pointer has moved by `pixels` (y down) in a view with a height of `height` pixels.
[[nodiscard]] Camera moved(const Camera& camera, CameraMove move, const Vector2& pixels, double height);

/// Interpolates between two cameras, `share` 0 ... 1; rotates the shorter way and eases out.
[[nodiscard]] Camera between(const Camera& from, const Camera& to, double share);

} // namespace tendon::viewport

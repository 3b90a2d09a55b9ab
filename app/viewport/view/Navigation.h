#pragma once

#include "app/viewport/view/Camera.h"

namespace tendon::viewport {

/// The mouse's ways to move a camera.
enum class CameraMove { None, Orbit, Pan, Zoom };

/// Which buttons and keys move the camera, as hands trained on other programs expect.
enum class MousePreset { Maya, Blender, Max };
enum class MouseButton { Left, Middle, Right };
struct HeldKeys
{
    bool shift = false, control = false, alt = false;
};
[[nodiscard]] CameraMove cameraMoveFor(MousePreset preset, MouseButton button, HeldKeys keys);

/// The camera after the pointer went by `pixels` (y down) in a view of `height` pixels.
[[nodiscard]] Camera moved(const Camera& camera, CameraMove move, const Vector2& pixels, double height);

/// Between two cameras, `share` 0 ... 1 of the way; turns the shorter way round, eases out.
[[nodiscard]] Camera between(const Camera& from, const Camera& to, double share);

} // namespace tendon::viewport

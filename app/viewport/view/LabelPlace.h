#pragma once

#include "app/viewport/view/Camera.h"

#include <array>
#include <span>

namespace tendon::viewport {

using PixelLine = std::array<Vector2, 2>; ///< [px] a bone or another line, from one end to the other

/// [px] The middle of a plate of `size` for the point `at`: the nearest place around it, at least `gap` away, at which
/// the plate covers none of `lines` and lies within a view of `viewSize`. Where there is none, the place that covers
/// the fewest.
[[nodiscard]] Vector2 placeBeside(const Vector2& at, const Vector2& size, double gap, std::span<const PixelLine> lines,
                                  const Vector2& viewSize);

/// A plate about `middle` covers a part of the line.
[[nodiscard]] bool covers(const Vector2& middle, const Vector2& size, const PixelLine& line);

} // namespace tendon::viewport

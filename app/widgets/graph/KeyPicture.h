#pragma once

#include "core/scene/Clip.h"

#include <QColor>
#include <QPixmap>

namespace tendon::editor {

/// A key as a picture, which is drawn once and then copied: a diamond for a curve, a square for a step, a circle for a
/// straight line. `r`: half of its size [px].
[[nodiscard]] QPixmap keyPicture(const QColor& fill, const QColor& rim, double r, Interpolation interpolation,
                                 qreal dpr);

} // namespace tendon::editor

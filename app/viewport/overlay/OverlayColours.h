#pragma once

#include "app/viewport/view/DisplayList.h"

#include <QColor>

namespace tendon::editor {
class Theme;
}

namespace tendon::viewport {

[[nodiscard]] Rgba toRgba(const QColor& colour);
[[nodiscard]] QColor toQColor(Rgba colour);

/// The colours of overlays, from the theme's tokens.
struct OverlayColours
{
    Rgba casing;
    Rgba boneNormal, boneHover, boneSelected, boneChain, boneMuted, boneLocked, boneError;
    Rgba goal, pole, effector, limit, terminator, pin, wire, vector, fk, errorLine;
    Rgba axes[3];
    Rgba compare[4]; ///< of editor::compareLook()
    Rgba plate, text, dimText, accent, record;
    Rgba past, future, key; ///< of ghosts and trails
    Rgba roles[4];          ///< of editor::RoleColour
    Rgba inside;            ///< inside of rings and shapes: the casing's colour, opaque

    OverlayColours() = default;
    explicit OverlayColours(const editor::Theme& theme);
};

} // namespace tendon::viewport

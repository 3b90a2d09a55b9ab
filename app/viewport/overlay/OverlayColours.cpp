#include "app/viewport/overlay/OverlayColours.h"

#include "app/editor/CompareLook.h"
#include "app/editor/Marks.h"
#include "app/editor/Theme.h"

namespace tendon::viewport {

Rgba toRgba(const QColor& colour)
{
    return {static_cast<std::uint8_t>(colour.red()), static_cast<std::uint8_t>(colour.green()),
            static_cast<std::uint8_t>(colour.blue()), static_cast<std::uint8_t>(colour.alpha())};
}

QColor toQColor(Rgba colour) { return {colour.r, colour.g, colour.b, colour.a}; }

OverlayColours::OverlayColours(const editor::Theme& theme)
{
    const auto token = [&](const char* name) { return toRgba(theme.color(QString::fromLatin1(name))); };
    // Dark casings under light lines, light casings under dark ones: 67 % black, 80 % white.
    casing = theme.isDark() ? Rgba{0, 0, 0, 171} : Rgba{255, 255, 255, 204};
    inside = theme.isDark() ? Rgba{24, 25, 27, 255} : Rgba{250, 250, 251, 255};
    boneNormal = token("bone.normal");
    boneHover = token("bone.hover");
    boneSelected = token("bone.selected");
    boneChain = token("bone.chain");
    boneMuted = token("bone.muted");
    boneLocked = token("bone.locked");
    boneError = token("bone.error");
    goal = token("rig.goal");
    pole = token("rig.pole");
    effector = token("rig.effector");
    limit = token("rig.limit");
    terminator = token("rig.terminator");
    pin = token("rig.pin");
    wire = token("rig.wire");
    vector = token("rig.vector");
    fk = token("rig.fk");
    errorLine = token("rig.error-line");
    axes[0] = token("axis.x");
    axes[1] = token("axis.y");
    axes[2] = token("axis.z");
    for (std::size_t i = 0; i < std::size(compare); ++i) compare[i] = token(editor::compareLook(i).token);
    for (std::size_t i = 0; i < std::size(roles); ++i)
        roles[i] = token(editor::tokenOf(static_cast<editor::RoleColour>(i)));
    plate = token("viewport.hud-plate");
    text = token("viewport.hud-text");
    dimText = token("viewport.hud-dim");
    accent = token("accent.fill");
    record = token("time.record");
    past = token("time.ghost-past");
    future = token("time.ghost-future");
    key = token("time.key-selected");
}

} // namespace tendon::viewport

#pragma once

#include "app/editor/GhostFrames.h"
#include "app/editor/Visibility.h"
#include "app/viewport/view/Camera.h"

#include <QSize>

#include <functional>
#include <memory>
#include <span>

namespace tendon::editor {
class Theme;
}

namespace tendon::viewport {

/// Draws the lit scene (background, grid and meshes) into a texture, and only when something is stale.
class ScenePainter
{
public:
    /// `wantsFrame` is called when background work has finished that needs a new frame.
    explicit ScenePainter(std::function<void()> wantsFrame);
    ~ScenePainter();

    void setFrame(editor::FramePtr frame, const editor::Visibility& visibility);
    void setVisibility(const editor::Visibility& visibility); ///< of the frame that was set last
    /// Ghosts drawn as meshes.
    void setGhosts(std::span<const editor::Ghost> ghosts);
    void setTheme(const editor::Theme& theme);
    void setState(const editor::ViewState& state, bool showsGrid);

    /// The picture of a view with a size of `pixels`. Draws if anything differs from the last call.
    struct Picture
    {
        unsigned texture = 0; ///< OpenGL name of the colours
        unsigned depth = 0;   ///< OpenGL name of the depths, 0 ... 1
        bool isMultisampled = false;
    };
    Picture paint(const View& view, QSize pixels);

    /// True when all textures are decoded, so that the next frame shows them.
    void finishLoading();

    [[nodiscard]] std::uint64_t framesDrawn() const;
    [[nodiscard]] double paletteSeconds() const; ///< of the newest frame
    [[nodiscard]] double gridCell() const;       ///< [m]

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport

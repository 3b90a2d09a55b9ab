#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/ViewSettings.h"
#include "app/viewport/view/Camera.h"

#include <QSize>

#include <functional>
#include <memory>

namespace tendon::editor {
class Theme;
}

namespace tendon::viewport {

/// The lit scene - backdrop, grid, meshes - as a texture. Knows what is stale and draws only then.
class ScenePainter
{
public:
    /// `wantsFrame` is called when something has come in the background that calls for a new picture.
    explicit ScenePainter(std::function<void()> wantsFrame);
    ~ScenePainter();

    void setFrame(editor::FramePtr frame);
    void setTheme(const editor::Theme& theme);
    void setState(const editor::ViewState& state, bool showsGrid);

    /// The picture of a view, `pixels` large. Draws when anything differs from the last time.
    struct Picture
    {
        unsigned texture = 0; ///< OpenGL's name
        unsigned depth = 0;   ///< the same of the depths, 0 ... 1
        bool isMultisampled = false;
    };
    Picture paint(const View& view, QSize pixels);

    /// Decoding of textures is over and shown by the next picture.
    void finishLoading();

    [[nodiscard]] std::uint64_t framesDrawn() const;
    [[nodiscard]] double paletteSeconds() const; ///< of the newest frame
    [[nodiscard]] double gridCell() const;       ///< [m]

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport

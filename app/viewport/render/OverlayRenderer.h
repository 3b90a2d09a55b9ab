#pragma once

#include "app/viewport/view/DisplayList.h"

#include <QSize>

#include <memory>

namespace tendon::viewport {

/// Draws the 3D scene's texture and a display list over it, in its own OpenGL context or a widget's. One per context,
/// created and destroyed while that context is current.
class OverlayRenderer
{
public:
    OverlayRenderer();
    ~OverlayRenderer();
    OverlayRenderer(const OverlayRenderer&) = delete;
    OverlayRenderer& operator=(const OverlayRenderer&) = delete;

    /// Copies a texture of the size of the current framebuffer into it, resolving its samples.
    void drawScene(unsigned texture, QSize pixels, bool isMultisampled, unsigned framebuffer);

    /// `size` is in the list's units, `pixels` is the size of the framebuffer. `depth` is a texture of that size with
    /// the scene's depths, which hide shapes that are not drawn over everything.
    void draw(const DisplayList& list, const Vector2& size, QSize pixels, unsigned depth, bool isMultisampled);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport

#pragma once

#include "app/viewport/view/DisplayList.h"

#include <QSize>

#include <memory>

namespace tendon::viewport {

/// Puts a picture together in an OpenGL context of its own making or a widget's: the 3D scene's texture, and a display
/// list over it. One per context, made and destroyed while that is current.
class OverlayRenderer
{
public:
    OverlayRenderer();
    ~OverlayRenderer();
    OverlayRenderer(const OverlayRenderer&) = delete;
    OverlayRenderer& operator=(const OverlayRenderer&) = delete;

    /// Copies a texture of the size of the current framebuffer into it, resolving its samples.
    void drawScene(unsigned texture, QSize pixels, bool isMultisampled, unsigned framebuffer);

    /// `size` in the list's units, `pixels` the framebuffer's. `depth` is the scene's depths as a texture of that size:
    /// what hides shapes that are not over everything.
    void draw(const DisplayList& list, const Vector2& size, QSize pixels, unsigned depth, bool isMultisampled);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport

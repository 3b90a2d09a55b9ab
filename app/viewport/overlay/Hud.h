#pragma once

#include "app/editor/FrameResult.h"
#include "app/viewport/overlay/OverlayColours.h"
#include "app/viewport/view/ViewCube.h"

#include <QElapsedTimer>
#include <QImage>

#include <deque>

class QPainter;

namespace tendon::viewport {

/// The figures in the top right corner. They change at most ten times a second, so that they can be read.
class Hud
{
public:
    void noteFrame(); ///< a picture was drawn: counts for the frames per second
    void paint(QPainter& painter, const editor::FrameResult& frame, const OverlayColours& colours, const QSizeF& size,
               double pixelRatio);
    void clear() { m_picture = QImage(); }
    /// No picture has come for a while: the rate goes, and the next picture is not counted.
    void rest();
    [[nodiscard]] bool isAtRest() const { return m_isAtRest; }

private:
    void draw(const editor::FrameResult& frame, const OverlayColours& colours, double pixelRatio, bool isNarrow);
    [[nodiscard]] int framesPerSecond() const;

    QElapsedTimer m_clock, m_age;
    std::deque<qint64> m_frames; ///< [ms] when the newest pictures were drawn
    bool m_isAtRest = false;
    QImage m_picture;
    bool m_isNarrow = false; ///< of the view that m_picture is for: only what matters most is shown
};

/// The view cube: where it stands in a view, and its picture.
struct CubeCorner
{
    Vector2 centre;
    double halfSide;
};
[[nodiscard]] CubeCorner cubeCorner(const QSizeF& size, double scale);
void paintCube(QPainter& painter, const Camera& camera, const CubeCorner& corner, std::optional<CubePlace> hovered,
               const OverlayColours& colours);

} // namespace tendon::viewport

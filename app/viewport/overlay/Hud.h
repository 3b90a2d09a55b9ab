#pragma once

#include "app/editor/FrameResult.h"
#include "app/viewport/overlay/OverlayColours.h"
#include "app/viewport/view/ViewCube.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QImage>

#include <deque>

class QPainter;

namespace tendon::viewport {

/// The numbers in the top right corner. They change at most ten times per second, so that they are readable.
class Hud
{
    Q_DECLARE_TR_FUNCTIONS(Hud)
public:
    void noteFrame(); ///< call after each drawn frame; counts frames per second
    void paint(QPainter& painter, const editor::FrameResult& frame, const OverlayColours& colours, const QSizeF& size,
               double pixelRatio);
    [[nodiscard]] static QRectF area(const QSizeF& size);            ///< that paint() covers, in a view of this size
    [[nodiscard]] static bool fits(const QSizeF& size);              ///< the view is wide enough for any of them
    void setDrawSeconds(double seconds) { m_drawSeconds = seconds; } ///< [s] that the last picture has taken
    void clear() { m_picture = QImage(); }
    /// Nothing was drawn for a while: removes the rate and does not count the next frame.
    void rest();
    [[nodiscard]] bool isAtRest() const { return m_isAtRest; }

private:
    void draw(const editor::FrameResult& frame, const OverlayColours& colours, double pixelRatio, bool isNarrow);
    [[nodiscard]] int framesPerSecond() const;

    QElapsedTimer m_clock, m_age;
    std::deque<qint64> m_frames; ///< [ms] times of the newest drawn frames
    bool m_isAtRest = false;
    double m_drawSeconds = 0;
    QImage m_picture;
    bool m_isNarrow = false; ///< the view of m_picture is narrow: only the most important number is shown
};

/// The view cube: its position in a view, and its picture.
struct CubeCorner
{
    Vector2 centre;
    double halfSide;
};
/// Outside of a view that is too small for it.
[[nodiscard]] CubeCorner cubeCorner(const QSizeF& size, double scale);
void paintCube(QPainter& painter, const Camera& camera, const CubeCorner& corner, std::optional<CubePlace> hovered,
               const OverlayColours& colours);

} // namespace tendon::viewport

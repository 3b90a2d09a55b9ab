#pragma once

#include "app/viewport/overlay/OverlayColours.h"

#include <QCache>
#include <QImage>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace tendon::viewport {

/// Text on a small plate, or letters without one, which a plate hides.
struct Label
{
    Vector2 at = Vector2::Zero(); ///< [px] position of the plate's anchor
    QString text = {};
    Rgba colour = {};
    enum class Anchor { Left, Right, Centre } anchor = Anchor::Left; ///< which side of the plate is at `at`
    bool hasPlate = true;
    double textSize = 12; ///< [px] at 100 %
    int weight = 500;
};

/// Paints labels and caches them as pictures.
class LabelPainter
{
public:
    LabelPainter() : m_pictures(200) {}
    /// What is longer than a good part of the view is shortened. `taken`: areas that plates leave free, such as that of
    /// the figures.
    void paint(QPainter& painter, std::vector<Label> labels, const OverlayColours& colours, double pixelRatio,
               const QSizeF& size, std::vector<QRectF> taken = {});
    void clear() { m_pictures.clear(); } ///< call after a change of theme

private:
    const QImage& picture(const Label& label, const OverlayColours& colours, double pixelRatio);
    QCache<QString, QImage> m_pictures;
};

} // namespace tendon::viewport

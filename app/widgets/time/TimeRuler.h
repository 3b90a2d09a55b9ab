#pragma once

#include "app/widgets/TimeAxis.h"
#include "core/scene/Clip.h"

#include <QColor>
#include <QPoint>
#include <QRect>
#include <QString>

class QPainter;

namespace tendon::editor {

// What the timeline, the dope sheet and the graph have in common: numbers of frames, the playhead, markers, and what is
// said of a running drag.

/// Numbers and ticks of frames over `band`.
void paintRuler(QPainter& painter, const TimeAxis& axis, const QRect& band);

/// The playhead at a frame over a whole widget; with its numbered cap if it begins with a ruler.
void paintPlayhead(QPainter& painter, const TimeAxis& axis, int frame, int height, bool hasCap);

[[nodiscard]] QColor colorOf(MarkerColor color);
/// A thin line at each marker of the clip, from `band`'s top to its bottom. `clip`: may be null.
void paintMarkerLines(QPainter& painter, const TimeAxis& axis, const Clip* clip, FrameRate fps, const QRect& band);

/// A plate above the mouse with what a drag has come to, kept inside `room`.
void paintDragLabel(QPainter& painter, QPoint mouse, const QString& text, const QRect& room);

/// A frame as it is read: "12", or "12.50" between frames.
[[nodiscard]] QString frameText(double frame);

} // namespace tendon::editor

#pragma once

#include "app/widgets/TimeAxis.h"
#include "app/widgets/graph/GraphState.h"
#include "app/widgets/graph/TraceCache.h"
#include "app/widgets/graph/ValueAxis.h"

#include <QColor>
#include <QRect>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace tendon::editor {

/// What the parts of the graph's picture are drawn with.
struct GraphCanvas
{
    const GraphState& state;
    TimeAxis time;
    ValueAxis value;
    QRect plot; ///< [px] right of the list and below the ruler
    TraceCache* traces = nullptr;

    [[nodiscard]] QPointF place(const GraphCurve& curve, std::int64_t ticks, double value) const;
};

[[nodiscard]] QColor colorOf(const CurveId& curve);

void paintGrid(QPainter& painter, const GraphCanvas& canvas);        ///< and where FK drives
void paintValueLabels(QPainter& painter, const GraphCanvas& canvas); ///< over the curves, at the left
/// All curves that are shown, as far as they are seen in `part`; the active ones are wider and on top.
void paintCurves(QPainter& painter, const GraphCanvas& canvas, const QRect& part);
/// Keys of all shown curves in `part`; where they stand too close to be told apart, only the selected ones.
void paintKeys(QPainter& painter, const GraphCanvas& canvas, const QRect& part);
/// A curve as it was before: dashed and grey.
void paintFormer(QPainter& painter, const GraphCanvas& canvas, const GraphCurve& curve);

/// X, Y, Z or W at the right end of a curve.
struct CurveLetter
{
    CurveId curve;
    QString text;
    QRectF box;
};
/// From top to bottom, above the curves' ends; one above another if there is room for all.
[[nodiscard]] std::vector<CurveLetter> lettersOf(const GraphCanvas& canvas);
void paintLetters(QPainter& painter, const GraphCanvas& canvas);

} // namespace tendon::editor

#pragma once

#include "app/widgets/TimeAxis.h"
#include "app/widgets/dope/DopeRows.h"

#include <QRect>

class QPainter;

namespace tendon::editor {

/// What the rows of the dope sheet are drawn with.
struct DopeCanvas
{
    const GraphState& state;
    TimeAxis axis;
};

/// The name of a row with its badges, in the column left of the first frame.
void paintRowName(QPainter& painter, const DopeCanvas& canvas, const DopeRow& row, const QRect& band);
/// What is below the keys of a row: bars where a value is held, and of the IK blend where IK and FK drive.
void paintRowBars(QPainter& painter, const DopeCanvas& canvas, const DopeRow& row, const QRect& band);
/// Keys closer together than can be told apart are a bar. `selected`: of the row's times.
void paintRowKeys(QPainter& painter, const DopeCanvas& canvas, const DopeRow& row, const QRect& band,
                  const KeyTimes::Ticks& selected);

/// Whether a curve keeps its value from one time to another [ticks], between which it has no key.
[[nodiscard]] bool isHeld(const GraphCurve& curve, std::int64_t from, std::int64_t to);

} // namespace tendon::editor

#pragma once

#include "app/widgets/graph/CurveTrace.h"
#include "app/widgets/graph/GraphCurves.h"

#include <map>
#include <vector>

namespace tendon::editor {

/// The traces of curves at the scale that they were last drawn in: panning computes only the columns that come in, and
/// an edit only the curves that it changes.
class TraceCache
{
public:
    struct Line
    {
        const std::vector<TracePoint>* points = nullptr; ///< valid until the next call
        double shift = 0;                                ///< [px] to be added to their x
        bool isDense = false;                            ///< many columns have several keys
    };
    /// The columns `from` to `to` of the axis, and perhaps more of them.
    [[nodiscard]] Line lineOf(const GraphCurve& curve, FrameRate fps, const TimeAxis& axis, int from, int to);
    void clear() { m_traces.clear(); }

private:
    struct Trace
    {
        Shared<KeyList> keys;
        TimeAxis axis; ///< that its columns are of
        int from = 0, to = -1;
        std::vector<TracePoint> points;
    };
    std::map<CurveId, Trace> m_traces;
};

} // namespace tendon::editor

#pragma once

#include "app/widgets/TimeAxis.h"
#include "app/widgets/graph/CurveSummary.h"
#include "app/widgets/graph/CurveTrace.h"
#include "core/scene/Time.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

namespace tendon::editor {

/// The times of all keys of some channels, each once: what the ticks of the timeline and the rows of the dope sheet are
/// drawn from. They are remembered as long as the keys stay the same.
class KeyTimes
{
public:
    using Ticks = std::vector<std::int64_t>;
    using Sources = std::vector<std::shared_ptr<const CurveSummary>>;

    [[nodiscard]] std::shared_ptr<const Ticks> of(const Sources& sources);

private:
    struct Entry
    {
        std::shared_ptr<const Ticks> ticks;
        std::uint64_t lastUse = 0;
    };
    std::map<Sources, Entry> m_entries;
    std::uint64_t m_uses = 0;
};

/// Calls `visit(index)` for at most one key in each pixel column from frame `from` to frame `to`.
template <typename Visit>
void forEachColumn(const KeyTimes::Ticks& ticks, FrameRate fps, const TimeAxis& axis, double from, double to,
                   Visit visit)
{
    const std::int64_t end = ticksAt(fps, to);
    auto at = std::lower_bound(ticks.begin(), ticks.end(), ticksAt(fps, from));
    while (at != ticks.end() && *at <= end) {
        visit(static_cast<std::size_t>(at - ticks.begin()));
        const double column = std::floor(axis.x(fps.frameAt(Time{*at})));
        const std::int64_t next = ticksAt(fps, axis.frame(column + 1));
        ++at;
        if (at != ticks.end() && *at < next) at = std::lower_bound(at, ticks.end(), next);
    }
}

} // namespace tendon::editor

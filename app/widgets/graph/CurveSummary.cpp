#include "app/widgets/graph/CurveSummary.h"

#include <algorithm>
#include <cmath>

namespace tendon::editor {

CurveSummary::CurveSummary(const KeyList& keys, Property property)
{
    const std::vector<Key> all = keys.toVector();
    m_ticks.reserve(all.size());
    for (const Key& key : all) m_ticks.push_back(key.time.ticks);
    for (std::size_t c = 0; c < static_cast<std::size_t>(componentCount(property)); ++c) {
        std::vector<Level>& levels = m_levels[c];
        Level& values = levels.emplace_back();
        values.lows.reserve(all.size());
        for (const Key& key : all) values.lows.push_back(key.value[c]);
        while (levels.back().lows.size() > kBlock) {
            const Level& below = levels.back();
            const std::vector<double>& highs = below.highs.empty() ? below.lows : below.highs;
            Level level;
            for (std::size_t i = 0; i < below.lows.size(); i += kBlock) {
                const auto end = static_cast<std::ptrdiff_t>(std::min(i + kBlock, below.lows.size()));
                const auto begin = static_cast<std::ptrdiff_t>(i);
                level.lows.push_back(*std::min_element(below.lows.begin() + begin, below.lows.begin() + end));
                level.highs.push_back(*std::max_element(highs.begin() + begin, highs.begin() + end));
            }
            levels.push_back(std::move(level));
        }
    }
}

std::size_t CurveSummary::countBefore(std::int64_t ticks) const
{
    return static_cast<std::size_t>(std::lower_bound(m_ticks.begin(), m_ticks.end(), ticks) - m_ticks.begin());
}

std::optional<std::size_t> CurveSummary::find(std::int64_t ticks) const
{
    const std::size_t index = countBefore(ticks);
    return index < m_ticks.size() && m_ticks[index] == ticks ? std::optional(index) : std::nullopt;
}

CurveSummary::Range CurveSummary::range(int component, std::size_t first, std::size_t last) const
{
    Range range{HUGE_VAL, -HUGE_VAL};
    const std::vector<Level>& levels = m_levels[static_cast<std::size_t>(component)];
    const auto add = [&](const Level& level, std::size_t i) {
        range.low = std::min(range.low, level.lows[i]);
        range.high = std::max(range.high, level.highs.empty() ? level.lows[i] : level.highs[i]);
    };
    // At each level the keys beside whole blocks of the next; what is left is one level up.
    for (const Level& level : levels) {
        const bool isTop = &level == &levels.back();
        while (first < last && (isTop || first % kBlock != 0)) add(level, first++);
        while (first < last && last % kBlock != 0) add(level, --last);
        if (first == last) break;
        first /= kBlock;
        last /= kBlock;
    }
    return range;
}

} // namespace tendon::editor

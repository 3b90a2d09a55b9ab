#pragma once

#include "core/scene/Clip.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace tendon::editor {

/// The times of a channel's keys and, for each of its components, the least and the greatest value of blocks of keys.
/// Made once for a key list; then the range of values between any two keys is found in steps that grow with the
/// logarithm of their number, so a curve of 100 000 keys is drawn as quickly as one of 100.
class CurveSummary
{
public:
    CurveSummary(const KeyList& keys, Property property);

    struct Range
    {
        double low, high;
    };
    [[nodiscard]] std::size_t size() const { return m_ticks.size(); }
    [[nodiscard]] std::int64_t ticks(std::size_t key) const { return m_ticks[key]; }
    [[nodiscard]] const std::vector<std::int64_t>& allTicks() const { return m_ticks; }
    [[nodiscard]] double value(std::size_t key, int component) const
    {
        return m_levels[static_cast<std::size_t>(component)].front().lows[key];
    }
    /// Number of keys before `ticks`.
    [[nodiscard]] std::size_t countBefore(std::int64_t ticks) const;
    [[nodiscard]] std::optional<std::size_t> find(std::int64_t ticks) const;
    /// Of keys first ... last - 1. Precondition: first < last.
    [[nodiscard]] Range range(int component, std::size_t first, std::size_t last) const;

private:
    static constexpr std::size_t kBlock = 16;

    struct Level
    {
        std::vector<double> lows, highs; ///< highs are empty in the first level: each block is one key
    };
    std::vector<std::int64_t> m_ticks;
    std::array<std::vector<Level>, 4> m_levels; ///< by component
};

} // namespace tendon::editor

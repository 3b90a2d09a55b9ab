#pragma once

#include <cstdint>
#include <optional>

namespace tendon::editor {

/// Counts displayed frames for the display of passes: from where playback began, where it came back to an earlier
/// frame, or where the document last changed. Frames that playback drops do not count, so that no pass is skipped.
class PassCount
{
public:
    void restart() { m_last.reset(); }

    /// Displayed frames since then, with `frame` as the newest.
    [[nodiscard]] std::int32_t at(std::int32_t frame, std::uint64_t revision)
    {
        if (!m_last || frame < *m_last || revision != m_revision)
            m_count = 0;
        else if (frame != *m_last)
            ++m_count;
        m_last = frame;
        m_revision = revision;
        return m_count;
    }

private:
    std::optional<std::int32_t> m_last; ///< the newest frame; empty = none yet
    std::uint64_t m_revision = 0;
    std::int32_t m_count = 0;
};

} // namespace tendon::editor

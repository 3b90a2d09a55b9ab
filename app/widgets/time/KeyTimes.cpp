#include "app/widgets/time/KeyTimes.h"

namespace tendon::editor {
namespace {

constexpr std::uint64_t kKeptUses = 400; // a few pictures of all rows that a screen shows

} // namespace

std::shared_ptr<const KeyTimes::Ticks> KeyTimes::of(const Sources& sources)
{
    ++m_uses;
    if (const auto known = m_entries.find(sources); known != m_entries.end()) {
        known->second.lastUse = m_uses;
        return known->second.ticks;
    }
    Ticks merged;
    std::size_t count = 0;
    for (const auto& source : sources) count += source->size();
    merged.reserve(count);
    for (const auto& source : sources)
        merged.insert(merged.end(), source->allTicks().begin(), source->allTicks().end());
    if (sources.size() > 1) {
        std::sort(merged.begin(), merged.end());
        merged.erase(std::unique(merged.begin(), merged.end()), merged.end());
    }
    std::erase_if(m_entries, [this](const auto& each) { return each.second.lastUse + kKeptUses < m_uses; });
    const auto ticks = std::make_shared<const Ticks>(std::move(merged));
    m_entries[sources] = {ticks, m_uses};
    return ticks;
}

} // namespace tendon::editor

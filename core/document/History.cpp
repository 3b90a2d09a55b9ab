#include "core/document/History.h"

#include <algorithm>

namespace tendon {
namespace {

bool isStep(const Version& before, const Version& after)
{
    return !(before.scene == after.scene) || before.pending != after.pending;
}

bool isSeenAtItsFrame(const Version& before, const Version& after)
{
    return before.scene.clips != after.scene.clips || before.pending != after.pending;
}

} // namespace

History::History(Version start) { m_steps.push_back({std::move(start), m_lastSceneNumber, {}}); }

History::Step History::stepFrom(const Step& before, Version next, std::string text)
{
    const bool isSameScene = before.version.scene == next.scene;
    return {std::move(next), isSameScene ? before.sceneNumber : ++m_lastSceneNumber, std::move(text)};
}

bool History::push(Version next, std::string text)
{
    if (!isStep(current(), next)) {
        setCurrentClip(next.currentClip);
        return false;
    }
    m_steps.resize(m_current + 1);
    m_steps.push_back(stepFrom(m_steps.back(), std::move(next), std::move(text)));
    m_current = m_steps.size() - 1;
    dropOldest();
    return true;
}

bool History::replaceLast(Version next, std::string text)
{
    const Step& before = m_steps[m_current - 1];
    const bool isStill = isStep(before.version, next);
    if (isStill) {
        m_steps[m_current] = stepFrom(before, std::move(next), std::move(text));
    } else {
        m_steps.pop_back();
        --m_current;
        setCurrentClip(next.currentClip);
    }
    return isStill;
}

void History::leave(Version next, std::string text)
{
    if (current().pending.empty()) return setCurrentClip(next.currentClip);
    // Versions are whole, so one can be put between two others.
    const auto after = m_steps.begin() + static_cast<std::ptrdiff_t>(m_current) + 1;
    m_steps.insert(after, stepFrom(m_steps[m_current], std::move(next), std::move(text)));
    ++m_current;
    dropOldest();
}

void History::setMaxSteps(std::size_t steps)
{
    m_maxSteps = std::max<std::size_t>(1, steps);
    dropOldest();
}

/// Never the current version.
void History::dropOldest()
{
    if (m_steps.size() <= m_maxSteps + 1) return;
    const std::size_t count = std::min(m_steps.size() - m_maxSteps - 1, m_current);
    m_steps.erase(m_steps.begin(), m_steps.begin() + static_cast<std::ptrdiff_t>(count));
    m_current -= count;
}

std::vector<std::string> History::texts() const
{
    std::vector<std::string> texts;
    for (const Step& step : m_steps) texts.push_back(step.text);
    return texts;
}

std::string History::undoText() const { return m_current == 0 ? std::string() : m_steps[m_current].text; }
std::string History::redoText() const { return redoCount() == 0 ? std::string() : m_steps[m_current + 1].text; }

std::optional<std::int32_t> History::undoFrame() const
{
    if (m_current == 0) return std::nullopt;
    const Version &before = m_steps[m_current - 1].version, &now = current();
    if (!isSeenAtItsFrame(before, now)) return std::nullopt;
    return before.pending.empty() ? now.frame : before.frame; // pending values hold at their own frame only
}

std::optional<std::int32_t> History::redoFrame() const
{
    if (redoCount() == 0) return std::nullopt;
    const Version& next = m_steps[m_current + 1].version;
    return isSeenAtItsFrame(current(), next) ? std::optional(next.frame) : std::nullopt;
}

bool History::hasScene(std::uint64_t number) const
{
    return std::any_of(m_steps.begin(), m_steps.end(),
                       [number](const Step& step) { return step.sceneNumber == number; });
}

bool History::undo()
{
    if (m_current == 0) return false;
    --m_current;
    return true;
}

bool History::redo()
{
    if (redoCount() == 0) return false;
    ++m_current;
    return true;
}

} // namespace tendon

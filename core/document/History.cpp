#include "core/document/History.h"

namespace tendon {
namespace {

bool isStep(const Version& before, const Version& after)
{
    return !(before.scene == after.scene) || before.pending != after.pending;
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
    if (m_steps.size() > kMaxSteps + 1) m_steps.erase(m_steps.begin());
    m_current = m_steps.size() - 1;
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

void History::dropPending()
{
    std::vector<Step> kept;
    std::size_t current = 0;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        Step& step = m_steps[i];
        step.version.pending.clear();
        if (kept.empty() || kept.back().sceneNumber != step.sceneNumber)
            kept.push_back(std::move(step));
        else if (i <= m_current)
            kept.back().version = std::move(step.version); // the later one: its clip is the one that was left
        if (i == m_current) current = kept.size() - 1;
    }
    m_steps = std::move(kept);
    m_current = current;
}

std::string History::undoText() const { return m_current == 0 ? std::string() : m_steps[m_current].text; }
std::string History::redoText() const { return redoCount() == 0 ? std::string() : m_steps[m_current + 1].text; }

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

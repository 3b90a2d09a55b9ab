#include "core/document/History.h"

namespace tendon {

History::History(Scene start) { m_steps.push_back({std::move(start), {}, {}}); }

const Scene& History::current() const { return m_steps[m_current].scene; }

void History::forgetRedo()
{
    m_steps.resize(m_current + 1);
    if (m_saved != kNowhere && m_saved > m_current) m_saved = kNowhere;
}

bool History::append(Scene next, std::string text, std::string mergeKey)
{
    m_isSealed = true;
    if (next == current()) return false;
    forgetRedo();
    m_steps.push_back({std::move(next), std::move(text), std::move(mergeKey)});
    if (m_steps.size() > kSteps + 1) {
        m_steps.erase(m_steps.begin());
        if (m_saved != kNowhere) m_saved = m_saved == 0 ? kNowhere : m_saved - 1;
    }
    m_current = m_steps.size() - 1;
    return true;
}

void History::push(Scene next, std::string text) { append(std::move(next), std::move(text), {}); }

const Scene& History::baseOf(const std::string& mergeKey) const
{
    const bool isMerging = !m_isSealed && m_current > 0 && m_steps[m_current].mergeKey == mergeKey;
    return isMerging ? m_steps[m_current - 1].scene : current();
}

void History::pushMerged(Scene next, std::string text, std::string mergeKey)
{
    const bool isMerging = !m_isSealed && m_current > 0 && m_steps[m_current].mergeKey == mergeKey;
    if (isMerging) {
        forgetRedo();
        if (m_saved == m_current && !(next == current())) m_saved = kNowhere;
        if (next == m_steps[m_current - 1].scene) { // back where it began: no step
            m_steps.pop_back();
            --m_current;
            m_isSealed = true;
        } else {
            m_steps[m_current].scene = std::move(next);
            m_steps[m_current].text = std::move(text);
        }
        return;
    }
    if (append(std::move(next), std::move(text), std::move(mergeKey))) m_isSealed = false;
}

std::size_t History::undoCount() const { return m_current; }
std::size_t History::redoCount() const { return m_steps.size() - 1 - m_current; }
std::string History::undoText() const { return m_current == 0 ? std::string() : m_steps[m_current].text; }
std::string History::redoText() const { return redoCount() == 0 ? std::string() : m_steps[m_current + 1].text; }

bool History::undo()
{
    m_isSealed = true;
    if (m_current == 0) return false;
    --m_current;
    return true;
}

bool History::redo()
{
    m_isSealed = true;
    if (redoCount() == 0) return false;
    ++m_current;
    return true;
}

void History::markSaved()
{
    m_isSealed = true;
    m_saved = m_current;
}

bool History::isSaved() const { return m_saved == m_current; }

} // namespace tendon

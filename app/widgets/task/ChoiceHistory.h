#pragma once

#include <utility>
#include <vector>

namespace tendon::editor {

/// The choices made in a task, as one value, and those before and after it for undo and redo.
template <typename Choices>
class ChoiceHistory
{
public:
    explicit ChoiceHistory(Choices first = {}) : m_now(std::move(first)) {}

    [[nodiscard]] const Choices& now() const { return m_now; }
    /// False: it is what is chosen already.
    bool choose(Choices next)
    {
        if (next == m_now) return false;
        m_past.push_back(std::exchange(m_now, std::move(next)));
        m_future.clear();
        return true;
    }
    [[nodiscard]] bool canUndo() const { return !m_past.empty(); }
    [[nodiscard]] bool canRedo() const { return !m_future.empty(); }
    void undo() { step(m_past, m_future); }
    void redo() { step(m_future, m_past); }

private:
    void step(std::vector<Choices>& from, std::vector<Choices>& to)
    {
        if (from.empty()) return;
        to.push_back(std::exchange(m_now, std::move(from.back())));
        from.pop_back();
    }

    Choices m_now;
    std::vector<Choices> m_past, m_future;
};

} // namespace tendon::editor

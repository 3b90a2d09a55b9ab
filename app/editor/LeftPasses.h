#pragma once

#include "app/editor/RangePass.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tendon::editor {

/// Passes whose solver did not return in time. A busy machine may let a thread wait as long as a solver that hangs, so
/// those that return after all say so: then solving goes on. GUI thread.
class LeftPasses
{
public:
    /// `returned` is called when the pass has ended, unless another was left or forget() was called meanwhile.
    void leave(std::unique_ptr<RangePass> pass, std::function<void()> returned)
    {
        m_latest = pass.get();
        pass->letGo([this, left = m_latest, returned = std::move(returned)] {
            if (left != m_latest) return;
            m_latest = nullptr;
            returned();
        });
        m_passes.push_back(std::move(pass));
    }
    /// The latest has not returned.
    [[nodiscard]] bool isWaiting() const { return m_latest != nullptr; }
    void forget() { m_latest = nullptr; } ///< another document: nobody waits any more
    void clear()                          ///< those that have returned
    {
        std::erase_if(m_passes, [](const auto& pass) { return pass->isOver(); });
    }

private:
    std::vector<std::unique_ptr<RangePass>> m_passes; ///< until their threads have ended
    const RangePass* m_latest = nullptr;
};

} // namespace tendon::editor

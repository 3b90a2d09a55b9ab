#pragma once

#include "core/scene/Scene.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tendon {

/// Every version of a scene since it was opened, as values. Undo and redo move along it.
class History
{
public:
    static constexpr std::size_t kSteps = 200; ///< oldest are forgotten beyond this

    explicit History(Scene start = {});

    [[nodiscard]] const Scene& current() const;
    /// Makes `next` the current scene and forgets what was undone. An equal scene makes no step.
    void push(Scene next, std::string text);
    /// Like push, but a step of the same `mergeKey` as the last one takes its place (a drag is one step; one that comes
    /// back to where it began is none).
    void pushMerged(Scene next, std::string text, std::string mergeKey);
    void seal() { m_isSealed = true; } ///< the next pushMerged begins a new step

    /// Scene that a merged step of this key would build on: the one before the last step when that one is of the key
    /// and not sealed, else the current one. A drag applies its whole self to this at every move, so that what it
    /// leaves does not depend on the way.
    [[nodiscard]] const Scene& baseOf(const std::string& mergeKey) const;

    [[nodiscard]] std::size_t undoCount() const;
    [[nodiscard]] std::size_t redoCount() const;
    [[nodiscard]] std::string undoText() const; ///< "" when there is nothing to undo
    [[nodiscard]] std::string redoText() const;
    bool undo(); ///< false when there is nothing to undo
    bool redo();

    void markSaved();
    [[nodiscard]] bool isSaved() const; ///< true when the current scene is the one marked

private:
    struct Step
    {
        Scene scene;
        std::string text;
        std::string mergeKey;
    };
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

    void forgetRedo();
    bool append(Scene next, std::string text, std::string mergeKey); ///< false: nothing changed

    std::vector<Step> m_steps; ///< the first is the start
    std::size_t m_current = 0;
    std::size_t m_saved = 0; ///< step that was saved; kNowhere when it can no longer be gone back to
    bool m_isSealed = true;  ///< the next merged step begins a new one
};

} // namespace tendon

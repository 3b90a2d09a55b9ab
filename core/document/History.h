#pragma once

#include "core/runtime/PoseSampler.h"
#include "core/scene/Scene.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// What undo and redo bring back.
struct Version
{
    Scene scene;
    ClipId currentClip;
    PendingValues pending;  ///< posed at `frame`, on keyed channels of `currentClip`, and not keyed
    std::int32_t frame = 1; ///< where it came about

    bool operator==(const Version&) const = default;
};

/// The versions of a document since it was opened. Undo and redo move along them. Two neighbours differ in their scene,
/// their pending values or both; a change of the current clip alone is no step. One thread.
class History
{
public:
    static constexpr std::size_t kMaxSteps = 200; ///< the oldest steps are dropped beyond this, unless told otherwise

    explicit History(Version start = {});
    void setMaxSteps(std::size_t steps); ///< 1 or more; drops the oldest that are too many now

    [[nodiscard]] const Version& current() const { return m_steps[m_current].version; }

    /// Makes `next` the current version and drops the steps that could be redone. Returns false when it made no step,
    /// because nothing but the current clip differs.
    bool push(Version next, std::string text);

    /// Puts `next` in place of the last step, as if it had been pushed instead. Returns false when this leaves no step,
    /// because `next` is what the step began with. Precondition: the last call was a push() or replaceLast() that
    /// returned true.
    bool replaceLast(Version next, std::string text);

    /// Changes the current clip without a step.
    void setCurrentClip(ClipId clip) { m_steps[m_current].version.currentClip = clip; }

    /// Goes to another frame or clip, where pending values do not hold. If this discards some it is a step, so undo
    /// brings them back; what could be redone can still be redone. `next` is the current version without them.
    void leave(Version next, std::string text);

    [[nodiscard]] std::size_t undoCount() const { return m_current; }
    [[nodiscard]] std::size_t redoCount() const { return m_steps.size() - 1 - m_current; }
    [[nodiscard]] std::string undoText() const; ///< "" when there is nothing to undo
    [[nodiscard]] std::string redoText() const; ///< "" when there is nothing to redo
    /// What led to each version, the oldest first; the start has none. Undo goes to the version before.
    [[nodiscard]] std::vector<std::string> texts() const;
    /// Where undo() and redo() are seen: the frame at which the step was made, if it changed keys or pending values.
    /// Other steps are the same at every frame.
    [[nodiscard]] std::optional<std::int32_t> undoFrame() const;
    [[nodiscard]] std::optional<std::int32_t> redoFrame() const;
    /// Tells the current scene from all others of this history: the same again after undo and redo.
    [[nodiscard]] std::uint64_t sceneNumber() const { return m_steps[m_current].sceneNumber; }
    [[nodiscard]] bool hasScene(std::uint64_t number) const; ///< whether undo or redo leads there
    bool undo();                                             ///< returns false when there is nothing to undo
    bool redo();                                             ///< returns false when there is nothing to redo

    void markSaved() { m_savedScene = m_steps[m_current].sceneNumber; }
    void markUnsaved() { m_savedScene = 0; } ///< for work that was recovered: unsaved until markSaved()
    /// Whether the current scene is the saved one. Pending values are not part of a project, so they do not count.
    [[nodiscard]] bool isSaved() const { return m_savedScene == m_steps[m_current].sceneNumber; }

private:
    struct Step
    {
        Version version;
        std::uint64_t sceneNumber = 0; ///< equal for equal neighbouring scenes, never reused
        std::string text;              ///< what led to this version
    };

    void dropOldest();
    [[nodiscard]] Step stepFrom(const Step& before, Version next, std::string text);

    std::vector<Step> m_steps; ///< never empty; the first is the start
    std::size_t m_current = 0, m_maxSteps = kMaxSteps;
    std::uint64_t m_lastSceneNumber = 1;
    std::uint64_t m_savedScene = 1; ///< 0 = none of them is saved
};

} // namespace tendon

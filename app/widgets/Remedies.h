#pragma once

#include "app/editor/Editor.h"

#include <QString>

#include <functional>
#include <vector>

namespace tendon::editor {

/// One click that helps against what a message says: one step of undo.
struct Remedy
{
    QString text, tip;
    std::function<void()> run;
};

/// Of a handle that misses its goal. Its name, not the frame, is what a remedy keeps.
[[nodiscard]] std::vector<Remedy> remediesForMiss(Editor& editor, const FrameResult& frame, const Handle& handle,
                                                  const HandleView& view);

/// Of a handle whose pose jumps at this frame (HandleResult::jump has a value): what the reason names, as far as there
/// is an operation for it.
[[nodiscard]] std::vector<Remedy> remediesForJump(Editor& editor, const FrameResult& frame, const HandleView& view);

/// Of a handle with a joint that is beyond its speed or acceleration limit; none if it has no such joint.
[[nodiscard]] std::vector<Remedy> remediesForHaste(Editor& editor, const HandleView& view);

/// Of a handle whose limb FK drives: its goal moves nothing until IK drives it.
[[nodiscard]] Remedy remedyOfFk(Editor& editor, HandleId handle);

} // namespace tendon::editor

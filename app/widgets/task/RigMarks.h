#pragma once

#include "app/editor/Marks.h"
#include "app/widgets/task/RigChoices.h"

#include <string>
#include <vector>

namespace tendon::editor {

/// What a line of the task Rig it is about.
struct RigLine
{
    std::vector<JointId> joints = {};
    std::string limb = {};             ///< "" = it is about no limb
    std::vector<JointId> limited = {}; ///< joints whose limits to come are drawn
};

/// What the task draws over the figure: joints in the colours of their sides, limbs by name, handles to come; of the
/// line that is pointed at its joints by name, and their limits. `pointed`: null = none.
[[nodiscard]] ViewMarks rigMarks(const Scene& scene, const RigGuess& guess, const RigOutcome& outcome,
                                 const RigLine* pointed);

} // namespace tendon::editor

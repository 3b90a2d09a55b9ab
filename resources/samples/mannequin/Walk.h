#pragma once

#include "core/scene/Scene.h"

namespace tendon::mannequin {

/// Adds the six handles: for the hips alone, for the head over the spine, and for hands and feet over their limbs, with
/// poles.
[[nodiscard]] Result<Scene> withHandles(Scene scene);

/// Adds the clip "Walk": two cycles of Gait with keys on the handles only, and sets the range to it.
[[nodiscard]] Result<Scene> withWalk(Scene scene);

} // namespace tendon::mannequin

#pragma once

#include "core/scene/Scene.h"

namespace tendon::mannequin {

/// Adds the six handles: the hips by themselves, the head by the spine, hands and feet by their limbs with poles.
[[nodiscard]] Result<Scene> withHandles(Scene scene);

/// Adds the clip "Walk": two cycles of Gait with keys on the handles only, and sets the range to it.
[[nodiscard]] Result<Scene> withWalk(Scene scene);

} // namespace tendon::mannequin

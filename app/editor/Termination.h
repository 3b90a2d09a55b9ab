#pragma once

#include "core/scene/Scene.h"

#include <optional>

namespace tendon::editor {

struct ViewState;

/// How many links above a joint that is dragged by interactive IK the joint is that stays in place, with all above it;
/// none = only terminators and handles stop the drag.
///
/// Where the view says kAtLimbs, a character that was imported and not rigged keeps its trunk: the drag stops where the
/// limb leaves it, or at the collarbone. Limits, terminators and stiffness on the way up are a rig, and so is anything
/// that was made here: those stop only where they say.
[[nodiscard]] std::optional<int> terminationDepth(const Scene& scene, JointId dragged, const ViewState& view);

} // namespace tendon::editor

#pragma once

#include "core/scene/Scene.h"

#include <memory>

namespace tendon::mannequin {

/// A scene of the mannequin at rest: its joints with anatomical freedoms, and the skinned model. No handles, no clips.
/// The same bytes at every call.
[[nodiscard]] Scene figure();

} // namespace tendon::mannequin

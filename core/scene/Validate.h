#pragma once

#include "core/base/Issue.h"
#include "core/scene/Scene.h"

namespace tendon {

/// Everything that is wrong or doubtful in a scene, each with its place and what to do about it, in the document's
/// order. Errors are what edits refuse (from a hand-written or damaged file); warnings are allowed, but hardly
/// intended. Never fails.
[[nodiscard]] Issues validate(const Scene& scene);

/// The first error of this list, if there is one.
[[nodiscard]] Result<void> checkScene(const Scene& scene);

} // namespace tendon

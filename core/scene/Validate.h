#pragma once

#include "core/base/Issue.h"
#include "core/scene/Scene.h"

namespace tendon {

/// Everything found wrong or doubtful in a scene, each with its place and what to do about it. Errors are what no edit
/// would have let in (a hand-written or damaged file); warnings are what is allowed but unlikely to be meant. Never
/// fails, whatever the scene holds. In the document's order.
[[nodiscard]] Issues validate(const Scene& scene);

/// The first error among them, if any.
[[nodiscard]] Result<void> checkScene(const Scene& scene);

} // namespace tendon

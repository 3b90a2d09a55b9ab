#pragma once

#include "core/document/Draft.h"

#include <string>

namespace tendon {

/// Adds a clip that shows the solved motion of another one on the joints alone: keys at the project's frames, handles
/// blended out. From its first key to its last; where a curve goes on beyond its keys, the range of the scene, too.
/// Precondition: the clip has keys. Errors: the name is taken, the bake fails or is cancelled.
[[nodiscard]] Result<ClipId> addBakedClip(Draft& draft, ClipId clip, std::string name);

} // namespace tendon

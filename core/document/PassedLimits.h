#pragma once

#include "core/document/Draft.h"

namespace tendon {

/// Warns of each joint that the draft's operation has posed beyond its limits at the current frame: by how much, and
/// what to do. FK may pass limits; a solve keeps to them.
void warnOfPassedLimits(Draft& draft);

} // namespace tendon

#pragma once

#include "core/document/Draft.h"

namespace tendon {

/// Refuses an edit after which a solver could no longer take the chain of a handle that it could take in `before`: one
/// joint of it slides now, or stands still, or the chain has another length. A project that could be posed stays one.
[[nodiscard]] Result<void> checkChainsStaySolvable(Draft& draft, const Scene& before);

} // namespace tendon

#pragma once

#include "core/document/AutoRig.h"
#include "core/document/Draft.h"

namespace tendon {

/// Carries a plan out. A limit or a handle that cannot be made is left out with a warning, and the rest is made.
/// Returns what was made: `without` has the limbs whose handles were refused, `handles` no longer. The current clip
/// plays as before, but for the goals of the new handles, which hold still in it. Errors: nothing could be made.
[[nodiscard]] Result<RigPlan> makeRig(Draft& draft, RigPlan plan);

} // namespace tendon

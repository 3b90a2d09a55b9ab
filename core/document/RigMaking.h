#pragma once

#include "core/document/AutoRig.h"
#include "core/document/Draft.h"

namespace tendon {

/// Carries a plan out. A limit or a handle that cannot be made is left out with a warning, and the rest is made.
/// Returns what was made: `without` has the limbs whose handles were refused, `handles` no longer. Clips that move the
/// limbs keep their motion: in the current one the goals get keys along it, in others the handles are blended out.
/// Errors: nothing could be made.
[[nodiscard]] Result<RigPlan> makeRig(Draft& draft, RigPlan plan);

} // namespace tendon

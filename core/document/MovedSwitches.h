#pragma once

#include "core/document/Draft.h"

namespace tendon {

/// Keys a goal, or a pole, at switches of its space that an edit has moved or made: see keepPlaces().
[[nodiscard]] Result<void> keySwitches(Draft& draft, const Scene& before, ClipId clip, const Handle& handle,
                                       Property place);

} // namespace tendon

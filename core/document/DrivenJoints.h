#pragma once

#include "core/document/Draft.h"

#include <span>

namespace tendon {

/// The handle whose solve replaces this property of a joint at the current frame: the joint is in its chain, below
/// every terminator, may move that way, and the handle is wholly blended in. Null: none.
[[nodiscard]] const Handle* drivingHandle(const Draft& draft, const Joint& joint, Property property);

/// Warns that posing or keying `properties` of a joint does not show, and how to make it show, where a handle drives
/// one of them. `what` is what was set: "pose", "key".
void warnIfDriven(Draft& draft, JointId joint, std::span<const Property> properties, const char* what);

} // namespace tendon

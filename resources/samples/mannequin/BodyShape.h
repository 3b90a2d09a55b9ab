#pragma once

#include "resources/samples/mannequin/Implicit.h"
#include "resources/samples/mannequin/Skeleton.h"

namespace tendon::mannequin {

/// The body without its hands: right for x >= 0, to be mirrored.
[[nodiscard]] Implicit bodyShape(const Landmarks& landmarks);

/// The left hand with a rounded end inside the wrist.
[[nodiscard]] Implicit handShape(const Landmarks& landmarks);

} // namespace tendon::mannequin

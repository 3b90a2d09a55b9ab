#pragma once

namespace tendon::assimp {

/// How many of Assimp's assertions failed in this process so far.
[[nodiscard]] int violatedAssertions();

} // namespace tendon::assimp

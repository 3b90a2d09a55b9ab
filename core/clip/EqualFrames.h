#pragma once

#include "core/clip/ClipTask.h"

#include <vector>

namespace tendon {

/// True if the same is asked to the bit, and so the same answered.
[[nodiscard]] bool asksTheSame(const sdk::Problem& a, const sdk::Problem& b);

/// For each frame of a task, the first one that asks the same; often itself.
[[nodiscard]] std::vector<int> firstEqualFrames(const ClipTask& task);

} // namespace tendon

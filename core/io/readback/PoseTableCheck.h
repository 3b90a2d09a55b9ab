#pragma once

#include "core/base/Result.h"
#include "core/io/readback/ReadBack.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

namespace tendon {

/// Reads a pose table (.json or .csv) from disk and compares its joint positions with the bake. Of a JSON table the
/// positions are computed anew from the local transforms in the file.
[[nodiscard]] Result<ReadBack> checkPoseTable(const std::string& path, const Scene& scene,
                                              const std::vector<BakedClip>& clips);

} // namespace tendon

#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/ModelAsset.h"

#include <vector>

namespace tendon {

/// How much of each morph target of a mesh is added at the samples of a clip: (samples x targets), sample by sample.
/// Targets that the clip's source animation does not drive keep their rest weight; empty when it drives none of the
/// mesh.
[[nodiscard]] std::vector<double> morphWeights(const ModelAsset& model, std::size_t mesh, const BakedClip& clip);

} // namespace tendon

#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/ModelAsset.h"

#include <vector>

namespace tendon {

/// The weights of a mesh's morph targets at the samples of a clip: (samples x targets), sample by sample. Targets that
/// the clip's source animation does not drive keep their rest weight. Empty if it drives none of the mesh.
[[nodiscard]] std::vector<double> morphWeights(const ModelAsset& model, std::size_t mesh, const BakedClip& clip);

} // namespace tendon

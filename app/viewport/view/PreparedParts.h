#pragma once

#include "app/viewport/view/MeshParts.h"

#include <memory>

namespace tendon::viewport {

/// Of each mesh of a model, in the model's order.
using ModelParts = std::vector<std::vector<MeshPart>>;

/// What is drawn of a model, made once, by whoever asks first: a thread in the background for a large one, so that the
/// window need not. Kept as long as somebody has the model. Any thread.
[[nodiscard]] std::shared_ptr<const ModelParts> preparedParts(const std::shared_ptr<const ModelAsset>& model);

} // namespace tendon::viewport

#pragma once

#include "app/viewport/view/MeshParts.h"

#include <memory>

namespace tendon::viewport {

/// The parts of each mesh of a model, in the model's order.
using ModelParts = std::vector<std::vector<MeshPart>>;

/// The parts of a model, prepared by the first call: in a background thread for a large model, so that the window does
/// not wait. Cached for as long as the model exists. Any thread.
[[nodiscard]] std::shared_ptr<const ModelParts> preparedParts(const std::shared_ptr<const ModelAsset>& model);

} // namespace tendon::viewport

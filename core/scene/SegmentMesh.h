#pragma once

#include "core/scene/Joint.h"
#include "core/scene/ModelAsset.h"

namespace tendon {

/// The triangles of a segment in its joint's space, with normals that are smooth on round sides and sharp at edges.
/// Empty for Shape::None and for sizes without a volume. The same segment gives the same mesh.
[[nodiscard]] Mesh segmentMesh(const Segment& segment);

} // namespace tendon

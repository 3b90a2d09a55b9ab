#pragma once

#include "core/scene/Joint.h"
#include "core/scene/ModelAsset.h"

namespace tendon {

/// The triangles of a drawn segment in the space of its joint, with normals: smooth on round sides, sharp at edges.
/// Empty for Shape::None and for sizes that enclose nothing. Same segment, same mesh.
[[nodiscard]] Mesh segmentMesh(const Segment& segment);

} // namespace tendon

#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <cstdint>
#include <span>

namespace tendon::urdf {

/// Reads a robot description. Every link becomes a node with its name at the link's frame. Every moving joint becomes a
/// node with its name between the two links, with the file's limits: its angle or translation is exactly the file's
/// joint position.
///
///     revolute, continuous   link -> joint (rotates about x, y or z) -> link
///     prismatic              link -> "<joint>_rail" -> joint (slides along x, y or z, from 0) -> link
///     planar, floating       likewise, the joint with three or six freedoms
///     fixed                  link -> link
///
/// The node of a joint is rotated so that the joint's axis is its x, y or z; the link below rotates back. Translations
/// are measured in the parent's space, hence the rails. A link with the name of a moving joint is called "<name>_link".
/// Shapes of links (box, cylinder, sphere) become segments; meshes are not imported. Space: as in the file, metres, +Z
/// up. Error: one line; urdfdom's own output is kept off the console.
[[nodiscard]] Result<SourceModel> readModel(std::span<const std::uint8_t> bytes);

} // namespace tendon::urdf

#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <cstdint>
#include <span>

namespace tendon::urdf {

/// Reads a robot description. Every link becomes a node of its name, standing where the link's frame stands. A joint
/// that moves becomes a node of its name between the two links, with the file's limits: its angle or shift is the
/// file's joint position, exactly.
///
///     revolute, continuous   link -> joint (turns about x, y or z) -> link
///     prismatic              link -> "<joint>_rail" -> joint (slides along x, y or z, from 0) -> link
///     planar, floating       likewise, the joint with three or six freedoms
///     fixed                  link -> link
///
/// A joint's axis is one of x, y, z of its own node, which for other axes stands turned; the link below turns back. A
/// slide is measured in its parent's space: that is what rails are for. A link that shares the name of a moving joint
/// is called
/// "<name>_link". Shapes of links (box, cylinder, sphere) become
/// segments; meshes are not read. Space: as the file, metres, +Z up. Error: one line; what urdfdom prints is kept off
/// the console.
[[nodiscard]] Result<SourceModel> readModel(std::span<const std::uint8_t> bytes);

} // namespace tendon::urdf

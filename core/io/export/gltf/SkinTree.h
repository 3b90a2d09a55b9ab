#pragma once

#include "core/scene/Scene.h"

namespace tendon::gltf {

/// The skin with every joint between its own and their nearest common ancestor, including it (or their roots if there
/// is none). Added joints have no influence; they are bound as they are at rest relative to the joint below that was
/// bound first. Blender computes a bone's bind pose from that of its parent: at a gap it takes the rest pose, and
/// vertices of a model that was not bound at rest end up between the two.
[[nodiscard]] Skin withoutGaps(Skin skin, const Scene& scene);

/// True when no joint stands above all joints of the skin.
[[nodiscard]] bool hasSeveralRoots(const Skin& skin, const Scene& scene);

} // namespace tendon::gltf

#pragma once

#include "core/scene/Scene.h"

namespace tendon::gltf {

/// The skin with every joint between its own and the nearest one above all of them, that one too (their roots where
/// there is none). What is added has no influence; it is bound as it stands at rest to the joint below it that was
/// bound first. Readers that work out a bone's bind pose from that of its parent (Blender) take the rest pose wherever
/// a chain of a skin has a gap, and where a model was not bound at rest they blend its vertices between the two.
[[nodiscard]] Skin withoutGaps(Skin skin, const Scene& scene);

/// True when no joint stands above all joints of the skin.
[[nodiscard]] bool hasSeveralRoots(const Skin& skin, const Scene& scene);

} // namespace tendon::gltf

#pragma once

#include "core/io/readers/fbx/FbxDocument.h"
#include "core/scene/ModelCamera.h"

namespace tendon::fbx {

/// What an attribute of a node says of a camera; lengths in the file's unit. FBX cameras look along +X of their node,
/// +Y up.
[[nodiscard]] ModelCamera cameraOf(const Object& attribute);

/// A light that shines from a point or from afar, not from an area or a volume.
[[nodiscard]] bool isPunctual(const Object& attribute);

/// The same of a light. FBX lights shine along -Y of their node; 100 % of their intensity is taken for 1.
/// Precondition: isPunctual(attribute).
[[nodiscard]] ModelLight lightOf(const Object& attribute);

} // namespace tendon::fbx

#pragma once

#include "core/io/readers/fbx/FbxDocument.h"
#include "core/scene/ModelCamera.h"

namespace tendon::fbx {

/// The camera of a node attribute; lengths in the file's unit. FBX cameras look along +X of their node, +Y up.
[[nodiscard]] ModelCamera cameraOf(const Object& attribute);

/// True for point, spot and directional lights; false for area and volume lights.
[[nodiscard]] bool isPunctual(const Object& attribute);

/// The light of a node attribute. FBX lights shine along -Y of their node; an intensity of 100 % becomes 1.
/// Precondition: isPunctual(attribute).
[[nodiscard]] ModelLight lightOf(const Object& attribute);

} // namespace tendon::fbx

#pragma once

#include "core/base/Result.h"
#include "core/io/import/ModelImport.h"
#include "core/io/readback/Original.h"
#include "core/io/readback/ReadBack.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <map>

namespace tendon {

/// What a format counts a joint's rotation from: World = its axes are in the file; Rest = from the rest pose, because
/// the format has no axes at rest but the world's (BVH).
enum class TurnsFrom { World, Rest };

/// Imports a written file as a user would, in the limited child process, and compares it with the original: every
/// joint's world position and axes at every sample of every clip; the vertices of every mesh, morphed and skinned, at a
/// few samples; cameras and lights at the first. `nameOf` are the joints' names in the file; `options` say what the
/// file does not, such as its unit. Of a file that cannot be read everything is missing. For formats whose importer
/// shares no code with their writer.
[[nodiscard]] Result<ReadBack> checkByImport(const std::string& path, const Original& original,
                                             const std::map<JointId, std::string>& nameOf,
                                             const ImportOptions& options = {}, TurnsFrom turnsFrom = TurnsFrom::World);

} // namespace tendon

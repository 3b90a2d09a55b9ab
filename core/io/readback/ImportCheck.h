#pragma once

#include "core/base/Result.h"
#include "core/io/import/ModelImport.h"
#include "core/io/readback/ReadBack.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <map>

namespace tendon {

/// From where a format counts how a joint is turned: BVH knows no axes at rest but the world's.
enum class TurnsFrom { World, Rest };

/// Imports a written file as a user would, in the limited child process, and compares: every joint's world position and
/// axes at every sample of every clip, and the skinned vertices of every mesh at a few samples. `nameOf` are the
/// joints' names in the file. A file that cannot be read is all missing. For formats whose importer shares no code with
/// their writer. `options` say what the file does not, such as its unit.
[[nodiscard]] Result<ReadBack> checkByImport(const std::string& path, const Scene& scene,
                                             const std::vector<BakedClip>& clips,
                                             const std::map<JointId, std::string>& nameOf,
                                             const ImportOptions& options = {}, TurnsFrom turnsFrom = TurnsFrom::World);

} // namespace tendon

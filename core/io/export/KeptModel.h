#pragma once

#include "core/io/base/FileStage.h"
#include "core/scene/Scene.h"

#include <string>
#include <string_view>

namespace tendon {

/// Keeps a model file and, of a .gltf, the files beside it from being written over by `stage`. `what` names the file in
/// the error: "the model that the project was made from".
void keepModelFile(const std::string& path, const std::string& what, FileStage& stage);

/// The same for the model of a scene, if it is a file.
void keepModel(const Scene& scene, FileStage& stage);

/// Writes another file that the user has asked for (a picture, a table, a script), whole or not at all. `project` is
/// the file of the scene; "" = none. Errors: as FileStage::write(); `path` is the project, its model or a file of that.
/// `kinds`: see there.
[[nodiscard]] Result<void> writeBeside(const Scene& scene, const std::string& project, const std::string& path,
                                       std::string_view bytes, const FileStage::Kinds& kinds = {});

} // namespace tendon

#pragma once

#include "core/io/base/FileStage.h"
#include "core/scene/Scene.h"

#include <string>

namespace tendon {

/// Keeps a model file and, of a .gltf, the files beside it from being written over by `stage`. `what` names the file in
/// the error: "the model that the project was made from".
void keepModelFile(const std::string& path, const std::string& what, FileStage& stage);

/// The same for the model of a scene, if it is a file.
void keepModel(const Scene& scene, FileStage& stage);

} // namespace tendon

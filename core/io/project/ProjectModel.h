#pragma once

#include "core/io/project/ObjectReader.h"
#include "core/io/project/ObjectWriter.h"
#include "core/io/project/ProjectFile.h"

#include <QJsonObject>

#include <memory>
#include <string>

namespace tendon::project {

/// The member "model" of a project that will stand at `projectPath`: the model's file by relative path and hash, or the
/// file itself as base64. Empty without a model.
[[nodiscard]] QJsonObject modelToJson(const ModelAsset* model, const std::string& projectPath, WriteState& state);

/// The model's source out of the member "model"; no meshes yet.
[[nodiscard]] std::shared_ptr<const ModelAsset> modelFromJson(const QJsonValue& value, const std::string& projectPath,
                                                              ReadState& state);

/// The model with its meshes, read from its file or from the bytes in it; bound to the scene's joints by their source
/// nodes. When that cannot be: the reference as it is, and an issue that says why.
[[nodiscard]] std::shared_ptr<const ModelAsset> loadModel(const std::shared_ptr<const ModelAsset>& reference,
                                                          const Scene& scene, Issues& issues);

/// True for a model that was made here and has no file yet: a project cannot refer to it.
[[nodiscard]] bool needsEmbedding(const ModelAsset* model);

/// The scene with its model as a .glb inside, and the joints' source nodes those of that file.
[[nodiscard]] Result<Scene> withEmbeddedModel(const Scene& scene);

} // namespace tendon::project

#pragma once

#include "core/io/project/ObjectReader.h"
#include "core/io/project/ObjectWriter.h"
#include "core/io/project/ProjectFile.h"

#include <QJsonObject>

#include <memory>
#include <string>

namespace tendon::project {

/// The member "model" of a project to be written to `projectPath`: the model's file by relative path and hash, or the
/// file itself as base64. Empty without a model.
[[nodiscard]] QJsonObject modelToJson(const ModelAsset* model, const std::string& projectPath, WriteState& state);

/// The model's source from the member "model", without meshes.
[[nodiscard]] std::shared_ptr<const ModelAsset> modelFromJson(const QJsonValue& value, const std::string& projectPath,
                                                              ReadState& state);

/// The model with its meshes, read from its file or its embedded bytes and bound to the scene's joints by their source
/// nodes. If that fails, `reference` with the reason in `missing`, and an issue.
[[nodiscard]] std::shared_ptr<const ModelAsset> loadModel(const std::shared_ptr<const ModelAsset>& reference,
                                                          const Scene& scene, Issues& issues);

/// True for a model that was made in Tendon and has no file that a project could refer to.
[[nodiscard]] bool needsEmbedding(const ModelAsset* model);

/// The scene with its model embedded as a .glb, and the joints' source nodes set to the nodes of that file.
[[nodiscard]] Result<Scene> withEmbeddedModel(const Scene& scene);

} // namespace tendon::project

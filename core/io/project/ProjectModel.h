#pragma once

#include "core/io/ProjectFile.h"
#include "core/io/project/ObjectReader.h"
#include "core/io/project/ObjectWriter.h"

#include <QJsonObject>

#include <memory>
#include <string>

namespace tendon::project {

/// The member "model" of a project that will stand at `projectPath`: the model's file by relative path and hash, or the
/// file itself as base64. Empty without a model.
[[nodiscard]] QJsonObject modelToJson(const ModelAsset* model, const std::string& projectPath, WriteState& state);

/// The model's source out of the member "model"; no meshes yet. Null without one.
[[nodiscard]] std::shared_ptr<const ModelAsset> modelFromJson(const QJsonObject& project, const std::string& projectPath,
                                                              ReadState& state);

} // namespace tendon::project

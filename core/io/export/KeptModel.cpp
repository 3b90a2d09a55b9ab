#include "core/io/export/KeptModel.h"

#include "core/io/base/Files.h"
#include "core/io/export/gltf/EditableGltf.h"
#include "core/io/export/gltf/SourceFiles.h"
#include "core/io/formats/gltf/GltfFile.h"

#include <filesystem>

namespace tendon {

void keepModelFile(const std::string& path, const std::string& what, FileStage& stage)
{
    stage.keep(path, what);
    if (!path.ends_with(".gltf") && !path.ends_with(".vrm") && !path.ends_with(".vrma")) return;
    const auto bytes = readFile(path);
    if (!bytes) return;
    const auto file = gltf::parseGltf(*bytes);
    if (!file) return;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    for (const std::string& name : gltf::SourceFiles({}).namesIn(file->json))
        stage.keep((folder / name).string(), "a file of " + what);
}

void keepModel(const Scene& scene, FileStage& stage)
{
    if (scene.model && !scene.model->source.embedded)
        keepModelFile(scene.model->source.path, "the model that the project was made from", stage);
}

} // namespace tendon

#include "core/io/export/KeptModel.h"

#include "core/io/base/Files.h"
#include "core/io/export/gltf/EditableGltf.h"
#include "core/io/export/gltf/SourceFiles.h"
#include "core/io/formats/gltf/GltfFile.h"

#include <filesystem>
#include <mutex>
#include <set>

#include <sys/stat.h>

namespace tendon {
namespace {

using Names = std::set<std::string>;

Names readNames(const std::string& path)
{
    const auto bytes = readFile(path);
    if (!bytes) return {};
    const auto file = gltf::parseGltf(*bytes);
    return file ? gltf::SourceFiles({}).namesIn(file->json) : Names();
}

/// The files beside a .gltf, from its folder. One bake asks several times, and large files take long to parse: those of
/// the file that was asked about last are remembered until it changes. Any thread.
Names namesBeside(const std::string& path)
{
    static std::mutex mutex;
    static std::string knownPath;
    static struct stat known = {};
    static Names names;
    struct stat now = {};
    if (::stat(path.c_str(), &now) != 0) return {};
    const std::lock_guard lock(mutex);
    const bool isKnown = path == knownPath && now.st_ino == known.st_ino && now.st_size == known.st_size &&
                         now.st_mtim.tv_sec == known.st_mtim.tv_sec && now.st_mtim.tv_nsec == known.st_mtim.tv_nsec;
    if (!isKnown) {
        names = readNames(path);
        knownPath = path;
        known = now;
    }
    return names;
}

} // namespace

void keepModelFile(const std::string& path, const std::string& what, FileStage& stage)
{
    stage.keep(path, what);
    if (!path.ends_with(".gltf") && !path.ends_with(".vrm") && !path.ends_with(".vrma")) return;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    for (const std::string& name : namesBeside(path)) stage.keep((folder / name).string(), "a file of " + what);
}

void keepModel(const Scene& scene, FileStage& stage)
{
    if (scene.model && !scene.model->source.embedded)
        keepModelFile(scene.model->source.path, "the model that the project was made from", stage);
}

Result<void> writeBeside(const Scene& scene, const std::string& project, const std::string& path,
                         std::string_view bytes, const FileStage::Kinds& kinds)
{
    FileStage stage;
    keepModel(scene, stage);
    if (!project.empty()) stage.keep(project, "the open project");
    const auto staged = stage.write(
        path, [bytes](const std::string& file) { return writePlainFile(file, bytes); }, kinds);
    return staged ? stage.commit() : staged;
}

} // namespace tendon

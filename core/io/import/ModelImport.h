#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/scene/Scene.h"

#include <atomic>
#include <optional>
#include <string>

namespace tendon {

struct ImportOptions
{
    static constexpr double kMinMetresPerUnit = 1e-9, kMaxMetresPerUnit = 1e9;

    std::optional<double> metresPerUnit;        ///< overrides the file
    std::optional<int> upAxis;                  ///< 0 x, 1 y, 2 z; overrides the file
    std::int64_t maxMemoryBytes = 1536ll << 20; ///< of the child
    double maxSeconds = 9;                      ///< of its processor time; twenty times as much wall time
    /// Large files may take more: thirty times their size, up to half of the machine's memory, and 1 s for each 8 MiB.
    bool growsWithFile = true;
    const std::atomic<bool>* cancelled = nullptr;
    bool embed = false; ///< also keep the file itself: glTF made self-contained, others unchanged
};

/// An imported model: a scene of its own (joints, clips, model asset, frame rate guessed from its keys) to open or to
/// merge.
struct ImportedModel
{
    Scene scene;
    std::string format;         ///< "glb", "gltf", ...
    bool isUnitGuessed = false; ///< the file states no unit and none was given
    double heightMetres = 0;    ///< of the meshes in the rest pose, or of the joints without meshes
    Issues issues;              ///< what was repaired or left out
};

/// Extents along x, y and z of the meshes in the rest pose, or of the joints without meshes. [m]
[[nodiscard]] Vector3 sizeAtRest(const Scene& scene);

/// Reads a model file. Foreign bytes are parsed in a child process with limits on memory and time; its result is
/// checked completely before it is used. Error: one line that says what is wrong with the file.
[[nodiscard]] Result<ImportedModel> importModel(const std::string& path, const ImportOptions& options = {});

/// The same for a model embedded in a project. `name` is for messages; its suffix counts where the content does not
/// tell the format.
[[nodiscard]] Result<ImportedModel> importEmbeddedModel(const std::string& name, const std::vector<std::uint8_t>& bytes,
                                                        const ImportOptions& options = {});

/// Reads the meshes, materials, cameras and lights of `model` again, from its embedded bytes or else its file, and
/// binds them to `joints` by Joint::sourceNode. What hangs on a joint that `joints` lacks hangs on the nearest one
/// above it that they have, as both stand at rest. A file that has changed since is read with an issue, and the asset
/// says so in `missing`. Error: the file is missing or cannot be read.
[[nodiscard]] Result<std::shared_ptr<const ModelAsset>> reloadModel(const ModelAsset& model,
                                                                    const ObjectList<Joint>& joints, Issues& issues);

/// The program that importModel() starts: the environment's TENDON_WORKER, else this program if it is `tendon`, else
/// `tendon` beside it, in ../bin or where Tendon is installed. Error: none of them exists.
[[nodiscard]] Result<std::string> importWorkerProgram();

} // namespace tendon

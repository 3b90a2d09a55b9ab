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
    std::optional<double> metresPerUnit; ///< instead of what the file says
    std::optional<int> upAxis;           ///< 0 x, 1 y, 2 z, instead of what the file says
    std::int64_t maxMemoryBytes = 1536ll << 20;
    double maxSeconds = 9; ///< of the child's work; four times that by the clock
    const std::atomic<bool>* cancelled = nullptr;
    bool embed = false; ///< keep the file itself in the model's source: glTF made self-contained, others as they are
};

/// A model as it comes in: a scene of its own (joints, clips, model asset, fps guessed from its keys) to open or to
/// merge.
struct ImportedModel
{
    Scene scene;
    std::string format;         ///< "glb", "gltf", ...
    bool isUnitGuessed = false; ///< the file states no unit and none was given
    double heightMetres = 0;    ///< of the meshes (or joints, without meshes) in the rest pose
    Issues issues;              ///< what was mended or left out
};

/// Reads a model file. All parsing of foreign bytes happens in a child process with limits on memory and time; what it
/// hands back is checked in full before it is used. Errors: one line that says what is wrong with the file.
[[nodiscard]] Result<ImportedModel> importModel(const std::string& path, const ImportOptions& options = {});

/// The same for a model that is kept inside a project. `name` is for messages, its suffix where the content does not
/// tell.
[[nodiscard]] Result<ImportedModel> importEmbeddedModel(const std::string& name, const std::vector<std::uint8_t>& bytes,
                                                        const ImportOptions& options = {});

/// Reads again what is drawn of a model that `joints` came from (its embedded bytes, else its file) and binds its skins
/// to them by Joint::sourceNode; a skin's joint that is gone is JointId{}. Error also when the file is no longer the
/// one of source.sha256.
[[nodiscard]] Result<std::shared_ptr<const ModelAsset>>
reloadModel(const ModelSource& source, const std::vector<Joint>& joints, const ImportOptions& options = {});

/// The program that importModel() starts: TENDON_WORKER of the environment, else this program if it is `tendon`, else
/// `tendon` beside it, in ../bin or where Tendon is installed. Error: none of them is there.
[[nodiscard]] Result<std::string> importWorkerProgram();

} // namespace tendon

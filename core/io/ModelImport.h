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
    double maxSeconds = 9;
    const std::atomic<bool>* cancelled = nullptr;
};

/// A model as it comes in: a scene of its own (joints, clips, model asset, fps guessed from its keys) to open or to merge.
struct ImportedModel
{
    Scene scene;
    std::string format;          ///< "glb", "gltf", ...
    double heightMetres = 0;     ///< of the meshes (or joints, without meshes) in the rest pose
    Issues issues;               ///< what was mended or left out
};

/// Reads a model file. All parsing of foreign bytes happens in a child process with limits on memory and time; what it
/// hands back is checked in full before it is used. Errors: one line that says what is wrong with the file.
[[nodiscard]] Result<ImportedModel> importModel(const std::string& path, const ImportOptions& options = {});

} // namespace tendon

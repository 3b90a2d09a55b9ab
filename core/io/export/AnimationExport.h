#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/io/export/ExportPresets.h"
#include "core/io/readback/ReadBack.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendon {

struct ExportOptions
{
    bool onlyTheseClips = false; ///< drop the source's other animations
    ExportPreset preset = kNoPreset;
};

struct ExportReport
{
    std::int64_t bytes = 0;
    ReadBack readBack;
    Issues issues;
};

/// What can be told before the work of a bake: the format can be written, the folder is there, and the path is not that
/// of the model the project was made from.
[[nodiscard]] Result<void> checkExport(const Scene& scene, const std::string& path);

/// Writes a model with its baked animations, format by suffix (.glb, .gltf, .fbx; .bvh, .json and .csv hold the joints
/// alone), atomically, and reads it back. A glTF source is patched; anything else is written anew. What was read back
/// differing is no error: the file stays, and the report says so. Errors: a format that cannot be written, a source
/// that is gone or has changed, a path that is the source's own; then nothing is written.
[[nodiscard]] Result<ExportReport> exportAnimation(const Scene& scene, const std::vector<BakedClip>& clips,
                                                   const std::string& path, const ExportOptions& options);

} // namespace tendon

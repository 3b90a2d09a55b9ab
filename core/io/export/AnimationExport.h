#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/io/base/FileStage.h"
#include "core/io/export/Exporters.h"
#include "core/io/readback/ReadBack.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendon {

struct ExportReport
{
    std::int64_t bytes = 0;
    ReadBack readBack;
    Issues issues; ///< of the preparation and of the writer
};

/// What can be checked before a bake: the suffix has an exporter, the folder exists, and the path is not the model that
/// the project was made from. Returns the exporter of the scene.
[[nodiscard]] Result<const Exporter*> exporterFor(const Scene& scene, const std::string& path);

/// Writes a model with its baked animations into `stage`, in the format of the suffix, and reads it back from there. A
/// glTF source is patched; anything else is written anew. `path` is where the file will be. The model's own files are
/// kept. A difference between the file and the original is not an error: the report says so. Errors: those of
/// exporterFor(), a bake that the format cannot hold, a source that is gone or has changed; then nothing is staged.
[[nodiscard]] Result<ExportReport> exportAnimation(const Scene& scene, const std::vector<BakedClip>& clips,
                                                   const std::string& path, const ExportOptions& options,
                                                   FileStage& stage);

/// The same with a stage of its own, which is committed.
[[nodiscard]] Result<ExportReport> exportAnimation(const Scene& scene, const std::vector<BakedClip>& clips,
                                                   const std::string& path, const ExportOptions& options);

/// As the first, by a given exporter.
[[nodiscard]] Result<ExportReport> exportBy(const Exporter& exporter, const Scene& scene,
                                            const std::vector<BakedClip>& clips, const std::string& path,
                                            const ExportOptions& options, FileStage& stage);

/// An error if the format cannot hold that many clips.
[[nodiscard]] Result<void> checkClipCount(const Exporter& exporter, std::size_t clips, const std::string& path);

/// One error for each kind of difference between a file and the original that is beyond tolerance.
[[nodiscard]] Issues readBackIssues(const std::string& file, const ReadBack& readBack);

} // namespace tendon

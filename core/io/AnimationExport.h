#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/solve/Baker.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendon {

struct ExportOptions
{
    bool onlyTheseClips = false; ///< drop the source's other animations
};

/// How far the written file is from what was meant, read by a path that shares no code with the writer.
struct ReadBack
{
    std::string reader;
    double jointError = 0;   ///< [m] largest over joints and samples
    double vertexError = 0;  ///< [m] largest over skinned vertices, at a few samples
    double radius = 0;       ///< [m] of the skeleton, to judge the errors by
    std::string jointAt;     ///< where the joint error is: "clip walk, frame 12, joint hand.L"; empty without an error
    std::string vertexAt;    ///< where the vertex error is: "clip walk, frame 12, mesh Body"
    std::vector<std::string> missing; ///< what was meant to be in the file and is not
    [[nodiscard]] bool isWithin(double relativeTolerance = 1e-5) const
    {
        return missing.empty() && jointError <= relativeTolerance * radius && vertexError <= 10 * relativeTolerance * radius;
    }
};

struct ExportReport
{
    std::int64_t bytes = 0;
    ReadBack readBack;
    Issues issues;
};

/// Writes a model with its baked animations, format by suffix (.glb, .gltf; .json and .csv hold the joints alone),
/// atomically, and reads it back. A glTF source is patched; anything else is written anew. What was read back differing is
/// no error: the file stays, and the report says so. Errors: a format that cannot be written, a source that is gone or has
/// changed, a path that is the source's own; then nothing is written.
[[nodiscard]] Result<ExportReport> exportAnimation(const Scene& scene, const std::vector<BakedClip>& clips,
                                                   const std::string& path, const ExportOptions& options);

} // namespace tendon

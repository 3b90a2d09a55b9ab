#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/solve/Baker.h"

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
    std::vector<std::string> missing;
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

/// Writes a model with its baked animations, format by suffix, atomically, and reads it back. A glTF source is patched;
/// anything else is written anew.
[[nodiscard]] Result<ExportReport> exportAnimation(const Scene& scene, const std::vector<BakedClip>& clips,
                                                   const std::string& path, const ExportOptions& options);

} // namespace tendon

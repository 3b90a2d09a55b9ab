#pragma once

#include "core/document/GoalTally.h"
#include "core/document/RetargetJob.h"
#include "core/io/export/AnimationExport.h"
#include "core/solve/Baker.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// First and last frame of the project's rate, both included.
struct FrameSpan
{
    double from = 0, to = 0;
};

/// What an export is asked for. The command line, the operation `export` and the dialog fill the same request.
struct ExportRequest
{
    std::string clip;               ///< by name; empty = `currentClip`, or the first where there is no such clip
    bool isAllClips = false;        ///< then `clip` is empty
    std::optional<double> fps;      ///< [1/s] of what is written; default: the project's
    bool keepsAllKeys = false;      ///< with `fps`, also write the clip's keys between frames; without `fps` they are
    std::optional<FrameSpan> range; ///< default: from a clip's first key to its last
    std::optional<TravelRequest> travel; ///< none = where the clips have it
    ExportOptions options;

    static constexpr double kMinFps = 0.01, kMaxFps = 10'000;
};

/// A range that can be exported: from "from" to "to", both within the frames that a project can have.
[[nodiscard]] bool isValid(const FrameSpan& range);

/// What happened to one clip.
struct ExportedClip
{
    std::string name;
    FrameRate fps;
    std::int64_t frames = 0; ///< samples on whole frames
    std::size_t joints = 0;
    Time from, to; ///< of its first and last sample
};

struct ExportOutcome
{
    std::vector<ExportedClip> clips; ///< in the order of the file
    GoalTally goals;
    ExportReport report;
    /// Everything that the user should know: issues of the preparation and the writer, missed goals (warnings),
    /// differences between the file and the original (errors).
    Issues issues;
};

/// An export from the request to the report: chooses clips, bakes them on all cores, writes the file, reads it back and
/// tallies the goals. A project without clips is exported in its current pose, as a clip "pose" with one key.
class ExportJob
{
public:
    /// Checks all that can be checked before the work. Errors: an unsupported format, a folder or a clip that does not
    /// exist, several clips for a format that holds one, a rate or a range out of limits ("fps", "range"), nothing to
    /// export; those of rootMotionOf().
    [[nodiscard]] static Result<ExportJob> create(const Scene& scene, ClipId currentClip, const std::string& path,
                                                  ExportRequest request);

    using BakeFunction = std::function<Result<BakedClip>(const Scene&, const SolverRegistry&, const BakeOptions&)>;

    /// Solves every frame. `progress` gets 0 to 1 over all clips, from the calling thread. Errors: those of bake().
    [[nodiscard]] Result<void> bakeClips(const SolverRegistry& solvers, const BakeFunction& bake,
                                         const std::function<void(double)>& progress,
                                         const std::atomic<bool>* cancelled);

    /// Writes what was baked into `stage` and reads it back from there. Errors: those of exportAnimation().
    [[nodiscard]] Result<ExportOutcome> write(FileStage& stage) const;

private:
    std::string m_path;
    Scene m_scene; ///< with the clip "pose" where there was none
    std::vector<ClipId> m_clips;
    ExportRequest m_request;
    std::vector<BakedClip> m_baked;
    std::optional<RootMotion> m_travel;
    Issues m_issues; ///< of the preparation
};

} // namespace tendon

#pragma once

#include "core/base/Result.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace tendon {

struct Scene;
struct ImportedModel;
struct ImportOptions;
struct ExportOutcome;
struct RetargetOutcome;
struct RigPlan;
struct BakedClip;
struct BakeOptions;
class SettledClip;
class SolverRegistry;

/// The functions that operations on files call. An editor replaces them to hand in a model that it has already read, a
/// test to do without files.
struct Services
{
    std::function<Result<ImportedModel>(const std::string& path, const ImportOptions& options)> import;
    std::function<Result<BakedClip>(const Scene& scene, const SolverRegistry& solvers, const BakeOptions& options)>
        bake;
    std::function<void(const ExportOutcome& outcome)> exported;     ///< called after each export; may be empty
    std::function<void(const RetargetOutcome& outcome)> retargeted; ///< called after each retarget; may be empty
    std::function<void(const RigPlan& made)> rigged;                ///< called after each autoRig; may be empty
    std::function<void(double done)> progress;                      ///< 0 to 1 of the running operation; any thread
    /// The solution of a clip, so that operations that pose it need not solve it again; null or of another: they do.
    std::shared_ptr<const SettledClip> settled;
    int backups = 0; ///< how many former versions of a project a save keeps beside it: NAME~1.tendon, the latest, ...
    const std::atomic<bool>* cancelled = nullptr; ///< null = cannot be cancelled; outlives the running operation
};

/// The real ones.
[[nodiscard]] Services fileServices();

} // namespace tendon

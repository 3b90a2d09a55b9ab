#pragma once

#include "core/document/History.h"
#include "core/io/export/AnimationExport.h"
#include "core/io/import/ModelImport.h"
#include "core/io/project/ProjectFile.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/GoalPose.h"
#include "core/solve/Baker.h"
#include "core/solve/SolverRegistry.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace tendon {

class SolvedPoses;

/// A pose taken by copyPose, to be pasted.
struct CopiedPose
{
    std::map<JointId, LocalTransform> joints; ///< as evaluated, handles and all
    std::map<HandleId, GoalPose> goals;       ///< in the world, of handles that end at one of the joints

    bool operator==(const CopiedPose&) const = default;
};

/// State of the editing that is not part of the document: no undo step, not compared.
struct EditState
{
    ClipId currentClip;
    std::int32_t frame = 1;
    bool isAutoKeyOn = false;
    PendingValues pending; ///< posed at `frame` on keyed channels, not keyed yet
    CopiedPose copiedPose;

    bool operator==(const EditState&) const = default;
};

/// What the operations on files call, so that an editor can hand in a model that it has read in the background, and a
/// test can do without files. openDocument() sets the real ones.
struct Services
{
    std::function<Result<ImportedModel>(const std::string& path, const ImportOptions& options)> import;
    std::function<Result<ExportReport>(const Scene& scene, const std::vector<BakedClip>& clips, const std::string& path,
                                       const ExportOptions& options)>
        exportTo;
    std::function<Result<BakedClip>(const Scene& scene, const SolverRegistry& solvers, const BakeOptions& options)>
        bake;
    std::function<void(double done)> progress; ///< 0 ... 1 of the operation under way
    const std::atomic<bool>* cancelled = nullptr;
};

/// What an operation works on: the scene's history, the editing state and the solvers. Owned by one thread.
struct Document
{
    History history;
    EditState edit;
    const SolverRegistry* solvers = nullptr; ///< never null; outlives the document
    std::string path;                        ///< where the project stands; empty = nowhere yet
    Services services;
    std::shared_ptr<SolvedPoses> poses; ///< set by openDocument(); copies of a document share it
    Issues messages; ///< what the last operation (or script) had to say beside success: hints, warnings

    [[nodiscard]] const Scene& scene() const { return history.current(); }
    [[nodiscard]] const Clip* clip() const { return scene().find(edit.currentClip); } ///< null = none
    [[nodiscard]] Time time() const { return scene().fps.timeOf(edit.frame); }
};

/// A document on a project that was read from `path` (empty: a new one).
[[nodiscard]] Document openDocument(Project project, std::string path, const SolverRegistry& solvers);

/// What a save writes: the scene, and what of the editing's state a project remembers.
[[nodiscard]] Project projectOf(const Document& document);

} // namespace tendon

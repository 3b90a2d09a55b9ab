#pragma once

#include "core/document/Document.h"
#include "core/solve/SolvedPoses.h"

namespace tendon {

/// What an operation edits: begins as the document's scene and editing state, becomes the document's when the operation
/// succeeds, and is thrown away when it fails. So an operation may leave it half-edited on an error.
struct Draft
{
    Scene scene;
    EditState edit;
    const SolverRegistry& solvers;
    const Services& services;
    SolvedPoses& poses;
    std::string text; ///< what the step is called in the undo menu: "Move goal"
    Issues messages;

    [[nodiscard]] const Clip* clip() const { return scene.find(edit.currentClip); }
    [[nodiscard]] Time time() const { return scene.fps.timeOf(edit.frame); }

    void say(Severity severity, std::string message, std::string where = {}, ObjectId object = 0)
    {
        messages.push_back({severity, std::move(message), std::move(where), object});
    }

    /// Takes over the scene that an edit made.
    [[nodiscard]] Result<void> take(Result<Scene> next)
    {
        if (!next) return next.error();
        scene = std::move(*next);
        return {};
    }

    /// The pose now, handles and all. It stands until the next evaluation.
    [[nodiscard]] Result<const SolvedFrame*> pose() { return poses.at(scene, clip(), edit.pending, time()); }
};

} // namespace tendon

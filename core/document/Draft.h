#pragma once

#include "core/document/Document.h"
#include "core/solve/SolvedPoses.h"

#include <set>
#include <string>
#include <vector>

namespace tendon {

/// A key of a goal, pole or curve, or of what they follow, that an operation has moved, or copied, in time.
struct MovedKey
{
    ClipId clip;
    ChannelId channel;
    Time from, to;
    enum class How {
        Moved,
        Copied, ///< the one at `from` stays
        Pasted, ///< from elsewhere, and where it is to be already; `from` says nothing
    } how = How::Moved;
};

/// What an operation edits. It starts as a copy of the document's scene and editing state. When the operation succeeds,
/// it becomes the document's; on an error it is discarded, so an operation may leave it half-edited.
struct Draft
{
    Scene scene;
    EditState edit;
    const SolverRegistry& solvers;
    const Services& services;
    SolvedPoses& poses;
    std::string text; ///< name of the step in the Undo menu: "Move goal"
    Issues messages;
    std::set<ChannelId> posed; ///< channels of joints that the operation has posed
    std::vector<MovedKey> movedKeys = {};

    [[nodiscard]] const Clip* clip() const { return scene.find(edit.currentClip); }
    [[nodiscard]] Time time() const { return scene.fps.timeOf(edit.frame); }

    void say(Severity severity, std::string message, std::string where = {}, ObjectId object = 0)
    {
        messages.push_back({severity, std::move(message), std::move(where), object});
    }

    /// Takes the scene that an edit has made, or returns its error.
    [[nodiscard]] Result<void> take(Result<Scene> next)
    {
        if (!next) return next.error();
        scene = std::move(*next);
        return {};
    }

    /// The pose at the current frame with the handles solved. Valid until the next evaluation.
    [[nodiscard]] Result<const SolvedFrame*> pose() { return poses.at(scene, clip(), edit.pending, time()); }

    /// The same of the joints and handles that the place of one joint depends on.
    [[nodiscard]] Result<SolvedPoses::PosedPart> poseOf(JointId joint)
    {
        return poses.partAt(scene, clip(), edit.pending, time(), joint);
    }
};

} // namespace tendon

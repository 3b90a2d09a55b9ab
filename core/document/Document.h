#pragma once

#include "core/base/Issue.h"
#include "core/document/History.h"
#include "core/document/Services.h"
#include "core/scene/GoalPose.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tendon {

struct Project;
class SolvedPoses;

/// The pose that copyPose takes and pastePose applies.
struct CopiedPose
{
    std::map<JointId, LocalTransform> joints;        ///< as evaluated, with the handles solved
    std::map<HandleId, GoalPose> goals;              ///< in world space, of the handles that end at one of the joints
    std::map<HandleId, std::vector<Vector3>> curves; ///< the same of handles that follow a curve: its points [m]
    JointId root;                 ///< the joint that carries the figure, copied or not; none = there is none
    LocalTransform worldFromRoot; ///< where that is

    bool operator==(const CopiedPose&) const = default;
};

/// Where a copied key of a goal, pole or curve was, for a paste to where another object is followed.
struct CopiedPlace
{
    ObjectId space = 0;   ///< that the numbers of the key are in
    ChannelValue world{}; ///< the same place in the world

    bool operator==(const CopiedPlace&) const = default;
};

/// The keys that keysToClipboard takes and pasteKeys puts in.
struct CopiedKeys
{
    std::map<ChannelId, std::vector<Key>> keys; ///< in order of time, none of them empty
    std::map<ChannelId, std::map<Time, CopiedPlace>> places;

    bool operator==(const CopiedKeys&) const = default;
};

/// The state of the editing. The history keeps the frame, the current clip and the pending values with each version;
/// the rest is not affected by undo.
struct EditState
{
    ClipId currentClip;
    std::int32_t frame = 1;
    bool isAutoKeyOn = false;
    Layer layer = Layer::Keys; ///< of the current clip: where new keys go, and which keys are meant
    PendingValues pending;     ///< posed at `frame` on keyed channels of `currentClip`, and not keyed
    CopiedPose copiedPose;
    std::optional<ViewCamera> camera; ///< where the view looked from when the project was saved; none = not known
    Shared<CopiedKeys> copiedKeys;

    bool operator==(const EditState&) const = default;
};

/// What an operation works on: the history of the scene, the editing state and the solvers. Owned by one thread.
struct Document
{
    History history; ///< its current version is `edit`'s clip and pending values with the scene
    EditState edit;
    const SolverRegistry* solvers = nullptr; ///< never null; outlives the document
    std::string path;                        ///< file of the project; empty = not saved yet
    Services services;
    std::shared_ptr<SolvedPoses> poses; ///< set by openDocument(); copies of a document share it
    Issues messages;                    ///< hints and warnings of the last operation (or script)

    [[nodiscard]] const Scene& scene() const { return history.current().scene; }
    [[nodiscard]] const Clip* clip() const { return scene().find(edit.currentClip); } ///< null = none
    [[nodiscard]] Time time() const { return scene().fps.timeOf(edit.frame); }
};

/// A document on a project that was read from `path` (empty: a new one). It counts as saved.
[[nodiscard]] Document openDocument(Project project, std::string path, const SolverRegistry& solvers);

/// What a save writes: the scene, and the part of the editing state that a project remembers.
[[nodiscard]] Project projectOf(const Document& document);

/// What the history keeps of a scene and an editing state.
[[nodiscard]] Version versionOf(Scene scene, const EditState& edit);

/// Brings the editing state in line with the history after an undo or redo.
void followHistory(Document& document);

/// Removes from `edit` what refers to objects and clips that `scene` does not have.
void pruneEditState(const Scene& scene, EditState& edit);

} // namespace tendon

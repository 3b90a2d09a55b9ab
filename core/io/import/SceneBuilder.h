#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/io/import/JointPlan.h"
#include "core/io/model/SourceModel.h"
#include "core/scene/Scene.h"

namespace tendon {

/// Turns a model that check() has accepted into a scene: joints, clips, frame rate and range, and the model asset with
/// `source`. Lengths become metres, up becomes +Y. Errors: too many joints, transforms that overflow.
[[nodiscard]] Result<Scene> buildScene(SourceModel model, ModelSource source, Issues& issues);

// The steps of buildScene().

/// Unique, printable names for the joints: control characters are replaced, overlong names cut, missing names made up,
/// and duplicates numbered. One issue per kind of change.
[[nodiscard]] std::vector<std::string> jointNames(const JointPlan& plan, const SourceModel& model, Issues& issues);
/// The same for clips.
[[nodiscard]] std::vector<std::string> clipNames(const std::vector<SourceAnimation>& animations, Issues& issues);

/// Sets the freedoms, limits and segments of joints. A joint whose rest pose is beyond a limit gets a static value at
/// the limit, and an issue; its rest pose is kept, because limits are measured from it.
void applyFreedoms(const SourceModel& model, const JointPlan& plan, Scene& scene, Issues& issues);

/// The frame rate at which all keys are on whole frames: the first of 24, 30, 60, 25, ... that fits; 24 with an issue
/// if none does. `stated` is the file's own rate (0 = none); it is used if the keys fit it, or fit no common rate.
[[nodiscard]] FrameRate guessFrameRate(const std::vector<SourceAnimation>& animations, double stated, Issues& issues);

/// A clip with the keys of one animation, converted for the transforms that were folded into their joints. Key times
/// within float precision of a frame are snapped to it.
[[nodiscard]] Clip buildClip(const SourceAnimation& animation, const JointPlan& plan, const std::vector<JointId>& ids,
                             FrameRate fps);

/// Binds a mesh to joints. The weights of each vertex sum to 1; vertices without weights follow the mesh's node.
[[nodiscard]] Mesh bindMesh(SourceMesh source, const SourceModel& model, const JointPlan& plan,
                            const std::vector<JointId>& ids, const Affine& worldFromFile, Issues& issues);

} // namespace tendon

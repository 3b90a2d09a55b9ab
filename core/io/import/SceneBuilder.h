#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/io/import/JointPlan.h"
#include "core/io/model/SourceModel.h"
#include "core/scene/Scene.h"

namespace tendon {

/// Makes a scene of a model that check() has passed: joints, clips, frame rate and range, and the model asset with
/// `source`. Lengths become metres, up becomes +Y. Error: more joints than can be handled, or poses that leave all
/// bounds.
[[nodiscard]] Result<Scene> buildScene(SourceModel model, ModelSource source, Issues& issues);

/// Its steps.

/// Names for joints, unique and fit to be shown: control characters replaced, overlong ones cut, empty ones given;
/// those that repeat get a number. One issue a kind of change.
[[nodiscard]] std::vector<std::string> jointNames(const JointPlan& plan, const SourceModel& model, Issues& issues);
/// Clip names in the same way.
[[nodiscard]] std::vector<std::string> clipNames(const std::vector<SourceAnimation>& animations, Issues& issues);

/// Gives joints their freedoms, limits and segments. One that rests beyond a limit gets a static value at the limit,
/// and an issue: limits are measured from rest, which therefore stays.
void applyMobilities(const SourceModel& model, const JointPlan& plan, Scene& scene, Issues& issues);

/// The rate at which the keys stand on whole frames: 24, 30, 60, 25, ... the first that fits all; 24 with an issue when
/// none does. `stated`: what the file says, taken where the keys fit it or no usual rate; 0 = nothing.
[[nodiscard]] FrameRate guessFrameRate(const std::vector<SourceAnimation>& animations, double stated, Issues& issues);

/// A clip with the keys of one animation, re-expressed for what was folded into their joints. Key times that stand on a
/// frame up to the precision of a float are put on it.
[[nodiscard]] Clip buildClip(const SourceAnimation& animation, const JointPlan& plan, const std::vector<JointId>& ids,
                             FrameRate fps);

/// Binds a mesh to joints: weights of each vertex sum to 1, vertices without weights follow the node the mesh hangs
/// from.
[[nodiscard]] Mesh bindMesh(SourceMesh source, const SourceModel& model, const JointPlan& plan,
                            const std::vector<JointId>& ids, const Affine& worldFromFile, Issues& issues);

/// From the lowest to the highest point of the meshes, or of the joints when there are no meshes, at rest [m].
[[nodiscard]] double heightAtRest(const Scene& scene);

} // namespace tendon

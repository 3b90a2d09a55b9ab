#pragma once

#include "core/base/Issue.h"
#include "core/io/AnimationExport.h"
#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <map>
#include <memory>

namespace tendon {

/// What a file was written from, as its reader should find it.
struct Expected
{
    const Scene& scene;
    const std::vector<BakedClip>& clips;
    std::map<JointId, std::size_t> nodeOf; ///< of the joints that were written
    Affine sceneFromFile = Affine::Identity(); ///< unit and axes of the file to metres and +Y up
};

/// Plays a .glb or .gltf with GltfPlayback and compares: every joint's world position at every sample of every clip, and
/// the skinned vertices of every mesh of the scene at a few samples. A file that cannot be read is all missing.
[[nodiscard]] Result<ReadBack> checkGltf(const std::string& path, const Expected& expected, Issues& issues);

/// World poses of a bake: modelFromJoint at sample `s` of `clip`, in the order of `rig`.
class BakedPoses
{
public:
    [[nodiscard]] static Result<BakedPoses> of(const Scene& scene);
    [[nodiscard]] const ModelPose& at(const BakedClip& clip, std::size_t s);
    [[nodiscard]] const CompiledRig& rig() const { return *m_rig; }
    [[nodiscard]] Vector3 position(JointId joint) const; ///< of the sample asked for last

private:
    std::shared_ptr<const CompiledRig> m_rig;
    LocalPose m_local;
    ModelPose m_model;
};

/// Keeps the largest error and where it was.
struct WorstError
{
    double value = 0;
    std::string at;
    /// Not a number counts as infinitely wrong.
    template <typename Where>
    void add(double error, Where&& where)
    {
        if (error <= value) return;
        value = error;
        at = where();
    }
};

/// "clip walk, frame 12"
[[nodiscard]] std::string placeOf(const BakedClip& clip, std::size_t sample);

/// Distance of the farthest joint, over all samples of all clips, from the middle of all. [m]
[[nodiscard]] double skeletonRadius(const std::vector<BakedClip>& clips, BakedPoses& poses);

} // namespace tendon

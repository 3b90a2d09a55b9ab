#include "core/io/export/fbx/BindGaps.h"

#include "core/scene/RestPose.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tendon::fbx {
namespace {

constexpr double kSame = 1e-6;  ///< relative: what Blender takes for one place
constexpr double kShare = 3e-6; ///< of a coordinate: surely another place, also in single precision

std::set<JointId> slidingJoints(const Scene& scene, const std::vector<BakedClip>& clips)
{
    std::map<JointId, Vector3> rest;
    for (const Joint& joint : *scene.joints) rest[joint.id] = joint.rest.translation;
    std::set<JointId> sliding;
    for (const BakedClip& clip : clips)
        for (std::size_t i = 0; i < clip.locals.size(); ++i) {
            const JointId joint = clip.joints[i % clip.joints.size()];
            const Vector3& meant = rest.at(joint);
            if ((clip.locals[i].translation - meant).norm() > kSame * meant.norm()) sliding.insert(joint);
        }
    return sliding;
}

} // namespace

std::map<JointId, Vector3> bindGaps(const Scene& scene, const std::vector<BakedClip>& clips)
{
    const std::set<JointId> sliding = slidingJoints(scene, clips);
    std::map<JointId, Vector3> gaps;
    if (sliding.empty()) return gaps;
    const std::vector<Affine> world = worldInRestPose(scene);
    double size = 0;
    for (const Affine& joint : world) size = std::max(size, (joint.translation() - world[0].translation()).norm());
    for (std::size_t j = 0; j < world.size(); ++j) {
        const Joint& joint = (*scene.joints)[j];
        if (!joint.parent.isValid() || !sliding.contains(joint.id)) continue;
        // Along the axis on which the least distance is another number.
        const Vector3 place = world[j].translation();
        Eigen::Index axis = 0;
        place.cwiseAbs().minCoeff(&axis);
        gaps[joint.id] = std::max(kShare * std::abs(place[axis]), 1e-7 * size) * Vector3::Unit(axis);
    }
    return gaps;
}

} // namespace tendon::fbx

#include "core/io/export/gltf/SkinTree.h"

#include <algorithm>
#include <unordered_set>

namespace tendon::gltf {
namespace {

/// The joint's ancestors and itself, the root first.
std::vector<std::uint64_t> pathTo(JointId joint, const Scene& scene)
{
    std::vector<std::uint64_t> path;
    for (const Joint* at = scene.find(joint); at != nullptr; at = scene.find(at->parent)) path.push_back(at->id.value);
    std::reverse(path.begin(), path.end());
    return path;
}

/// The nearest joint above all joints of the skin, or one of them; 0 = there is none.
std::uint64_t commonJoint(const Skin& skin, const Scene& scene)
{
    std::vector<std::uint64_t> common;
    for (std::size_t k = 0; k < skin.joints.size(); ++k) {
        const auto path = pathTo(skin.joints[k], scene);
        if (k == 0)
            common = path;
        else
            common.erase(std::mismatch(common.begin(), common.end(), path.begin(), path.end()).first, common.end());
    }
    return common.empty() ? 0 : common.back();
}

} // namespace

Skin withoutGaps(Skin skin, const Scene& scene)
{
    const std::uint64_t top = commonJoint(skin, scene);
    std::unordered_set<std::uint64_t> known;
    for (const JointId joint : skin.joints) known.insert(joint.value);
    for (std::size_t k = 0; k < skin.joints.size(); ++k) { // what is added is climbed from in its turn
        const Joint* joint = scene.find(skin.joints[k]);
        if (joint == nullptr || joint->id.value == top || !joint->parent.isValid() ||
            !known.insert(joint->parent.value).second)
            continue;
        const Affine parentFromJoint = Eigen::Translation3d(joint->rest.translation) *
                                       joint->rest.rotation.normalized();
        skin.jointFromMesh.push_back(parentFromJoint * skin.jointFromMesh[k]);
        skin.joints.push_back(joint->parent);
    }
    return skin;
}

bool hasSeveralRoots(const Skin& skin, const Scene& scene) { return commonJoint(skin, scene) == 0; }

} // namespace tendon::gltf

#include "core/io/export/gltf/SkinTree.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace tendon::gltf {
namespace {

/// The nearest joint above all joints of the skin, or one of them; 0 = there is none.
std::uint64_t commonJoint(const Skin& skin, const Scene& scene)
{
    std::vector<JointId> path; // from the first joint up
    std::unordered_map<JointId, std::size_t> onPath;
    if (!skin.joints.empty())
        for (const Joint* at = scene.find(skin.joints.front()); at != nullptr; at = scene.find(at->parent)) {
            onPath.emplace(at->id, path.size());
            path.push_back(at->id);
        }
    if (path.empty()) return 0;
    std::size_t common = 0;
    std::unordered_set<JointId> known; // joints beside the path, which meet it at `common` or below
    for (const JointId joint : skin.joints)
        for (JointId at = joint; known.count(at) == 0;) {
            if (const auto met = onPath.find(at); met != onPath.end()) {
                common = std::max(common, met->second);
                break;
            }
            known.insert(at);
            const Joint* found = scene.find(at);
            if (found == nullptr) return 0;
            at = found->parent;
        }
    return path[common].value;
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

#include "app/editor/Termination.h"

#include "app/editor/ViewSettings.h"

#include <algorithm>
#include <map>
#include <vector>

namespace tendon::editor {
namespace {

constexpr int kLimb = 3;            // joints that make a branch a limb or the trunk: helpers of skins are shorter
constexpr double kCollarbone = 0.6; // of the length of the next bone: shorter ones belong to the trunk

bool isRaw(const Joint& joint)
{
    const bool isFree = std::all_of(joint.turning.begin(), joint.turning.end(),
                                    [](const AxisFreedom& axis) { return axis == AxisFreedom{.active = true}; });
    return joint.sourceNode >= 0 && isFree && !joint.ball && !joint.isTerminator && joint.stiffness == 0;
}

} // namespace

std::optional<int> terminationDepth(const Scene& scene, JointId dragged, const ViewState& view)
{
    if (view.terminationDepth != kAtLimbs) return view.terminationDepth;
    std::map<JointId, const Joint*> joints;
    for (const Joint& joint : *scene.joints) joints[joint.id] = &joint;
    const auto find = [&](JointId id) {
        const auto found = joints.find(id);
        return found == joints.end() ? nullptr : found->second;
    };
    std::map<JointId, int> below; // joints at or below each
    for (const Joint& joint : *scene.joints)
        for (const Joint* at = &joint; at != nullptr; at = find(at->parent)) ++below[at->id];
    const auto branches = [&](const Joint& joint, JointId way) {
        return std::any_of(scene.joints->begin(), scene.joints->end(), [&](const Joint& other) {
            return other.parent == joint.id && other.id != way && below[other.id] >= kLimb;
        });
    };
    std::vector<const Joint*> path; // from the dragged joint up
    std::optional<int> depth;
    for (const Joint* at = find(dragged); at != nullptr; at = find(at->parent)) {
        if (!isRaw(*at)) return std::nullopt;
        path.push_back(at);
        const auto links = static_cast<int>(path.size()) - 1;
        if (depth || links < 2 || !branches(*at, path[path.size() - 2]->id)) continue;
        depth = links;
        if (links < 3) continue;
        const auto lengthOf = [&](int link) { return path[static_cast<std::size_t>(link)]->rest.translation.norm(); };
        if (lengthOf(links - 2) < kCollarbone * lengthOf(links - 3)) --*depth;
    }
    return depth;
}

} // namespace tendon::editor

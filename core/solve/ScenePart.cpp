#include "core/solve/ScenePart.h"

#include "core/scene/FollowSpace.h"

#include <algorithm>
#include <unordered_set>

namespace tendon {
namespace {

using Joints = std::unordered_set<JointId>;

/// Adds a joint and all above it. Precondition: with each joint, `joints` holds those above it.
void addWithAncestors(const Scene& scene, JointId joint, Joints& joints)
{
    for (const Joint* at = scene.find(joint); at != nullptr && joints.insert(at->id).second;)
        at = scene.find(at->parent);
}

/// Whether a solve of the handle may move one of `joints`, which hold, with each joint, those above it.
bool moves(const Scene& scene, const Handle& handle, const Joints& joints)
{
    if (joints.count(handle.start) == 0) return false;
    for (const Joint* at = scene.find(handle.end); at != nullptr && !at->isTerminator; at = scene.find(at->parent)) {
        if (joints.count(at->id) != 0) return true;
        if (at->id == handle.start) break;
    }
    return false;
}

Scene partOf(const Scene& scene, const Joints& joints, std::vector<Handle> handles)
{
    std::vector<std::size_t> places;
    for (const JointId each : joints) places.push_back(scene.joints->placeOf(each));
    std::sort(places.begin(), places.end());
    std::vector<Joint> partJoints;
    for (const std::size_t place : places) partJoints.push_back((*scene.joints)[place]);
    Scene part = scene;
    part.joints = std::move(partJoints);
    part.handles = std::move(handles);
    return part;
}

} // namespace

Scene partThatPoses(const Scene& scene, JointId joint)
{
    Joints joints;
    addWithAncestors(scene, joint, joints);
    const ObjectList<Handle>& handles = *scene.handles;
    std::vector<bool> isTaken(handles.size(), false);
    for (bool isGrowing = true; isGrowing;) {
        isGrowing = false;
        for (std::size_t h = 0; h < handles.size(); ++h) {
            if (isTaken[h] || !moves(scene, handles[h], joints)) continue;
            isTaken[h] = isGrowing = true;
            addWithAncestors(scene, handles[h].end, joints);
            for (const JointId followed : followedJoints(scene, handles[h])) addWithAncestors(scene, followed, joints);
            // Handles whose goals it follows are in the part for these, with all that they need to be solved.
            for (const HandleId id : followedHandles(scene, handles[h])) {
                isTaken[handles.placeOf(id)] = true;
                addWithAncestors(scene, scene.find(id)->end, joints);
            }
        }
    }

    std::vector<Handle> partHandles;
    for (std::size_t h = 0; h < handles.size(); ++h)
        if (isTaken[h]) partHandles.push_back(handles[h]);
    return partOf(scene, joints, std::move(partHandles));
}

Scene partOfHandle(const Scene& scene, const Handle& handle)
{
    Joints joints;
    addWithAncestors(scene, handle.end, joints);
    for (const JointId followed : followedJoints(scene, handle)) addWithAncestors(scene, followed, joints);
    std::vector<Handle> handles{handle};
    for (const HandleId id : followedHandles(scene, handle)) {
        handles.push_back(*scene.find(id));
        addWithAncestors(scene, handles.back().end, joints);
    }
    return partOf(scene, joints, std::move(handles));
}

} // namespace tendon

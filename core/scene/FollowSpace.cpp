#include "core/scene/FollowSpace.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"
#include "core/scene/Check.h"
#include "core/scene/GoalPose.h"
#include "core/scene/HandleEdit.h"
#include "core/scene/RestPose.h"

#include <algorithm>

namespace tendon {
namespace {

/// Keys of spaces that go name the world.
void forgetSpaceKeys(Scene& scene, HandleId handle, const std::set<ObjectId>& gone)
{
    for (const Property property : {Property::Space, Property::PoleSpace})
        for (auto& clip : scene.clips) {
            const ChannelId channel{handle.value, property};
            const KeyList* keys = clip->find(channel);
            if (keys == nullptr) continue;
            std::vector<Key> edited = keys->toVector();
            for (Key& key : edited)
                if (gone.count(static_cast<ObjectId>(key.value[0])) != 0) key.value = {};
            if (edited == keys->toVector()) continue;
            KeyList list(std::move(edited), *keys);
            clip.edit().channels.insert_or_assign(channel, std::move(list));
        }
}

} // namespace

std::vector<HandleId> followedHandles(const Scene& scene, const Handle& handle)
{
    std::vector<HandleId> found;
    const auto add = [&](const Handle& from) {
        for (const ObjectId object : from.followed())
            if (scene.find(HandleId{object}) != nullptr &&
                std::find(found.begin(), found.end(), HandleId{object}) == found.end())
                found.push_back(HandleId{object});
    };
    add(handle);
    for (std::size_t i = 0; i < found.size(); ++i) add(*scene.find(found[i]));
    return found;
}

std::vector<JointId> followedJoints(const Scene& scene, const Handle& handle)
{
    std::vector<JointId> joints;
    const auto add = [&](JointId joint) {
        if (scene.find(joint) != nullptr && std::find(joints.begin(), joints.end(), joint) == joints.end())
            joints.push_back(joint);
    };
    const auto addAll = [&](const Handle& from) {
        for (const ObjectId object : from.followed()) add(JointId{object});
    };
    addAll(handle);
    for (const HandleId id : followedHandles(scene, handle)) {
        addAll(*scene.find(id));
        add(carrierOf(scene, *scene.find(id)));
    }
    return joints;
}

Result<void> checkGoalsEnd(const Scene& scene)
{
    for (const Handle& handle : *scene.handles) {
        const std::vector<HandleId> followed = followedHandles(scene, handle);
        if (std::find(followed.begin(), followed.end(), handle.id) == followed.end()) continue;
        std::string through;
        for (const HandleId id : followed)
            if (id != handle.id && through.empty()) through = " (through " + inQuotes(nameOf(scene, id.value)) + ")";
        return Error{ErrorCode::InvalidArgument,
                     "its goal or pole would follow its own goal" + through + "; let it follow another object",
                     handle.name};
    }
    return {};
}

Affine spaceInStaticPose(const Scene& scene, ObjectId space)
{
    const Handle* handle = scene.find(HandleId{space});
    if (handle == nullptr) return worldInStaticPose(scene, JointId{space});
    const JointId carrier = carrierOf(scene, *handle);
    const Affine worldFromGoalSpace = carrier.isValid() ? worldInStaticPose(scene, carrier)
                                                        : spaceInStaticPose(scene, handle->follow);
    const auto value = [&](Property property) { return scene.staticValue({handle->id.value, property}); };
    return affineOf(goalInWorld(worldFromGoalSpace, {toVector(value(Property::GoalPosition)),
                                                     unitQuaternion(toQuaternion(value(Property::GoalRotation)))}));
}

void releaseFollowers(Scene& scene, const std::set<ObjectId>& gone)
{
    const Scene before = scene;
    const auto isGone = [&](ObjectId object) { return gone.count(object) != 0; };
    for (const Handle& handle : *before.handles) {
        const std::vector<ObjectId> followed = handle.followed();
        if (isGone(handle.id.value) || std::none_of(followed.begin(), followed.end(), isGone)) continue;
        Handle changed = handle;
        if (isGone(handle.poleTarget.value)) {
            changed.poleTarget = {};
            const JointId carrier = carrierOf(before, handle);
            const Affine worldFromPole = carrier.isValid() ? worldInStaticPose(before, carrier)
                                                           : spaceInStaticPose(before, handle.poleFollow);
            scene.statics.edit()[{handle.id.value, Property::Pole}] = toValue(
                Vector3(worldFromPole.inverse() * worldInStaticPose(before, handle.poleTarget).translation()));
        }
        if (isGone(handle.follow)) changed.follow = 0;
        if (isGone(handle.poleFollow)) changed.poleFollow = 0;
        if (isGone(handle.startUp.value)) changed.startUp = {};
        if (isGone(handle.endUp.value)) changed.endUp = {};
        std::erase_if(changed.spaces, isGone);
        scene.handles.edit().replace(scene.handles->placeOf(handle.id), changed);
        moveGoalToSpace(scene, handle, changed, [&](ObjectId from, ObjectId to, ChannelId, const Clip*, Time) {
            return changeOfSpace(spaceInStaticPose(before, to), spaceInStaticPose(before, from));
        });
        forgetSpaceKeys(scene, handle.id, gone);
    }
}

} // namespace tendon

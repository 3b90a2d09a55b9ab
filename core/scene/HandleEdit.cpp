#include "core/scene/HandleEdit.h"

#include "core/math/Convert.h"
#include "core/scene/Check.h"
#include "core/scene/GoalPose.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>

namespace tendon {

Result<Scene> addHandle(Scene scene, Handle handle, const Affine& worldFromEnd, const Affine& worldFromFollow,
                        const Vector3& pole)
{
    if (const auto free = checkNameIsFree(scene, handle.name, 0); !free) return free.error();
    if (const auto fits = checkHandle(scene, handle); !fits) return fits.error();
    handle.id = HandleId{scene.takeId()};

    const GoalPose goal = goalInSpace(worldFromFollow, {worldFromEnd * handle.offset, rotationOf(worldFromEnd)});
    StaticValues& statics = scene.statics.edit();
    statics[{handle.id.value, Property::GoalPosition}] = toValue(goal.position);
    statics[{handle.id.value, Property::GoalRotation}] = toValue(goal.rotation);
    if (handle.hasPole && !handle.poleTarget.isValid()) statics[{handle.id.value, Property::Pole}] = toValue(pole);

    scene.handles.edit().push_back(std::move(handle));
    if (const auto fits = checkFollowing(scene); !fits) return fits.error();
    return scene;
}

Result<Scene> addHandle(Scene scene, Handle handle)
{
    const Affine worldFromEnd = worldInStaticPose(scene, handle.end);
    const Affine worldFromFollow = worldInStaticPose(scene, handle.follow);
    return addHandle(std::move(scene), std::move(handle), worldFromEnd, worldFromFollow);
}

Result<Scene> changeHandle(Scene scene, const Handle& changed, const SpaceChange& newFromOld)
{
    const Handle* found = scene.find(changed.id);
    if (found == nullptr) return Error{ErrorCode::NotFound, "there is no such handle", ""};
    if (found->name != changed.name) return Error{ErrorCode::Internal, "changeHandle does not rename", changed.name};
    if (const auto fits = checkHandle(scene, changed); !fits) return fits.error();
    const Handle before = *found;
    for (Handle& handle : scene.handles.edit())
        if (handle.id == changed.id) handle = changed;
    if (const auto fits = checkFollowing(scene); !fits) return fits.error();

    if (changed.follow != before.follow) {
        const Affine inStaticPose = worldInStaticPose(scene, changed.follow).inverse() *
                                    worldInStaticPose(scene, before.follow);
        const SpaceChange change = newFromOld ? newFromOld : [&](const Clip*, Time) { return inStaticPose; };
        moveToSpace(scene, {changed.id.value, Property::GoalPosition}, change);
        moveToSpace(scene, {changed.id.value, Property::GoalRotation}, change);
    }
    return scene;
}

Result<Scene> removeHandle(Scene scene, HandleId handle)
{
    if (scene.find(handle) == nullptr) return Error{ErrorCode::NotFound, "there is no such handle", ""};
    std::erase_if(scene.handles.edit(), [&](const Handle& h) { return h.id == handle; });
    removeChannelsOf(scene, {handle.value});
    return scene;
}

} // namespace tendon

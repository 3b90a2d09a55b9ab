#include "core/scene/HandleEdit.h"

#include "core/math/Convert.h"
#include "core/scene/Check.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/GoalPose.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>

namespace tendon {
namespace {

/// Gives a handle's curve `count` points. The channels of its points move to the numbers that `renumber` gives them;
/// those of points without a number are gone.
template <typename Renumber>
Result<void> resizeCurve(Scene& scene, HandleId id, int count, const Renumber& renumber)
{
    const Handle* found = scene.find(id);
    if (found == nullptr) return Error{ErrorCode::NotFound, "there is no such handle", ""};
    Handle resized = *found;
    resized.curvePoints = count;
    if (const auto fits = checkHandle(scene, resized); !fits) return fits;
    scene.handles.edit().replace(scene.handles->placeOf(id), resized);

    const ChannelId first{id.value, Property::CurvePoint};
    const auto renumbered = [&](const auto& channels) {
        using std::erase_if; // of a clip's channels
        auto moved = channels;
        erase_if(moved, [&](const auto& entry) { return isOfCurve(entry.first, id); });
        for (auto at = channels.lower_bound(first); at != channels.end() && isOfCurve(at->first, id); ++at)
            if (const auto number = renumber(curveIndex(at->first.property)))
                moved.emplace(ChannelId{id.value, curvePoint(*number), at->first.layer}, at->second);
        return moved;
    };
    if (const auto at = scene.statics->lower_bound(first); at != scene.statics->end() && isOfCurve(at->first, id))
        scene.statics.edit() = renumbered(*scene.statics);
    for (auto& clip : scene.clips)
        if (const auto at = clip->channels.lower_bound(first); at != clip->channels.end() && isOfCurve(at->first, id))
            clip.edit().channels = renumbered(clip->channels);
    return {};
}

} // namespace

JointId carrierOf(const Scene& scene, const Handle& handle)
{
    const Joint* start = handle.isCarried() ? scene.find(handle.start) : nullptr;
    return start == nullptr ? JointId{} : start->parent;
}

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
    const Affine worldFromFollow = spaceInStaticPose(scene, handle.follow);
    return addHandle(std::move(scene), std::move(handle), worldFromEnd, worldFromFollow);
}

Result<Scene> changeHandle(Scene scene, const Handle& changed, const SpaceBetween& spaces)
{
    const Handle* found = scene.find(changed.id);
    if (found == nullptr) return Error{ErrorCode::NotFound, "there is no such handle", ""};
    if (found->name != changed.name) return Error{ErrorCode::Internal, "changeHandle does not rename", changed.name};
    if (const auto fits = checkHandle(scene, changed); !fits) return fits.error();
    const Handle before = *found;
    scene.handles.edit().replace(scene.handles->placeOf(changed.id), changed);
    if (const auto fits = checkFollowing(scene); !fits) return fits.error();

    const auto inStaticPose = [&scene](ObjectId from, ObjectId to, ChannelId, const Clip*, Time) {
        return changeOfSpace(spaceInStaticPose(scene, to), spaceInStaticPose(scene, from));
    };
    moveGoalToSpace(scene, before, changed, spaces ? spaces : inStaticPose);
    return scene;
}

void moveGoalToSpace(Scene& scene, const Handle& before, const Handle& after, const SpaceBetween& spaces)
{
    const JointId oldCarrier = carrierOf(scene, before), newCarrier = carrierOf(scene, after);
    const auto move = [&](Property property, ObjectId oldSpace, ObjectId newSpace) {
        const auto change = [&](const Clip* clip, Time time) {
            const ObjectId from = clip == nullptr && oldCarrier.isValid() ? oldCarrier.value : oldSpace;
            const ObjectId to = clip == nullptr && newCarrier.isValid() ? newCarrier.value : newSpace;
            const bool isKeyed = clip != nullptr && clip->find({before.id.value, spaceOf(property)}) != nullptr;
            return from == to || isKeyed ? ChangeOfSpace{} : spaces(from, to, {before.id.value, property}, clip, time);
        };
        if (oldSpace != newSpace || oldCarrier != newCarrier) moveToSpace(scene, {before.id.value, property}, change);
    };
    move(Property::GoalPosition, before.follow, after.follow);
    move(Property::GoalRotation, before.follow, after.follow);
    for (int i = 0; i < before.curvePoints; ++i) move(curvePoint(i), before.follow, after.follow);
    move(Property::Pole, before.poleFollow, after.poleFollow);
}

void moveCarried(Scene& scene, const Handle& handle, const ChangeOfSpace& change)
{
    const auto changeAt = [&](const Clip* clip, Time) { return clip == nullptr ? change : ChangeOfSpace{}; };
    moveToSpace(scene, {handle.id.value, Property::GoalPosition}, changeAt);
    moveToSpace(scene, {handle.id.value, Property::GoalRotation}, changeAt);
    for (int i = 0; i < handle.curvePoints; ++i) moveToSpace(scene, {handle.id.value, curvePoint(i)}, changeAt);
    moveToSpace(scene, {handle.id.value, Property::Pole}, changeAt);
}

Result<Scene> setCurve(Scene scene, HandleId id, std::span<const Vector3> points)
{
    const auto renumber = [](int) { return std::optional<int>(); };
    if (auto changed = resizeCurve(scene, id, static_cast<int>(points.size()), renumber); !changed)
        return changed.error();
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto next = setStatic(std::move(scene), {id.value, curvePoint(static_cast<int>(i))}, toValue(points[i]));
        if (!next) return next.error();
        scene = std::move(*next);
    }
    return scene;
}

Result<Scene> insertCurvePoint(Scene scene, HandleId id, int index, const Vector3& position)
{
    const Handle* handle = scene.find(id);
    const int count = handle == nullptr ? 0 : handle->curvePoints;
    if (index < 0 || index > count || count == 0)
        return Error{ErrorCode::InvalidArgument,
                     count == 0 ? "it has no curve; set its curve first"
                                : "must be from 0 to " + std::to_string(count) + ", the number of its points",
                     "index"};
    const auto renumber = [&](int i) { return shiftedCurvePoint(i, index, 1); };
    if (auto changed = resizeCurve(scene, id, count + 1, renumber); !changed) return changed.error();
    return setStatic(std::move(scene), {id.value, curvePoint(index)}, toValue(position));
}

Result<Scene> removeCurvePoint(Scene scene, HandleId id, int index)
{
    if (const auto there = checkChannel(scene, {id.value, curvePoint(std::clamp(index, 0, kMaxCurvePoints - 1))});
        !there || index < 0 || index >= kMaxCurvePoints)
        return there ? Error{ErrorCode::NotFound, "there is no such point", "index"} : there.error();
    const int count = scene.find(id)->curvePoints;
    if (count == kMinCurvePoints)
        return Error{ErrorCode::InvalidArgument,
                     "a curve has at least " + std::to_string(kMinCurvePoints) +
                         " points; set the curve to [] to remove it",
                     ""};
    if (auto changed = resizeCurve(scene, id, count - 1, [&](int i) { return shiftedCurvePoint(i, index, -1); });
        !changed)
        return changed.error();
    return scene;
}

bool isOfCurve(ChannelId channel, HandleId handle)
{
    return channel.target == handle.value && isCurvePoint(channel.property);
}

std::optional<int> shiftedCurvePoint(int index, int from, int by)
{
    if (index < from) return index;
    if (by < 0 && index == from) return std::nullopt;
    return index + by;
}

Result<Scene> removeHandle(Scene scene, HandleId handle)
{
    if (scene.find(handle) == nullptr) return Error{ErrorCode::NotFound, "there is no such handle", ""};
    releaseFollowers(scene, {handle.value});
    erase_if(scene.handles.edit(), [&](const Handle& h) { return h.id == handle; });
    removeChannelsOf(scene, {handle.value});
    forgetInView(scene, {handle.value});
    return scene;
}

} // namespace tendon

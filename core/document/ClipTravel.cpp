#include "core/document/ClipTravel.h"

#include "core/document/HandleMotion.h"
#include "core/document/Reparent.h"
#include "core/document/SwitchKeys.h"
#include "core/math/Convert.h"
#include "core/runtime/CorrectionMerge.h"
#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/Constraint.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tendon {
namespace {

bool isIn(const std::vector<JointId>& joints, JointId joint)
{
    return std::find(joints.begin(), joints.end(), joint) != joints.end();
}

/// Some handle that shows in the clip moves the hips or what carries them.
bool areHipsSolved(const Scene& scene, const Clip& clip, JointId hips)
{
    return std::any_of(scene.handles->begin(), scene.handles->end(), [&](const Handle& handle) {
        if (isBlendedOut(scene, clip, handle)) return false;
        const std::vector<JointId> joints = chain(scene, handle.start, handle.end);
        return std::any_of(joints.begin(), joints.end(),
                           [&](JointId joint) { return joint == hips || isAncestor(scene, joint, hips); });
    });
}

/// A handle of the figure, which shows in the clip.
bool movesFigure(const Scene& scene, const Clip& clip, const Handle& handle, JointId hips)
{
    const bool isOfIt = handle.start == hips || isAncestor(scene, hips, handle.start) ||
                        isAncestor(scene, handle.start, hips);
    return isOfIt && !isBlendedOut(scene, clip, handle);
}

/// The props, topmost joints, that handles of the figure go along with.
std::vector<JointId> followedProps(const Scene& scene, const Clip& clip, JointId hips)
{
    std::vector<JointId> props;
    for (const Handle& handle : *scene.handles) {
        if (!movesFigure(scene, clip, handle, hips)) continue;
        for (JointId joint : followedJoints(scene, handle)) {
            for (JointId above = scene.find(joint)->parent; above.isValid() && !isAncestor(scene, above, hips);
                 above = scene.find(above)->parent)
                joint = above;
            if (!isIn(props, joint)) props.push_back(joint);
        }
    }
    return props;
}

/// Keys of goals, poles and curves that are given in the world, moved along.
class GoalsAlong
{
public:
    /// `clip`: as it was; it outlives this. `hips`: of the figure.
    GoalsAlong(const Draft& draft, const Clip& clip, JointId hips) : m_draft(draft), m_clip(clip)
    {
        for (const Handle& handle : *draft.scene.handles)
            for (const Property part : {Property::GoalPosition, Property::Pole})
                for (const Property property : placesWith(handle, part)) addPlace(handle, property, hips);
    }

    /// Writes them into the moved clip, and returns the handles whose they are.
    [[nodiscard]] Result<std::set<HandleId>> writeInto(Clip& moved, const std::vector<MovedTravel::Moment>& moments)
    {
        std::set<HandleId> handles;
        if (m_places.empty()) return handles;
        for (const MovedTravel::Moment& moment : moments) {
            const auto frame = m_draft.poses.at(m_draft.scene, &m_clip, {}, moment.time);
            if (!frame) return frame.error();
            for (Place& place : m_places)
                if (place.isInWorld(moment.time) || place.isBetween(moment.time))
                    place.add(moment, (*frame)->targets[m_draft.scene.handles->placeOf(place.handle)]);
        }
        for (const Place& place : m_places) handles.insert(place.handle);
        for (const HandleId handle : handles) { // what is sampled has its corrections in it
            auto merged = mergedCorrections(m_draft.scene, moved, handle.value);
            if (!merged) return merged.error();
            moved = std::move(*merged);
        }
        for (Place& place : m_places)
            moved.channels.insert_or_assign({place.handle.value, place.property}, Shared(place.list()));
        return handles;
    }

private:
    struct Place
    {
        HandleId handle;
        Property property{};
        const KeyList* keys = nullptr;   ///< null: it has none
        const KeyList* spaces = nullptr; ///< null: it is in `own`
        ObjectId own = 0;
        std::vector<Key> made{};

        [[nodiscard]] ObjectId spaceAt(Time time) const
        {
            return keys == nullptr || spaces == nullptr ? own : tendon::spaceAt(*spaces, time);
        }
        [[nodiscard]] bool isInWorld(Time time) const { return spaceAt(time) == 0; }
        [[nodiscard]] bool isBetween(Time time) const
        {
            return keys != nullptr && spaces != nullptr && isBetweenSpaces(*keys, *spaces, time);
        }

        void add(const MovedTravel::Moment& moment, const HandleTarget& target)
        {
            const bool isWorld = isInWorld(moment.time), isPole = property == Property::Pole;
            // What it goes along with has moved, too, so in its space nothing has changed.
            const Affine& worldFromSpace = isPole ? target.worldFromPoleSpace : target.worldFromSpace;
            ChannelValue value{};
            if (property == Property::GoalRotation) {
                value = toValue(isWorld ? Quaternion(rotationOf(moment.worldFromFormer) * target.goal.rotation)
                                        : goalInSpace(worldFromSpace, target.goal).rotation);
                if (!made.empty()) value = withSignOf(made.back().value, value, property);
            } else {
                if (isPole && !target.pole) return;
                const Vector3 place = isPole ? *target.pole
                                      : property == Property::GoalPosition
                                          ? target.goal.position
                                          : target.curve[static_cast<std::size_t>(curveIndex(property))];
                value = toValue(Vector3((isWorld ? moment.worldFromFormer : worldFromSpace.inverse()) * place));
            }
            made.push_back({.time = moment.time, .value = value, .interpolation = Interpolation::Linear});
        }

        [[nodiscard]] KeyList list() const
        {
            std::vector<Key> all = made;
            if (keys != nullptr)
                for (const Key& key : keys->toVector())
                    if (!isInWorld(key.time)) all.push_back(key);
            return keys != nullptr ? KeyList(std::move(all), *keys) : KeyList(std::move(all));
        }
    };

    void addPlace(const Handle& handle, Property property, JointId hips)
    {
        const bool isPole = property == Property::Pole;
        if (isPole && (!handle.hasPole || handle.poleTarget.isValid())) return;
        if (copiesLocally(handle)) return;
        Place place{.handle = handle.id, .property = property};
        place.keys = m_clip.find({handle.id.value, property});
        place.spaces = m_clip.find({handle.id.value, spaceOf(property)});
        place.own = isPole ? handle.poleFollow : handle.follow;
        // One that stands still holds what the figure does.
        if (place.keys == nullptr && (handle.isCarried() || !movesFigure(m_draft.scene, m_clip, handle, hips))) return;
        bool isEverInWorld = place.own == 0;
        if (place.keys != nullptr && place.spaces != nullptr) {
            const std::vector<Key> keys = place.keys->toVector();
            isEverInWorld = std::any_of(keys.begin(), keys.end(),
                                        [&](const Key& key) { return place.isInWorld(key.time); });
        }
        if (isEverInWorld) m_places.push_back(std::move(place));
    }

    const Draft& m_draft;
    const Clip& m_clip;
    std::vector<Place> m_places;
};

void sayWhatWentAlong(Draft& draft, const std::set<HandleId>& handles, const std::vector<JointId>& joints)
{
    const auto say = [&](ObjectId object, const char* what) {
        draft.say(Severity::Info,
                  std::string("goes along with the figure, so ") + what +
                      " a key at each frame: what is taken out of the travel is taken out of it, too",
                  nameOf(draft.scene, object), object);
    };
    for (const HandleId handle : handles) say(handle.value, "its goal has");
    for (const JointId joint : joints) say(joint.value, "it has");
}

/// [m] How far a joint gets across the floor from where it starts.
double wayOf(const Draft& draft, const Clip& clip, JointId joint)
{
    constexpr int kSteps = 48;
    const double begin = clip.begin().seconds(), length = clip.end().seconds() - begin;
    std::optional<Vector3> first;
    double way = 0;
    for (int i = 0; i <= kSteps; ++i) {
        const Time time = i == kSteps ? clip.end() : Time::fromSeconds(begin + length * i / kSteps);
        const auto world = worldOf(draft, draft.scene, &clip, {}, time, joint);
        if (!world) return 0; // what cannot be posed says so elsewhere
        Vector3 place = world->translation();
        place.y() = 0;
        if (!first) first = place;
        way = std::max(way, (place - *first).norm());
    }
    return way;
}

} // namespace

Result<void> moveTravel(Draft& draft, ClipId id, const RoleMap& roles, const TravelRequest& request)
{
    auto motion = rootMotionOf(draft.scene, roles, request, draft.messages);
    if (!motion) return motion.error();
    const Clip former = *draft.scene.find(id);
    const JointId hips = motion->hips;
    std::optional<Error> failure;
    if (areHipsSolved(draft.scene, former, hips))
        motion->solvedHips = [&](Time time) {
            const auto world = worldOf(draft, draft.scene, &former, {}, time, hips);
            if (!world) failure = world.error();
            return world ? *world : Affine(Affine::Identity());
        };
    const bool isInPlace = motion->travel == RootTravel::InPlace;
    if (isInPlace) motion->along = followedProps(draft.scene, former, hips);
    auto moved = withRootMotion(draft.scene, former, *motion);
    if (failure) return *failure;
    if (!moved) return moved.error();
    if (isInPlace) {
        const auto handles = GoalsAlong(draft, former, hips).writeInto(moved->clip, moved->moments);
        if (!handles) return handles.error();
        sayWhatWentAlong(draft, *handles, moved->along);
    }
    *editableClip(draft.scene, id) = std::move(moved->clip);
    return {};
}

void sayTravel(Draft& draft, const Clip& former, ClipId id, const RoleMap& roles, const TravelRequest& request)
{
    constexpr double kStill = 0.01; // [m]
    const bool isInPlace = request.travel == RootTravel::InPlace;
    const JointId hips = jointOf(roles, "hips");
    JointId joint = hips;
    if (request.travel == RootTravel::Bone) // it is there now
        joint = draft.scene.jointNamed(request.rootBone.empty() ? rootBoneFor(draft.scene, roles) : request.rootBone)
                    .value_or(hips);
    const double way = wayOf(draft, isInPlace ? former : *draft.scene.find(id), joint);
    char metres[32];
    std::snprintf(metres, sizeof metres, "%.2f m", way);
    const std::string name = '"' + nameOf(draft.scene, joint.value) + '"';
    draft.say(Severity::Info,
              way < kStill ? (isInPlace ? "was in place already" : "is in place, so " + name + " does not move")
              : isInPlace  ? std::string(metres) + " of travel are taken out; height stays"
                           : std::string("travels ") + metres + ", on " + name,
              former.name, id.value);
}

} // namespace tendon

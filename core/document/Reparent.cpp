#include "core/document/Reparent.h"

#include "core/document/FollowSpaces.h"
#include "core/document/LayeredPosing.h"
#include "core/document/Posing.h"
#include "core/scene/JointEdit.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <set>

namespace tendon {
namespace {

/// A joint's keys in one clip as whole local transforms at the times of any of them.
struct KeyedMotion
{
    ClipId clip;
    std::vector<Time> times;
    std::vector<LocalTransform> locals;
    std::vector<Interpolation> interpolations;
    bool hasTranslation = false, hasAngles = false, hasRotation = false, hasScale = false;
};

KeyedMotion motionOf(const Draft& draft, const Clip& clip, const Joint& joint)
{
    KeyedMotion motion{.clip = clip.id, .times = {}, .locals = {}, .interpolations = {}};
    std::map<Time, Interpolation> times;
    for (int p = 0; p <= static_cast<int>(Property::Rotation); ++p) {
        const auto property = static_cast<Property>(p);
        const KeyList* keys = clip.find({joint.id.value, property});
        if (keys == nullptr) continue;
        motion.hasTranslation |= property <= Property::Tz;
        motion.hasAngles |= property >= Property::Rx && property <= Property::Rz;
        motion.hasScale |= property >= Property::Sx && property <= Property::Sz;
        motion.hasRotation |= property == Property::Rotation;
        for (const Key& key : keys->toVector()) times.try_emplace(key.time, key.interpolation);
    }
    Draft inClip = draft;
    inClip.edit.currentClip = clip.id;
    inClip.edit.pending.clear();
    for (const auto& [time, interpolation] : times) {
        motion.times.push_back(time);
        motion.locals.push_back(jointPose(inClip, joint, time).local);
        motion.interpolations.push_back(interpolation);
    }
    return motion;
}

/// Keys of all channels that the joint had keys of, and of those that now differ from what is static.
Result<void> writeMotion(Draft& draft, const KeyedMotion& motion, JointId id)
{
    const Joint joint = *draft.scene.find(id);
    const bool useAngles = motion.hasAngles || (!motion.hasRotation && !joint.ball);
    std::map<Property, std::vector<Key>> keys;
    Vector3 near = staticPose(draft.scene, joint).angles;
    for (std::size_t i = 0; i < motion.times.size(); ++i) {
        const LocalTransform& local = motion.locals[i];
        const auto add = [&](Property property, const ChannelValue& value) {
            Interpolation interpolation = motion.interpolations[i];
            if (isQuaternion(property) && interpolation == Interpolation::Bezier) interpolation = Interpolation::Linear;
            keys[property].push_back({.time = motion.times[i], .value = value, .interpolation = interpolation});
        };
        near = anglesOf(joint, local.rotation, near);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<Eigen::Index>(axis);
            add(kTranslations[axis], {local.translation[a]});
            add(kScalings[axis], {local.scale[a]});
            if (useAngles) add(kAngles[axis], {near[a]});
        }
        if (!useAngles) add(Property::Rotation, toValue(local.rotation));
    }
    const Clip before = *draft.scene.find(motion.clip);
    Draft unposed = draft;
    unposed.edit.currentClip = {};
    unposed.edit.pending.clear();
    for (auto& [property, list] : keys) {
        const ChannelId channel{id.value, property};
        const ChannelValue still = channelValue(unposed, channel, Time{});
        constexpr double kSame = 1e-9; // [m, rad] of rounding through two transforms
        const bool isStill = before.find(channel) == nullptr &&
                             std::all_of(list.begin(), list.end(), [&](const Key& key) {
                                 return std::abs(key.value[0] - still[0]) < kSame &&
                                        std::abs(key.value[1] - still[1]) < kSame &&
                                        std::abs(key.value[2] - still[2]) < kSame &&
                                        std::abs(key.value[3] - still[3]) < kSame;
                             });
        if (isStill) continue;
        if (const auto put = draft.take(replaceKeys(std::move(draft.scene), motion.clip, channel, std::move(list)));
            !put)
            return put;
    }
    return {};
}

} // namespace

Result<Affine> worldOf(const Draft& draft, const Scene& scene, const Clip* clip, const PendingValues& pending,
                       Time time, JointId joint)
{
    if (!joint.isValid()) return Affine(Affine::Identity());
    const auto part = draft.poses.partAt(scene, clip, pending, time, joint);
    if (!part) return part.error();
    return part->frame.model.modelFromJoint[at(part->rig.index(joint))];
}

Result<void> linkKeepingMotion(Draft& draft, JointId id, JointId parent)
{
    const Joint before = *draft.scene.find(id);
    if (parent == before.parent) return {};
    if (const auto merged = mergeCorrectionsOf(draft, id.value); !merged) return merged;
    const auto change = [&, spaces = spacesOf(draft)](const Clip* clip, Time time) {
        return spaces(before.parent.value, parent.value, {}, clip, time);
    };

    // What moves, in the old parent's space, and then in the new one's: found before anything is changed.
    std::vector<KeyedMotion> motions;
    for (const auto& clip : draft.scene.clips) {
        KeyedMotion motion = motionOf(draft, *clip, before);
        if (motion.times.empty()) continue;
        for (std::size_t i = 0; i < motion.times.size(); ++i)
            motion.locals[i] = decompose(change(&*clip, motion.times[i]).newFromOld *
                                         motion.locals[i].parentFromJoint());
        motions.push_back(std::move(motion));
    }
    if (const auto linked = draft.take(link(draft.scene, id, parent, change(nullptr, Time{}))); !linked) return linked;
    for (const KeyedMotion& motion : motions)
        if (const auto written = writeMotion(draft, motion, id); !written) return written;
    if (std::erase_if(draft.edit.pending, [&](const auto& entry) { return entry.first.target == id.value; }) != 0)
        draft.say(Severity::Info, "posed values that were not keyed were dropped", before.name, id.value);
    return {};
}

} // namespace tendon

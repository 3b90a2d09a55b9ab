#include "core/document/ClipTransfer.h"

#include "core/document/AxisKeys.h"
#include "core/document/Posing.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace tendon {
namespace {

/// A joint of the source and the one that is to do the same.
struct Pair
{
    const Joint* from = nullptr;
    JointId to;
};

std::string withoutBlanks(std::string name)
{
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c <= ' '; }, '_');
    return name;
}

Result<std::vector<Pair>> pairsOf(Draft& draft, const Scene& source, const Clip& clip, const TransferOptions& options)
{
    std::vector<Pair> pairs;
    std::set<JointId> mappedFrom, mappedTo;
    for (const auto& [from, to] : options.names) {
        const auto sourceJoint = source.jointNamed(from);
        if (!sourceJoint)
            return Error{ErrorCode::NotFound, "there is no joint called " + inQuotes(from) + " in the file", "map"};
        const auto joint = draft.scene.jointNamed(to);
        if (!joint)
            return Error{ErrorCode::NotFound, "there is no joint called " + inQuotes(to) + " in the project",
                         "map: " + from};
        if (!mappedTo.insert(*joint).second)
            return Error{ErrorCode::InvalidArgument, "two joints of the file are mapped to " + inQuotes(to),
                         "map: " + from};
        mappedFrom.insert(*sourceJoint);
        pairs.push_back({source.find(*sourceJoint), *joint});
    }

    // All others by name, blanks as formats that cannot hold them write them.
    std::map<std::string, JointId> written;
    for (const Joint& joint : *draft.scene.joints)
        if (const std::string name = withoutBlanks(joint.name); name != joint.name) written.emplace(name, joint.id);
    std::size_t left = 0;
    std::string names;
    std::set<ObjectId> keyed;
    for (const auto& [channel, keys] : clip.channels) keyed.insert(channel.target);
    for (const Joint& from : *source.joints) {
        if (keyed.count(from.id.value) == 0 || mappedFrom.count(from.id) != 0) continue;
        const auto joint = draft.scene.jointNamed(from.name);
        const auto other = written.find(from.name);
        const JointId to = joint ? *joint : other != written.end() ? other->second : JointId{};
        if (to.isValid() && mappedTo.count(to) == 0) {
            mappedTo.insert(to);
            pairs.push_back({&from, to});
        } else if (++left <= 4) {
            names += (names.empty() ? "" : ", ") + inQuotes(from.name);
        }
    }
    if (pairs.empty())
        return Error{ErrorCode::NotFound,
                     "none of the joints that move in this animation is in the project (" + names +
                         "); say with map which is which",
                     ""};
    if (left > 0)
        draft.say(Severity::Warning, std::to_string(left) + " moving joints of the file are not in the project: " +
                                         names + (left > 4 ? ", ..." : "") + "; say with map which is which");
    return pairs;
}

/// How two skeletons compare, joint by joint of those that are paired.
struct Comparison
{
    double ratio = 1; ///< of lengths of bones in their parents' units, target to source
    double size = 1;  ///< the same in the world: scale above a bone counts
    double turn = 0;  ///< [rad] largest difference of local rest rotations
    double shift = 0; ///< largest difference of a bone, in bones
    std::string turnAt, shiftAt;

    [[nodiscard]] bool isSame() const { return turn < 1e-3 && shift < 0.01; }
};

/// Bones are what lies between two pairs, in world axes at rest.
Comparison compare(const Scene& source, const Scene& target, const std::vector<Pair>& pairs)
{
    Comparison result;
    double before = 0, after = 0, sizeBefore = 0, sizeAfter = 0;
    const auto lengthInWorld = [](const Scene& scene, const Joint& joint) {
        return (worldInRestPose(scene, joint.parent).linear() * joint.rest.translation).norm();
    };
    const auto isBone = [&](const Pair& pair) {
        const JointId above = target.find(pair.to)->parent;
        return std::any_of(pairs.begin(), pairs.end(),
                           [&](const Pair& other) { return other.to == above && other.from->id == pair.from->parent; });
    };
    for (const Pair& pair : pairs) {
        if (!isBone(pair)) continue;
        const Joint& to = *target.find(pair.to);
        before += pair.from->rest.translation.norm();
        after += to.rest.translation.norm();
        sizeBefore += lengthInWorld(source, *pair.from);
        sizeAfter += lengthInWorld(target, to);
    }
    if (before > 1e-9 && after > 1e-9) result.ratio = result.size = after / before;
    if (sizeBefore > 1e-9 && sizeAfter > 1e-9) result.size = sizeAfter / sizeBefore;
    for (const Pair& pair : pairs) {
        const Joint& to = *target.find(pair.to);
        if (const double turn = pair.from->rest.rotation.angularDistance(to.rest.rotation); turn > result.turn) {
            result.turn = turn;
            result.turnAt = to.name;
        }
        if (!isBone(pair)) continue;
        const double length = std::max(to.rest.translation.norm(), 1e-3 * after);
        const double shift = length > 0
                                 ? (pair.from->rest.translation * result.ratio - to.rest.translation).norm() / length
                                 : 0;
        if (shift > result.shift) {
            result.shift = shift;
            result.shiftAt = to.name;
        }
    }
    return result;
}

std::string differenceOf(const Comparison& comparison)
{
    char text[160];
    if (comparison.turn >= 1e-3)
        std::snprintf(text, sizeof text, "the rest poses differ, at %s by %.3g degrees", comparison.turnAt.c_str(),
                      comparison.turn * 57.29577951308232);
    else
        std::snprintf(text, sizeof text, "the skeletons differ, at %s by %.3g of the bone above",
                      comparison.shiftAt.c_str(), comparison.shift);
    return text;
}

Result<void> copyKeys(Draft& draft, ClipId into, const Clip& clip, const Pair& pair, double lengths)
{
    for (int p = 0; p <= static_cast<int>(Property::Rotation); ++p) {
        const auto property = static_cast<Property>(p);
        const KeyList* found = clip.find({pair.from->id.value, property});
        if (found == nullptr) continue;
        std::vector<Key> keys = found->toVector();
        if (property <= Property::Tz && lengths != 1)
            for (Key& key : keys) key.value[0] *= lengths, key.in[0] *= lengths, key.out[0] *= lengths;
        const ChannelId channel{pair.to.value, property};
        const Infinity before = found->before(), after = found->after();
        if (const auto put = draft.take(replaceKeys(std::move(draft.scene), into, channel, std::move(keys))); !put)
            return put;
        if (const auto set = draft.take(setInfinity(std::move(draft.scene), into, channel, before, after)); !set)
            return set;
    }
    return {};
}

/// How much taller the target stands at its joint than the source does at its own.
double heightRatio(const Scene& source, const Joint& from, const Scene& target, const Joint& to)
{
    const double before = worldInRestPose(source, from.id).translation().y();
    const double after = worldInRestPose(target, to.id).translation().y();
    return before > 1e-6 && after > 1e-6 ? after / before : 1;
}

/// Each channel keeps its own keys and their interpolation: what turns and moves them is linear in their numbers.
/// `size`: of the target's bones against the source's, in the world.
Result<void> retarget(Draft& draft, ClipId into, const Scene& source, const Clip& clip, const Pair& pair, bool isRoot,
                      double size)
{
    const Joint from = *pair.from;
    const Joint to = *draft.scene.find(pair.to);
    const Quaternion worldFromSource = rotationOf(worldInRestPose(source, from.id));
    const Quaternion worldFromTarget = rotationOf(worldInRestPose(draft.scene, to.id));
    const Quaternion targetFromSource = worldFromTarget.conjugate() * worldFromSource;
    const std::pair range{source.fps.timeOf(source.firstFrame), source.fps.timeOf(source.lastFrame)};
    const KeyList list = turnsOf(clip, from, range);
    if (!list.isEmpty()) {
        std::vector<Key> turns = list.toVector();
        const Quaternion before = to.rest.rotation * targetFromSource * from.rest.rotation.conjugate(),
                         after = targetFromSource.conjugate();
        for (Key& key : turns)
            for (ChannelValue* number : {&key.value, &key.in, &key.out})
                *number = toValue(before * toQuaternion(*number) * after);
        if (const auto put = draft.take(
                replaceKeys(std::move(draft.scene), into, {to.id.value, Property::Rotation}, std::move(turns)));
            !put)
            return put;
        const ChannelId channel{to.id.value, Property::Rotation};
        if (const auto set = draft.take(
                setInfinity(std::move(draft.scene), into, channel, list.before(), list.after()));
            !set)
            return set;
    }
    const AxisKeys moves(clip, from.id, kTranslations, from.rest.translation);
    if (!isRoot || moves.isEmpty()) return {}; // below a root, bones keep their own lengths

    const Affine sourceParent = worldInRestPose(source, from.parent);
    const Affine targetParent = worldInRestPose(draft.scene, to.parent);
    if (std::abs(targetParent.linear().determinant()) < 1e-18) return {}; // scaled to nothing: it cannot move
    // A root that rests at the origin (BVH) says nothing of its height: its positions are places in the world.
    const bool isAtOrigin = worldInRestPose(source, from.id).translation().norm() < 1e-6;
    const double scale = isAtOrigin ? size : heightRatio(source, from, draft.scene, to);
    const Eigen::Matrix3d parentFromParent = targetParent.linear().inverse() * sourceParent.linear() * scale;
    const Vector3 restFrom = isAtOrigin ? Vector3::Zero() : from.rest.translation;
    const Vector3 restTo = isAtOrigin ? Vector3(targetParent.inverse() * Vector3(sourceParent.translation() * scale))
                                      : to.rest.translation;
    const auto keys = moves.mapped(parentFromParent, restTo - parentFromParent * restFrom, range);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const ChannelId channel{to.id.value, kTranslations[axis]};
        if (const auto put = draft.take(replaceKeys(std::move(draft.scene), into, channel, keys[axis].toVector()));
            !put)
            return put;
        if (const auto set = draft.take(
                setInfinity(std::move(draft.scene), into, channel, keys[axis].before(), keys[axis].after()));
            !set)
            return set;
    }
    return {};
}

std::string freeName(const Scene& scene, const std::set<std::string>& taken, const std::string& wanted)
{
    std::string name = wanted;
    for (int number = 2; taken.count(name) != 0 || scene.handleNamed(name) != nullptr; ++number)
        name = wanted + "_" + std::to_string(number);
    return name;
}

} // namespace

void mergeModel(Draft& draft, Scene imported)
{
    Scene& scene = draft.scene;
    const bool hasKeys = std::any_of(scene.clips.begin(), scene.clips.end(),
                                     [](const auto& clip) { return clip->hasKeys(); });
    if (!hasKeys) {
        scene.fps = imported.fps;
        scene.firstFrame = imported.firstFrame;
        scene.lastFrame = imported.lastFrame;
    }
    const std::uint64_t shift = scene.nextId - 1;
    const auto moved = [&](auto id) { return id.isValid() ? decltype(id){id.value + shift} : id; };
    scene.nextId += imported.nextId - 1;

    std::set<std::string> taken;
    for (const Joint& joint : *scene.joints) taken.insert(joint.name);
    if (shift == 0 && scene.joints->empty() && scene.handles->empty()) {
        scene.joints = imported.joints;
    } else {
        for (Joint joint : *imported.joints) {
            const std::string name = freeName(scene, taken, joint.name);
            if (name != joint.name)
                draft.say(Severity::Warning, "the name is taken, so the model's joint is called " + inQuotes(name),
                          joint.name, joint.id.value + shift);
            joint.name = name;
            joint.id = moved(joint.id);
            joint.parent = moved(joint.parent);
            scene.joints.edit().push_back(std::move(joint));
        }
    }
    if (!imported.statics->empty())
        for (const auto& [channel, value] : *imported.statics)
            scene.statics.edit()[{channel.target + shift, channel.property}] = value;
    for (const auto& clip : imported.clips) {
        Clip copy = *clip;
        copy.id = moved(copy.id);
        copy.name = freeClipName(scene, copy.name);
        copy.channels.clear();
        for (const auto& [channel, keys] : clip->channels)
            copy.channels.emplace(ChannelId{channel.target + shift, channel.property, channel.layer}, keys);
        scene.clips.emplace_back(std::move(copy));
    }
    for (const auto& [role, joints] : *imported.roles) { // what is decided already stays
        const auto [mine, isNew] = scene.roles.edit().emplace(role, std::vector<JointId>());
        if (isNew)
            for (const JointId joint : joints) mine->second.push_back(moved(joint));
    }
    scene.model = imported.model;
    if (shift != 0 && imported.model != nullptr) {
        auto model = std::make_shared<ModelAsset>(*imported.model);
        for (Mesh& mesh : model->meshes)
            for (JointId& joint : mesh.skin.joints) joint = moved(joint);
        for (Mount* mount : mountsOf(*model)) mount->joint = moved(mount->joint);
        scene.model = std::move(model);
    }
}

Result<void> transferClip(Draft& draft, const Scene& source, const Clip& clip, const TransferOptions& options)
{
    const auto pairs = pairsOf(draft, source, clip, options);
    if (!pairs) return pairs.error();
    if (const auto added = draft.take(addClip(std::move(draft.scene), options.name)); !added) return added;
    const ClipId into = draft.scene.clips.back()->id;
    std::set<JointId> mapped;
    for (const Pair& pair : *pairs) mapped.insert(pair.to);
    const Comparison comparison = compare(source, draft.scene, *pairs);
    const bool byRest = options.mode == TransferMode::ByRest ||
                        (options.mode == TransferMode::Auto && !comparison.isSame());
    if (!comparison.isSame() && options.mode == TransferMode::Auto)
        draft.say(Severity::Info,
                  differenceOf(comparison) + ": rotations are taken over as far as they turn from rest, in world axes");
    if (!comparison.isSame() && options.mode == TransferMode::Whole)
        draft.say(Severity::Warning,
                  differenceOf(comparison) +
                      ": taken over as it is, the motion will look different; rotations from rest would look alike");
    // What the numbers of one skeleton mean in the other: of a file without a unit, what makes the bones equally long;
    // else what is scaled away above the bones, as in a character in centimetres below a node of scale 0.01.
    const double units = options.isUnitGuessed                ? comparison.ratio
                         : options.mode == TransferMode::Auto ? comparison.ratio / comparison.size
                                                              : 1;
    const double lengths = std::abs(units - 1) > 1e-3 ? units : 1;
    if (lengths != 1 && !byRest)
        draft.say(Severity::Info,
                  std::string(options.isUnitGuessed ? "the file states no unit"
                                                    : "joints above are scaled in one of the skeletons") +
                      ": its lengths are taken " + std::to_string(lengths) + " times, as the bones say");
    for (const Pair& pair : *pairs) {
        const bool isRoot = std::none_of(mapped.begin(), mapped.end(),
                                         [&](JointId other) { return isAncestor(draft.scene, other, pair.to); });
        const auto done = byRest ? retarget(draft, into, source, clip, pair, isRoot, comparison.size)
                                 : copyKeys(draft, into, clip, pair, lengths);
        if (!done) return done;
    }
    if (!draft.scene.find(into)->hasKeys())
        return Error{ErrorCode::NotFound, "the joints that were mapped do not move in this animation", ""};
    growRange(draft.scene, *draft.scene.find(into));
    selectClip(draft, into);
    return {};
}

} // namespace tendon

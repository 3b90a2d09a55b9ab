#include "core/document/ClipTransfer.h"

#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <set>

namespace tendon {
namespace {

/// A joint of the source and the one that is to do the same.
struct Pair
{
    const Joint* from = nullptr;
    JointId to;
};

Result<std::vector<Pair>> pairsOf(Draft& draft, const Scene& source, const Clip& clip, const TransferOptions& options)
{
    std::vector<Pair> pairs;
    std::set<JointId> mappedFrom, mappedTo;
    for (const auto& [from, to] : options.names) {
        const auto sourceJoint = source.jointNamed(from);
        if (!sourceJoint) return Error{ErrorCode::NotFound, "there is no joint called " + inQuotes(from) + " in the file", "map"};
        const auto joint = draft.scene.jointNamed(to);
        if (!joint) return Error{ErrorCode::NotFound, "there is no joint called " + inQuotes(to) + " in the project", "map: " + from};
        if (!mappedTo.insert(*joint).second)
            return Error{ErrorCode::InvalidArgument, "two joints of the file are mapped to " + inQuotes(to), "map: " + from};
        mappedFrom.insert(*sourceJoint);
        pairs.push_back({source.find(*sourceJoint), *joint});
    }

    // All others by name.
    std::size_t left = 0;
    std::string names;
    std::set<ObjectId> keyed;
    for (const auto& [channel, keys] : clip.channels) keyed.insert(channel.target);
    for (const Joint& from : *source.joints) {
        if (keyed.count(from.id.value) == 0 || mappedFrom.count(from.id) != 0) continue;
        const auto joint = draft.scene.jointNamed(from.name);
        if (joint && mappedTo.count(*joint) == 0) {
            pairs.push_back({&from, *joint});
        } else if (++left <= 4) {
            names += (names.empty() ? "" : ", ") + inQuotes(from.name);
        }
    }
    if (pairs.empty())
        return Error{ErrorCode::NotFound, "none of the joints that move in this animation is in the project (" + names + "); say with map which is which", ""};
    if (left > 0)
        draft.say(Severity::Warning, std::to_string(left) + " moving joints of the file are not in the project: " + names + (left > 4 ? ", ..." : "") +
                                         "; say with map which is which");
    return pairs;
}

Result<void> copyKeys(Draft& draft, ClipId into, const Clip& clip, const Pair& pair)
{
    for (int p = 0; p <= static_cast<int>(Property::Rotation); ++p) {
        const auto property = static_cast<Property>(p);
        if (const KeyList* keys = clip.find({pair.from->id.value, property}))
            if (const auto put = draft.take(replaceKeys(std::move(draft.scene), into, {pair.to.value, property}, keys->toVector())); !put) return put;
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

Result<void> retarget(Draft& draft, ClipId into, const Scene& source, const Clip& clip, const Pair& pair, bool isRoot)
{
    const Joint from = *pair.from;
    const Joint to = *draft.scene.find(pair.to);
    std::map<Time, Interpolation> times;
    bool turns = false, moves = false;
    for (int p = 0; p <= static_cast<int>(Property::Rotation); ++p) {
        const auto property = static_cast<Property>(p);
        const KeyList* keys = clip.find({from.id.value, property});
        if (keys == nullptr || (property >= Property::Sx && property <= Property::Sz)) continue;
        (property <= Property::Tz ? moves : turns) = true;
        for (const Key& key : keys->toVector())
            times.try_emplace(key.time, key.interpolation == Interpolation::Step ? Interpolation::Step : Interpolation::Linear);
    }
    moves = moves && isRoot; // below a root, bones keep their own lengths

    const Quaternion worldFromSource = rotationPart(worldInRestPose(source, from.id));
    const Quaternion worldFromTarget = rotationPart(worldInRestPose(draft.scene, to.id));
    const Quaternion sourceParent = rotationPart(worldInRestPose(source, from.parent));
    const Quaternion targetParent = rotationPart(worldInRestPose(draft.scene, to.parent));
    const Quaternion targetFromSource = worldFromTarget.conjugate() * worldFromSource;
    const double scale = heightRatio(source, from, draft.scene, to);

    Draft inSource = draft;
    inSource.scene = source;
    inSource.edit.currentClip = clip.id;
    inSource.edit.pending.clear();
    std::vector<Key> rotations;
    std::array<std::vector<Key>, 3> translations;
    for (const auto& [time, interpolation] : times) {
        const LocalTransform local = jointState(inSource, from, time).local;
        const Quaternion turn = from.rest.rotation.conjugate() * local.rotation;
        const Quaternion rotation = to.rest.rotation * targetFromSource * turn * targetFromSource.conjugate();
        rotations.push_back({.time = time, .value = toValue(rotation.normalized()), .interpolation = interpolation});
        const Vector3 move = targetParent.conjugate() * (sourceParent * (local.translation - from.rest.translation)) * scale;
        for (int axis = 0; axis < 3; ++axis)
            translations[static_cast<std::size_t>(axis)].push_back(
                {.time = time, .value = {to.rest.translation[axis] + move[axis]}, .interpolation = interpolation});
    }
    if (turns)
        if (const auto put = draft.take(replaceKeys(std::move(draft.scene), into, {to.id.value, Property::Rotation}, std::move(rotations))); !put) return put;
    for (std::size_t axis = 0; moves && axis < 3; ++axis)
        if (const auto put = draft.take(replaceKeys(std::move(draft.scene), into, {to.id.value, kTranslations[axis]}, std::move(translations[axis]))); !put)
            return put;
    return {};
}

std::string freeName(const Scene& scene, const std::set<std::string>& taken, const std::string& wanted)
{
    std::string name = wanted;
    for (int number = 2; taken.count(name) != 0 || scene.handleNamed(name) != nullptr; ++number) name = wanted + "_" + std::to_string(number);
    return name;
}

} // namespace

void mergeModel(Draft& draft, Scene imported)
{
    Scene& scene = draft.scene;
    const bool hasKeys = std::any_of(scene.clips.begin(), scene.clips.end(), [](const auto& clip) { return clip->hasKeys(); });
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
            if (name != joint.name) draft.say(Severity::Warning, "the name is taken, so the model's joint is called " + inQuotes(name), joint.name, joint.id.value + shift);
            joint.name = name;
            joint.id = moved(joint.id);
            joint.parent = moved(joint.parent);
            scene.joints.edit().push_back(std::move(joint));
        }
    }
    if (!imported.statics->empty())
        for (const auto& [channel, value] : *imported.statics) scene.statics.edit()[{channel.target + shift, channel.property}] = value;
    for (const auto& clip : imported.clips) {
        Clip copy = *clip;
        copy.id = moved(copy.id);
        copy.name = freeClipName(scene, copy.name);
        copy.channels.clear();
        for (const auto& [channel, keys] : clip->channels) copy.channels.emplace(ChannelId{channel.target + shift, channel.property}, keys);
        scene.clips.emplace_back(std::move(copy));
    }
    scene.model = imported.model;
    if (shift != 0 && imported.model != nullptr) {
        auto model = std::make_shared<ModelAsset>(*imported.model);
        for (Mesh& mesh : model->meshes)
            for (JointId& joint : mesh.skin.joints) joint = moved(joint);
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
    for (const Pair& pair : *pairs) {
        const bool isRoot = std::none_of(mapped.begin(), mapped.end(), [&](JointId other) { return isAncestor(draft.scene, other, pair.to); });
        const auto done = options.byRest ? retarget(draft, into, source, clip, pair, isRoot) : copyKeys(draft, into, clip, pair);
        if (!done) return done;
    }
    if (!draft.scene.find(into)->hasKeys()) return Error{ErrorCode::NotFound, "the joints that were mapped do not move in this animation", ""};
    selectClip(draft, into);
    return {};
}

} // namespace tendon

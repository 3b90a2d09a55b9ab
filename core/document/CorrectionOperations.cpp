#include "core/document/Families.h"
#include "core/document/LayeredPosing.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/runtime/CorrectionMerge.h"
#include "core/scene/Check.h"
#include "core/scene/KeyEdit.h"

#include <set>
#include <string>

namespace tendon {
namespace {

using Type = Field::Type;

Result<ClipId> correctedClipIn(const Draft& draft, const Arguments& arguments)
{
    if (arguments.has("clip")) return clipIn(draft.scene, arguments, "clip");
    if (draft.clip() == nullptr)
        return Error{ErrorCode::NotFound, "there is no current clip whose corrections could be meant; give clip", ""};
    return draft.edit.currentClip;
}

/// Poses the weight, as other channels are posed; in another clip than the current one there is no frame to pose it at.
Result<void> setWeight(Draft& draft, ClipId clip, double weight)
{
    const ChannelId channel = draft.scene.find(clip)->correctionsWeight();
    if (const auto fits = checkValue(draft.scene, channel, {weight}); !fits) return fits;
    if (clip == draft.edit.currentClip) return poseChannel(draft, channel, {weight});
    if (draft.scene.find(clip)->find(channel) != nullptr)
        return Error{ErrorCode::InvalidArgument,
                     "has keys in the clip " + inQuotes(nameOf(draft.scene, clip.value)) +
                         ", which is not the current one; make it that first, then set and key it",
                     "weight"};
    return draft.take(setStatic(std::move(draft.scene), channel, {weight}));
}

Result<void> setCorrectionsOperation(Draft& draft, const Arguments& arguments)
{
    const auto clip = correctedClipIn(draft, arguments);
    if (!clip) return clip.error();
    if (!arguments.has("on") && !arguments.has("weight"))
        return Error{ErrorCode::InvalidArgument, "give on, weight or both", ""};
    draft.text = arguments.has("weight")   ? "Weight of corrections"
                 : arguments.boolean("on") ? "Turn corrections on"
                                           : "Turn corrections off";
    if (arguments.has("on")) {
        const bool isOn = arguments.boolean("on");
        if (draft.scene.find(*clip)->hasCorrectionsOn != isOn)
            editableClip(draft.scene, *clip)->hasCorrectionsOn = isOn;
    }
    return arguments.has("weight") ? setWeight(draft, *clip, arguments.number("weight")) : Result<void>();
}

/// What the merged keys do no longer do: go on beyond the range, and change a space that no key was in.
void sayWhatIsLost(Draft& draft, const Clip& clip, const Clip& merged)
{
    const auto goesOn = [](const KeyList* keys) {
        return keys != nullptr && (keys->before() != Infinity::Constant || keys->after() != Infinity::Constant);
    };
    std::set<ObjectId> constant, settled;
    for (const auto& [channel, keys] : merged.channels) {
        if (channel.layer != Layer::Keys) continue;
        const KeyList* correction = clip.find(inLayer(channel, Layer::Corrections));
        const bool wentOn = correction != nullptr && (goesOn(clip.find(channel)) || goesOn(correction) ||
                                                      goesOn(clip.find(clip.correctionsWeight())));
        if (wentOn && !goesOn(&*keys)) constant.insert(channel.target);
        const KeyList* former = clip.find(channel);
        if (isSpace(channel.property) && former != nullptr && former->size() != keys->size())
            settled.insert(channel.target);
    }
    for (const ObjectId object : constant)
        draft.say(Severity::Info,
                  "its motion went on beyond its keys; it is keyed in the range from " +
                      std::to_string(draft.scene.firstFrame) + " to " + std::to_string(draft.scene.lastFrame) +
                      " now, and constant beyond",
                  nameOf(draft.scene, object), object);
    for (const ObjectId object : settled)
        draft.say(Severity::Info,
                  "keys of what it follows, before its first key or after its last one, had no effect and are gone",
                  nameOf(draft.scene, object), object);
}

Result<void> mergeCorrectionsOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = correctedClipIn(draft, arguments);
    if (!id) return id.error();
    const Clip& clip = *draft.scene.find(*id);
    if (!clip.hasCorrections())
        return Error{ErrorCode::NotFound,
                     "the clip " + inQuotes(clip.name) +
                         " has no corrections to merge; edit the corrections, pose and key first",
                     ""};
    if (!clip.hasCorrectionsOn)
        return Error{ErrorCode::InvalidArgument,
                     "the corrections of " + inQuotes(clip.name) +
                         " are off; turn them on to merge them, or delete their keys",
                     ""};
    draft.text = "Merge corrections down";
    auto merged = mergedCorrections(draft.scene, clip);
    if (!merged) return merged.error();
    const ChannelId weight = clip.correctionsWeight();
    sayWhatIsLost(draft, clip, *merged);
    *editableClip(draft.scene, *id) = std::move(*merged);
    removeChannelsOf(draft.scene, {weight.target}); // the next corrections begin with weight 1
    draft.edit.pending.erase(weight);
    return {};
}

Result<void> editLayerOperation(Draft& draft, const Arguments& arguments)
{
    draft.edit.layer = *layerFromName(arguments.text("layer"));
    return {};
}

constexpr std::string_view kClipDoc = "Clip. Left out: the current one";
constexpr Field kSetCorrections[] = {
    {"clip", Type::String, kOptional, kClipDoc},
    {"on", Type::Bool, kOptional, "False: the corrections are kept and not shown"},
    {"weight", Type::Number, kOptional,
     "How much of the corrections is shown, from 0 to 1. A channel: with Auto Key on, or once it has keys, it is posed "
     "at the current frame. key, moveKeys and the like take the clip's name as target, and weight as the channel"},
};
constexpr Field kMergeCorrections[] = {{"clip", Type::String, kOptional, kClipDoc}};
constexpr Field kEditLayer[] = {
    {"layer", Type::Choice, kRequired, "Where new keys go, and which keys other operations mean", "corrections|keys"}};

constexpr Operation kCorrectionOperations[] = {
    {"setCorrections", kSetCorrections, true,
     "Turns a clip's corrections on or off, or sets their weight. Corrections are keys on top of the clip's own: "
     "places, "
     "angles and settings are added, weight times; a whole rotation turns by weight times its angle, about the axes "
     "that "
     "the clip's own keys have turned.",
     setCorrectionsOperation},
    {"mergeCorrections", kMergeCorrections, true,
     "Merges a clip's corrections down into its keys. At every whole frame the motion is the same, to a millionth of a "
     "metre or a radian.",
     mergeCorrectionsOperation, nullptr, kTakesTime},
    {"editLayer", kEditLayer, false,
     "Chooses the layer of the clip that is edited: what is posed is then keyed as it is seen, in the clip's own keys "
     "or "
     "in its corrections, and the other layer stays as it is.",
     editLayerOperation},
};

} // namespace

std::span<const Operation> correctionOperations() { return kCorrectionOperations; }

} // namespace tendon

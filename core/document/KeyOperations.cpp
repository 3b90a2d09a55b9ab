#include "core/document/DrivenJoints.h"
#include "core/document/Families.h"
#include "core/document/FirstKeys.h"
#include "core/document/KeySelection.h"
#include "core/document/KeyShaping.h"
#include "core/document/LayeredPosing.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/document/SolverFit.h"
#include "core/math/Convert.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/Constraint.h"
#include "core/scene/Corrections.h"
#include "core/scene/HandleChannels.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tendon {
namespace {

using Type = Field::Type;

/// What `key` keys when no channel is named: a handle's goal, the pole that its solver looks at, and whatever else of
/// it is keyed or posed; a constraint's weight, and its goal where that has no offset to keep to what it follows, or is
/// in use; a joint's rotation where it can turn, its translation where it can slide, and what else of it is keyed or
/// posed.
std::vector<Property> usualChannels(const Draft& draft, ObjectId target)
{
    const Clip* clip = draft.clip();
    const auto isInUse = [&](Property p) {
        const ChannelId channel{target, p};
        const auto isKeyed = [&](Layer layer) { return clip->find(inLayer(channel, layer)) != nullptr; };
        return (clip != nullptr && (isKeyed(Layer::Keys) || isKeyed(Layer::Corrections))) ||
               draft.edit.pending.count(channel) != 0;
    };
    const auto isPosed = [&](Property p) { return isInUse(p) || draft.scene.statics->count({target, p}) != 0; };
    if (draft.scene.find(ClipId{target}) != nullptr) return {Property::Weight};
    std::vector<Property> channels;
    const Joint* joint = draft.scene.find(JointId{target});
    if (joint == nullptr) {
        const Handle& handle = *draft.scene.find(HandleId{target});
        channels = targetChannels(handle);
        const bool isTurned = channels.back() == Property::GoalRotation;
        if (!isTurned && isInUse(Property::GoalRotation)) channels.push_back(Property::GoalRotation);
        if (isConstraint(handle) && handle.follow != 0)
            std::erase_if(channels, [&](Property p) { return !isInUse(p); });
        // A pose is the goal and the pole; a correction of the pole is one more.
        const bool hasPole = readsChannel(handle, Property::Pole) && draft.edit.layer == Layer::Keys &&
                             looksAtPoles(draft.solvers, handle);
        for (const Property p : {Property::Pole, Property::Twist, Property::Roll, Property::Blend, Property::Weight})
            if (isInUse(p) || (p == Property::Weight && isConstraint(handle)) || (p == Property::Pole && hasPole))
                channels.push_back(p);
        return channels;
    }
    const auto any = [&](const std::array<Property, 3>& properties) {
        return std::any_of(properties.begin(), properties.end(), isPosed);
    };
    const auto canMove = [](const std::array<AxisFreedom, 3>& axes) {
        return std::any_of(axes.begin(), axes.end(), [](const AxisFreedom& a) { return a.active; });
    };
    if (any(kTranslations) || canMove(joint->sliding))
        channels.insert(channels.end(), kTranslations.begin(), kTranslations.end());
    const bool isWhole = isInUse(Property::Rotation) ||
                         (!hasAngleKeys(clip, target) && (joint->ball || isPosed(Property::Rotation)));
    if (isWhole)
        channels.push_back(Property::Rotation);
    else if (any(kAngles) || canMove(joint->turning) || channels.empty())
        channels.insert(channels.end(), kAngles.begin(), kAngles.end());
    if (any(kScalings)) channels.insert(channels.end(), kScalings.begin(), kScalings.end());
    return channels;
}

/// Keys corrections of nothing, whether they are shown or not: those that there are, else the given ones.
Result<void> keyNoCorrection(Draft& draft, ObjectId target, std::vector<Property> channels, bool areNamed, double frame,
                             std::optional<Interpolation> interpolation)
{
    const Clip* clip = draft.clip();
    if (clip == nullptr) return Error{ErrorCode::NotFound, "there is no clip to correct; key the motion first", ""};
    if (draft.scene.find(ClipId{target}) != nullptr)
        return Error{ErrorCode::InvalidArgument, "the weight is no correction; key it as it is", "zero"};
    const auto isTurn = [](Property p) { return p == Property::Rotation || (p >= Property::Rx && p <= Property::Rz); };
    if (!areNamed) {
        std::vector<Property> corrected;
        for (int p = 0; p < kPropertyCount; ++p)
            if (clip->find({target, static_cast<Property>(p), Layer::Corrections}) != nullptr)
                corrected.push_back(static_cast<Property>(p));
        if (!corrected.empty()) channels = corrected;
        std::erase_if(channels, [](Property p) { return !isCorrectable(p); });
        const Joint* joint = draft.scene.find(JointId{target});
        if (corrected.empty() && joint != nullptr && std::erase_if(channels, isTurn) > 0) { // as a pose would be keyed
            const Time time = draft.scene.fps.timeOf(frame);
            if (sampleLayers(draft.scene, clip, {}, *joint, time).base.isReadOff)
                channels.push_back(Property::Rotation);
            else
                channels.insert(channels.end(), kAngles.begin(), kAngles.end());
        }
    }
    for (const Property property : channels) {
        const ChannelId channel{target, property, Layer::Corrections};
        if (const auto fits = checkChannel(draft.scene, channel); !fits) return fits;
        if (const auto keyed = keyChannel(draft, draft.edit.currentClip, channel, frame, noCorrection(property),
                                          interpolation);
            !keyed)
            return keyed;
    }
    if (frame == draft.edit.frame && std::any_of(channels.begin(), channels.end(), isTurn))
        std::erase_if(draft.edit.pending, [&](const auto& each) { // of either kind
            return each.first.target == target && isTurn(each.first.property);
        });
    return {};
}

Result<void> keyOperation(Draft& draft, const Arguments& arguments)
{
    const auto target = channelOwnerIn(draft.scene, arguments, "target");
    if (!target) return target.error();
    auto channels = channelsIn(draft.scene, *target, arguments);
    if (!channels) return channels.error();
    if (arguments.has("channels") && channels->empty())
        return Error{ErrorCode::InvalidArgument, "must name at least one channel", "channels"};
    if (channels->empty()) *channels = usualChannels(draft, *target);
    const double frame = arguments.number("frame", draft.edit.frame);
    if (const auto fits = checkFrame(frame); !fits) return fits;

    const bool hasWhole = std::find(channels->begin(), channels->end(), Property::Rotation) != channels->end();
    const bool hasAngles = std::any_of(channels->begin(), channels->end(),
                                       [](Property p) { return p >= Property::Rx && p <= Property::Rz; });
    if (hasWhole && hasAngles)
        return Error{ErrorCode::InvalidArgument,
                     "\"rotation\" and rx, ry, rz are two ways to say one thing; key one of them", "channels"};
    draft.text = "Key " + nameOf(draft.scene, *target);
    const auto layer = layerIn(draft, arguments, *target);
    if (!layer) return layer.error();
    if (arguments.boolean("zero")) {
        if (arguments.has("layer") && *layer == Layer::Keys)
            return Error{ErrorCode::InvalidArgument, "zero keys are of the corrections; leave layer out", "layer"};
        draft.text += " without correction";
        return keyNoCorrection(draft, *target, *channels, arguments.has("channels"), frame, interpolationIn(arguments));
    }

    if (frame == draft.edit.frame) warnIfDriven(draft, JointId{*target}, *channels, "key");

    // Values first: keying one channel must not change what another is found to be.
    std::vector<ChannelValue> values;
    const KeysBeside beside = keysBeside(draft, *target, draft.scene.fps.timeOf(frame));
    for (const Property property : *channels)
        values.push_back(channelValue(draft, {*target, property}, draft.scene.fps.timeOf(frame)));
    if (const auto clip = clipToKey(draft); !clip) return clip.error();
    const auto keyed = [&](ObjectId object, Property property) { // a space has keys of the clip's own only
        return ChannelId{object, property, isCorrectable(property) || arguments.has("layer") ? *layer : Layer::Keys};
    };
    for (std::size_t i = 0; i < channels->size(); ++i)
        if (const auto done = keyPosed(draft, keyed(*target, (*channels)[i]), frame, values[i], beside,
                                       interpolationIn(arguments));
            !done)
            return done;
    return {};
}

Result<void> keyPendingOperation(Draft& draft, const Arguments&)
{
    draft.text = "Key pose";
    return keyPending(draft);
}

/// A switch of a handle or of corrections: a state that a key sets and that goes on until another key changes it.
bool isState(Property p) { return isSpace(p) || p == Property::Blend || p == Property::Weight; }

/// The key that sets the state of a channel from `after` on where the one that set it is among `deleted`, at `after`
/// now. None: what is left of the channel says it, or a curve leads on to another value.
std::optional<Key> stateFrom(Time after, const KeyList& keys, const std::vector<Key>& deleted)
{
    const std::size_t next = keys.countUpTo(after);                                   // of the keys that come later
    if (next == 0 || keys[next - 1].time != deleted.back().time) return std::nullopt; // another key sets it
    Key state = deleted.back();
    const bool isHeld = state.interpolation == Interpolation::Step || next == keys.size();
    if (!isHeld) return std::nullopt;
    const std::size_t left = keys.countUpTo({deleted.front().time.ticks - 1});
    if (left > 0 && keys[left - 1].value == state.value &&
        (keys[left - 1].interpolation == Interpolation::Step || next == keys.size()))
        return std::nullopt; // it has been so since before
    state.time = after;
    return state;
}

/// The first whole frame after the deleted ones.
Time timeAfter(const FrameRate fps, const Arguments& arguments, const KeySelection& selection)
{
    double last = 0;
    if (const std::vector<double> range = arguments.numbers("range"); !range.empty()) {
        last = std::clamp<double>(std::max(range[0], range[1]), -2 * kMaxFrame, 2 * kMaxFrame);
    } else {
        Time latest = selection.first();
        for (const auto& [channel, keys] : selection.keys) latest = std::max(latest, keys.back().time);
        last = fps.frameAt(latest);
    }
    return fps.timeOf(std::floor(last + nearWholeFrame(last)) + 1);
}

Result<void> deleteKeyOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, true);
    if (!selection) return selection.error();
    draft.text = selection->count() == 1 ? "Delete key" : "Delete keys";
    const Time after = timeAfter(draft.scene.fps, arguments, *selection);
    // Of a clip that ends there, nothing goes on.
    const bool keepsStates = arguments.boolean("keepStates", arguments.has("range") && !arguments.has("channels")) &&
                             draft.clip()->end() >= after;
    for (const auto& [channel, keys] : selection->keys) {
        draft.edit.pending.erase(inLayer(channel, Layer::Keys));
        std::optional<Key> state;
        if (keepsStates && isState(channel.property)) state = stateFrom(after, *draft.clip()->find(channel), keys);
        if (state) noteMoved(draft, selection->clip, channel, {keys.back()}, {*state});
        const std::vector<Key> kept = state ? std::vector<Key>{*state} : std::vector<Key>{};
        if (const auto put = putKeys(draft, selection->clip, channel, keys, kept); !put) return put;
    }
    return {};
}

/// The keys at other times. `timeOf` takes a key's time to its new one.
template <typename TimeOf>
Result<std::vector<Key>> retimed(const std::vector<Key>& keys, TimeOf timeOf, double slopeFactor = 1)
{
    constexpr double kMaxSeconds = 1e9;
    std::vector<Key> moved = keys;
    for (Key& key : moved) {
        key.time = timeOf(key.time);
        if (std::abs(key.time.seconds()) > kMaxSeconds)
            return Error{ErrorCode::LimitExceeded, "a key would end up far outside of time", ""};
        for (double& slope : key.in) slope *= slopeFactor;
        for (double& slope : key.out) slope *= slopeFactor;
    }
    return moved;
}

/// Error: the numbers of a quaternion mean nothing one by one.
Result<void> checkHasNumbers(ChannelId channel)
{
    if (isSpace(channel.property))
        return Error{ErrorCode::InvalidArgument,
                     std::string(propertyName(channel.property)) +
                         " is what the handle follows, not a number that can be edited; leave it out of channels",
                     "channels"};
    if (!isQuaternion(channel.property)) return {};
    if (channel.property == Property::GoalRotation)
        return Error{ErrorCode::InvalidArgument,
                     "goal.rotation is a whole rotation, whose numbers cannot be edited one by one; rotate the goal "
                     "and key it, or leave it out of channels",
                     "channels"};
    return Error{
        ErrorCode::InvalidArgument,
        "the joint has keys of whole rotations, whose numbers cannot be edited one by one; convert them to Euler first",
        "channels"};
}

/// Error: `components` without the field whose numbers it is for.
Result<void> checkComponentsHave(const Arguments& arguments, const char* field)
{
    if (!arguments.has("components") || arguments.has(field)) return {};
    return Error{ErrorCode::InvalidArgument,
                 "says which numbers " + std::string(field) + " is for; give that, too, or leave components out",
                 "components"};
}

/// Adds the field `value`, in the units of the channel, to the values of keys.
Result<void> shiftValues(const Arguments& arguments, const char* field, ChannelId channel, std::vector<Key>& keys)
{
    if (const auto fits = checkHasNumbers(channel); !fits) return fits;
    const auto offset = componentNumbers(arguments, field, channel.property);
    if (!offset) return offset.error();
    for (Key& key : keys)
        for (std::size_t c = 0; c < offset->size(); ++c) key.value[c] += (*offset)[c];
    return {};
}

/// Error: one number would be added to values of several kinds, as to metres and degrees.
Result<void> checkIsOneKind(const Arguments& arguments, const char* field, const KeySelection& selection)
{
    if (!arguments.has(field)) return {};
    enum class Kind { Angle, Rotation, Space, Place, Number };
    std::set<Kind> kinds;
    std::string names;
    for (const auto& [channel, keys] : selection.keys) {
        const Property p = channel.property;
        kinds.insert(isAngle(p)        ? Kind::Angle
                     : isQuaternion(p) ? Kind::Rotation
                     : isSpace(p)      ? Kind::Space
                     : isPlace(p)      ? Kind::Place
                                       : Kind::Number);
        names += (names.empty() ? "" : ", ") + std::string(propertyName(p));
    }
    if (kinds.size() <= 1) return {};
    return Error{ErrorCode::InvalidArgument,
                 "is for channels of one kind, and there are keys of " + names +
                     "; name those that are meant in channels",
                 field};
}

Result<void> setKeyValueOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, true);
    if (!selection) return selection.error();
    if (arguments.has("value") == arguments.has("by"))
        return Error{ErrorCode::InvalidArgument, "give either value or by", ""};
    draft.text = selection->count() == 1 ? "Set value of key" : "Set values of keys";
    const Time now = draft.time();
    for (const auto& [channel, keys] : selection->keys) {
        if (const auto fits = checkHasNumbers(channel); !fits) return fits;
        std::vector<Key> changed = keys;
        if (arguments.has("by")) {
            if (const auto shifted = shiftValues(arguments, "by", channel, changed); !shifted) return shifted;
        } else {
            for (Key& key : changed) {
                const auto value = componentNumbers(arguments, "value", channel.property, key.value);
                if (!value) return value.error();
                key.value = *value;
            }
        }
        const auto isNow = [&](const Key& key) { return key.time == now; };
        if (std::any_of(keys.begin(), keys.end(), isNow)) draft.edit.pending.erase(inLayer(channel, Layer::Keys));
        if (const auto put = putKeys(draft, selection->clip, channel, keys, changed); !put) return put;
    }
    return {};
}

/// A part of the way from one value to another, or beyond: quaternions along the shorter great arc.
ChannelValue between(const Key& before, const Key& after, Property property, double factor)
{
    if (isQuaternion(property)) {
        const Quaternion from = toQuaternion(before.value), way = from.conjugate() * toQuaternion(after.value);
        const double sign = way.w() < 0 ? -1 : 1;
        const Eigen::AngleAxisd turn(Quaternion(sign * way.w(), sign * way.x(), sign * way.y(), sign * way.z()));
        return toValue((from * Quaternion(Eigen::AngleAxisd(factor * turn.angle(), turn.axis()))).normalized());
    }
    ChannelValue value{};
    for (std::size_t c = 0; c < value.size(); ++c)
        value[c] = before.value[c] + factor * (after.value[c] - before.value[c]);
    return value;
}

Result<void> breakdownOperation(Draft& draft, const Arguments& arguments)
{
    const auto channels = keyedChannelsIn(draft, arguments);
    if (!channels) return channels.error();
    const double frame = arguments.number("frame", draft.edit.frame), factor = arguments.number("factor");
    if (const auto fits = checkFrame(frame); !fits) return fits;
    if (!(factor >= -0.5 && factor <= 1.5))
        return Error{ErrorCode::InvalidArgument, "must be from -0.5 to 1.5", "factor"};
    draft.text = "Breakdown";
    bool isKeyed = false;
    for (const ChannelId channel : *channels) {
        if (isSpace(channel.property)) continue;
        const KeyList& keys = *draft.clip()->find(channel);
        const Time time = keyTime(&keys, draft.scene.fps, frame);
        const std::size_t after = keys.countUpTo(time), before = keys.countUpTo({time.ticks - 1});
        if (before == 0 || after == keys.size()) continue; // no key on one of the sides
        const std::optional<Interpolation> interpolation = // a key that is there keeps its own
            keys.at(time) != nullptr ? std::nullopt : std::optional(keys[before - 1].interpolation);
        const ChannelValue value = between(keys[before - 1], keys[after], channel.property, factor);
        if (const auto keyed = keyChannel(draft, draft.edit.currentClip, channel, frame, value, interpolation); !keyed)
            return keyed;
        isKeyed = true;
    }
    if (isKeyed) return {};
    return Error{ErrorCode::NotFound, "there are no keys on both sides of the frame", ""};
}

Result<void> convertKeys(Draft& draft, const Arguments& arguments, bool toAngles)
{
    const auto target = targetIn(draft.scene, arguments, "joint");
    if (!target) return target.error();
    const Clip* clip = draft.clip();
    const bool hasKeys = clip != nullptr && (toAngles ? clip->find({*target, Property::Rotation}) != nullptr
                                                      : hasAngleKeys(clip, *target));
    if (!hasKeys)
        return Error{ErrorCode::NotFound,
                     inQuotes(nameOf(draft.scene, *target)) +
                         (toAngles ? " has no keys of its whole rotation" : " has no keys of rx, ry or rz"),
                     "joint"};
    draft.text = toAngles ? "Convert keys to Euler" : "Convert keys to quaternions";
    return toAngles ? useAngleKeys(draft, draft.edit.currentClip, JointId{*target})
                    : useRotationKeys(draft, draft.edit.currentClip, JointId{*target});
}

Result<void> keysAsAnglesOperation(Draft& draft, const Arguments& arguments)
{
    return convertKeys(draft, arguments, true);
}

Result<void> keysAsRotationOperation(Draft& draft, const Arguments& arguments)
{
    return convertKeys(draft, arguments, false);
}

/// by [frames], or to: the frame that the first selected key comes to stand on. As ticks, so that keys keep their
/// places between frames.
Result<std::int64_t> shiftIn(const Draft& draft, const Arguments& arguments, const KeySelection& selection)
{
    if (arguments.has("by") == arguments.has("to"))
        return Error{ErrorCode::InvalidArgument, "give either by or to", ""};
    const FrameRate fps = draft.scene.fps;
    if (arguments.has("by")) {
        if (const auto fits = checkFrame(arguments.number("by")); !fits) return fits.error();
        return fps.timeOf(arguments.number("by")).ticks;
    }
    if (const auto fits = checkFrame(arguments.number("to")); !fits) return fits.error();
    return fps.timeOf(arguments.number("to")).ticks - selection.first().ticks;
}

Result<void> moveKeysOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, false);
    if (!selection) return selection.error();
    if (const auto fits = checkComponentsHave(arguments, "value"); !fits) return fits;
    if (const auto fits = checkIsOneKind(arguments, "value", *selection); !fits) return fits;
    std::int64_t ticks = 0;
    if (arguments.has("by") || arguments.has("to") || !arguments.has("value")) {
        const auto shift = shiftIn(draft, arguments, *selection);
        if (!shift) return shift.error();
        ticks = *shift;
    }
    draft.text = "Move keys";
    for (const auto& [channel, keys] : selection->keys) {
        auto moved = retimed(keys, [&](Time t) { return Time{t.ticks + ticks}; });
        if (!moved) return moved.error();
        if (arguments.has("value"))
            if (const auto shifted = shiftValues(arguments, "value", channel, *moved); !shifted) return shifted;
        noteMoved(draft, selection->clip, channel, keys, *moved);
        if (const auto put = putKeys(draft, selection->clip, channel, keys, *moved); !put) return put;
    }
    return {};
}

Result<void> snapKeysOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, false);
    if (!selection) return selection.error();
    draft.text = "Snap keys to frames";
    const FrameRate fps = draft.scene.fps;
    for (const auto& [channel, keys] : selection->keys) {
        auto snapped = retimed(keys, [fps](Time t) { return fps.timeOf(std::round(fps.frameAt(t))); });
        if (!snapped) return snapped.error();
        if (arguments.boolean("resample", false))
            *snapped = onWholeFrames(keys, *draft.clip()->find(channel), channel.property, fps);
        noteMoved(draft, selection->clip, channel, keys, *snapped);
        if (const auto put = putKeys(draft, selection->clip, channel, keys, *snapped); !put) return put;
    }
    return {};
}

Result<void> scaleKeysOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, false);
    if (!selection) return selection.error();
    const double factor = arguments.number("by", 1), valueFactor = arguments.number("valueBy", 1);
    if (!arguments.has("by") && !arguments.has("valueBy"))
        return Error{ErrorCode::InvalidArgument, "give by, valueBy or both", ""};
    if (const auto fits = checkComponentsHave(arguments, "valueBy"); !fits) return fits;
    if (!(factor > 0)) return Error{ErrorCode::InvalidArgument, "must be above 0", "by"};
    if (const auto fits = checkFrame(arguments.number("about", draft.edit.frame)); !fits) return fits;
    const Time about = arguments.has("about") ? draft.scene.fps.timeOf(arguments.number("about")) : selection->first();
    const bool isSnapped = arguments.boolean("snap", false);
    const FrameRate fps = draft.scene.fps;
    draft.text = "Scale keys";
    for (const auto& [channel, keys] : selection->keys) {
        const auto scaled = [&](Time t) {
            const double seconds = factor * (t.seconds() - about.seconds());
            const Time there{about.ticks + Time::fromSeconds(std::clamp(seconds, -2e9, 2e9)).ticks};
            return isSnapped ? fps.timeOf(std::round(fps.frameAt(there))) : there;
        };
        auto moved = arguments.has("by") ? retimed(keys, scaled, 1 / factor) : Result<std::vector<Key>>(keys);
        if (!moved) return moved.error();
        if (arguments.has("valueBy")) {
            if (const auto fits = checkHasNumbers(channel); !fits) return fits;
            const auto chosen = componentsIn(arguments, channel.property);
            if (!chosen) return chosen.error();
            ChannelValue middle{};
            if (arguments.has("valueAbout")) {
                const auto given = componentNumbers(arguments, "valueAbout", channel.property);
                if (!given) return given.error();
                middle = *given;
            }
            for (Key& key : *moved)
                for (std::size_t c = 0; c < middle.size(); ++c) {
                    if (!(*chosen)[c]) continue;
                    key.value[c] = middle[c] + valueFactor * (key.value[c] - middle[c]);
                    key.in[c] *= valueFactor;
                    key.out[c] *= valueFactor;
                }
        }
        noteMoved(draft, selection->clip, channel, keys, *moved);
        if (const auto put = putKeys(draft, selection->clip, channel, keys, *moved); !put) return put;
    }
    return {};
}

Result<void> copyKeysOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, false);
    if (!selection) return selection.error();
    const auto shift = shiftIn(draft, arguments, *selection);
    if (!shift) return shift.error();
    ObjectId onto = selection->target;
    if (arguments.has("onto")) {
        const auto other = targetIn(draft.scene, arguments, "onto");
        if (!other) return other.error();
        onto = *other;
    }
    draft.text = "Copy keys";
    for (const auto& [channel, keys] : selection->keys) {
        const auto moved = retimed(keys, [&](Time t) { return Time{t.ticks + *shift}; });
        if (!moved) return moved.error();
        const ChannelId target{onto, channel.property, channel.layer};
        if (const auto fits = checkChannel(draft.scene, target); !fits) return fits.error();
        if (const auto converted = useKindOf(draft, selection->clip, target); !converted) return converted;
        if (onto == selection->target) noteMoved(draft, selection->clip, target, keys, *moved, MovedKey::How::Copied);
        if (const auto put = putKeys(draft, selection->clip, target, {}, *moved); !put) return put;
    }
    return {};
}

constexpr Field kKey[] = {
    {"target", Type::Target, kRequired, "Joint or handle to key, or the clip for the weight of its corrections"},
    {"channels", Type::Names, kOptional,
     "Channels by name; translation, angles, scale, goal and curve each stand for several. Left out: a handle's goal "
     "or curve, a constraint's weight, a joint's rotation (and translation if it slides), and every other channel that "
     "is "
     "posed or keyed"},
    {"interpolation", Type::Choice, kOptional,
     "Interpolation from this key to the next. Left out: as the key was before, otherwise bezier (linear for "
     "rotations)",
     "step|linear|bezier"},
    {"frame", Type::Number, kOptional, "Frame of the key. Left out: the current frame"},
    {"layer", Type::Choice, kOptional,
     "Where the key goes: to the clip's own keys or to its corrections. Left out: to those that are edited, see "
     "editLayer",
     "corrections|keys"},
    {"zero", Type::Bool, kOptional,
     "True: keys no correction, in the corrections, whichever layer is edited, so that corrections are confined to the "
     "frames between. Channels left out: those that are corrected, if there are any"},
};
constexpr Field kDeleteKey[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_HERE),
    {"keepStates", Type::Bool, kOptional,
     "True: a time is deleted, and the states that go on after it stay: what sets a blend, a weight or what a handle "
     "follows has its key at the first frame after it. Left out: with range, where channels is left out"},
};
constexpr Field kMoveKeys[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_ALL),
    {"by", Type::Number, kOptional, "Number of frames to move by"},
    {"to", Type::Number, kOptional, "New frame of the first of these keys"},
    {"value", Type::NumberOrNumbers, kOptional, "What is added to the values, in metres or degrees"},
    {"components", Type::Names, kOptional, "Which of x, y and z value is for. Left out: all of them"},
};
constexpr Field kScaleKeys[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_ALL),
    {"by", Type::Number, kOptional, "Factor for the times, above 0"},
    {"about", Type::Number, kOptional, "Frame that stays in place. Left out: the first of these keys"},
    {"snap", Type::Bool, kOptional,
     "true: keys stop at whole frames; of two that come to one frame, the later one stays. Left out: false"},
    {"valueBy", Type::Number, kOptional, "Factor for the values"},
    {"valueAbout", Type::NumberOrNumbers, kOptional, "Value that stays, in metres or degrees. Left out: 0"},
    {"components", Type::Names, kOptional, "Which of x, y and z valueBy is for. Left out: all of them"},
};
constexpr Field kSnapKeys[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_ALL),
    {"resample", Type::Bool, kOptional,
     "true: the motion keeps its time; a key takes the value that the curve has at the frame. Left out: keys keep "
     "their "
     "values"},
};
constexpr Field kSetKeyValue[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_HERE),
    {"components", Type::Names, kOptional, "Which of x, y and z are meant. Left out: all of them"},
    {"value", Type::NumberOrNumbers, kOptional, "New value, in metres or degrees: one for all components, or one each"},
    {"by", Type::NumberOrNumbers, kOptional, "What is added to the value, in metres or degrees"},
};
constexpr Field kBreakdown[] = {
    {"target", Type::Target, kRequired, "Joint or handle to key"},
    {"channels", Type::Names, kOptional, "Channels. Left out: all that have keys before and after the frame"},
    {"frame", Type::Number, kOptional, "Frame of the key. Left out: the current frame"},
    {"factor", Type::Number, kRequired,
     "0: as the key before. 1: as the key after. From -0.5 to 1.5: beyond them at either end"},
};
constexpr Field kConvertKeys[] = {{"joint", Type::Joint, kRequired, "Joint whose keys are converted"}};
constexpr Field kCopyKeys[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_ALL),
    {"by", Type::Number, kOptional, "Number of frames between a key and its copy"},
    {"to", Type::Number, kOptional, "Frame of the first copy"},
    {"onto", Type::Target, kOptional, "Joint or handle to copy to. Left out: the same one"},
};
constexpr Operation kKeyOperations[] = {
    {"key", kKey, true,
     "Keys the current pose of a joint or handle. If the project has no clip, adds one called \"Clip\".", keyOperation},
    {"keyPending", {}, true, "Keys every pending value at the current frame.", keyPendingOperation},
    {"deleteKey", kDeleteKey, true, "Deletes keys of the current clip.", deleteKeyOperation},
    {"moveKeys", kMoveKeys, true, "Moves keys in time and value. They replace keys at the frames they move to.",
     moveKeysOperation, nullptr, false, nullptr, false, false, kMovesKeys},
    {"scaleKeys", kScaleKeys, true, "Scales the times and the values of keys, with their slopes.", scaleKeysOperation,
     nullptr, false, nullptr, false, false, kMovesKeys},
    {"snapKeys", kSnapKeys, true,
     "Moves keys to the nearest whole frames. They replace keys there; of two that come to one frame, the later one "
     "stays.",
     snapKeysOperation, nullptr, false, nullptr, false, false, kMovesKeys},
    {"setKeyValue", kSetKeyValue, true, "Sets the values of keys. Whole rotations are refused: see keysAsAngles.",
     setKeyValueOperation},
    {"breakdown", kBreakdown, true, "Keys a value between those of the neighbouring keys.", breakdownOperation},
    {"keysAsAngles", kConvertKeys, true, "Converts the keys of a joint's whole rotation to keys of rx, ry and rz.",
     keysAsAnglesOperation},
    {"keysAsRotation", kConvertKeys, true, "Converts a joint's keys of rx, ry and rz to keys of its whole rotation.",
     keysAsRotationOperation},
    {"copyKeys", kCopyKeys, true, "Copies keys to another time, or to another joint or handle.", copyKeysOperation},
};

} // namespace

std::span<const Operation> keyOperations() { return kKeyOperations; }

} // namespace tendon

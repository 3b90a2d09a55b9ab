#include "core/document/DrivenJoints.h"
#include "core/document/Families.h"
#include "core/document/KeySelection.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

using Type = Field::Type;

std::optional<Interpolation> interpolationIn(const Arguments& arguments)
{
    const std::string name = arguments.text("interpolation");
    if (name == "step") return Interpolation::Step;
    if (name == "linear") return Interpolation::Linear;
    if (name == "bezier") return Interpolation::Bezier;
    return std::nullopt;
}

/// What `key` keys when no channel is named: a handle's goal and whatever else of it is keyed or posed; a joint's
/// rotation where it can turn, its translation where it can slide, and what else of it is keyed or posed.
std::vector<Property> usualChannels(const Draft& draft, ObjectId target)
{
    const Clip* clip = draft.clip();
    const auto isInUse = [&](Property p) {
        const ChannelId channel{target, p};
        return (clip != nullptr && clip->find(channel) != nullptr) || draft.edit.pending.count(channel) != 0;
    };
    const auto isPosed = [&](Property p) { return isInUse(p) || draft.scene.statics->count({target, p}) != 0; };
    std::vector<Property> channels;
    const Joint* joint = draft.scene.find(JointId{target});
    if (joint == nullptr) {
        const Handle& handle = *draft.scene.find(HandleId{target});
        channels = targetChannels(handle);
        const bool isTurned = channels.back() == Property::GoalRotation;
        if (!isTurned && isInUse(Property::GoalRotation)) channels.push_back(Property::GoalRotation);
        for (const Property p : {Property::Pole, Property::Twist, Property::Roll, Property::Blend, Property::Weight})
            if (isInUse(p)) channels.push_back(p);
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

Result<void> checkFrame(double frame)
{
    if (std::abs(frame) > kMaxFrame)
        return Error{ErrorCode::LimitExceeded, "frames must be within 10 000 000 of 0", ""};
    return {};
}

Result<void> keyOperation(Draft& draft, const Arguments& arguments)
{
    const auto target = targetIn(draft.scene, arguments, "target");
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

    if (frame == draft.edit.frame) warnIfDriven(draft, JointId{*target}, *channels, "key");

    // Values first: keying one channel must not change what another is found to be.
    std::vector<ChannelValue> values;
    for (const Property property : *channels)
        values.push_back(channelValue(draft, {*target, property}, draft.scene.fps.timeOf(frame)));
    const auto clip = clipToKey(draft);
    if (!clip) return clip.error();
    for (std::size_t i = 0; i < channels->size(); ++i)
        if (const auto keyed = keyChannel(draft, *clip, {*target, (*channels)[i]}, frame, values[i],
                                          interpolationIn(arguments));
            !keyed)
            return keyed;
    return {};
}

Result<void> keyPendingOperation(Draft& draft, const Arguments&)
{
    draft.text = "Key pose";
    return keyPending(draft);
}

/// Takes the selected keys out of their channels and puts `keys` in. Of two at one time the one put in stays.
Result<void> putKeys(Draft& draft, ClipId clip, const ChannelId& channel, const std::vector<Key>& remove,
                     const std::vector<Key>& put)
{
    KeyList list;
    if (const KeyList* keys = draft.scene.find(clip)->find(channel)) list = *keys;
    for (const Key& key : remove) list.erase(key.time);
    // Fewer than this: one by one, sharing what is not touched; else all at once.
    constexpr std::size_t kFew = 64;
    if (put.size() <= kFew && !list.isEmpty()) {
        for (const Key& key : put) list.insertOrReplace(key);
        Clip& edited = *editableClip(draft.scene, clip);
        edited.channels.insert_or_assign(channel, std::move(list));
        return {};
    }
    std::vector<Key> all = list.toVector();
    all.insert(all.end(), put.begin(), put.end());
    return draft.take(replaceKeys(std::move(draft.scene), clip, channel, std::move(all)));
}

Result<void> deleteKeyOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, true);
    if (!selection) return selection.error();
    draft.text = selection->count() == 1 ? "Delete key" : "Delete keys";
    for (const auto& [channel, keys] : selection->keys) {
        draft.edit.pending.erase(channel);
        if (const auto put = putKeys(draft, selection->clip, channel, keys, {}); !put) return put;
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
    const auto shift = shiftIn(draft, arguments, *selection);
    if (!shift) return shift.error();
    draft.text = "Move keys";
    for (const auto& [channel, keys] : selection->keys) {
        const auto moved = retimed(keys, [&](Time t) { return Time{t.ticks + *shift}; });
        if (!moved) return moved.error();
        if (const auto put = putKeys(draft, selection->clip, channel, keys, *moved); !put) return put;
    }
    return {};
}

Result<void> scaleKeysOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, false);
    if (!selection) return selection.error();
    const double factor = arguments.number("by");
    if (!(factor > 0)) return Error{ErrorCode::InvalidArgument, "must be above 0", "by"};
    if (const auto fits = checkFrame(arguments.number("about", draft.edit.frame)); !fits) return fits;
    const Time about = arguments.has("about") ? draft.scene.fps.timeOf(arguments.number("about")) : selection->first();
    draft.text = "Scale keys";
    for (const auto& [channel, keys] : selection->keys) {
        const auto scaled = [&](Time t) {
            const double seconds = factor * (t.seconds() - about.seconds());
            return Time{about.ticks + Time::fromSeconds(std::clamp(seconds, -2e9, 2e9)).ticks};
        };
        const auto moved = retimed(keys, scaled, 1 / factor);
        if (!moved) return moved.error();
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
        const ChannelId target{onto, channel.property};
        if (const auto fits = checkChannel(draft.scene, target); !fits) return fits.error();
        const Clip& clip = *draft.clip();
        const bool isOtherKind = channel.property == Property::Rotation ? hasAngleKeys(&clip, onto)
                                 : channel.property >= Property::Rx && channel.property <= Property::Rz
                                     ? clip.find({onto, Property::Rotation}) != nullptr
                                     : false;
        if (isOtherKind)
            if (const auto converted = channel.property == Property::Rotation
                                           ? useRotationKeys(draft, selection->clip, JointId{onto})
                                           : useAngleKeys(draft, selection->clip, JointId{onto});
                !converted)
                return converted;
        if (const auto put = putKeys(draft, selection->clip, target, {}, *moved); !put) return put;
    }
    return {};
}

/// Slope numbers of a field, in the channel's units per second; one number stands for all components.
Result<ChannelValue> slopeIn(const Arguments& arguments, const char* field, Property property)
{
    std::vector<double> numbers = arguments.numbers(field);
    const auto wanted = static_cast<std::size_t>(componentCount(property));
    if (numbers.size() == 1) numbers.assign(wanted, numbers[0]);
    if (numbers.size() != wanted)
        return Error{ErrorCode::InvalidArgument,
                     "must be " + std::to_string(wanted) + (wanted == 1 ? " number" : " numbers") + " for " +
                         std::string(propertyName(property)),
                     field};
    ChannelValue slope{};
    for (std::size_t i = 0; i < wanted; ++i) slope[i] = isAngle(property) ? radians(numbers[i]) : numbers[i];
    return slope;
}

Result<void> setTangentOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, true);
    if (!selection) return selection.error();
    const bool hasSlope = arguments.has("in") || arguments.has("out");
    if (!hasSlope && !arguments.has("mode") && !arguments.has("interpolation"))
        return Error{ErrorCode::InvalidArgument, "give mode, in, out or interpolation", ""};
    if (hasSlope && arguments.text("mode") == "auto")
        return Error{ErrorCode::InvalidArgument,
                     "automatic tangents have no in and out of their own; leave mode out or give \"free\"", "mode"};
    draft.text = "Set tangents";
    for (const auto& [channel, keys] : selection->keys) {
        const KeyList whole = *draft.clip()->find(channel);
        std::vector<Key> changed = keys;
        for (Key& key : changed) {
            if (arguments.text("mode") == "auto") key.tangents = TangentMode::Auto;
            if ((hasSlope || arguments.text("mode") == "free") && key.tangents == TangentMode::Auto) {
                // Freed as they were, so that the curve does not move until a slope is given.
                const Tangents now = tangentsAt(whole, channel.property, whole.countUpTo(key.time) - 1);
                key.tangents = TangentMode::Free;
                key.in = now.in;
                key.out = now.out;
            }
            for (const auto& [field, slope] : {std::pair{"in", &Key::in}, std::pair{"out", &Key::out}}) {
                if (!arguments.has(field)) continue;
                const auto value = slopeIn(arguments, field, channel.property);
                if (!value) return value.error();
                key.*slope = *value;
            }
            if (hasSlope) key.interpolation = Interpolation::Bezier;
            if (const auto interpolation = interpolationIn(arguments)) key.interpolation = *interpolation;
        }
        if (const auto put = putKeys(draft, selection->clip, channel, keys, changed); !put) return put;
    }
    return {};
}

#define TENDON_KEY_SELECTION(here)                                                                                     \
    {"target", Type::Target, kRequired, "Joint or handle whose keys are meant"},                                       \
        {"channels", Type::Names, kOptional, "Channels. Left out: all that have keys"},                                \
        {"frame", Type::Number, kOptional, here}, {"frames", Type::Numbers, kOptional, "Several frames"},              \
    {                                                                                                                  \
        "range", Type::Numbers, kOptional, "All frames from the first to the last, [from, to], both included"          \
    }

constexpr Field kKey[] = {
    {"target", Type::Target, kRequired, "Joint or handle to key"},
    {"channels", Type::Names, kOptional,
     "Channels by name; translation, angles, scale, goal and curve each stand for several. Left out: a handle's goal "
     "or curve, a joint's rotation (and translation if it slides), and every other channel that is posed or keyed"},
    {"interpolation", Type::Choice, kOptional,
     "Interpolation from this key to the next. Left out: as the key was before, otherwise bezier (linear for "
     "rotations)",
     "step|linear|bezier"},
    {"frame", Type::Number, kOptional, "Frame of the key. Left out: the current frame"},
};
constexpr Field kDeleteKey[] = {
    TENDON_KEY_SELECTION("One frame. If frame, frames and range are all left out: the current frame")};
constexpr Field kMoveKeys[] = {
    TENDON_KEY_SELECTION("One frame. If frame, frames and range are all left out: all keys"),
    {"by", Type::Number, kOptional, "Number of frames to move by"},
    {"to", Type::Number, kOptional, "New frame of the first of these keys"},
};
constexpr Field kScaleKeys[] = {
    TENDON_KEY_SELECTION("One frame. If frame, frames and range are all left out: all keys"),
    {"by", Type::Number, kRequired, "Factor for the times, above 0"},
    {"about", Type::Number, kOptional, "Frame that stays in place. Left out: the first of these keys"},
};
constexpr Field kCopyKeys[] = {
    TENDON_KEY_SELECTION("One frame. If frame, frames and range are all left out: all keys"),
    {"by", Type::Number, kOptional, "Number of frames between a key and its copy"},
    {"to", Type::Number, kOptional, "Frame of the first copy"},
    {"onto", Type::Target, kOptional, "Joint or handle to copy to. Left out: the same one"},
};
constexpr Field kSetTangent[] = {
    TENDON_KEY_SELECTION("One frame. If frame, frames and range are all left out: the current frame"),
    {"mode", Type::Choice, kOptional, "auto: smooth without overshoot. free: the slopes given", "auto|free"},
    {"in", Type::NumberOrNumbers, kOptional, "Slope into the key, per second (in degrees for angles)"},
    {"out", Type::NumberOrNumbers, kOptional, "Slope out of the key, per second (in degrees for angles)"},
    {"interpolation", Type::Choice, kOptional, "Interpolation from this key to the next", "step|linear|bezier"},
};

#undef TENDON_KEY_SELECTION

constexpr Operation kKeyOperations[] = {
    {"key", kKey, true,
     "Keys the current pose of a joint or handle. If the project has no clip, adds one called \"Clip\".", keyOperation},
    {"keyPending", {}, true, "Keys every pending value at the current frame.", keyPendingOperation},
    {"deleteKey", kDeleteKey, true, "Deletes keys of the current clip.", deleteKeyOperation},
    {"moveKeys", kMoveKeys, true, "Moves keys in time. They replace keys at the frames they move to.",
     moveKeysOperation},
    {"scaleKeys", kScaleKeys, true, "Scales the times of keys.", scaleKeysOperation},
    {"copyKeys", kCopyKeys, true, "Copies keys to another time, or to another joint or handle.", copyKeysOperation},
    {"setTangent", kSetTangent, true, "Sets the tangents and the interpolation of keys.", setTangentOperation},
};

} // namespace

std::span<const Operation> keyOperations() { return kKeyOperations; }

} // namespace tendon

#include "core/document/Families.h"
#include "core/document/KeySelection.h"
#include "core/document/Lookup.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "core/scene/KeyEdit.h"
#include "core/scene/KeyWords.h"

#include <algorithm>
#include <array>

namespace tendon {
namespace {

using Type = Field::Type;

/// As an error lists them: the usual ones first.
constexpr std::string_view kModeChoices = "auto|flat|linear|aligned|free";
constexpr std::string_view kInfinityChoices = "constant|linear|cycle|cycleOffset|oscillate";

template <typename Enum, std::size_t N>
std::optional<Enum> wordIn(const Arguments& arguments, const char* field, const std::array<std::string_view, N>& words)
{
    const auto found = std::find(std::begin(words), std::end(words), arguments.text(field));
    if (found == std::end(words)) return std::nullopt;
    return static_cast<Enum>(found - std::begin(words));
}

/// What an operation asks of tangents, checked as far as it does not depend on keys.
struct TangentRequest
{
    std::optional<TangentMode> mode;
    std::optional<Interpolation> interpolation;
    bool hasIn = false, hasOut = false;
    std::optional<double> inWeight, outWeight;
};

Result<std::optional<double>> weightIn(const Arguments& arguments, const char* field)
{
    if (!arguments.has(field)) return std::optional<double>();
    if (arguments.isNull(field)) return std::optional(kEvenWeight);
    const double weight = arguments.number(field);
    if (!(weight >= 0 && weight <= 1))
        return Error{ErrorCode::InvalidArgument, "must be from 0 to 1, or null for 1/3", field};
    return std::optional(weight);
}

Result<TangentRequest> requestIn(const Arguments& arguments)
{
    TangentRequest request{.mode = wordIn<TangentMode>(arguments, "mode", kTangentModeWords),
                           .interpolation = interpolationIn(arguments),
                           .hasIn = arguments.has("in"),
                           .hasOut = arguments.has("out"),
                           .inWeight = {},
                           .outWeight = {}};
    for (const auto& [field, weight] :
         {std::pair{"inWeight", &request.inWeight}, std::pair{"outWeight", &request.outWeight}}) {
        const auto given = weightIn(arguments, field);
        if (!given) return given.error();
        *weight = *given;
    }
    const bool hasSlope = request.hasIn || request.hasOut;
    if (!hasSlope && !request.mode && !request.interpolation && !request.inWeight && !request.outWeight)
        return Error{ErrorCode::InvalidArgument, "give mode, in, out, inWeight, outWeight or interpolation", ""};
    if (hasSlope && request.mode && !isStored(*request.mode))
        return Error{ErrorCode::InvalidArgument,
                     "tangents of this mode have no in and out of their own; leave mode out, or give \"free\" or "
                     "\"aligned\"",
                     "mode"};
    if (arguments.has("components") && !hasSlope && !request.mode)
        return Error{ErrorCode::InvalidArgument, "says what mode, in and out are for; give one of them", "components"};
    return request;
}

/// A mode for some components of a key of a list; the others keep their slopes. The key has the mode if they are all as
/// the mode makes them, else slopes of its own, and its sides stay together where they did.
void chooseMode(Key& key, const KeyList& list, Property property, TangentMode mode, const std::array<bool, 4>& chosen)
{
    const std::size_t index = list.countUpTo(key.time) - 1;
    const Tangents now = tangentsAt(list, property, index),
                   asked = isStored(mode) ? now : tangentsAt(list, property, index, mode);
    const bool wasBroken = key.tangents == TangentMode::Free && now.in == now.out;
    for (std::size_t c = 0; c < chosen.size(); ++c) {
        const double mean = now.in[c] / 2 + now.out[c] / 2;
        const bool isMean = chosen[c] && mode == TangentMode::Aligned;
        key.in[c] = isMean ? mean : chosen[c] ? asked.in[c] : now.in[c];
        key.out[c] = isMean ? mean : chosen[c] ? asked.out[c] : now.out[c];
    }
    const bool isAll = !isStored(mode) && key.in == asked.in && key.out == asked.out;
    const bool isBroken = mode == TangentMode::Free || key.in != key.out || (wasBroken && mode != TangentMode::Aligned);
    key.tangents = isAll ? mode : isBroken ? TangentMode::Free : TangentMode::Aligned;
    if (isAll) key.in = key.out = {};
}

/// Slopes for some components of a key. `now`: those that it has on its curve.
Result<void> giveSlopes(Key& key, Property property, const Tangents& now, const Arguments& arguments,
                        const TangentRequest& request, const std::array<bool, 4>& chosen)
{
    key.in = now.in;
    key.out = now.out;
    for (const auto& [field, slope] : {std::pair{"in", &Key::in}, std::pair{"out", &Key::out}}) {
        if (!arguments.has(field)) continue;
        const auto value = componentNumbers(arguments, field, property, key.*slope);
        if (!value) return value.error();
        key.*slope = *value;
    }
    const TangentMode mode = request.mode ? *request.mode : key.tangents;
    const bool isAligned = mode == TangentMode::Aligned;
    for (std::size_t c = 0; c < chosen.size() && isAligned; ++c) {
        if (!chosen[c]) continue;
        if (request.hasIn != request.hasOut)
            (request.hasIn ? key.out : key.in)[c] = (request.hasIn ? key.in : key.out)[c];
        else if (request.mode && key.in[c] != key.out[c])
            return Error{ErrorCode::InvalidArgument,
                         "aligned tangents have one slope; give only one of in and out, or the mode \"free\"", "mode"};
    }
    key.tangents = isAligned && key.in == key.out ? TangentMode::Aligned : TangentMode::Free;
    key.interpolation = Interpolation::Bezier;
    return {};
}

/// One key of a list with other tangents.
Result<Key> withTangents(Key key, const KeyList& list, Property property, const Arguments& arguments,
                         const TangentRequest& request)
{
    const auto chosen = componentsIn(arguments, property);
    if (!chosen) return chosen.error();
    if (request.hasIn || request.hasOut) {
        const Tangents now = tangentsAt(list, property, list.countUpTo(key.time) - 1);
        if (const auto given = giveSlopes(key, property, now, arguments, request, *chosen); !given)
            return given.error();
    } else if (request.mode) {
        chooseMode(key, list, property, *request.mode, *chosen);
    }
    if (request.inWeight) key.inWeight = *request.inWeight;
    if (request.outWeight) key.outWeight = *request.outWeight;
    if (request.interpolation) key.interpolation = *request.interpolation;
    return key;
}

Result<void> setTangentOperation(Draft& draft, const Arguments& arguments)
{
    const auto selection = selectKeys(draft, arguments, true);
    if (!selection) return selection.error();
    const auto request = requestIn(arguments);
    if (!request) return request.error();
    draft.text = "Set tangents";
    for (const auto& [channel, keys] : selection->keys) {
        const KeyList whole = *draft.clip()->find(channel);
        std::vector<Key> changed;
        for (const Key& key : keys) {
            const auto edited = withTangents(key, whole, channel.property, arguments, *request);
            if (!edited) return edited.error();
            changed.push_back(*edited);
        }
        if (const auto put = putKeys(draft, selection->clip, channel, keys, changed); !put) return put;
    }
    return {};
}

Result<void> setInfinityOperation(Draft& draft, const Arguments& arguments)
{
    const auto channels = keyedChannelsIn(draft, arguments);
    if (!channels) return channels.error();
    const auto before = wordIn<Infinity>(arguments, "before", kInfinityWords);
    const auto after = wordIn<Infinity>(arguments, "after", kInfinityWords);
    if (!before && !after) return Error{ErrorCode::InvalidArgument, "give before, after or both", ""};
    draft.text = "Set infinity of " + nameOf(draft.scene, channels->front().target);
    for (const ChannelId channel : *channels) {
        const KeyList& keys = *draft.clip()->find(channel);
        const auto fit = [&](Infinity infinity) { // what a handle follows is no number that could go on
            if (!isSpace(channel.property) || infinity == Infinity::Oscillate) return infinity;
            return isRepeat(infinity) ? Infinity::Cycle : Infinity::Constant;
        };
        const Infinity begin = fit(before.value_or(keys.before())), end = fit(after.value_or(keys.after()));
        const ClipId clip = draft.edit.currentClip;
        if (const auto set = draft.take(setInfinity(std::move(draft.scene), clip, channel, begin, end)); !set)
            return set;
    }
    return {};
}

constexpr Field kSetTangent[] = {
    TENDON_KEY_SELECTION(TENDON_KEYS_HERE),
    {"mode", Type::Choice, kOptional,
     "auto: smooth without overshoot. flat: no slope. linear: toward the neighbouring keys. aligned: a slope of its "
     "own, "
     "the same on both sides. free: slopes of its own, each side for itself. The last two begin with the slopes that "
     "the "
     "curve has",
     kModeChoices},
    {"in", Type::NumberOrNumbers, kOptional,
     "Slope into the key, per second (in degrees for angles). Keys without slopes of their own become free; of an "
     "aligned key, one of in and out sets both"},
    {"out", Type::NumberOrNumbers, kOptional, "Slope out of the key, per second (in degrees for angles)"},
    {"components", Type::Names, kOptional,
     "Which of x, y and z (w, too, of a rotation) mode, in and out are for; the others keep their slopes. Left out: "
     "all "
     "of them"},
    {"inWeight", Type::NumberOrNull, kOptional,
     "How far the tangent into the key reaches, 0 to 1: its share of the time since the key before. null: 1/3"},
    {"outWeight", Type::NumberOrNull, kOptional,
     "How far the tangent out of the key reaches, 0 to 1: its share of the time to the next key. null: 1/3"},
    {"interpolation", Type::Choice, kOptional, "Interpolation from this key to the next", "step|linear|bezier"},
};
constexpr Field kSetInfinity[] = {
    {"target", Type::Target, kRequired, "Joint or handle whose keys are meant"},
    {"channels", Type::Names, kOptional, "Channels. Left out: all that have keys"},
    {"before", Type::Choice, kOptional, "What comes before the first key. Left out: as it was", kInfinityChoices},
    {"after", Type::Choice, kOptional, "What comes after the last key. Left out: as it was", kInfinityChoices},
};

constexpr Operation kTangentOperations[] = {
    {"setTangent", kSetTangent, true, "Sets the tangents and the interpolation of keys.", setTangentOperation},
    {"setInfinity", kSetInfinity, true,
     "Sets what channels do before their first and after their last key. constant: hold the key's value. linear: go on "
     "with the slope of the curve at the key (not for whole rotations). cycle: repeat the keys. cycleOffset: repeat "
     "the "
     "keys, each time beginning where the last time ended. oscillate: repeat the keys, forward and backward in turn.",
     setInfinityOperation},
};

} // namespace

std::span<const Operation> tangentOperations() { return kTangentOperations; }

} // namespace tendon

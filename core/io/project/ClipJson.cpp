#include "core/io/project/Names.h"
#include "core/io/project/ProjectJson.h"
#include "core/math/Convert.h"
#include "core/scene/Check.h"
#include "core/scene/KeyWords.h"

#include <algorithm>

namespace tendon::project {
namespace {

constexpr std::int64_t kLatest = 1'000'000'000 * Time::kTicksPerSecond; // what Time can be made of

std::string placeOf(const Clip& clip) { return "clips/" + std::to_string(clip.id.value); }

/// One word when all entries say the same, else one per key; left out when all say the standard.
template <typename Enum, std::size_t N>
void putWords(ObjectWriter& json, std::string_view name, const std::vector<Key>& keys, Enum Key::*member,
              const std::array<std::string_view, N>& words, Enum standard)
{
    const auto word = [&](const Key& key) {
        const std::string_view text = words[static_cast<std::size_t>(key.*member)];
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    const bool isSame = std::all_of(keys.begin(), keys.end(),
                                    [&](const Key& key) { return key.*member == keys[0].*member; });
    if (isSame) {
        if (keys[0].*member != standard) json.put(name, word(keys[0]));
        return;
    }
    QJsonArray all;
    for (const Key& key : keys) all.append(word(key));
    json.put(name, all);
}

template <typename Enum, std::size_t N>
void readWords(ObjectReader& json, std::string_view name, std::vector<Key>& keys, Enum Key::*member,
               const std::array<std::string_view, N>& words, Enum standard)
{
    const QJsonValue value = json.value(name);
    if (!value.isArray()) {
        const auto all = static_cast<Enum>(json.oneOf(name, words, static_cast<std::size_t>(standard)));
        for (Key& key : keys) key.*member = all;
        return;
    }
    const QJsonArray array = value.toArray();
    if (static_cast<std::size_t>(array.size()) != keys.size())
        return json.fail(name, "has " + std::to_string(array.size()) + " entries for " + std::to_string(keys.size()) +
                                   " keys");
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string word = array.at(static_cast<qsizetype>(i)).toString().toStdString();
        const auto found = std::find(words.begin(), words.end(), word);
        if (found == words.end()) return json.fail(name, "has the unknown entry \"" + word + "\"");
        keys[i].*member = static_cast<Enum>(found - words.begin());
    }
}

using Component = ChannelValue Key::*;

void putValues(ObjectWriter& json, std::string_view name, const std::vector<Key>& keys, Component member,
               std::size_t count)
{
    std::vector<double> flat;
    flat.reserve(keys.size() * count);
    for (const Key& key : keys)
        flat.insert(flat.end(), (key.*member).begin(), (key.*member).begin() + static_cast<std::ptrdiff_t>(count));
    json.numbers(name, flat);
}

void readValues(ObjectReader& json, std::string_view name, std::vector<Key>& keys, Component member, std::size_t count)
{
    const std::vector<double> flat = json.numbers(name, keys.size() * count);
    if (flat.empty()) return;
    for (std::size_t i = 0; i < keys.size(); ++i)
        std::copy_n(flat.begin() + static_cast<std::ptrdiff_t>(i * count), count, (keys[i].*member).begin());
}

/// The weights of all keys, if one of them is not the standard one.
void putWeights(ObjectWriter& json, std::string_view name, const std::vector<Key>& keys, double Key::*member)
{
    if (std::all_of(keys.begin(), keys.end(), [&](const Key& key) { return key.*member == kEvenWeight; })) return;
    std::vector<double> weights;
    weights.reserve(keys.size());
    for (const Key& key : keys) weights.push_back(key.*member);
    json.numbers(name, weights);
}

void readWeights(ObjectReader& json, std::string_view name, std::vector<Key>& keys, double Key::*member)
{
    if (!json.has(name)) return;
    const std::vector<double> weights = json.numbers(name, keys.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (!(weights[i] >= 0 && weights[i] <= 1)) return json.fail(name, "has a weight that is not from 0 to 1");
        keys[i].*member = weights[i];
    }
}

void putInfinity(ObjectWriter& json, std::string_view name, Infinity infinity)
{
    if (infinity == Infinity::Constant) return;
    const std::string_view word = wordOf(infinity);
    json.put(name, QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())));
}

Infinity readInfinity(ObjectReader& json, std::string_view name, Property property)
{
    const auto infinity = static_cast<Infinity>(json.oneOf(name, kInfinityWords, 0));
    if (infinity == Infinity::Linear && isQuaternion(property))
        json.fail(name, "cannot be linear for a whole rotation");
    if ((infinity == Infinity::Linear || infinity == Infinity::CycleOffset) && isSpace(property))
        json.fail(name, "cannot go on for what a handle follows, which is no number");
    return infinity;
}

QJsonObject channelToJson(ChannelId channel, const KeyList& list, const std::string& pointer, const std::string& place,
                          WriteState& state)
{
    const std::vector<Key> keys = list.toVector();
    const auto count = static_cast<std::size_t>(componentCount(channel.property));
    ObjectWriter json(pointer, place, state);
    putChannel(json, channel);
    QJsonArray times;
    for (const Key& key : keys) times.append(static_cast<qint64>(key.time.ticks));
    json.put("times", times);
    putValues(json, "values", keys, &Key::value, count);
    putWords(json, "interpolation", keys, &Key::interpolation, kInterpolationWords, Interpolation::Bezier);
    putWords(json, "tangents", keys, &Key::tangents, kTangentModeWords, TangentMode::Auto);
    const bool hasSlopes = std::any_of(
        keys.begin(), keys.end(), [](const Key& key) { return key.in != ChannelValue{} || key.out != ChannelValue{}; });
    if (hasSlopes) {
        putValues(json, "in", keys, &Key::in, count);
        putValues(json, "out", keys, &Key::out, count);
    }
    putWeights(json, "inWeights", keys, &Key::inWeight);
    putWeights(json, "outWeights", keys, &Key::outWeight);
    putInfinity(json, "before", list.before());
    putInfinity(json, "after", list.after());
    return json.take();
}

std::vector<Key> readTimes(ObjectReader& json)
{
    const QJsonArray times = json.array("times");
    if (times.isEmpty()) json.fail("times", "is missing or empty; a channel needs at least one key");
    std::vector<Key> keys(static_cast<std::size_t>(times.size()));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const QJsonValue value = times.at(static_cast<qsizetype>(i));
        const std::int64_t ticks = value.toInteger(INT64_MAX);
        const std::string pointer = json.pointer("times") + "/" + std::to_string(i);
        if (!value.isDouble() || ticks > kLatest || ticks < -kLatest)
            json.state().error.set(pointer, "is not a time: a whole number of 1/705600000 s, up to 10^9 s");
        else if (i > 0 && ticks <= keys[i - 1].time.ticks)
            json.state().error.set(pointer, "is not later than the key before it");
        if (json.state().hasFailed()) return {};
        keys[i].time.ticks = ticks;
    }
    return keys;
}

std::string placeOf(const Clip& clip, ChannelId channel)
{
    return placeOf(clip) + (channel.layer == Layer::Keys ? "/" : "/corrections/") + channelPlace(channel);
}

void channelFromJson(const QJsonValue& value, const std::string& pointer, Clip& clip, Layer layer, ReadState& state)
{
    ObjectReader json(value, pointer, pointer, state);
    ChannelId channel = readChannel(json);
    if (channel.target != clip.id.value) channel.layer = layer; // else it is the weight of all corrections
    json.setPlace(placeOf(clip, channel));
    const auto count = static_cast<std::size_t>(componentCount(channel.property));
    std::vector<Key> keys = readTimes(json);
    if (state.hasFailed()) return;
    readValues(json, "values", keys, &Key::value, count);
    readWords(json, "interpolation", keys, &Key::interpolation, kInterpolationWords, Interpolation::Bezier);
    readWords(json, "tangents", keys, &Key::tangents, kTangentModeWords, TangentMode::Auto);
    if (json.has("in")) readValues(json, "in", keys, &Key::in, count);
    if (json.has("out")) readValues(json, "out", keys, &Key::out, count);
    readWeights(json, "inWeights", keys, &Key::inWeight);
    readWeights(json, "outWeights", keys, &Key::outWeight);
    const Infinity before = readInfinity(json, "before", channel.property);
    const Infinity after = readInfinity(json, "after", channel.property);
    if (isQuaternion(channel.property))
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (!normalised(toQuaternion(keys[i].value)))
                state.error.set(json.pointer("values") + "/" + std::to_string(i * count),
                                "begins a rotation of length 0");
    KeyList list(std::move(keys));
    list.setInfinity(before, after);
    if (!clip.channels.emplace(channel, Shared<KeyList>(std::move(list))))
        json.fail("channel", "appears twice in one clip");
}

QJsonObject markerToJson(const Marker& marker, const std::string& pointer, const std::string& place, WriteState& state)
{
    ObjectWriter json(pointer, place, state);
    json.put("time", static_cast<qint64>(marker.time.ticks));
    json.string("name", marker.name);
    if (marker.color != MarkerColor{}) {
        const std::string_view word = wordOf(marker.color);
        json.put("color", QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())));
    }
    return json.take();
}

/// Markers are told apart by their times, also where a later version has given them more members.
std::string markerPlace(const Clip& clip, Time time)
{
    return placeOf(clip) + "/markers/" + std::to_string(time.ticks);
}

void markerFromJson(const QJsonValue& value, const std::string& pointer, Clip& clip, ReadState& state)
{
    ObjectReader json(value, pointer, pointer, state);
    Marker marker;
    marker.time.ticks = json.requiredInteger("time", -kLatest, kLatest);
    marker.name = json.requiredText("name");
    marker.color = static_cast<MarkerColor>(json.oneOf("color", kMarkerColorWords, 0));
    json.setPlace(markerPlace(clip, marker.time));
    if (state.hasFailed()) return;
    if (const auto sound = checkMarkerName(marker.name); !sound)
        json.fail("name", "is not allowed: " + sound.error().message);
    if (!clip.markers.empty() && marker.time <= clip.markers.back().time)
        json.fail("time", "is not later than the marker before it");
    clip.markers.push_back(std::move(marker));
}

} // namespace

namespace {

/// The channels of a layer; those of corrections begin with their weight.
QJsonArray channelsToJson(const Clip& clip, Layer layer, const std::string& pointer, WriteState& state)
{
    QJsonArray channels;
    const auto add = [&](ChannelId channel, const KeyList& keys) {
        channels.append(channelToJson(channel, keys, pointer + "/" + std::to_string(channels.size()),
                                      placeOf(clip, channel), state));
    };
    const ChannelId weight = clip.correctionsWeight();
    if (const KeyList* keys = layer == Layer::Corrections ? clip.find(weight) : nullptr) add(weight, *keys);
    for (const auto& [channel, keys] : clip.channels)
        if (channel.layer == layer && channel != weight) add(channel, *keys);
    return channels;
}

/// {"on": false, "weight": 0.5, "channels": [...]}
ObjectWriter correctionsToJson(const Clip& clip, const StaticValues& statics, const std::string& pointer,
                               WriteState& state)
{
    ObjectWriter json(pointer, placeOf(clip) + "/corrections", state);
    json.boolean("on", clip.hasCorrectionsOn, true);
    if (const auto weight = statics.find(clip.correctionsWeight()); weight != statics.end())
        json.number("weight", weight->second[0], 1);
    if (const QJsonArray channels = channelsToJson(clip, Layer::Corrections, pointer + "/channels", state);
        !channels.isEmpty())
        json.put("channels", channels);
    return json;
}

void channelsFromJson(ObjectReader& json, Clip& clip, Layer layer, ReadState& state)
{
    std::size_t index = 0;
    for (const QJsonValue& channel : json.array("channels")) {
        channelFromJson(channel, json.pointer("channels") + "/" + std::to_string(index++), clip, layer, state);
        if (state.hasFailed()) return;
    }
}

void correctionsFromJson(const QJsonValue& value, const std::string& pointer, Clip& clip, StaticValues& statics,
                         ReadState& state)
{
    ObjectReader json(value, pointer, placeOf(clip) + "/corrections", state);
    clip.hasCorrectionsOn = json.boolean("on", true);
    const double weight = json.number("weight", 1);
    if (!(weight >= 0 && weight <= 1)) json.fail("weight", "is not from 0 to 1");
    if (weight != 1) statics[clip.correctionsWeight()] = {weight};
    channelsFromJson(json, clip, Layer::Corrections, state);
}

} // namespace

QJsonObject clipToJson(const Clip& clip, const StaticValues& statics, const std::string& pointer, WriteState& state)
{
    const std::string place = placeOf(clip);
    ObjectWriter json(pointer, place, state);
    json.integer("id", static_cast<std::int64_t>(clip.id.value));
    json.put("name", QString::fromStdString(clip.name));
    json.integer("sourceAnimation", clip.sourceAnimation, -1);
    json.put("channels", channelsToJson(clip, Layer::Keys, json.pointer("channels"), state));
    json.object("corrections", correctionsToJson(clip, statics, json.pointer("corrections"), state));
    QJsonArray markers;
    for (const Marker& marker : clip.markers)
        markers.append(markerToJson(marker, json.pointer("markers") + "/" + std::to_string(markers.size()),
                                    markerPlace(clip, marker.time), state));
    if (!markers.isEmpty()) json.put("markers", markers);
    return json.take();
}

Clip clipFromJson(const QJsonValue& value, const std::string& pointer, StaticValues& statics, ReadState& state)
{
    ObjectReader json(value, pointer, pointer, state);
    Clip clip;
    clip.id.value = static_cast<std::uint64_t>(json.requiredInteger("id", 1, kMaxId));
    json.setPlace(placeOf(clip));
    clip.name = json.text("name");
    clip.sourceAnimation = static_cast<std::int32_t>(json.integer("sourceAnimation", -1, 0, INT32_MAX));
    channelsFromJson(json, clip, Layer::Keys, state);
    if (json.has("corrections") && !state.hasFailed())
        correctionsFromJson(json.value("corrections"), json.pointer("corrections"), clip, statics, state);
    std::size_t index = 0;
    for (const QJsonValue& marker : json.array("markers")) {
        if (state.hasFailed()) break;
        markerFromJson(marker, json.pointer("markers") + "/" + std::to_string(index++), clip, state);
    }
    return clip;
}

} // namespace tendon::project

#include "core/runtime/CorrectionMerge.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"
#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/Check.h"
#include "core/scene/Corrections.h"
#include "core/scene/FrameNumber.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace tendon {
namespace {

bool isConstant(const KeyList& keys)
{
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Key& key = keys[i];
        if (key.value != keys[0].value) return false;
        const bool isSloped = isStored(key.tangents) && (key.in != ChannelValue{} || key.out != ChannelValue{});
        if (isSloped) return false;
    }
    return true;
}

/// Whether keys that are all turned keep their curve: not where automatic tangents look at each number of a rotation.
bool canTurn(const KeyList& keys)
{
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i].interpolation == Interpolation::Bezier) {
            if (keys[i].tangents == TangentMode::Auto) return false;
            if (i + 1 < keys.size() && keys[i + 1].tangents == TangentMode::Auto) return false;
        }
    return true;
}

bool isOpenEnded(const KeyList* keys)
{
    if (keys == nullptr || isConstant(*keys)) return false;
    return keys->before() != Infinity::Constant || keys->after() != Infinity::Constant;
}

/// The sum of two layers of one channel as a function of time, made into keys.
class SumOfLayers
{
public:
    using Value = std::function<ChannelValue(Time)>;

    SumOfLayers(const Scene& scene, Property property, Value value)
        : m_scene(scene), m_property(property), m_value(std::move(value))
    {
    }

    /// `times`: where one of the layers has a key, at least one.
    [[nodiscard]] KeyList keys(const std::set<Time>& times, bool isHeldBetween)
    {
        m_isHeld = isHeldBetween;
        m_times.assign(times.begin(), times.end());
        for (std::size_t i = 0; i + 1 < m_times.size(); ++i) span(m_times[i], m_times[i + 1]);
        m_keys.push_back(keyAt(m_times.back()));
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            Key& key = m_keys[i];
            if (i > 0) key.value = near(m_keys[i - 1].value, key.value); // stored tangents go by the sign
            if (i > 0 && m_keys[i - 1].interpolation == Interpolation::Bezier) key.in = slope(key, m_keys[i - 1].time);
            if (i + 1 < m_keys.size() && key.interpolation == Interpolation::Bezier)
                key.out = slope(key, m_keys[i + 1].time);
            if (key.in != key.out) continue;
            key.tangents = TangentMode::Aligned;
        }
        return KeyList(std::move(m_keys));
    }

private:
    [[nodiscard]] Key keyAt(Time time) const
    {
        return {.time = time,
                .value = m_value(time),
                .interpolation = Interpolation::Bezier,
                .tangents = TangentMode::Free};
    }

    [[nodiscard]] ChannelValue near(const ChannelValue& reference, const ChannelValue& value) const
    {
        return withSignOf(reference, value, m_property);
    }

    [[nodiscard]] ChannelValue slope(const Key& at, Time other) const
    {
        return slopeWithin(m_value, m_property, at, other);
    }

    [[nodiscard]] double distance(const ChannelValue& a, ChannelValue b) const
    {
        b = near(a, b);
        double largest = 0;
        for (std::size_t c = 0; c < a.size(); ++c) largest = std::max(largest, std::abs(a[c] - b[c]));
        return largest;
    }

    [[nodiscard]] bool jumpsAt(Time time) const
    {
        return distance(m_value(time), m_value({time.ticks - 1})) > kMergeTolerance;
    }

    /// The whole frames strictly between two times.
    [[nodiscard]] std::vector<Time> framesBetween(Time from, Time to) const
    {
        std::vector<Time> frames;
        const FrameRate fps = m_scene.fps;
        for (auto frame = static_cast<std::int64_t>(std::floor(fps.frameAt(from)));; ++frame) {
            const Time time = fps.timeOf(static_cast<double>(frame));
            if (time >= to) return frames;
            if (time > from) frames.push_back(time);
        }
    }

    /// The keys from one time to another, without the last one.
    void span(Time from, Time to)
    {
        const std::vector<Time> frames = framesBetween(from, to);
        if (m_isHeld) {
            m_keys.push_back(keyAt(from));
            m_keys.back().interpolation = Interpolation::Step;
            for (const Time frame : frames) // where held keys repeat
                if (distance(m_keys.back().value, m_value(frame)) > kMergeTolerance / 2) {
                    m_keys.push_back(keyAt(frame));
                    m_keys.back().interpolation = Interpolation::Step;
                }
            return;
        }
        if (jumpsAt(to)) { // as it was until the frame before, and then held
            if (!frames.empty()) curve(from, frames.back(), frames);
            m_keys.push_back(keyAt(frames.empty() ? from : frames.back()));
            m_keys.back().interpolation = Interpolation::Step;
            return;
        }
        curve(from, to, frames);
    }

    /// One segment, or as many as it takes; without its last key.
    void curve(Time from, Time to, const std::vector<Time>& frames)
    {
        const Key left = keyAt(from);
        Key right = keyAt(to);
        right.value = near(left.value, right.value);
        const KeySegment segment{&left, &right, slope(left, to), slope(right, from)};
        const Time* worst = nullptr;
        double error = kMergeTolerance / 2; // a margin for those who read the keys in other ways
        for (const Time& frame : frames) {
            if (frame <= from || frame >= to) continue;
            const double there = distance(m_value(frame), sampleSegment(segment, m_property, frame));
            if (there > error) worst = &frame, error = there;
        }
        if (worst == nullptr) {
            m_keys.push_back(left);
            return;
        }
        curve(from, *worst, frames);
        curve(*worst, to, frames);
    }

    const Scene& m_scene;
    Property m_property;
    Value m_value;
    std::vector<Time> m_times;
    std::vector<Key> m_keys;
    bool m_isHeld = false;
};

bool isHeldEverywhere(const KeyList* keys)
{
    for (std::size_t i = 0; keys != nullptr && i + 1 < keys->size(); ++i)
        if ((*keys)[i].interpolation != Interpolation::Step) return false;
    return true;
}

class Merge
{
public:
    Merge(const Scene& scene, const Clip& clip) : m_scene(scene), m_clip(clip), m_result(clip)
    {
        m_weights = clip.find(clip.correctionsWeight());
        if (m_weights != nullptr && isConstant(*m_weights)) m_weights = nullptr;
    }

    [[nodiscard]] Result<Clip> run(std::optional<ObjectId> only)
    {
        std::set<ObjectId> objects;
        for (const auto& [channel, keys] : m_clip.channels)
            if (channel.layer == Layer::Corrections && (!only || channel.target == *only))
                objects.insert(channel.target);
        for (const ObjectId object : objects)
            if (m_clip.hasCorrectionsOn)
                if (const auto done = mergeObject(object); !done) return done.error();
        erase_if(m_result.channels, [&](const auto& entry) {
            return entry.first.layer == Layer::Corrections && objects.contains(entry.first.target);
        });
        return std::move(m_result);
    }

private:
    [[nodiscard]] double weightAt(Time time) const { return correctionsWeight(m_scene, &m_clip, {}, time); }

    [[nodiscard]] Result<void> mergeObject(ObjectId object)
    {
        const Joint* joint = m_scene.find(JointId{object});
        const bool isMixed = joint != nullptr && isOfTwoKinds(*joint);
        if (isMixed) mixedRotation(*joint);
        for (int p = 0; p < kPropertyCount; ++p) {
            const ChannelId channel{object, static_cast<Property>(p)};
            const KeyList* correction = m_clip.find(inLayer(channel, Layer::Corrections));
            const bool isTurning = channel.property == Property::Rotation ||
                                   (channel.property >= Property::Rx && channel.property <= Property::Rz);
            if (correction == nullptr || (isMixed && isTurning)) continue;
            if (const auto done = mergeChannel(channel, *correction); !done) return done;
        }
        return {};
    }

    /// Corrections that are angles on whole rotations, or the other way round.
    [[nodiscard]] bool isOfTwoKinds(const Joint& joint) const
    {
        const bool isWhole = sampleLayers(m_scene, &m_clip, {}, joint, m_clip.begin()).base.isReadOff;
        const auto has = [&](Property p) { return m_clip.find({joint.id.value, p, Layer::Corrections}) != nullptr; };
        return isWhole ? std::any_of(kAngles.begin(), kAngles.end(), has) : has(Property::Rotation);
    }

    /// Becomes a whole rotation.
    void mixedRotation(const Joint& joint)
    {
        std::set<Time> times;
        bool isOpen = isOpenEnded(m_weights);
        for (const auto& [channel, keys] : m_clip.channels)
            if (channel.target == joint.id.value &&
                (channel.property == Property::Rotation ||
                 (channel.property >= Property::Rx && channel.property <= Property::Rz))) {
                addTimes(&*keys, times);
                isOpen = isOpen || isOpenEnded(&*keys);
            }
        addTimes(m_weights, times);
        if (isOpen) addRange(times);
        const auto value = [&](Time time) {
            return toValue(sampleJoint(m_scene, &m_clip, {}, joint, time).local.rotation);
        };
        for (const Property angle : kAngles) m_result.channels.erase({joint.id.value, angle});
        m_result.channels.insert_or_assign({joint.id.value, Property::Rotation},
                                           SumOfLayers(m_scene, Property::Rotation, value).keys(times, false));
    }

    static void addTimes(const KeyList* keys, std::set<Time>& times)
    {
        for (std::size_t i = 0; keys != nullptr && i < keys->size(); ++i) times.insert((*keys)[i].time);
    }

    void addRange(std::set<Time>& times) const
    {
        times.insert(m_scene.fps.timeOf(m_scene.firstFrame));
        times.insert(m_scene.fps.timeOf(m_scene.lastFrame));
    }

    /// Keys of one layer with the other, which stands still, put under or on top of them.
    void moved(ChannelId channel, const KeyList& keys, bool areCorrections, const ChannelValue& other, double weight)
    {
        const Property p = channel.property;
        const auto slope = [&](const ChannelValue& by) -> ChannelValue {
            if (isQuaternion(p))
                return areCorrections ? toValue(toQuaternion(other) * toQuaternion(by))
                                      : toValue(toQuaternion(by) * turn(other, weight));
            ChannelValue scaled = by;
            if (areCorrections)
                for (double& number : scaled) number *= weight;
            return scaled;
        };
        std::vector<Key> list = keys.toVector();
        for (Key& key : list) {
            // A quaternion keeps its sign and its length, which stored tangents count from.
            key.value = isQuaternion(p)  ? slope(key.value)
                        : areCorrections ? corrected(p, other, key.value, weight)
                                         : corrected(p, key.value, other, weight);
            key.in = slope(key.in);
            key.out = slope(key.out);
        }
        m_result.channels.insert_or_assign(channel, KeyList(std::move(list), keys));
    }

    [[nodiscard]] static Quaternion turn(const ChannelValue& correction, double weight)
    {
        const Quaternion whole = unitQuaternion(toQuaternion(correction));
        return weight == 1 ? whole : power(whole, weight);
    }

    [[nodiscard]] Result<void> mergeChannel(ChannelId channel, const KeyList& correction)
    {
        const Property p = channel.property;
        const KeyList* base = m_clip.find(channel);
        const ChannelValue stated = m_scene.staticValue(channel);
        const double weight = weightAt(m_clip.begin()); // of m_weights: none
        if (m_weights == nullptr && weight == 0) return {};
        const KeyList& moving = isConstant(correction) && base != nullptr ? *base : correction;
        const bool isStraight = !isQuaternion(p) || canTurn(moving);
        if (m_weights == nullptr && isStraight && isConstant(correction)) {
            const ChannelValue still = correction[0].value;
            if (base != nullptr)
                moved(channel, *base, false, still, weight);
            else
                m_result.channels.insert_or_assign(
                    channel, KeyList({{.time = correction[0].time, .value = corrected(p, stated, still, weight)}}));
            return {};
        }
        if (m_weights == nullptr && isStraight && base == nullptr && (!isQuaternion(p) || weight == 1)) {
            moved(channel, correction, true, stated, weight);
            return {};
        }
        const bool isBaseStill = base != nullptr && isConstant(*base) &&
                                 m_clip.find({channel.target, spaceOf(p)}) == nullptr;
        if (m_weights == nullptr && isBaseStill && (!isQuaternion(p) || (weight == 1 && canTurn(correction)))) {
            moved(channel, correction, true, (*base)[0].value, weight);
            return {};
        }
        return sum(channel, base, correction);
    }

    [[nodiscard]] Result<void> sum(ChannelId channel, const KeyList* base, const KeyList& correction)
    {
        const Property p = channel.property;
        std::optional<KeyList> separated;
        const KeyList* spaces = base != nullptr && isPlace(p) ? m_clip.find({channel.target, spaceOf(p)}) : nullptr;
        if (spaces != nullptr) {
            if (const auto fits = checkBetweenSpaces(channel, *base, correction, *spaces); !fits) return fits;
            separated = withinSpaces(*base, p, *spaces);
            base = &*separated;
        }
        std::set<Time> times;
        for (const KeyList* keys : {base, &correction, m_weights}) addTimes(keys, times);
        if (isOpenEnded(base) || isOpenEnded(&correction) || isOpenEnded(m_weights)) addRange(times);
        if (spaces != nullptr)
            if (const auto kept = keepSpaceOfEnds(channel, *base, *spaces, times); !kept) return kept;
        const ChannelValue stated = m_scene.staticValue(channel);
        const auto value = [&](Time time) {
            return corrected(p, base != nullptr ? sampleKeys(*base, p, time) : stated, sampleKeys(correction, p, time),
                             weightAt(time));
        };
        const bool isHeld = isHeldEverywhere(base) && isHeldEverywhere(&correction) && isHeldEverywhere(m_weights);
        m_result.channels.insert_or_assign(channel, SumOfLayers(m_scene, p, value).keys(times, isHeld));
        return {};
    }

    /// Before its first key a place is in the space of that key, and after its last one in the space of that, whatever
    /// is keyed there of the space. Keys of the sum that come to stand there need it: what would put them into another
    /// space has no effect on the motion, and goes.
    [[nodiscard]] Result<void> keepSpaceOfEnds(ChannelId channel, const KeyList& base, const KeyList& spaces,
                                               const std::set<Time>& times)
    {
        const Time first = base.front().time, last = base.back().time;
        const bool fits = spaceAt(spaces, *times.begin()) == spaceAt(spaces, first) &&
                          std::all_of(times.lower_bound(last), times.end(),
                                      [&](Time time) { return spaceAt(spaces, time) == spaceAt(spaces, last); });
        if (fits) return {};
        const ChannelId spaceChannel{channel.target, spaceOf(channel.property)};
        std::vector<Key> kept;
        for (std::size_t i = 0; i < spaces.size(); ++i) {
            const bool isAfter = spaces[i].time > last;
            const bool isBefore = i + 1 < spaces.size() && spaces[i + 1].time <= first;
            if (!isAfter && !isBefore) kept.push_back(spaces[i]);
        }
        KeyList list(kept, spaces);
        for (const auto& [other, keys] : m_clip.channels)
            for (std::size_t i = 0;
                 other.target == channel.target && other.layer == Layer::Keys && isPlace(other.property) &&
                 spaceOf(other.property) == spaceChannel.property && i < keys->size();
                 ++i) {
                const Time time = (*keys)[i].time;
                if (spaceAt(list, time) == spaceAt(spaces, time)) continue;
                return Error{ErrorCode::InvalidArgument,
                             "the keys of " + inQuotes(nameOf(m_scene, channel.target)) + " for " +
                                 std::string(propertyName(channel.property)) + (time > last ? " end" : " begin") +
                                 " in another space than its correction goes on in; key " +
                                 std::string(propertyName(channel.property)) + " at the frame " +
                                 (time > last ? "at which" : "before") + " its space changes, then merge",
                             ""};
            }
        if (list.isEmpty()) list = KeyList({spaces.front()}, spaces);
        m_result.channels.insert_or_assign(spaceChannel, std::move(list));
        return {};
    }

    /// Between spaces both ends of a segment are corrected, which keys do only if the correction stands still there.
    [[nodiscard]] Result<void> checkBetweenSpaces(ChannelId channel, const KeyList& base, const KeyList& correction,
                                                  const KeyList& spaces) const
    {
        const Property p = channel.property;
        for (std::size_t i = 0; i + 1 < base.size(); ++i) {
            const Time from = base[i].time, to = base[i + 1].time;
            if (spaceAt(spaces, from) == spaceAt(spaces, to)) continue;
            const auto frameAfter = std::floor(m_scene.fps.frameAt(from) + kNearWholeFrame) + 1;
            for (double frame = frameAfter; m_scene.fps.timeOf(frame) < to; ++frame) {
                const auto share = [&](Time time) {
                    return corrected(p, noCorrection(p), sampleKeys(correction, p, time), weightAt(time));
                };
                if (share(m_scene.fps.timeOf(frame)) == share(from) && share(from) == share(to)) continue;
                return Error{ErrorCode::InvalidArgument,
                             inQuotes(nameOf(m_scene, channel.target)) + " is between two spaces at frame " +
                                 std::to_string(static_cast<long>(frame)) + " while its correction changes; key its " +
                                 std::string(propertyName(p)) + " at the frame before the space changes, then merge",
                             ""};
            }
        }
        return {};
    }

    const Scene& m_scene;
    const Clip& m_clip;
    Clip m_result;
    const KeyList* m_weights = nullptr; ///< null: the weight stands still
};

} // namespace

Result<Clip> mergedCorrections(const Scene& scene, const Clip& clip, std::optional<ObjectId> only)
{
    return Merge(scene, clip).run(only);
}

} // namespace tendon

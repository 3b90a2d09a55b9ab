#include "core/runtime/CorrectionMerge.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"
#include "core/runtime/CurveKeys.h"
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
                                           CurveKeys(m_scene.fps, Property::Rotation, value).through(times, false));
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
        if (p == Property::Blend) return sum(channel, base, correction); // does not leave 0 to 1, unlike moved keys
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
            ChannelValue shown = corrected(p, base != nullptr ? sampleKeys(*base, p, time) : stated,
                                           sampleKeys(correction, p, time), weightAt(time));
            if (p == Property::Blend) shown[0] = std::clamp(shown[0], 0.0, 1.0);
            return shown;
        };
        const bool isHeld = isHeldEverywhere(base) && isHeldEverywhere(&correction) && isHeldEverywhere(m_weights);
        m_result.channels.insert_or_assign(channel, CurveKeys(m_scene.fps, p, value).through(times, isHeld));
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

#include "core/document/AxisKeys.h"

#include "core/math/Convert.h"
#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/JointPose.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

namespace tendon {
namespace {

/// Keys that tell a function of time: straight where it is, else curved with its slopes.
class ToldByKeys
{
public:
    using Value = std::function<ChannelValue(Time)>;

    /// `property`: of which kind the values are.
    ToldByKeys(Property property, Value value) : m_property(property), m_value(std::move(value)) {}

    /// `times`: where it bends or jumps, at least one. `isHeld`: it stands still from that time to the next.
    [[nodiscard]] std::vector<Key> keys(const std::vector<Time>& times, const std::function<bool(Time)>& isHeld)
    {
        for (std::size_t i = 0; i + 1 < times.size(); ++i)
            if (isHeld(times[i]))
                add(times[i], Interpolation::Step, {});
            else
                tell(times[i], times[i + 1]);
        add(times.back(), Interpolation::Linear, {});
        return std::move(m_keys);
    }

private:
    [[nodiscard]] ChannelValue near(const ChannelValue& reference, const ChannelValue& value) const
    {
        return withSignOf(reference, value, m_property);
    }

    void add(Time time, Interpolation interpolation, const ChannelValue& out)
    {
        Key key{.time = time, .value = m_value(time), .interpolation = interpolation};
        if (!m_keys.empty()) key.value = near(m_keys.back().value, key.value); // stored slopes go by the sign
        if (interpolation == Interpolation::Bezier || m_arriving) {
            key.tangents = TangentMode::Free;
            key.in = m_arriving.value_or(ChannelValue{});
            key.out = out;
        }
        m_arriving.reset();
        m_keys.push_back(key);
    }

    [[nodiscard]] ChannelValue slope(const Key& at, Time other) const
    {
        return slopeWithin(m_value, m_property, at, other);
    }

    [[nodiscard]] bool tells(const KeySegment& segment) const
    {
        const std::int64_t from = segment.left->time.ticks, length = segment.right->time.ticks - from;
        // Compared at more places than a curve has bends; one with weighted tangents may be steep for a short time.
        const std::int64_t samples = std::clamp(length / Time::fromSeconds(0.01).ticks, std::int64_t{12},
                                                std::int64_t{480});
        for (std::int64_t i = 1; i < samples; ++i) {
            const Time time{from + length * i / samples};
            const ChannelValue is = m_value(time), told = near(is, sampleSegment(segment, m_property, time));
            for (std::size_t c = 0; c < is.size(); ++c)
                if (!(std::abs(is[c] - told[c]) <= kAxisTolerance / 2)) return false; // the samples are not all
        }
        return true;
    }

    /// From one time to another, without the last key.
    void tell(Time from, Time to)
    {
        Key left{.time = from, .value = m_value(from), .interpolation = Interpolation::Linear}, right{.time = to};
        if (!m_keys.empty()) left.value = near(m_keys.back().value, left.value);
        right.value = near(left.value, m_value(to));
        KeySegment segment{&left, &right, {}, {}};
        const std::int64_t shortest = Time::fromSeconds(1e-5).ticks; // a step, to the eye
        if (tells(segment) || to.ticks - from.ticks < shortest) {
            add(from, Interpolation::Linear, {});
            return;
        }
        left.interpolation = Interpolation::Bezier;
        segment.leaving = slope(left, to);
        segment.arriving = slope(right, from);
        if (tells(segment)) {
            add(from, Interpolation::Bezier, segment.leaving);
            m_arriving = segment.arriving;
            return;
        }
        const Time middle{from.ticks + (to.ticks - from.ticks) / 2};
        tell(from, middle);
        tell(middle, to);
    }

    Property m_property;
    Value m_value;
    std::vector<Key> m_keys;
    std::optional<ChannelValue> m_arriving; ///< slope into the key that comes next
};

/// Before its first key a channel is held, too, and after its last one.
bool isStandingAt(const KeyList& list, Time time)
{
    if (isInfinite(list, time)) return false;
    const std::size_t count = list.countUpTo(time);
    if (count == list.size()) return list.after() == Infinity::Constant;
    return count == 0 || list[count - 1].interpolation == Interpolation::Step;
}

/// The axis that each axis becomes, if it becomes one alone.
std::optional<std::array<int, 3>> axesApart(const Eigen::Matrix3d& linear)
{
    constexpr double kNothing = 1e-12;
    const double largest = linear.cwiseAbs().maxCoeff();
    std::array<int, 3> target{-1, -1, -1};
    for (int from = 0; from < 3; ++from)
        for (int to = 0; to < 3; ++to) {
            if (std::abs(linear(to, from)) <= kNothing * largest) continue;
            const bool isTaken = std::find(target.begin(), target.end(), to) != target.end();
            if (target[static_cast<std::size_t>(from)] >= 0 || isTaken) return std::nullopt;
            target[static_cast<std::size_t>(from)] = to;
        }
    if (*std::min_element(target.begin(), target.end()) < 0) return std::nullopt;
    return target;
}

} // namespace

AxisKeys::AxisKeys(const Clip& clip, JointId joint, const std::array<Property, 3>& properties, const Vector3& rest)
    : m_properties(properties), m_rest(rest)
{
    for (std::size_t axis = 0; axis < 3; ++axis) m_lists[axis] = clip.find({joint.value, properties[axis]});
}

bool AxisKeys::isEmpty() const
{
    return std::all_of(m_lists.begin(), m_lists.end(), [](const KeyList* list) { return list == nullptr; });
}

std::array<KeyList, 3> AxisKeys::mapped(const Eigen::Matrix3d& linear, const Vector3& offset,
                                        std::pair<Time, Time> range) const
{
    std::array<KeyList, 3> result;
    if (const auto target = axesApart(linear)) {
        for (int from = 0; from < 3; ++from) {
            const int to = (*target)[static_cast<std::size_t>(from)];
            const double factor = linear(to, from);
            const KeyList* list = m_lists[static_cast<std::size_t>(from)];
            std::vector<Key> keys = list != nullptr ? list->toVector()
                                                    : std::vector<Key>{{.time = first(), .value = {m_rest[from]}}};
            for (Key& key : keys) {
                key.value = {factor * key.value[0] + offset[to]};
                key.in = {factor * key.in[0]}, key.out = {factor * key.out[0]};
            }
            KeyList& made = result[static_cast<std::size_t>(to)];
            made = list != nullptr ? KeyList(std::move(keys), *list) : KeyList(std::move(keys));
        }
        return result;
    }
    const auto shared = ends();
    std::array<std::vector<Key>, 3> keys;
    const auto put = [&](const Key& how, const Vector3& value, const Vector3& in, const Vector3& out) {
        const Vector3 place = linear * value + offset, arriving = linear * in, leaving = linear * out;
        for (int axis = 0; axis < 3; ++axis) {
            Key& key = keys[static_cast<std::size_t>(axis)].emplace_back(how);
            key.value = {place[axis]}, key.in = {arriving[axis]}, key.out = {leaving[axis]};
        }
    };
    if (areAlike() && shared) {
        for (const auto& [how, value, in, out] : alike()) put(how, value, in, out);
    } else {
        ToldByKeys told(Property::GoalPosition, [this](Time time) { return toValue(at(time)); });
        for (const Key& key : told.keys(times(range, !shared), [this](Time time) { return areAllHeldAt(time); }))
            put(key, toVector(key.value), toVector(key.in), toVector(key.out));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        result[axis] = KeyList(std::move(keys[axis]));
        if (shared) result[axis].setInfinity(shared->first, shared->second);
    }
    return result;
}

KeyList AxisKeys::rotations(const Joint& joint, std::pair<Time, Time> range) const
{
    const auto own = ends();
    // A whole rotation does not go on as its angles do, unless one of them turns alone, by less than half a turn a
    // cycle.
    const auto goesOn = [&](Infinity infinity) {
        if (infinity != Infinity::CycleOffset) return infinity == Infinity::Linear;
        const auto isKeyed = [](const KeyList* list) { return list != nullptr; };
        if (std::count_if(m_lists.begin(), m_lists.end(), isKeyed) != 1) return true;
        const KeyList& turning = **std::find_if(m_lists.begin(), m_lists.end(), isKeyed);
        return !(std::abs(turning.back().value[0] - turning.front().value[0]) < std::numbers::pi);
    };
    const auto shared = own && !goesOn(own->first) && !goesOn(own->second) ? own : std::nullopt;
    ToldByKeys told(Property::Rotation, [&](Time time) { return toValue(localRotation(joint, at(time))); });
    KeyList list(told.keys(times(range, !shared), [this](Time time) { return areAllHeldAt(time); }));
    if (shared) list.setInfinity(shared->first, shared->second);
    return list;
}

Vector3 AxisKeys::at(Time time) const
{
    Vector3 value = m_rest;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (m_lists[axis] != nullptr)
            value[static_cast<Eigen::Index>(axis)] = sampleKeys(*m_lists[axis], m_properties[axis], time)[0];
    return value;
}

Time AxisKeys::first() const
{
    std::optional<Time> first;
    for (const KeyList* list : m_lists)
        if (list != nullptr) first = std::min(first.value_or(list->front().time), list->front().time);
    return first.value_or(Time{});
}

/// Where one of the three has a key, and just before those at which it jumps while another one goes on.
std::vector<Time> AxisKeys::times(std::pair<Time, Time> range, bool isAll) const
{
    std::set<Time> times;
    Time from = first(), to = from;
    for (const KeyList* list : m_lists)
        if (list != nullptr) to = std::max(to, list->back().time);
    if (isAll) { // which is constant beyond
        from = std::min(from, range.first), to = std::max(to, range.second);
        times.insert(from);
        times.insert(to);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (m_lists[axis] == nullptr) continue;
        const Time closest{Time::fromSeconds(1e-3)};
        for (const RepeatedKey& key : keysWithin(*m_lists[axis], m_properties[axis], from, to, closest)) {
            times.insert(key.time);
            const Time before{key.time.ticks - 1};
            if (key.jumpsBefore && before > from && !areAllHeldAt(before)) times.insert(before);
            if (key.jumpsAfter && key.time < to) times.insert({key.time.ticks + 1});
        }
    }
    return {times.begin(), times.end()};
}

std::vector<AxisKeys::VectorKey> AxisKeys::alike() const
{
    std::vector<VectorKey> keys;
    for (std::size_t k = 0; k < m_lists[0]->size(); ++k) {
        VectorKey key;
        key.how = (*m_lists[0])[k];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto i = static_cast<Eigen::Index>(axis);
            // Computed tangents look at each number alone: a mixture of them is not what they are of the mixture.
            const Tangents tangents = tangentsAt(*m_lists[axis], m_properties[axis], k);
            key.value[i] = (*m_lists[axis])[k].value[0], key.in[i] = tangents.in[0], key.out[i] = tangents.out[0];
        }
        if (key.how.tangents == TangentMode::Auto && key.how.interpolation == Interpolation::Bezier)
            key.how.tangents = TangentMode::Free;
        if (k > 0 && key.how.tangents == TangentMode::Auto && keys.back().how.interpolation == Interpolation::Bezier)
            key.how.tangents = TangentMode::Free;
        if (!isStored(key.how.tangents)) key.in = key.out = Vector3::Zero();
        keys.push_back(key);
    }
    return keys;
}

bool AxisKeys::areAlike() const
{
    if (m_lists[0] == nullptr) return false;
    return std::all_of(m_lists.begin() + 1, m_lists.end(), [&](const KeyList* list) {
        if (list == nullptr || list->size() != m_lists[0]->size()) return false;
        for (std::size_t k = 0; k < list->size(); ++k) {
            const Key &a = (*m_lists[0])[k], &b = (*list)[k];
            if (a.time != b.time || a.interpolation != b.interpolation || a.tangents != b.tangents ||
                a.inWeight != b.inWeight || a.outWeight != b.outWeight)
                return false;
        }
        return true;
    });
}

bool AxisKeys::areAllHeldAt(Time time) const
{
    return std::all_of(m_lists.begin(), m_lists.end(),
                       [&](const KeyList* list) { return list == nullptr || isStandingAt(*list, time); });
}

std::optional<std::pair<Infinity, Infinity>> AxisKeys::ends() const
{
    constexpr std::pair kStill{Infinity::Constant, Infinity::Constant};
    const KeyList* one = nullptr;
    bool areConstant = true, areShared = true;
    for (const KeyList* list : m_lists) {
        if (list == nullptr) continue;
        areConstant = areConstant && std::pair{list->before(), list->after()} == kStill;
        if (one == nullptr) one = list;
        areShared = areShared && list->before() == one->before() && list->after() == one->after() &&
                    list->front().time == one->front().time && list->back().time == one->back().time;
    }
    if (areConstant || one == nullptr) return kStill;
    return areShared ? std::optional(std::pair{one->before(), one->after()}) : std::nullopt;
}

KeyList turnsOf(const Clip& clip, const Joint& joint, std::pair<Time, Time> range)
{
    if (const KeyList* turns = clip.find({joint.id.value, Property::Rotation})) return *turns;
    const AxisKeys angles(clip, joint.id, kAngles, Vector3::Zero());
    return angles.isEmpty() ? KeyList() : angles.rotations(joint, range);
}

} // namespace tendon

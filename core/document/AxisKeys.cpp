#include "core/document/AxisKeys.h"

#include "core/math/Convert.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/JointPose.h"

#include <algorithm>
#include <set>

namespace tendon {

AxisKeys::AxisKeys(const Clip& clip, JointId joint, const std::array<Property, 3>& properties, const Vector3& rest)
    : m_properties(properties), m_rest(rest)
{
    for (std::size_t axis = 0; axis < 3; ++axis) m_lists[axis] = clip.find({joint.value, properties[axis]});
}

bool AxisKeys::isEmpty() const
{
    return std::all_of(m_lists.begin(), m_lists.end(), [](const KeyList* list) { return list == nullptr; });
}

std::vector<AxisKeys::VectorKey> AxisKeys::together() const
{
    std::vector<VectorKey> keys;
    if (areAlike()) {
        for (std::size_t k = 0; k < m_lists[0]->size(); ++k) {
            VectorKey key;
            key.how = (*m_lists[0])[k];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const Key& from = (*m_lists[axis])[k];
                const auto i = static_cast<Eigen::Index>(axis);
                key.value[i] = from.value[0], key.in[i] = from.in[0], key.out[i] = from.out[0];
            }
            keys.push_back(key);
        }
        return keys;
    }
    std::set<Time> times;
    for (const KeyList* list : m_lists)
        for (std::size_t k = 0; list != nullptr && k < list->size(); ++k) {
            const Time time = (*list)[k].time;
            if (!areAllHeldAt({time.ticks - 1}) && isSteppedAt(*list, {time.ticks - 1})) times.insert({time.ticks - 1});
            times.insert(time);
        }
    for (const Time time : times) {
        VectorKey key;
        key.how.time = time;
        key.how.interpolation = areAllHeldAt(time) ? Interpolation::Step : Interpolation::Linear;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto i = static_cast<Eigen::Index>(axis);
            key.value[i] = m_lists[axis] == nullptr ? m_rest[i]
                                                    : sampleKeys(*m_lists[axis], m_properties[axis], time)[0];
        }
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

/// Before its first key a channel is held, too.
bool AxisKeys::isSteppedAt(const KeyList& list, Time time)
{
    const std::size_t count = list.countUpTo(time);
    return count > 0 && list[count - 1].interpolation == Interpolation::Step;
}

bool AxisKeys::areAllHeldAt(Time time) const
{
    return std::all_of(m_lists.begin(), m_lists.end(), [&](const KeyList* list) {
        return list == nullptr || list->countUpTo(time) == 0 || isSteppedAt(*list, time);
    });
}

std::vector<Key> turnsOf(const Clip& clip, const Joint& joint)
{
    if (const KeyList* turns = clip.find({joint.id.value, Property::Rotation})) return turns->toVector();
    const AxisKeys angles(clip, joint.id, kAngles, Vector3::Zero());
    std::vector<Key> keys;
    if (angles.isEmpty()) return keys;
    for (const auto& [how, value, in, out] : angles.together())
        keys.push_back(
            {.time = how.time,
             .value = toValue(localRotation(joint, value)),
             .interpolation = how.interpolation == Interpolation::Step ? Interpolation::Step : Interpolation::Linear});
    return keys;
}

} // namespace tendon

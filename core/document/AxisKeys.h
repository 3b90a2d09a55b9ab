#pragma once

#include "core/math/Transform.h"
#include "core/scene/Clip.h"
#include "core/scene/Joint.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace tendon {

/// Three channels of a joint: its translation, or its angles. An axis without keys has its rest value.
class AxisKeys
{
public:
    AxisKeys(const Clip& clip, JointId joint, const std::array<Property, 3>& properties, const Vector3& rest);

    [[nodiscard]] bool isEmpty() const;

    /// Key by key, with values and slopes as vectors. Keys that the axes do not share are sampled: where only some of
    /// them hold a value until the next key, one key more just before that one keeps its step.
    struct VectorKey
    {
        Key how; ///< time, interpolation and tangents
        Vector3 value = Vector3::Zero(), in = Vector3::Zero(), out = Vector3::Zero();
    };
    [[nodiscard]] std::vector<VectorKey> together() const;

private:
    [[nodiscard]] bool areAlike() const;
    [[nodiscard]] static bool isSteppedAt(const KeyList& list, Time time);
    [[nodiscard]] bool areAllHeldAt(Time time) const;

    std::array<Property, 3> m_properties;
    Vector3 m_rest;
    std::array<const KeyList*, 3> m_lists{};
};

/// What comes before and after the keys of channels that become others together: what they agree on.
template <std::size_t N>
[[nodiscard]] std::pair<Infinity, Infinity> infinityOf(const Clip& clip, JointId joint,
                                                       const std::array<Property, N>& properties)
{
    std::optional<std::pair<Infinity, Infinity>> shared;
    for (const Property property : properties) {
        const KeyList* keys = clip.find({joint.value, property});
        if (keys == nullptr) continue;
        const std::pair own{keys->before(), keys->after()};
        if (shared && *shared != own) return {};
        shared = own;
    }
    return shared.value_or(std::pair{Infinity::Constant, Infinity::Constant});
}

/// The keys of a joint's rotation. Of angles, which do not turn along great arcs, they are whole rotations.
[[nodiscard]] std::vector<Key> turnsOf(const Clip& clip, const Joint& joint);

} // namespace tendon

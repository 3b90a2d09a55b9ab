#pragma once

#include "core/math/Transform.h"
#include "core/scene/Clip.h"
#include "core/scene/Joint.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace tendon {

/// How far keys that stand in for a curve that keys cannot tell exactly are from it, at any time: [m], or in the
/// numbers of a unit quaternion, which is half of it in [rad].
inline constexpr double kAxisTolerance = 1e-5;

/// Three channels of a joint: its translation, or its angles. An axis without keys has its rest value.
class AxisKeys
{
public:
    AxisKeys(const Clip& clip, JointId joint, const std::array<Property, 3>& properties, const Vector3& rest);

    [[nodiscard]] bool isEmpty() const;

    /// The keys of linear * value + offset. Where each axis becomes an axis, it keeps its own keys. Else keys stand
    /// where one of the three has one, with the slopes of the sum, which tells all curves but those with weighted
    /// tangents, and at as many times between as it takes to stay within kAxisTolerance. What repeats or goes on beyond
    /// its keys does so still if the three do it alike; else it is keyed within `range`, and constant beyond.
    [[nodiscard]] std::array<KeyList, 3> mapped(const Eigen::Matrix3d& linear, const Vector3& offset,
                                                std::pair<Time, Time> range) const;

    /// Of angles: the keys of the whole rotation, within kAxisTolerance in the same way.
    [[nodiscard]] KeyList rotations(const Joint& joint, std::pair<Time, Time> range) const;

private:
    /// Key by key, with values and slopes as vectors.
    struct VectorKey
    {
        Key how; ///< time, interpolation and tangents
        Vector3 value = Vector3::Zero(), in = Vector3::Zero(), out = Vector3::Zero();
    };
    [[nodiscard]] std::vector<VectorKey> alike() const;
    [[nodiscard]] Vector3 at(Time time) const;
    /// `isAll`: also the range, and what repeats in it.
    [[nodiscard]] std::vector<Time> times(std::pair<Time, Time> range, bool isAll) const;
    [[nodiscard]] bool areAlike() const;
    [[nodiscard]] bool areAllHeldAt(Time time) const;
    [[nodiscard]] Time first() const;
    /// None: they do not go on alike.
    [[nodiscard]] std::optional<std::pair<Infinity, Infinity>> ends() const;

    std::array<Property, 3> m_properties;
    Vector3 m_rest;
    std::array<const KeyList*, 3> m_lists{};
};

/// The keys of a joint's rotation. Of angles, which do not turn along great arcs, they are made by
/// AxisKeys::rotations().
[[nodiscard]] KeyList turnsOf(const Clip& clip, const Joint& joint, std::pair<Time, Time> range);

} // namespace tendon

#pragma once

#include "core/scene/Clip.h"

namespace tendon {

/// The tangents that a Bezier segment leaves and arrives with at a key.
struct Tangents
{
    ChannelValue in{}, out{}; ///< per second
};

/// Tangents at key `index`, whether stored or automatic. Automatic ones are flat at the first and last key and at
/// extrema, elsewhere the weighted harmonic mean of the two slopes beside the key (Fritsch and Butland 1984), by
/// component: the curve is monotone between keys, so it never overshoots one. Quaternions of either sign count as the
/// same rotation.
[[nodiscard]] Tangents tangentsAt(const KeyList& keys, Property property, std::size_t index);

/// The stretch of a channel between two keys. Points into the KeyList, which must outlive it unchanged.
struct KeySegment
{
    const Key* left = nullptr;  ///< null: before the first key
    const Key* right = nullptr; ///< null: from the last key on
    ChannelValue leaving{};     ///< slope at left, per second (Bezier only)
    ChannelValue arriving{};    ///< slope at right

    [[nodiscard]] bool contains(Time time) const
    {
        return (left != nullptr || right != nullptr) && (left == nullptr || left->time <= time) &&
               (right == nullptr || time < right->time);
    }
};

/// Precondition: keys is not empty.
[[nodiscard]] KeySegment segmentAt(const KeyList& keys, Property property, Time time);

/// Precondition: segment.contains(time).
[[nodiscard]] ChannelValue sampleSegment(const KeySegment& segment, Property property, Time time);

/// The value of a channel's keys at `time`; before the first and after the last key the value holds. Quaternions come
/// out unit. Precondition: keys is not empty.
[[nodiscard]] ChannelValue sampleKeys(const KeyList& keys, Property property, Time time);

} // namespace tendon

#pragma once

#include "core/scene/Clip.h"

namespace tendon {

/// The slopes of the Bezier segments before and after a key.
struct Tangents
{
    ChannelValue in{}, out{}; ///< per second
};

/// The tangents at key `index`, stored or automatic. Automatic tangents are flat at the first and the last key and at
/// extrema; elsewhere they are the weighted harmonic mean of the slopes on both sides (Fritsch and Butland 1984), by
/// component. The curve is then monotone between keys and never overshoots them. Quaternions of either sign count as
/// the same rotation.
[[nodiscard]] Tangents tangentsAt(const KeyList& keys, Property property, std::size_t index);

/// The part of a channel between two keys. Points into the KeyList, which must not change meanwhile.
struct KeySegment
{
    const Key* left = nullptr;  ///< null: before the first key
    const Key* right = nullptr; ///< null: after the last key
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

/// The value of a channel's keys at `time`; constant before the first and after the last key. Quaternions are returned
/// unit. Precondition: keys is not empty.
[[nodiscard]] ChannelValue sampleKeys(const KeyList& keys, Property property, Time time);

} // namespace tendon

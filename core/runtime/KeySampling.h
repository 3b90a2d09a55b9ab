#pragma once

#include "core/scene/Clip.h"

#include <vector>

namespace tendon {

/// The slopes of the Bezier segments before and after a key.
struct Tangents
{
    ChannelValue in{}, out{}; ///< per second
};

/// The tangents at key `index`: stored, flat, linear (toward the neighbour on each side, and at the first and the last
/// key on both sides toward the only one) or automatic. Automatic tangents are flat at the first and the last key and
/// at extrema; elsewhere they are the weighted harmonic mean of the slopes on both sides (Fritsch and Butland 1984), by
/// component. The curve is then monotone between keys and never overshoots them. Quaternions of either sign count as
/// the same rotation.
[[nodiscard]] Tangents tangentsAt(const KeyList& keys, Property property, std::size_t index);
/// The tangents that the key would have in another mode.
[[nodiscard]] Tangents tangentsAt(const KeyList& keys, Property property, std::size_t index, TangentMode mode);

/// Where a time before the first or after the last key takes its value from, when the keys are repeated there.
struct Repeat
{
    Time inside;             ///< from the first to the last key
    std::int64_t cycles = 0; ///< how often the keys have been repeated: below 0 before them, 0 within
    bool isBackward = false; ///< within a cycle that runs backward
};

/// Of keys that span a time. The value at the end of a cycle is the last key's after the keys, and the first key's
/// before them, so that values repeat exactly with the period.
[[nodiscard]] Repeat repeatAt(const KeyList& keys, Time time);

/// A key, or one that a repeat of the keys makes. The curve jumps there if a hold of another value ends; where a cycle
/// begins with another value than the last one ended with; and, in a cycle that runs backward, where a hold begins.
struct RepeatedKey
{
    Time time;
    const Key* key = nullptr;
    bool jumpsBefore = false; ///< up to this time the curve has another value
    bool jumpsAfter = false;  ///< from the moment after this time on the curve has another value
    Time held;                ///< of a jump: how long the hold is, or the cycle
};

/// The keys and their repeats within [from, to], in order of time; of two at the seam of two cycles both. Repeats are
/// left out where keys are closer than `closest` on average. Points into the KeyList, which must not change meanwhile.
[[nodiscard]] std::vector<RepeatedKey> keysWithin(const KeyList& keys, Property property, Time from, Time to,
                                                  Time closest);

/// The slope, per second, with which a channel goes on linearly before its first or after its last key.
[[nodiscard]] ChannelValue slopeBefore(const KeyList& keys, Property property);
[[nodiscard]] ChannelValue slopeAfter(const KeyList& keys, Property property);

/// The part of a channel between two keys. Points into the KeyList, which must not change meanwhile.
struct KeySegment
{
    const Key* left = nullptr;  ///< null: before the first key
    const Key* right = nullptr; ///< null: after the last key
    ChannelValue leaving{};     ///< slope at left, per second (Bezier only)
    ChannelValue arriving{};    ///< slope at right

    /// Times outside of the keys only where the channel is constant there.
    [[nodiscard]] bool contains(Time time) const
    {
        return (left != nullptr || right != nullptr) && (left == nullptr || left->time <= time) &&
               (right == nullptr || time < right->time);
    }
};

/// True if the channel is not constant there: sampleKeys() then answers, and no segment.
[[nodiscard]] inline bool isInfinite(const KeyList& keys, Time time)
{
    return (keys.after() != Infinity::Constant && time > keys.back().time) ||
           (keys.before() != Infinity::Constant && time < keys.front().time);
}

/// What the handle follows where a key of one of its places stands: an id, 0 = the world.
[[nodiscard]] ObjectId spaceAt(const KeyList& spaces, Time time);

/// True where the curve through the keys of a place does not say where it is in the space that it has at `time`: on the
/// way from a key in one space to a key in another, or beyond the last key of another space. Precondition: keys is not
/// empty.
[[nodiscard]] bool isBetweenSpaces(const KeyList& keys, const KeyList& spaces, Time time);

/// The keys of a handle's place where these spaces are keyed: a key whose neighbour is in another space has the
/// tangents that it would have without that neighbour, since their numbers do not compare. All else is as in `keys`.
[[nodiscard]] KeyList withinSpaces(const KeyList& keys, Property place, const KeyList& spaces);

/// The keys of a channel with the tangents that the clip shows: withinSpaces(), where it keys the space of a place.
/// Precondition: the clip has keys of the channel.
[[nodiscard]] KeyList shownKeys(const Clip& clip, ChannelId channel);

/// Keys that show the same, with signs of quaternions that follow from key to key, as curves of their numbers are
/// drawn. Between two keys with stored tangents, which go by the signs, these stay to each other as they are.
[[nodiscard]] KeyList withFollowingSigns(const KeyList& keys, Property property);

/// Precondition: keys is not empty.
[[nodiscard]] KeySegment segmentAt(const KeyList& keys, Property property, Time time);

/// Precondition: segment.contains(time).
[[nodiscard]] ChannelValue sampleSegment(const KeySegment& segment, Property property, Time time);

/// The value of a channel's keys at `time`, before the first and after the last of them as their infinities say.
/// CycleOffset turns a quaternion in the space of its values by the rotation from the first to the last key, the
/// shorter way. Quaternions are returned unit. Precondition: keys is not empty.
[[nodiscard]] ChannelValue sampleKeys(const KeyList& keys, Property property, Time time);

} // namespace tendon

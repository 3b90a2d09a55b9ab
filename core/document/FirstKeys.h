#pragma once

#include "core/document/Draft.h"

#include <optional>

namespace tendon {

// A channel without keys has one value at all times, or goes along with what carries it. Its first key must not change
// what other frames show.

/// The times of the keys next to a time, on either side; none where there are none.
struct KeysBeside
{
    std::optional<Time> before, after;
};
/// Of all channels of an object in the current clip; of a joint, those of the handles that move it, too.
[[nodiscard]] KeysBeside keysBeside(const Draft& draft, ObjectId object, Time time);

/// A goal, pole or curve that is carried and about to get its first key in the current clip goes on being carried: what
/// it follows is keyed. Nothing where that is keyed already, or other values that follow the same have keys.
[[nodiscard]] Result<void> keepCarried(Draft& draft, ChannelId channel);

/// A channel that is about to be keyed because its handle is, as a pole with its goal: keys on its curve at
/// keysBeside(), so that what changes lies between these. Nothing where it has no keys, or has nearer ones.
[[nodiscard]] Result<void> holdBeside(Draft& draft, ChannelId channel, Time time);

/// The value of a channel without keys, as operations have it, in the space that a key of it has at a time.
[[nodiscard]] Result<ChannelValue> inKeyedSpace(const Draft& draft, ChannelId channel, const ChannelValue& value,
                                                Time time);

/// Keys a channel of the current clip as keyShown() does. If it is the channel's first key, the keys of its object
/// that are `beside` it show what they did: the channel is keyed there, too, where it was another value. `alsoAt`: a
/// frame at which the former value is keyed in any case, if no key is before.
[[nodiscard]] Result<void> keyPosed(Draft& draft, ChannelId channel, double frame, const ChannelValue& shown,
                                    const KeysBeside& beside, std::optional<Interpolation> interpolation = std::nullopt,
                                    std::optional<double> alsoAt = std::nullopt);

} // namespace tendon

#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <map>

namespace tendon {

/// Values that rule over both keys and static values for the moment: what has been posed but not keyed.
using PendingValues = std::map<ChannelId, ChannelValue>;

/// The value of a channel's keys at `time`; before the first and after the last key the value holds.
/// Precondition: keys is not empty.
[[nodiscard]] ChannelValue sampleKeys(const KeyList& keys, Property property, Time time);

/// The value of one channel: pending, else keyed, else static.
[[nodiscard]] ChannelValue sampleChannel(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                         ChannelId channel, Time time);

/// The tangents that a Bezier segment leaves and arrives with at key `index`, whether stored or automatic.
struct Tangents
{
    ChannelValue in{}, out{}; ///< per second
};
[[nodiscard]] Tangents tangentsAt(const KeyList& keys, Property property, std::size_t index);

} // namespace tendon

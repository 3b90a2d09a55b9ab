#pragma once

#include "core/scene/Clip.h"

#include <functional>

namespace tendon {

/// `value` with the sign that is nearer to `reference`: the numbers of a quaternion tell the same rotation with either,
/// and stored slopes go by them. Other values as they are.
[[nodiscard]] ChannelValue withSignOf(const ChannelValue& reference, ChannelValue value, Property property);

/// True if each number of `a` is that of `b` but for a share of its size, by default for rounding where a place is
/// converted there and back. False for what is no number.
[[nodiscard]] bool areNear(const ChannelValue& a, const ChannelValue& b, double tolerance = 1e-12);

/// The slope of a function of time at one end of a segment, seen from within it [1/s]: `at` is the key there, `other`
/// the time of its other end. The one-sided difference of third order, which is exact for cubics.
[[nodiscard]] ChannelValue slopeWithin(const std::function<ChannelValue(Time)>& valueAt, Property property,
                                       const Key& at, Time other);

} // namespace tendon

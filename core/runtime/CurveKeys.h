#pragma once

#include "core/scene/Clip.h"

#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace tendon {

/// How far such keys may be from the function, at whole frames: [m], [rad] (of a whole rotation about half of it in
/// each of its numbers), or as the setting counts.
inline constexpr double kCurveTolerance = 1e-6;

/// Makes keys that show a function of time: Bezier curves with the slopes of the function, and at whole frames in
/// between more keys where these would be off. Before a jump the value is held from the frame before.
class CurveKeys
{
public:
    using Value = std::function<ChannelValue(Time)>;

    CurveKeys(FrameRate fps, Property property, Value value)
        : m_fps(fps), m_property(property), m_value(std::move(value))
    {
    }

    /// `times`: where there is to be a key, at least one. Held from key to key, or curved.
    [[nodiscard]] KeyList through(const std::set<Time>& times, bool isHeldBetween);

private:
    [[nodiscard]] Key keyAt(Time time) const;
    [[nodiscard]] ChannelValue near(const ChannelValue& reference, const ChannelValue& value) const;
    [[nodiscard]] ChannelValue slope(const Key& at, Time other) const;
    [[nodiscard]] double distance(const ChannelValue& a, ChannelValue b) const;
    [[nodiscard]] bool jumpsAt(Time time) const;
    [[nodiscard]] std::vector<Time> framesBetween(Time from, Time to) const;
    void span(Time from, Time to);
    void curve(Time from, Time to, const std::vector<Time>& frames);

    FrameRate m_fps;
    Property m_property;
    Value m_value;
    std::vector<Key> m_keys;
    bool m_isHeld = false;
};

} // namespace tendon

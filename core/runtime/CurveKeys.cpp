#include "core/runtime/CurveKeys.h"

#include "core/runtime/CurveSlope.h"
#include "core/runtime/KeySampling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tendon {

KeyList CurveKeys::through(const std::set<Time>& times, bool isHeldBetween)
{
    m_isHeld = isHeldBetween;
    const std::vector<Time> moments(times.begin(), times.end());
    m_keys.clear();
    for (std::size_t i = 0; i + 1 < moments.size(); ++i) span(moments[i], moments[i + 1]);
    m_keys.push_back(keyAt(moments.back()));
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        Key& key = m_keys[i];
        if (i > 0) key.value = near(m_keys[i - 1].value, key.value); // stored tangents go by the sign
        if (i > 0 && m_keys[i - 1].interpolation == Interpolation::Bezier) key.in = slope(key, m_keys[i - 1].time);
        if (i + 1 < m_keys.size() && key.interpolation == Interpolation::Bezier)
            key.out = slope(key, m_keys[i + 1].time);
        if (key.in != key.out) continue;
        key.tangents = TangentMode::Aligned;
    }
    return KeyList(std::move(m_keys));
}

Key CurveKeys::keyAt(Time time) const
{
    return {
        .time = time, .value = m_value(time), .interpolation = Interpolation::Bezier, .tangents = TangentMode::Free};
}

ChannelValue CurveKeys::near(const ChannelValue& reference, const ChannelValue& value) const
{
    return withSignOf(reference, value, m_property);
}

ChannelValue CurveKeys::slope(const Key& at, Time other) const { return slopeWithin(m_value, m_property, at, other); }

double CurveKeys::distance(const ChannelValue& a, ChannelValue b) const
{
    b = near(a, b);
    double largest = 0;
    for (std::size_t c = 0; c < a.size(); ++c) largest = std::max(largest, std::abs(a[c] - b[c]));
    return largest;
}

bool CurveKeys::jumpsAt(Time time) const
{
    return distance(m_value(time), m_value({time.ticks - 1})) > kCurveTolerance;
}

/// The whole frames strictly between two times.
std::vector<Time> CurveKeys::framesBetween(Time from, Time to) const
{
    std::vector<Time> frames;
    for (auto frame = static_cast<std::int64_t>(std::floor(m_fps.frameAt(from)));; ++frame) {
        const Time time = m_fps.timeOf(static_cast<double>(frame));
        if (time >= to) return frames;
        if (time > from) frames.push_back(time);
    }
}

/// The keys from one time to another, without the last one.
void CurveKeys::span(Time from, Time to)
{
    const std::vector<Time> frames = framesBetween(from, to);
    if (m_isHeld) {
        m_keys.push_back(keyAt(from));
        m_keys.back().interpolation = Interpolation::Step;
        for (const Time frame : frames) // where held keys repeat
            if (distance(m_keys.back().value, m_value(frame)) > kCurveTolerance / 2) {
                m_keys.push_back(keyAt(frame));
                m_keys.back().interpolation = Interpolation::Step;
            }
        return;
    }
    if (jumpsAt(to)) { // as it was until the frame before, and then held
        if (!frames.empty()) curve(from, frames.back(), frames);
        m_keys.push_back(keyAt(frames.empty() ? from : frames.back()));
        m_keys.back().interpolation = Interpolation::Step;
        return;
    }
    curve(from, to, frames);
}

/// One segment, or as many as it takes; without its last key.
void CurveKeys::curve(Time from, Time to, const std::vector<Time>& frames)
{
    const Key left = keyAt(from);
    Key right = keyAt(to);
    right.value = near(left.value, right.value);
    const KeySegment segment{&left, &right, slope(left, to), slope(right, from)};
    const Time* worst = nullptr;
    double error = kCurveTolerance / 2; // a margin for those who read the keys in other ways
    for (const Time& frame : frames) {
        if (frame <= from || frame >= to) continue;
        const double there = distance(m_value(frame), sampleSegment(segment, m_property, frame));
        if (there > error) worst = &frame, error = there;
    }
    if (worst == nullptr) {
        m_keys.push_back(left);
        return;
    }
    curve(from, *worst, frames);
    curve(*worst, to, frames);
}

} // namespace tendon

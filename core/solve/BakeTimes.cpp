#include "core/solve/BakeTimes.h"

#include "core/runtime/KeySampling.h"
#include "core/runtime/StepTimes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon {
namespace {

/// How near to a frame a key is on it, in frames. Single precision rounds a time near one hour by up to an eighth of a
/// millisecond, which is less.
constexpr double kNearFrame = 0.005;

float storedSeconds(Time time) { return static_cast<float>(time.seconds()); }

/// Where a key is sampled: where it is, or on the first frame at or after it. A frame that it is almost on is that.
Time sampledAt(Time key, FrameRate fps, BakedKeys which)
{
    if (which == BakedKeys::All) return key;
    const double frame = fps.frameAt(key), nearest = std::round(frame);
    return std::abs(frame - nearest) <= kNearFrame ? key : fps.timeOf(std::ceil(frame));
}

/// Keys that repeat closer than this, in frames, are sampled at frames alone.
constexpr double kClosestRepeat = 0.25;

/// Times of keys within (from, to), ascending; without those that are between frames if these are not sampled.
std::vector<Time> keyTimes(const Clip& clip, FrameRate fps, Time from, Time to, BakedKeys which)
{
    std::vector<Time> times;
    for (const auto& [channel, keys] : clip.channels) {
        if (isSpace(channel.property)) continue; // goals go on between spaces without a jump
        for (const RepeatedKey& key : keysWithin(*keys, channel.property, from, to, fps.timeOf(kClosestRepeat))) {
            const Time time = sampledAt(key.time, fps, which);
            if (time > to) break;
            if (time == key.time || key.jumpsBefore) times.push_back(time);
            if (key.jumpsBefore) times.push_back(justBefore(time));
            if (key.jumpsAfter && time == key.time) times.push_back(justAfter(time));
        }
    }
    std::erase_if(times, [&](Time time) { return time <= from || time >= to; });
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

/// Frames within (from, to) that neither end and no key stands in for.
std::vector<Time> frameTimes(FrameRate fps, Time from, Time to, const std::vector<Time>& keys)
{
    const Time nearness = fps.timeOf(kNearFrame);
    std::vector<Time> times;
    for (auto frame = static_cast<std::int64_t>(std::floor(fps.frameAt(from)));; ++frame) {
        const Time time = fps.timeOf(static_cast<double>(frame));
        if (time.ticks >= to.ticks - nearness.ticks) break;
        if (time.ticks <= from.ticks + nearness.ticks) continue;
        const auto key = std::lower_bound(keys.begin(), keys.end(), Time{time.ticks - nearness.ticks});
        const bool isTaken = key != keys.end() && key->ticks <= time.ticks + nearness.ticks;
        if (!isTaken) times.push_back(time);
    }
    return times;
}

} // namespace

std::vector<Time> bakeTimes(const Clip& clip, FrameRate fps, Time from, Time to, BakedKeys which)
{
    const std::vector<Time> keys = keyTimes(clip, fps, from, to, which);
    const std::vector<Time> frames = frameTimes(fps, from, to, keys);
    std::vector<Time> all{from};
    std::merge(keys.begin(), keys.end(), frames.begin(), frames.end(), std::back_inserter(all));

    std::vector<Time> times{from};
    for (std::size_t i = 1; i < all.size(); ++i)
        if (storedSeconds(all[i]) > storedSeconds(times.back())) times.push_back(all[i]);
    if (to == from) return times;
    while (times.size() > 1 && storedSeconds(times.back()) >= storedSeconds(to)) times.pop_back();
    times.push_back(to);
    return times;
}

std::int64_t countFrames(const std::vector<Time>& times, FrameRate fps)
{
    std::int64_t count = 0;
    double last = -std::numeric_limits<double>::infinity();
    for (const Time time : times) {
        const double frame = fps.frameAt(time), nearest = std::round(frame);
        if (std::abs(frame - nearest) > kNearFrame || nearest == last) continue;
        last = nearest;
        ++count;
    }
    return count;
}

} // namespace tendon

#include "core/solve/BakeTimes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon {
namespace {

float storedSeconds(Time time) { return static_cast<float>(time.seconds()); }

/// The last moment before `time` that a file can tell from it.
Time justBefore(Time time)
{
    const float before = std::nextafter(storedSeconds(time), -std::numeric_limits<float>::infinity());
    const Time rounded = Time::fromSeconds(before);
    return rounded < time ? rounded : Time{time.ticks - 1};
}

/// Times of keys within (from, to), ascending.
std::vector<Time> keyTimes(const Clip& clip, Time from, Time to)
{
    std::vector<Time> times;
    for (const auto& [channel, keys] : clip.channels)
        for (std::size_t k = keys->countUpTo(from); k < keys->size() && (*keys)[k].time < to; ++k) {
            const Key& key = (*keys)[k];
            times.push_back(key.time);
            const bool endsStep = k > 0 && (*keys)[k - 1].interpolation == Interpolation::Step &&
                                  (*keys)[k - 1].value != key.value;
            if (endsStep && justBefore(key.time) > from) times.push_back(justBefore(key.time));
        }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

/// Frames within (from, to) that neither end and no key stands in for.
std::vector<Time> frameTimes(FrameRate fps, Time from, Time to, const std::vector<Time>& keys)
{
    // Single precision rounds a time near one hour by up to an eighth of a millisecond, which is less.
    const Time nearness = fps.timeOf(0.005);
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

std::vector<Time> bakeTimes(const Clip& clip, FrameRate fps, Time from, Time to)
{
    const std::vector<Time> keys = keyTimes(clip, from, to);
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

} // namespace tendon

#pragma once

#include "core/scene/Time.h"

#include <functional>
#include <vector>

namespace tendon {

/// A number along a clip, known evenly in time: something about the clip as a whole that each of its moments asks for.
class ClipTrack
{
public:
    ClipTrack() = default;
    ClipTrack(Time begin, Time end, const std::function<double(Time)>& valueAt);

    /// Between two values, evenly; the first and last beyond the clip. 0 of an empty track.
    [[nodiscard]] double at(Time time) const;
    /// Each value becomes the largest within `seconds` of it.
    void widen(double seconds);
    /// Averages what is within `seconds` of each value, the nearer the more.
    void smooth(double seconds);

private:
    /// What `take` makes of the values around each, with their distances [s].
    void filter(double seconds, const std::function<void(double value, double distance)>& take,
                const std::function<double()>& give);

    Time m_begin;
    double m_step = 0; ///< [s] between two values
    std::vector<double> m_values;
};

} // namespace tendon

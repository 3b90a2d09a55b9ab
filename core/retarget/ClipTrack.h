#pragma once

#include "core/scene/Time.h"

#include <vector>

namespace tendon {

/// A number along a clip, known at some of its frames: something about what is around a moment that the moment asks
/// for. What it makes of its values differs by no more than they do, so that a motion read from two files stays one.
class ClipTrack
{
public:
    ClipTrack() = default;
    /// `times` ascend, a value each. `repeats`: after the last comes the first again.
    ClipTrack(std::vector<Time> times, std::vector<double> values, bool repeats);

    /// Between two values, evenly; the first and last beyond the clip. 0 of an empty track.
    [[nodiscard]] double at(Time time) const;
    /// Each value becomes the middle one of those within two frames of it: single frames that are off do not count.
    void dropOutliers();
    /// Each value becomes the largest within `seconds` of it.
    void widen(double seconds);
    /// Averages what is within `seconds` of each value, the nearer the more; a track that rises evenly stays as it is.
    void smooth(double seconds);
    /// Something that rests at times, and what has to be added to it so that it stays where it is.
    struct Contact
    {
        std::vector<double> stillness; ///< a value each, 0 moving ... 1 at rest
        std::vector<double> places;    ///< a value each; what matters is how they change
    };
    /// Changes as contacts ask while they rest: least squares in which any other change costs the more the stiller they
    /// are, and next to nothing while they move.
    void hold(const std::vector<Contact>& contacts);

private:
    struct Value
    {
        double seconds, value;
        std::size_t index; ///< of the clip's own
    };
    /// The values within `seconds` before the first and after the last, too: of a clip that repeats, its others.
    [[nodiscard]] std::vector<Value> continued(double seconds, bool mirrors) const;

    std::vector<Time> m_times;
    std::vector<double> m_values;
    bool m_repeats = false;
};

} // namespace tendon

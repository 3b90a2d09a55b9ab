#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/Candidates.h"

#include <tendon/sdk/Report.h>

#include <algorithm>
#include <vector>

namespace tendon {

/// One answer for each frame of a clip, and what is usual of a step from frame to frame. What the reference itself
/// moves does not count in a step: a path that keeps its distance from the reference stands still.
struct ClipPath
{
    std::vector<double> q; ///< (frames x nq)
    std::vector<sdk::Status> statuses;
    std::vector<double> ofReference; ///< (frames x nv) the reference's own step to each frame
    std::vector<double> usual;       ///< (frames) [rad] the step where an answer follows from the one before
    double typical = 0;              ///< [rad] the median of `usual`

    [[nodiscard]] int frames() const { return static_cast<int>(statuses.size()); }
    [[nodiscard]] sdk::Status& statusAt(int frame) { return statuses[static_cast<std::size_t>(frame)]; }
    [[nodiscard]] sdk::Status statusAt(int frame) const { return statuses[static_cast<std::size_t>(frame)]; }
    [[nodiscard]] double usualAt(int frame) const { return usual[static_cast<std::size_t>(frame)]; }

    [[nodiscard]] const double* at(int frame) const { return q.data() + row(frame, q.size()); }
    [[nodiscard]] double* at(int frame) { return q.data() + row(frame, q.size()); }
    [[nodiscard]] const double* ofReferenceAt(int frame) const
    {
        return ofReference.data() + row(frame, ofReference.size());
    }

    /// Takes candidate `i` for a frame.
    void take(int frame, const Candidates& candidates, std::size_t i, const AnswerSpace& space)
    {
        std::copy_n(candidates.at(i, space.coordinates()), space.coordinates(), at(frame));
        statusAt(frame) = candidates.statuses[i];
    }

    /// [rad] The largest change of a DOF from the frame before.
    [[nodiscard]] double step(const AnswerSpace& space, int frame) const
    {
        return space.largest(at(frame - 1), at(frame), ofReferenceAt(frame));
    }

    /// The first frame after each step that is larger than `leap` and twice the usual step together.
    [[nodiscard]] std::vector<int> jumps(const AnswerSpace& space, double leap) const
    {
        std::vector<int> result;
        for (int t = 1; t < frames(); ++t)
            if (step(space, t) > leap + 2 * usualAt(t)) result.push_back(t);
        return result;
    }

private:
    [[nodiscard]] std::size_t row(int frame, std::size_t size) const
    {
        return size / statuses.size() * static_cast<std::size_t>(frame);
    }
};

} // namespace tendon

#pragma once

#include "core/clip/AnswerSpace.h"

#include <tendon/sdk/Report.h>

#include <vector>

namespace tendon {

/// One answer for each frame of a clip, and how far one usually moves from frame to frame.
struct ClipPath
{
    std::vector<double> q; ///< (frames x nq)
    std::vector<sdk::Status> statuses;
    std::vector<double> usual; ///< (frames) [rad] largest change of a DOF where an answer follows from the one before
    double typical = 0;        ///< [rad] the median of `usual`

    [[nodiscard]] int frames() const { return static_cast<int>(statuses.size()); }
    [[nodiscard]] sdk::Status& statusAt(int frame) { return statuses[static_cast<std::size_t>(frame)]; }
    [[nodiscard]] sdk::Status statusAt(int frame) const { return statuses[static_cast<std::size_t>(frame)]; }
    [[nodiscard]] double usualAt(int frame) const { return usual[static_cast<std::size_t>(frame)]; }

    [[nodiscard]] const double* at(int frame) const { return q.data() + offset(frame); }
    [[nodiscard]] double* at(int frame) { return q.data() + offset(frame); }

    /// The largest change of a DOF from the frame before [rad].
    [[nodiscard]] double step(const AnswerSpace& space, int frame) const
    {
        return space.largest(at(frame - 1), at(frame));
    }

    /// The first frame after each step that is larger than `leap` and twice the usual step together.
    [[nodiscard]] std::vector<int> jumps(const AnswerSpace& space, double leap) const
    {
        std::vector<int> result;
        for (int t = 1; t < frames(); ++t)
            if (!space.isWithin(at(t - 1), at(t), leap + 2 * usualAt(t))) result.push_back(t);
        return result;
    }

private:
    [[nodiscard]] std::size_t offset(int frame) const
    {
        return q.size() / statuses.size() * static_cast<std::size_t>(frame);
    }
};

} // namespace tendon

#pragma once

#include <tendon/sdk/Problem.h>
#include <tendon/sdk/Report.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tendon {

/// What a group of handles asked of its solver at one moment, and what the solver answered: what solving the clip as a
/// whole begins from.
struct GroupMoment
{
    bool isAsked = false; ///< false: the group's joints keep their FK pose, and the rest says nothing
    std::vector<double> base;
    std::vector<double> seed; ///< the FK pose
    std::vector<std::uint8_t> locked;
    std::vector<sdk::Goal> goals;
    std::vector<double> answer; ///< (nq)
    sdk::Status status = sdk::Status::Converged;
    double blend = 1; ///< [0 ... 1] of the way from the FK pose to the answer is shown, at most
    std::vector<double>
        curve; ///< (points x 3) the control points of a curve, then its two twists and its offset; may be empty

    /// True if a path may lead from the one to the other: the same is asked of the same bodies and DOFs.
    [[nodiscard]] bool asksAs(const GroupMoment& other) const
    {
        return isAsked == other.isAsked && locked == other.locked &&
               std::equal(goals.begin(), goals.end(), other.goals.begin(), other.goals.end(),
                          [](const sdk::Goal& a, const sdk::Goal& b) {
                              return a.kind == b.kind && a.body == b.body && a.startBody == b.startBody &&
                                     a.isDirection == b.isDirection && a.priority == b.priority;
                          });
    }
};

} // namespace tendon

#pragma once

#include <Eigen/Core>

#include <atomic>
#include <cstddef>
#include <vector>

namespace tendon {

/// What the best step of some frames is: a quadratic program whose unknowns are, for each frame, how far to go in the
/// directions that are open there.
///
///     least  weight |y|^2 / 2  +  sum of firmness e^2 / 2
///     with   lower - e <= (offset + sum of row . y[frame - k]) <= upper + e    of each bound, which is exceeded by e
///
/// Solved by an interior-point method. Its equations reach from a frame to the two before, so their cost is in
/// proportion to the number of frames.
class RateStep
{
public:
    /// One bound on up to three frames in succession. Rows are in units of what is allowed.
    struct Bound
    {
        int frame = 0;          ///< the last one
        int frames = 1;         ///< 1, 2 or 3
        double offset = 0;      ///< its value where it is now
        Eigen::VectorXd row[3]; ///< of frame, frame - 1, frame - 2; may be empty = none
        double lower = -1, upper = 1;
        double firmness = kFirm;
    };

    static constexpr double kFirm = 1e4; ///< of what is given up where it cannot be
    static constexpr double kHard = 1e9; ///< of what has to be kept before that
    double weight = 1e-3;
    const std::atomic<bool>* cancelled = nullptr;
    std::vector<int> sizes; ///< (frames) how many unknowns each has
    std::vector<Bound> bounds;

    /// The step: (frames) of `sizes` numbers each.
    [[nodiscard]] std::vector<Eigen::VectorXd> solve() const;
};

} // namespace tendon

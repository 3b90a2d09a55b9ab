#pragma once

#include <Eigen/Core>

#include <atomic>
#include <cstddef>
#include <vector>

namespace tendon {

/// What the best step of some frames is: a quadratic program whose unknowns are, for each frame, how far to go in the
/// directions that are open there.
///
///     least  weight |y|^2 / 2  +  firmness |e|^2 / 2
///     with   -1 - e <= (offset + sum of row . y[frame - k]) <= 1 + e    of each bound, by how much it is exceeded: e
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
    };

    double weight = 1e-3;
    double firmness = 1e4;
    const std::atomic<bool>* cancelled = nullptr;
    std::vector<int> sizes; ///< (frames) how many unknowns each has
    std::vector<Bound> bounds;

    /// The step: (frames) of `sizes` numbers each.
    [[nodiscard]] std::vector<Eigen::VectorXd> solve() const;
};

} // namespace tendon

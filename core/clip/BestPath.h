#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/Candidates.h"
#include "core/clip/Rates.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendon {

/// One frame that a path goes through.
struct PathFrame
{
    const Candidates* candidates = nullptr; ///< at least one
    const double* reference = nullptr;      ///< (nq)
    std::vector<double> ofReference;        ///< (nv) the reference's own step to this frame, which does not count
    double allowance = 0;                   ///< [rad] what the step to this frame may be without being a jump
    int frames = 1;                         ///< that the step to it takes
};

/// The best way through the candidates of all frames, by dynamic programming: first as few missed goals as can be, then
/// as few and small jumps, then little and even motion, then near to the reference. `typical` is what a step usually is
/// [rad]. Returns one candidate per frame.
/// Where `rates` are given: if candidates stand `apart` [rad] along an open direction, a step costs more the nearer it
/// is to what they allow; else steps, and changes of steps, beyond that cost less than jumps and more than the rest.
/// `slack` [rad] of each step may be due to how far apart candidates stand: it is not taken for haste.
[[nodiscard]] std::vector<std::size_t> bestPath(const AnswerSpace& space, std::span<const PathFrame> frames,
                                                double typical, const Rates& rates = {}, double apart = 0,
                                                double slack = 0);

/// What a path costs by that, but for rates.
[[nodiscard]] double costOfPath(const AnswerSpace& space, std::span<const PathFrame> frames, double typical,
                                std::span<const std::size_t> path);

inline constexpr double kJumpCost = 5; ///< of a jump, and of each radian of it

} // namespace tendon

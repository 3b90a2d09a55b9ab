#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/SelfMotion.h"

#include <cstdint>
#include <vector>

namespace tendon {

/// Brings configurations exactly onto the goals of their frames, not just within a tolerance: where speeds are
/// compared, what a tolerance leaves open is noise. One thread.
class Landing
{
public:
    explicit Landing(const AnswerSpace& space);

    /// False if it does not come down; then q (nq) is anywhere within the limits.
    [[nodiscard]] bool land(const sdk::Problem& problem, double* q);

private:
    [[nodiscard]] bool stopAtLimits(const double* q);

    const AnswerSpace* m_space;
    SelfMotion m_motion;
    std::vector<double> m_step;
    std::vector<std::uint8_t> m_locked;
};

} // namespace tendon

#pragma once

#include "tests/support/SolverModel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

/// A goal that moves in along the line of a straight chain of bones of 1 m, from 90 % to 20 % of its reach in 400
/// steps, each solved from the straight pose. Returns the largest change of a joint from one step to the next [rad]:
/// small if the bend grows steadily. None if a step does not converge.
[[nodiscard]] inline std::optional<double>
largestStepWhileFolding(int bones, const std::function<SolveResult(const tendon::sdk::Goal&)>& solve)
{
    std::vector<double> before;
    double largest = 0;
    constexpr int kSteps = 400;
    for (int i = 0; i <= kSteps; ++i) {
        const SolveResult result = solve(positionGoal(bones, {bones * (0.9 - 0.7 * i / kSteps), 0, 0}, 1e-9));
        if (result.status != tendon::sdk::Status::Converged) return std::nullopt;
        for (std::size_t k = 0; k < before.size(); ++k) largest = std::max(largest, std::abs(result.q[k] - before[k]));
        before = result.q;
    }
    return largest;
}

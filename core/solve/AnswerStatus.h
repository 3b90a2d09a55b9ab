#pragma once

#include <tendon/sdk/Report.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace tendon {

/// What a solve is worth, given the solver's own status and its answer `q` (nq): NaN or infinity is a numerical
/// failure, whatever the solver says.
[[nodiscard]] inline sdk::Status answerStatus(sdk::Status status, std::span<const double> q)
{
    const bool isFinite = std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); });
    return sdk::isUsable(status) && !isFinite ? sdk::Status::NumericalFailure : status;
}

} // namespace tendon

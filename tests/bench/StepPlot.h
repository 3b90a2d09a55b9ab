#pragma once

#include <string>
#include <vector>

namespace tendon::bench {

/// The largest turn of a joint from each frame to the next, of one motion solved in two ways [deg].
struct StepRow
{
    std::string name;
    std::vector<double> alone, clip; ///< each frame for itself; all as one clip
};

/// Step sizes over time, one row below the other, as SVG.
[[nodiscard]] std::string stepPlot(const std::vector<StepRow>& rows);

} // namespace tendon::bench

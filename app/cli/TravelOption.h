#pragma once

#include "core/document/RetargetJob.h"

#include <string>

namespace tendon::cli {

/// The option `--root` of several commands: travels, in-place, bone or bone:NAME.
[[nodiscard]] std::string checkTravel(const std::string& how); ///< "", or what is wrong with it

/// What it asks for. `turns`: on, off or empty.
[[nodiscard]] TravelRequest travelFrom(const std::string& how, const std::string& turns);

} // namespace tendon::cli

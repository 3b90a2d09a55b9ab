#pragma once

#include "core/solve/SolverInfo.h"

#include <span>
#include <string_view>

namespace tendon {

/// The constraints (core/scene/Constraint.h), described as solvers are: panels, checks and documentation come from the
/// parameters and features. Their feature "constraint" is no solver's.
[[nodiscard]] std::span<const SolverInfo> constraintInfos();

/// By id or alias; null when it is no constraint.
[[nodiscard]] const SolverInfo* findConstraint(std::string_view idOrAlias);

} // namespace tendon

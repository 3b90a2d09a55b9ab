#pragma once

#include "core/base/SmallLength.h"
#include "core/solve/Settings.h"

#include <QString>

#include <string_view>

namespace tendon::editor {

[[nodiscard]] inline QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
[[nodiscard]] inline QString lengthOf(double metres) { return fromView(smallLength(metres)); }

/// What a solver's plugin says of it, for tips: "FABRIK: forward and backward reaching ...".
[[nodiscard]] inline QString aboutSolver(const SolverInfo& solver)
{
    return QString::fromStdString(solver.name + ": " + solver.summary);
}

} // namespace tendon::editor

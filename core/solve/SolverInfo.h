#pragma once

#include "core/base/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// One parameter of a solver, as its solver.json declares it. Panels, flags, checks and pages are made from this.
struct SolverParameter
{
    enum class Kind { Real, Integer, Bool, Enum };

    std::string id;     ///< never changes meaning
    std::string label;
    std::string group;
    std::string unit;   ///< "", "m", "deg", ...; degrees in files and the interface, radians to the solver
    Kind kind = Kind::Real;
    double minimum = 0;
    double maximum = 1;
    double defaultValue = 0;
    bool isLogarithmic = false;
    std::vector<std::string> values; ///< names of an Enum's values, in order
    std::string doc;
};

/// A solver's description, read without loading its code.
struct SolverInfo
{
    std::string id;      ///< "org.tendon.dls"
    std::string alias;   ///< "dls": short and stable
    std::string name;    ///< "Damped least squares"
    std::string version;
    std::string summary; ///< one line
    std::vector<std::string> jointKinds; ///< it can move: "revolute", "ball", ...
    std::vector<std::string> features;   ///< from the fixed list in resources/schemas/solver.schema.json
    std::vector<SolverParameter> parameters;
    std::string file;    ///< the library; empty = linked in

    [[nodiscard]] bool has(std::string_view feature) const;
    [[nodiscard]] const SolverParameter* parameter(std::string_view id) const;
};

/// Reads a solver.json. Errors name the member.
[[nodiscard]] Result<SolverInfo> parseSolverInfo(const std::string& json);

} // namespace tendon

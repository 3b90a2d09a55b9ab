#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tendon::sdk {
class Solver;
}

namespace tendon {

/// One parameter of a solver, as its solver.json declares it. Panels, flags, checks and pages are made from this.
/// Values are in the declared unit everywhere but inside the solver, which gets degrees as radians.
struct SolverParameter
{
    enum class Kind { Real, Integer, Bool, Enum };

    std::string id; ///< never changes meaning
    std::string label;
    std::string group;
    std::string unit; ///< "", "m", "deg", ...; degrees in files and the interface, radians to the solver
    Kind kind = Kind::Real;
    double minimum = 0; ///< Bool: 0 and 1; Enum: 0 and the index of the last value
    double maximum = 1;
    double defaultValue = 0;
    bool isLogarithmic = false;
    std::vector<std::string> values; ///< names of an Enum's values, in order
    std::string doc;
};

/// A solver's description, read without loading its code.
struct SolverInfo
{
    std::string id;    ///< "org.tendon.dls"
    std::string alias; ///< "dls": short and stable
    std::string name;  ///< "Damped least squares"
    std::string version;
    std::string summary;                 ///< one line
    std::vector<std::string> jointKinds; ///< it can move: "revolute", "ball", ...
    std::vector<std::string> features;   ///< from the fixed list in resources/schemas/solver.schema.json
    std::vector<SolverParameter> parameters;
    std::string file; ///< the library; empty = linked in

    int minChainJoints = 1;              ///< moving joints that the chain of one goal may have
    int maxChainJoints = 0;              ///< 0 = any number
    std::vector<std::string> startKinds; ///< kinds that the first of them should have; empty = any it moves

    /// What conformance holds it to on reachable goals.
    struct Promises
    {
        double solved = 0.9;               ///< share
        std::int32_t iterationsMedian = 0; ///< 0 = not promised
        std::int32_t iterations95 = 0;     ///< 0 = not promised
    };
    Promises promises;

    [[nodiscard]] bool has(std::string_view feature) const;
    [[nodiscard]] bool moves(std::string_view jointKind) const;
    [[nodiscard]] const SolverParameter* parameter(std::string_view id) const;
};

/// Reads a solver.json. Errors name the member. One written for another SDK major, or a later minor, is refused.
[[nodiscard]] Result<SolverInfo> parseSolverInfo(const std::string& json);

/// Checks a value (in the declared unit) against kind and range. Errors say what is allowed.
[[nodiscard]] Result<void> checkParameter(const SolverParameter& parameter, double value);

/// Reads a value as people write it: a number, true or false, the name of an enum's value; checked as above.
[[nodiscard]] Result<double> parseParameter(const SolverParameter& parameter, std::string_view text);

/// Hands `values` (id -> value in the declared unit) to a solver. Errors: an unknown id, a value out of range, or the
/// solver's own refusal; parameters before it in the map are then already set.
[[nodiscard]] Result<void> setParameters(sdk::Solver& solver, const SolverInfo& info,
                                         const std::map<std::string, double>& values);

} // namespace tendon

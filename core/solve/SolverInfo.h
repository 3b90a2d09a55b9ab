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

/// One parameter of a solver, as its solver.json declares it. Panels, command-line options, checks and documentation
/// are generated from it. Values are in the declared unit, except inside the solver, which gets degrees as radians.
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
    std::string when, whenValue;     ///< counts only where that parameter of kind enum has that value; empty = always
    bool isWhenNot = false;          ///< counts only where it has another
    std::string doc;
};

/// A solver's description, read without loading its code.
struct SolverInfo
{
    std::string id;    ///< "org.tendon.dls"
    std::string alias; ///< "dls": short and stable
    std::string name;  ///< "Damped least squares"
    std::string version;
    int sdkMinor = 0;                    ///< the plugin is built with SDK 2.sdkMinor
    std::string summary;                 ///< one line
    std::vector<std::string> jointKinds; ///< it can move: "revolute", "ball", ...
    std::vector<std::string> features;   ///< from sdk::kFeatures
    std::vector<SolverParameter> parameters;
    std::string file; ///< the library; empty = linked in

    int minChainJoints = 1;              ///< how few moving joints the chain of one goal may have
    int maxChainJoints = 0;              ///< and how many; 0 = any number
    std::vector<std::string> startKinds; ///< kinds that the first of them may have; empty = all it moves

    /// What the conformance suite requires of it on reachable goals.
    struct Promises
    {
        double solved = 0.9;               ///< share of the goals
        std::int32_t iterationsMedian = 0; ///< 0 = not promised
        std::int32_t iterations95 = 0;     ///< 0 = not promised

        /// How far objectives of weight 1 may pull a goal off, as a share of the reach. 0 = not at all, as goals come
        /// first; a method that weighs the one against the other says how much.
        double missWithObjectives = 0;

        /// How fast errors shrink in the end: e' = c e^order; 1 = linearly, 2 = quadratically, 0 = not promised.
        double convergenceOrder = 0;
    };
    Promises promises;

    [[nodiscard]] bool has(std::string_view feature) const;
    [[nodiscard]] bool moves(std::string_view jointKind) const;
    /// One that does not move "prismatic" joints slides none, whatever other axes they have.
    [[nodiscard]] bool slides() const { return moves("prismatic"); }
    [[nodiscard]] const SolverParameter* parameter(std::string_view id) const;
};

/// Reads a solver.json. Errors name the member. One written for another SDK major, or a later minor, is refused.
[[nodiscard]] Result<SolverInfo> parseSolverInfo(const std::string& json);

/// Checks a value (in the declared unit) against kind and range. Errors say what is allowed.
[[nodiscard]] Result<void> checkParameter(const SolverParameter& parameter, double value);

/// Reads a value from text: a number, true or false, or the name of an enum's value. Checks it as checkParameter does.
[[nodiscard]] Result<double> parseParameter(const SolverParameter& parameter, std::string_view text);

/// What to say of a plugin that needs another SDK than this Tendon has, and what to do about it.
[[nodiscard]] std::string otherSdkMessage(const std::string& needed, bool isNewer);

/// Sets `values` (id -> value in the declared unit) on a solver. Errors: an unknown id, a value out of range, or the
/// solver's own refusal; the parameters before it in the map are then already set.
[[nodiscard]] Result<void> setParameters(sdk::Solver& solver, const SolverInfo& info,
                                         const std::map<std::string, double>& values);

/// Sets every parameter to the default of its solver.json. Several solvers may be one class with other defaults.
[[nodiscard]] Result<void> setDefaults(sdk::Solver& solver, const SolverInfo& info);

} // namespace tendon

#pragma once

#include "core/solve/SolverInfo.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tendon::sdk {
class Solver;
}

/// Checks a solver against the contract of solvers/sdk and against the claims of its solver.json. The suite knows a
/// solver only by its interface, computes kinematics and errors itself, and shares none of that code with the solvers.
/// The same options give the same problems and the same verdict.
namespace tendon::conformance {

struct PosedProblem;

enum class Verdict {
    Passed,
    Failed,
    Skipped, ///< not applicable (not claimed) or not measurable; `detail` says which
};

struct Check
{
    std::string name; ///< "limits-kept"; stable, for people to quote
    Verdict verdict = Verdict::Passed;
    std::string detail;     ///< Failed: what happened in the first failing case; otherwise measurements
    std::string place;      ///< Failed: place of that case; Options::onlyPlace repeats it
    std::int64_t tried = 0; ///< number of times that the check ran
    std::int64_t failed = 0;
};

/// The solver to check.
struct Subject
{
    SolverInfo info;
    std::function<std::unique_ptr<sdk::Solver>()> create;
};

struct Options
{
    std::uint64_t seed = 1; ///< seed of all random problems
    int casesPerRig = 40;
    std::string onlyCheck; ///< empty = all

    /// Runs only this place, "GROUP/RIG/GOALS/CASE" or the beginning of one, such as "limits" or "limits/ball chain of
    /// 5"; empty = all. A problem depends only on the seed and its own place, so a case is the same with and without
    /// others.
    std::string onlyPlace;

    std::string afterGroup; ///< leaves out this group and those before it, to continue after a crash

    /// The number of allocations by the calling thread so far. If empty, allocations cannot be counted, and
    /// "no-allocations" is skipped.
    std::function<std::int64_t()> allocations;

    /// Called at the start of each group and of each rig and goals in it, so that the caller knows where a solver hangs
    /// or crashes.
    std::function<void(const std::string& place)> began;

    /// Called at the end of each group with all results so far.
    std::function<void(const std::vector<Check>& checks)> ended;

    /// To show what fails, which takes time for every solve; empty = nobody looks. `solving` is called before each
    /// solve, `failed` at the first failure of a check with the solve before it: null if there was none.
    std::function<void(const PosedProblem& problem)> solving;
    std::function<void(const std::string& check, const PosedProblem* problem)> failed;
};

/// Runs the suite. A solver that crashes also crashes the caller, so `tendon plugins check` runs this in a child
/// process.
[[nodiscard]] std::vector<Check> examine(const Subject& subject, const Options& options = {});

[[nodiscard]] bool allPassed(const std::vector<Check>& checks);

/// Merges results of another part of the same examination: counts add up, the first failure stays, any result replaces
/// a skip.
void merge(std::vector<Check>& checks, const std::vector<Check>& more);

/// What a check asks of a solver, in one plain sentence; empty for a name that is none.
[[nodiscard]] std::string requirementOf(std::string_view check);

/// The groups of checks, in their order.
[[nodiscard]] std::vector<std::string> groupNames();

} // namespace tendon::conformance

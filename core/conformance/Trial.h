#pragma once

#include "core/conformance/Conformance.h"
#include "core/conformance/Rig.h"

#include <tendon/sdk/Solver.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tendon::conformance {

/// A place in an examination; see Options::onlyPlace.
struct Place
{
    std::string group, rig, goals, item;

    [[nodiscard]] std::string text() const; ///< up to the first empty part
};

/// Collects verdicts by check: counts them, and keeps the first failure of each.
class Verdicts
{
public:
    Place place;                                          ///< the current place
    std::function<void(const std::string& check)> failed; ///< called at the first failure of each; may be empty

    /// Notes one result of a check. Calls `detail` (a function) only for the check's first failure.
    template <typename F>
    void expect(std::string_view check, bool holds, F&& detail)
    {
        Check& entry = find(check);
        if (entry.verdict == Verdict::Skipped) { // an earlier group had nothing to try it on
            entry.verdict = Verdict::Passed;
            entry.detail.clear();
        }
        ++entry.tried;
        if (holds) return;
        if (entry.failed++ == 0) {
            entry.detail = detail();
            entry.place = place.text();
            if (failed) failed(entry.name);
        }
        entry.verdict = Verdict::Failed;
    }

    void note(std::string_view check, const std::string& figures); ///< shown while the check passes
    void skip(std::string_view check, const std::string& reason);  ///< unless it has run

    /// Fails the check of a claim that was never tested: an untested claim cannot be trusted.
    void need(std::string_view check, std::string_view feature);

    std::vector<Check> checks; ///< in the order in which they first ran

private:
    Check& find(std::string_view check);
};

/// The members of a problem that are not arrays.
struct Policy
{
    sdk::Objectives objectives;
    std::optional<sdk::Curve> curve; ///< its points are Trial::curvePoints
    sdk::Stop stop;
    sdk::Unreachable unreachable = sdk::Unreachable::Stretch;
    sdk::Search search = sdk::Search::Follow;
    double maxStretch = 1;
    double dt = 0;

    [[nodiscard]] bool hasObjectives() const
    {
        const sdk::Objectives& o = objectives;
        return o.restPose > 0 || o.naturalPose > 0 || o.velocity > 0 || o.power > 0;
    }
};

/// One problem for one rig, with everything that it needs; `label` names it.
struct Trial
{
    std::string label;
    const Rig* rig = nullptr;
    std::vector<double> base;
    std::vector<double> seed;
    std::vector<double> posture, natural, previous;
    std::vector<std::uint8_t> locked;
    std::vector<sdk::Goal> goals;
    std::vector<double> curvePoints; ///< (m x 3) of the policy's curve
    Policy policy;
};

/// What one solve wrote.
struct Outcome
{
    sdk::Status status = sdk::Status::InvalidProblem;
    std::vector<double> q;
    std::vector<double> stretch;
    std::vector<sdk::GoalResult> goals;
    std::vector<std::int8_t> limitHits;
    std::vector<sdk::TraceRow> trace;
    std::vector<double> traceConfigurations;
    std::int32_t iterations = 0;
    std::int32_t traceRows = 0;
    double cost = 0;
    std::int64_t allocations = 0;
    bool isUntouched = false; ///< q has the bits that it had before the solve
    bool isInBounds = true;   ///< nothing was written outside the spans and known members
};

class TripWire;

struct RunOptions
{
    std::int32_t traceRows = 0;
    TripWire* wire = nullptr; ///< provides the trace's rows instead
    bool isGrown = false;     ///< passes structs as a later minor of the SDK would have them: with members behind ours
    sdk::Extension* extension = nullptr;
    const std::atomic<bool>* cancelled = nullptr;
    const std::function<std::int64_t()>* allocations = nullptr;
    std::function<void(sdk::Problem&)> spoil = {}; ///< a last change to the problem, to make it invalid
    std::optional<std::size_t> coordinates = {};   ///< another size for the result's q
};

/// A struct as a later minor of the SDK might have it: with members that today's solvers do not know.
template <class T>
struct Grown : T
{
    explicit Grown(const T& known) : T(known) { this->size = sizeof(Grown); }
    double added[4] = {4711, 4711, 4711, 4711};
};

/// Solves, with guards around everything that the solver writes to.
[[nodiscard]] Outcome run(sdk::Solver& solver, const Trial& trial, const RunOptions& options = {});

/// Checks one outcome for everything that holds of all solves: honest status, limits, locks, bounds, finite numbers.
void verify(Verdicts& verdicts, const SolverInfo& info, const Trial& trial, const Outcome& outcome);

[[nodiscard]] bool sameBits(const std::vector<double>& a, const std::vector<double>& b);
[[nodiscard]] bool sameOutcome(const Outcome& a, const Outcome& b); ///< status, iterations and every bit of q
[[nodiscard]] double largestDifference(const Rig& rig, const std::vector<double>& a,
                                       const std::vector<double>& b); ///< quaternions up to sign

/// printf into a string: for details of failures.
[[nodiscard]] std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

} // namespace tendon::conformance

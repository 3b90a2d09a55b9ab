#pragma once

#include "core/conformance/PosedProblem.h"
#include "core/conformance/Trial.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tendon::conformance {

/// Goals of one problem.
struct GoalSet
{
    std::string name;
    std::vector<sdk::GoalKind> kinds;
};

enum class Distance { Solved, Near, Far };

/// A solver with the model that it was last prepared for, which must outlive it.
struct Prepared
{
    std::unique_ptr<sdk::Model> model;
    std::unique_ptr<sdk::Solver> solver;

    sdk::Status prepareFor(const Rig& rig, std::size_t goals)
    {
        model = std::make_unique<sdk::Model>(rig.model());
        return solver->prepare(*model, static_cast<std::int32_t>(goals));
    }
    explicit operator bool() const { return solver != nullptr; }
    sdk::Solver& operator*() const { return *solver; }
    sdk::Solver* operator->() const { return solver.get(); }
};

/// One case of a loop over rigs and goals, with a solver prepared for them.
struct Case
{
    const Rig& rig;
    const GoalSet& set;
    Prepared& solver;
    int i;                ///< 0 ... count - 1
    std::uint64_t number; ///< number of its problem
};

/// Mixes numbers so that every problem has a stream of its own, whatever is solved before it.
[[nodiscard]] std::uint64_t mixed(std::uint64_t seed, std::uint64_t number, std::string_view name);

/// One examination. Its groups of checks are in separate files by subject.
class Suite
{
public:
    Suite(const Subject& subject, const Options& options);
    std::vector<Check> run();

    using Group = void (Suite::*)();
    static const std::vector<std::pair<const char*, Group>>& groups();

private:
    // SuiteBehaviour.cpp: results of solves
    void checkSolvedStays();
    void checkReachable();
    void checkUnreachable();
    void checkLimits();
    void checkLocked();
    void checkDegenerate();
    void checkMovingBases();

    // SuiteInvariance.cpp: changes that must not change an answer
    void checkRepeatable();
    void checkThreads();
    void checkEquivariance();
    void checkScale();
    void checkWeightZero();

    // SuiteContract.cpp: the rules of the interface
    void checkParameters();
    void checkDefaults();
    void checkUnprepared();
    void checkInvalidModels();
    void checkInvalidProblems();
    void checkStops();
    void checkAllocations();
    void checkGrowth();

    // SuiteRunning.cpp: observing and stopping a running solve
    void checkTrace();
    void checkConvergence();
    void checkStages();
    void checkCancel();
    void checkCancelInTheMidst();
    void checkCancelInTime();

    // SuiteFeatures.cpp: features that are claimed and not claimed
    void checkJointKinds();
    void checkGoalKinds();
    void checkPolicies();
    void checkManyGoals();
    void checkPriorities();
    void checkObjectives();
    void checkStretch();
    void checkCurve();
    void checkClosedForm();
    void checkHistory();

    void solveReachable(const char* check, Distance distance, sdk::Search search);
    void trySpoiled(const char* what, const Rig& rig, const GoalSet& set, const RunOptions& options);
    void verifyTrace(const Trial& trial, const Outcome& traced);
    void tryRefused(const char* check, const Rig& rig, Trial trial, const std::string& what);
    [[nodiscard]] bool isSolvedAtAll(const Rig& rig);
    void followGently(const Rig& rig, sdk::Solver& solver);
    void followAny(const Rig& rig, Prepared& solver, int i);
    [[nodiscard]] Trial makeCurveTrial(const Rig& rig, std::uint64_t number) const;
    Trial twoGoals(const Rig& rig, std::int32_t second, std::uint64_t number);
    void compareMoved(const char* check, bool isScaled);

    /// True if the options include the place; verdicts are then noted there.
    [[nodiscard]] bool enter(const std::string& rig = {}, const std::string& goals = {}, const std::string& item = {});

    /// Calls `visit` with each case that the options include: for each rig and goals that the solver supports, `count`
    /// problems from number `first` on. The solver is prepared for `moreGoals` beyond the goals.
    template <typename Visit>
    void forEachCase(int count, std::uint64_t first, Visit&& visit, std::size_t moreGoals = 0)
    {
        for (const Rig& rig : m_rigs)
            for (const GoalSet& set : m_sets) {
                if (!enter(rig.name, set.name)) continue;
                if (m_options.began) m_options.began(m_verdicts.place.text());
                Prepared solver = prepare(rig, set.kinds.size() + moreGoals);
                for (int i = 0; solver && i < count; ++i) {
                    const std::uint64_t number = first + static_cast<std::uint64_t>(i);
                    if (enter(rig.name, set.name, std::to_string(number))) visit(Case{rig, set, solver, i, number});
                }
            }
    }

    /// A new, prepared solver; empty if it refuses the rig (Unsupported) or fails.
    [[nodiscard]] Prepared prepare(const Rig& rig, std::size_t goals);
    [[nodiscard]] sdk::Status prepareStatus(const sdk::Model& model, std::int32_t goals);

    /// A problem whose goals some configuration within limits meets, at this distance from its seed.
    [[nodiscard]] Trial makeTrial(const Rig& rig, const GoalSet& set, Distance distance, std::uint64_t number) const;

    /// Solves, and remembers what for, if somebody looks.
    Outcome attempt(sdk::Solver& solver, const Trial& trial, const RunOptions& options = {});

    /// Solves, and runs the checks that apply to every solve.
    Outcome solve(sdk::Solver& solver, const Trial& trial, const RunOptions& options = {});

    [[nodiscard]] std::string label(const Rig& rig, const GoalSet& set, std::uint64_t number) const;
    /// Fails a check of a claimed feature if nothing could test it, unless the options excluded cases.
    void need(const char* check, const char* feature)
    {
        if (m_only.rig.empty()) m_verdicts.need(check, feature);
    }
    [[nodiscard]] bool claims(std::string_view feature) const { return m_subject.info.has(feature); }

    const Subject& m_subject;
    const Options& m_options;
    Place m_only; ///< the parts of Options::onlyPlace
    Verdicts m_verdicts;
    std::optional<PosedProblem> m_latest; ///< of the current place, if somebody looks
    std::vector<Rig> m_rigs;
    std::vector<GoalSet> m_sets;
};

} // namespace tendon::conformance

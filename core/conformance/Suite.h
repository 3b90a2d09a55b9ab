#pragma once

#include "core/conformance/Trial.h"

#include <memory>
#include <string>
#include <vector>

namespace tendon::conformance {

/// Goals that are asked together.
struct GoalSet
{
    std::string name;
    std::vector<sdk::GoalKind> kinds;
};

enum class Distance { Solved, Near, Far };

/// A solver with the model that it was last prepared for, which has to live as long.
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

/// One examination. Its groups of checks stand in files of their own, by subject.
class Suite
{
public:
    Suite(const Subject& subject, const Options& options);
    std::vector<Check> run();

private:
    using Group = void (Suite::*)();

    // SuiteBehaviour.cpp: what solves come to
    void checkSolvedStays();
    void checkReachable();
    void checkUnreachable();
    void checkLimits();
    void checkLocked();
    void checkDegenerate();
    void checkMovingBases();

    // SuiteInvariance.cpp: what must not change an answer
    void checkRepeatable();
    void checkThreads();
    void checkEquivariance();
    void checkScale();
    void checkWeightZero();

    // SuiteContract.cpp: the letter of the interface
    void checkParameters();
    void checkUnprepared();
    void checkInvalidModels();
    void checkInvalidProblems();
    void checkStops();
    void checkCancel();
    void checkTrace();
    void checkAllocations();

    // SuiteFeatures.cpp: claims, made and not made
    void checkJointKinds();
    void checkGoalKinds();
    void checkPolicies();
    void checkManyGoals();
    void checkObjectives();
    void checkStretch();
    void checkCurve();
    void checkClosedForm();

    void solveReachable(const char* check, Distance distance, sdk::Search search);
    void tryDegenerate(const Rig& rig, const GoalSet& set, int number, const std::string& what, void (*bend)(Trial&, Random&));
    void trySpoiled(const char* what, const Rig& rig, const GoalSet& set, const RunOptions& options);
    void verifyTrace(const Trial& trial, const Outcome& traced);
    void tryRefused(const char* check, const Rig& rig, Trial trial, const std::string& what);
    void compareMoved(const char* check, bool isScaled);

    /// A new solver, prepared; empty when it refuses the rig (Unsupported) or fails.
    [[nodiscard]] Prepared prepare(const Rig& rig, std::size_t goals);
    [[nodiscard]] sdk::Status prepareStatus(const sdk::Model& model, std::int32_t goals);

    /// A problem whose goals are met by some configuration within limits, at the distance from its seed.
    [[nodiscard]] Trial makeTrial(const Rig& rig, const GoalSet& set, Distance distance, std::uint64_t number) const;

    /// Solves and looks at everything that holds of all solves.
    Outcome solve(sdk::Solver& solver, const Trial& trial, const RunOptions& options = {});

    [[nodiscard]] std::string label(const Rig& rig, const GoalSet& set, std::uint64_t number) const;
    [[nodiscard]] bool claims(std::string_view feature) const { return m_subject.info.has(feature); }

    const Subject& m_subject;
    const Options& m_options;
    Verdicts m_verdicts;
    std::vector<Rig> m_rigs;
    std::vector<GoalSet> m_sets;
};

} // namespace tendon::conformance

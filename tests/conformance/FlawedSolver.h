#pragma once

#include "core/solve/SolverInfo.h"

#include <tendon/sdk/Solver.h>

#include <memory>
#include <string_view>
#include <vector>

/// Solvers with one thing wrong each, to show that the conformance suite finds it.
namespace tendon::test {

/// What is wrong with a solver that is sound otherwise (plugins/example): before it sees the problem, in what it hands
/// back, or in what it claims. No flaw = the sound solver itself.
struct Flaw
{
    void (*before)(sdk::Problem&, sdk::Control&, std::vector<sdk::Goal>& goals) = nullptr;
    sdk::Status (*after)(const sdk::Problem&, const sdk::Control&, sdk::Solution&, const sdk::Model&,
                         sdk::Status) = nullptr;
    bool takesAnyParameter = false;
    bool takesNoParameter = false;
    bool chokesOnParameter = false;
    bool takesAnyModel = false;
    bool keepsFirstBase = false;
    bool solvesUnprepared = false;
    bool allocates = false;
    bool isNull = false;
    bool isSlow = false;
    bool wantsOwnSize = false; ///< of the problem, exactly
    bool sharesState = false;
    sdk::Status prepared = sdk::Status::Converged;     ///< what prepare() gives instead
    sdk::Status prepareEmpty = sdk::Status::Converged; ///< and for a model of nothing
    sdk::JointKind refusedKind = static_cast<sdk::JointKind>(-1);
    void (*info)(SolverInfo&) = nullptr; ///< claims that do not fit
};

struct FlawedCase
{
    const char* check; ///< that must fail
    const char* group; ///< of checks in which it does; null = takes the process down, so for a child to show
    const char* what;
    Flaw flaw;
};

[[nodiscard]] const std::vector<FlawedCase>& flawedSolvers();

[[nodiscard]] std::unique_ptr<sdk::Solver> createFlawed(const Flaw& flaw);

/// By FlawedCase::what; empty = the sound one.
[[nodiscard]] std::unique_ptr<sdk::Solver> createFlawed(std::string_view what);

} // namespace tendon::test

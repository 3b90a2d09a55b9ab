#pragma once

#include "core/solve/SolverInfo.h"

#include <tendon/sdk/Solver.h>

#include <memory>
#include <string_view>
#include <vector>

/// Solvers with one flaw each, to show that the conformance suite finds it.
namespace tendon::test {

/// The flaw of an otherwise correct solver (plugins/example): in the problem it sees, in its result, or in its claims.
/// No flaw = the correct solver itself.
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
    sdk::Status prepared = sdk::Status::Converged;     ///< returned by prepare() instead
    sdk::Status prepareEmpty = sdk::Status::Converged; ///< returned for an empty model
    sdk::JointKind refusedKind = static_cast<sdk::JointKind>(-1);
    void (*info)(SolverInfo&) = nullptr; ///< wrong claims
};

struct FlawedCase
{
    const char* check; ///< the check that must fail
    const char* group; ///< the group of that check; null = crashes the process, so a child must show it
    const char* what;
    Flaw flaw;
};

[[nodiscard]] const std::vector<FlawedCase>& flawedSolvers();

[[nodiscard]] std::unique_ptr<sdk::Solver> createFlawed(const Flaw& flaw);

/// Finds a case by FlawedCase::what; empty = the correct solver.
[[nodiscard]] std::unique_ptr<sdk::Solver> createFlawed(std::string_view what);

} // namespace tendon::test

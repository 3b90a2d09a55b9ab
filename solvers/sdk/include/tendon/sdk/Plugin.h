#pragma once

#include <tendon/sdk/Layout.h>
#include <tendon/sdk/Rows.h>
#include <tendon/sdk/Solver.h>
#include <tendon/sdk/Stages.h>
#include <tendon/sdk/Version.h>

#include <cstdint>
#include <memory>

namespace tendon::sdk {

/// A fingerprint of the structs and enumerations that cross the boundary in SDK 2.0 to 2.`minor`. The host compares
/// what the plugin says with its own fingerprint of the plugin's minor version: a difference means "same version
/// number, other header" or foreign compiler settings. A struct that has merely grown since makes no difference.
///
/// It does not cover the order of the virtual functions of SolverPlugin and Solver, which no constant expression can
/// tell, nor what a member means. Both are tied to the interface id alone: whoever changes them makes SDK 3.0.
constexpr std::uint64_t layoutHash(int minor = kSdkMinor)
{
    std::uint64_t hash = 14695981039346656037ull;
    hash = layoutHash(hash, kRowsLayout, minor);
    hash = layoutHash(hash, kJointLayout, minor);
    hash = layoutHash(hash, kModelLayout, minor);
    hash = layoutHash(hash, kGoalLayout, minor);
    hash = layoutHash(hash, kProblemLayout, minor);
    hash = layoutHash(hash, kControlLayout, minor);
    hash = layoutHash(hash, kStagesLayout, minor);
    hash = layoutHash(hash, kReportLayout, minor);
    return hash;
}

/// The root object of a plugin. Its metadata (solver.json) is read without loading it.
class SolverPlugin
{
public:
    virtual ~SolverPlugin() = default;

    /// layoutHash() as the plugin was compiled; called before anything else.
    [[nodiscard]] virtual std::uint64_t layout() const noexcept = 0;

    /// A new solver with its default parameters; null when out of memory. [any thread]
    [[nodiscard]] virtual std::unique_ptr<Solver> create() const noexcept = 0;
};

} // namespace tendon::sdk

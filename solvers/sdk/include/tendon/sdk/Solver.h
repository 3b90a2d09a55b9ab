#pragma once

#include <tendon/sdk/Model.h>
#include <tendon/sdk/Problem.h>
#include <tendon/sdk/Report.h>

#include <string_view>

namespace tendon::sdk {

/// One solver instance. Used by one thread at a time; different instances may run at once.
///
/// Life: setParameter*, prepare, solve*, prepare again when the model changes, destroy. Nothing throws.
class Solver
{
public:
    virtual ~Solver() = default;

    /// Sets a parameter named in the plugin's metadata (bool: 0 or 1; enum: index of the value). Takes effect at the
    /// next prepare(). False when the id is unknown or the value outside its range; then nothing changes.
    [[nodiscard]] virtual bool setParameter(std::string_view id, double value) noexcept = 0;

    /// Sizes all scratch memory for `model` and up to `maxGoals` goals; the only call that may allocate.
    /// Converged on success, Unsupported or InvalidProblem otherwise.
    [[nodiscard]] virtual Status prepare(const Model& model, std::int32_t maxGoals) noexcept = 0;

    /// Solves one problem on the prepared model: no allocation, no I/O, no globals, the same bits for the same input.
    [[nodiscard]] virtual Status solve(const Problem& problem, const Control& control, Solution& solution) noexcept = 0;

    /// An optional capability by name, "tendon.<name>/<revision>"; null where there is none. Lives as long as the
    /// solver.
    [[nodiscard]] virtual void* extension(std::string_view id) noexcept
    {
        (void)id;
        return nullptr;
    }
};

} // namespace tendon::sdk

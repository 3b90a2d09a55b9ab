#pragma once

#include <tendon/sdk/Control.h>
#include <tendon/sdk/Model.h>
#include <tendon/sdk/Problem.h>
#include <tendon/sdk/Report.h>

#include <string_view>

namespace tendon::sdk {

/// One solver instance. Used by one thread at a time; different instances may run at the same time.
///
/// Life: setParameter*, prepare, solve*, prepare again when the model changes, destroy. Nothing throws. These functions
/// never change within a major version; what later minors need is data in the structs that they pass.
class Solver
{
public:
    virtual ~Solver() = default;

    /// Sets a parameter named in the plugin's metadata (bool: 0 or 1; enum: index of the value). Takes effect at the
    /// next prepare(). Returns false, and changes nothing, when the id is unknown or the value outside its range. A
    /// host sets every parameter to the default that the metadata declares before it sets any other value.
    [[nodiscard]] virtual bool setParameter(std::string_view id, double value) noexcept = 0;

    /// Sizes all scratch memory for `model` and up to `maxGoals` goals; the only call that may allocate. Returns
    /// Converged on success, Unsupported or InvalidProblem otherwise.
    [[nodiscard]] virtual Status prepare(const Model& model, std::int32_t maxGoals) noexcept = 0;

    /// Solves one problem on the prepared model: no allocation, no I/O, no globals, the same bits for the same input.
    [[nodiscard]] virtual Status solve(const Problem& problem, const Control& control, Solution& solution) noexcept = 0;
};

} // namespace tendon::sdk

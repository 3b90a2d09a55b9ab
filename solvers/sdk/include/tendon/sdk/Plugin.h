#pragma once

#include <tendon/sdk/Solver.h>
#include <tendon/sdk/Version.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tendon::sdk {

namespace detail {
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value)
{
    return (hash ^ value) * 1099511628211ull;
} // FNV-1a
} // namespace detail

/// A fingerprint of the frozen prefix of every struct that crosses the boundary: two builds that disagree about it must
/// not talk to each other. Catches "same version number, other header" and foreign compiler settings.
constexpr std::uint64_t layoutHash()
{
    std::uint64_t hash = 14695981039346656037ull;
    for (const std::size_t value :
         {sizeof(Model), offsetof(Model, parent), offsetof(Model, axis), offsetof(Model, ballSwing),
          offsetof(Model, precedence), sizeof(Goal), offsetof(Goal, offset), offsetof(Goal, soft), sizeof(Problem),
          offsetof(Problem, locked), offsetof(Problem, curve), offsetof(Problem, stop), sizeof(Control),
          sizeof(TraceRow), sizeof(Solution), offsetof(Solution, goals), offsetof(Solution, seconds),
          sizeof(GoalResult), offsetof(GoalResult, multiplier)})
        hash = detail::mix(hash, value);
    return hash;
}

/// The root object of a plugin. Its metadata (solver.json) is read without loading it.
class SolverPlugin
{
public:
    virtual ~SolverPlugin() = default;

    /// layoutHash() as the plugin was compiled; asked first, before anything else is called.
    [[nodiscard]] virtual std::uint64_t layout() const noexcept = 0;

    /// A new solver with its default parameters; null when memory is out. [any thread]
    [[nodiscard]] virtual std::unique_ptr<Solver> create() const noexcept = 0;

    [[nodiscard]] virtual void* extension(std::string_view id) noexcept
    {
        (void)id;
        return nullptr;
    }
};

} // namespace tendon::sdk

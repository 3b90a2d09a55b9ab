#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tendon::kit {

/// The parameters of a solver, as its solver.json declares them. New values wait for commit(), which prepare() calls.
class Parameters
{
public:
    enum class Kind { Real, Integer, Bool, Enum };

    /// Declares one; in the constructor of the solver. An Enum's values are 0 ... maximum.
    void declare(std::string_view id, Kind kind, double defaultValue, double minimum, double maximum)
    {
        m_entries.push_back({id, kind, minimum, maximum, defaultValue, defaultValue});
    }

    /// False when there is no such id, the value is out of range or not whole where it must be; then nothing changes.
    [[nodiscard]] bool set(std::string_view id, double value) noexcept
    {
        for (Entry& entry : m_entries) {
            if (entry.id != id) continue;
            const bool isWhole = entry.kind == Kind::Real || value == std::floor(value);
            if (!(value >= entry.minimum && value <= entry.maximum) || !isWhole) return false;
            entry.pending = value;
            return true;
        }
        return false;
    }

    void commit() noexcept
    {
        for (Entry& entry : m_entries) entry.value = entry.pending;
    }

    /// The value in force; 0 for an id that was never declared.
    [[nodiscard]] double value(std::string_view id) const noexcept
    {
        for (const Entry& entry : m_entries)
            if (entry.id == id) return entry.value;
        return 0;
    }

private:
    struct Entry
    {
        std::string_view id; ///< a literal
        Kind kind;
        double minimum, maximum, value, pending;
    };
    std::vector<Entry> m_entries;
};

} // namespace tendon::kit

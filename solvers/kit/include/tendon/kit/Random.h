#pragma once

#include <tendon/kit/Rotation.h>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace tendon::kit {

/// The same stream everywhere (splitmix64; Steele, Lea and Flood 2014), unlike the standard library's distributions:
/// what a solver draws depends on `Problem::randomSeed` alone.
class Random
{
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15ull;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }

    double uniform(double from, double to)
    {
        return from + (to - from) * (static_cast<double>(next() >> 11) * 0x1.0p-53);
    }
    int index(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
    bool chance(double share) { return uniform(0, 1) < share; }
    double sign() { return (next() & 1) != 0 ? 1 : -1; }

    /// Within limits; where one is infinite within 2 `reach` of the other, where both are between -`reach` and `reach`.
    double within(double lower, double upper, double reach)
    {
        const double from = std::isfinite(lower) ? lower : std::isfinite(upper) ? upper - 2 * reach : -reach;
        const double to = std::isfinite(upper) ? upper : std::isfinite(lower) ? lower + 2 * reach : reach;
        return uniform(from, to);
    }

    /// Every rotation as likely (Shoemake 1992).
    Quaternion rotation()
    {
        constexpr double kTurn = 2 * std::numbers::pi;
        const double u = uniform(0, 1), a = uniform(0, kTurn), b = uniform(0, kTurn);
        return {std::sqrt(u) * std::cos(b), std::sqrt(1 - u) * std::sin(a), std::sqrt(1 - u) * std::cos(a),
                std::sqrt(u) * std::sin(b)};
    }

private:
    std::uint64_t m_state;
};

} // namespace tendon::kit

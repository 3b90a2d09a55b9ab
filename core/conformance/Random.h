#pragma once

#include <cstdint>

namespace tendon::conformance {

/// The same stream everywhere (splitmix64; Steele, Lea, Flood 2014), unlike the standard library's distributions.
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

    double uniform(double from, double to) { return from + (to - from) * (static_cast<double>(next() >> 11) * 0x1.0p-53); }
    int index(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
    bool chance(double share) { return uniform(0, 1) < share; }

private:
    std::uint64_t m_state;
};

} // namespace tendon::conformance

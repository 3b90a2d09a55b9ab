#pragma once

#include "core/math/Transform.h"

#include <cstdint>
#include <memory>

namespace tendon {

/// Vectors drawn at random: the same for the same seed on every machine.
class RandomVectors
{
public:
    explicit RandomVectors(std::uint64_t seed);
    ~RandomVectors();

    /// Three independent, normally distributed numbers with this standard deviation.
    [[nodiscard]] Vector3 next(double deviation);

private:
    struct Stream;
    std::unique_ptr<Stream> m_stream;
};

} // namespace tendon

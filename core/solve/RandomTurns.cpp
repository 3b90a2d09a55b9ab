#include "core/solve/RandomTurns.h"

#include <tendon/kit/Random.h>

#include <cmath>
#include <numbers>

namespace tendon {

struct RandomVectors::Stream : kit::Random
{
    using kit::Random::Random;
};

RandomVectors::RandomVectors(std::uint64_t seed) : m_stream(std::make_unique<Stream>(seed)) {}
RandomVectors::~RandomVectors() = default;

Vector3 RandomVectors::next(double deviation)
{
    Vector3 result;
    for (int k = 0; k < 3; ++k) { // Box and Muller 1958
        const double size = std::sqrt(-2 * std::log(1 - m_stream->uniform(0, 1)));
        result[k] = deviation * size * std::cos(2 * std::numbers::pi * m_stream->uniform(0, 1));
    }
    return result;
}

} // namespace tendon

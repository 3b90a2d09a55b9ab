#include "core/solve/RandomTurns.h"

#include <tendon/kit/Limits.h>
#include <tendon/kit/Random.h>

#include <algorithm>
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

Quaternion turnWithin(const BallLimits& limits, const Vector3& turn)
{
    const auto axis = static_cast<sdk::Axis>(limits.twistAxis);
    kit::SwingTwist split = kit::splitSwingTwist(kit::expMap(turn), axis);
    if (limits.swing) {
        const auto swing = kit::nearestInEllipse(split.swingA, split.swingB, limits.swing->data());
        split.swingA = swing[0];
        split.swingB = swing[1];
    }
    if (limits.twist) {
        const auto [from, to] = std::minmax((*limits.twist)[0], (*limits.twist)[1]);
        split.twist = std::clamp(split.twist, from, to);
    }
    return kit::joinSwingTwist(split, axis);
}

} // namespace tendon

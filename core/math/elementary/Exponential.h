#pragma once

#include "core/math/elementary/Tables.h"

namespace tendon::elementary {

// Beyond these, e^x is infinite or 0.
inline constexpr double kMaxExponent = 0x1.62e42fefa39efp+9;
inline constexpr double kMinExponent = -0x1.74910d52d3052p+9;

/// e^(x.high + x.low) as value * 2^scale, for kMinExponent <= x.high <= kMaxExponent.
struct Power
{
    Pair value;
    int scale = 0;
};
inline Power powerOf(Pair x)
{
    // e^x = 2^scale * 2^(i / 128) * e^r, |r| < ln(2) / 256
    const double steps = rounded(x.high * kStepsPerUnit);
    const double r = (x.high - steps * kStepHigh) - (steps * kStepLow - x.low);
    const double more = r + r * r * (1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120)))); // e^r - 1
    const auto count = static_cast<std::int64_t>(steps);
    const Pair& root = kPowersOfTwo[count & 127];
    return {sumOfOrdered(root.high, root.low + root.high * more), static_cast<int>(count >> 7)};
}

/// x * 2^scale, rounded once where the result is a normal number.
inline double scaled(double x, int scale)
{
    const auto power = [](int n) { return fromBits(static_cast<std::uint64_t>(n + 1023) << 52); };
    if (scale >= -1022 && scale <= 1023) return x * power(scale);
    return scale > 0 ? x * power(1023) * power(scale - 1023) : x * power(scale + 200) * power(-200);
}

/// ln(x) for a positive, finite x; relative error below 2^-66.
inline Pair logarithmOf(double x)
{
    std::uint64_t bits = bitsOf(x);
    std::int64_t exponent = 0;
    if (bits < 0x0010000000000000) { // subnormal
        bits = bitsOf(x * 0x1p54);
        exponent = -54;
    }
    // x = 2^exponent * z, 0.6875 <= z < 1.375; z = c * (1 + r), |r| < 1 / 127
    const std::int64_t offset = static_cast<std::int64_t>(bits) - 0x3fe6000000000000;
    exponent += offset >> 52;
    const Logarithm& nearest = kLogarithms[(offset >> 45) & 127];
    const double z = fromBits(bits - (static_cast<std::uint64_t>(offset >> 52) << 52));
    const double zHigh = fromBits(bitsOf(z) & 0xfffffffff8000000);
    const Pair r = sumOf(zHigh * nearest.inverse - 1, (z - zHigh) * nearest.inverse); // exact
    const double h = r.high;
    const Pair square = productOf(h, h);
    const double rest = h * square.high *
                        (1.0 / 3 -
                         h * (1.0 / 4 -
                              h * (1.0 / 5 - h * (1.0 / 6 - h * (1.0 / 7 - h * (1.0 / 8 - h * (1.0 / 9 - h / 10)))))));
    const auto whole = static_cast<double>(exponent);
    const Pair start = sumOf(whole * kLn2High, nearest.logarithm.high);
    const Pair linear = sumOf(start.high, h);
    const Pair quadratic = sumOfOrdered(linear.high, -0.5 * square.high);
    const double low = (start.low + whole * kLn2Low + nearest.logarithm.low) + linear.low + quadratic.low +
                       (r.low - 0.5 * square.low - h * r.low) + rest;
    return sumOfOrdered(quadratic.high, low);
}

} // namespace tendon::elementary

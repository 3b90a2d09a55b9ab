#pragma once

#include <cstdint>
#include <cstring>

namespace tendon::elementary {

/// A number as the sum of two, with about 106 bits.
struct Pair
{
    double high = 0, low = 0;
};

struct Logarithm
{
    double inverse = 0; ///< 1 / c
    Pair logarithm;     ///< ln(c)
};

/// a + b, exactly, if |a| >= |b| or a is 0.
inline Pair sumOfOrdered(double a, double b)
{
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

/// a + b, exactly.
inline Pair sumOf(double a, double b)
{
    const double sum = a + b, other = sum - a;
    return {sum, (a - (sum - other)) + (b - other)};
}

/// a * b, exactly, if nothing overflows or underflows. Without the fused operation, which not every processor has.
inline Pair productOf(double a, double b)
{
    constexpr double kSplit = 0x1p27 + 1;
    const double scaledA = kSplit * a, scaledB = kSplit * b;
    const double highA = scaledA - (scaledA - a), highB = scaledB - (scaledB - b);
    const double lowA = a - highA, lowB = b - highB, product = a * b;
    return {product, ((highA * highB - product) + highA * lowB + lowA * highB) + lowA * lowB};
}

inline Pair productOf(Pair a, double b)
{
    const Pair product = productOf(a.high, b);
    return sumOfOrdered(product.high, product.low + a.low * b);
}

inline Pair productOf(Pair a, Pair b)
{
    const Pair product = productOf(a.high, b.high);
    return sumOfOrdered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline Pair quotientOf(Pair a, Pair b)
{
    const double quotient = a.high / b.high;
    const Pair back = productOf(quotient, b.high);
    return {quotient, (((a.high - back.high) - back.low) + a.low - quotient * b.low) / b.high};
}

inline std::uint64_t bitsOf(double x)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

inline double fromBits(std::uint64_t bits)
{
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

inline double magnitude(double x) { return __builtin_fabs(x); }
inline bool isNan(double x) { return x != x; }
inline bool isInfinite(double x) { return magnitude(x) == __builtin_inf(); }

/// The nearest whole number, for |x| < 2^51.
inline double rounded(double x)
{
    constexpr double kShift = 0x1.8p52;
    return (x + kShift) - kShift;
}

} // namespace tendon::elementary

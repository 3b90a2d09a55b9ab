#include "core/math/elementary/Tables.h"

using namespace tendon::elementary;

namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

/// An angle less multiples of a right angle.
struct Reduced
{
    Pair angle; ///< at most about pi / 4
    unsigned quadrant = 0;
};

/// For any finite angle from 2^20 on (M. H. Payne and R. N. Hanek, 1983): of the product with 2 / pi, only what is left
/// of multiples of 4 is computed.
Reduced reduceLarge(double x)
{
    const std::uint64_t bits = bitsOf(magnitude(x));
    const std::uint64_t mantissa = (bits & 0x000fffffffffffff) | 0x0010000000000000;
    const int exponent = static_cast<int>(bits >> 52) - 1075; // |x| = mantissa * 2^exponent
    // Bits that weigh 2^(1 - exponent) and less; the table begins 64 bits before the point.
    const auto begin = static_cast<unsigned>(exponent - 2 + 64);
    const unsigned word = begin / 64, shift = begin % 64;
    const auto wordAt = [&](unsigned i) {
        const std::uint64_t first = kTwoOverPiBits[word + i] << shift;
        return shift == 0 ? first : first | kTwoOverPiBits[word + i + 1] >> (64 - shift);
    };
    // mantissa * (three words), modulo 2^192: the quadrant in two bits, then the fraction.
    const Wide low = static_cast<Wide>(mantissa) * wordAt(2);
    const Wide middle = static_cast<Wide>(mantissa) * wordAt(1) + (low >> 64);
    const std::uint64_t top = mantissa * wordAt(0) + static_cast<std::uint64_t>(middle >> 64);
    const Wide upper = static_cast<Wide>(top) << 64 | static_cast<std::uint64_t>(middle);
    Wide fraction = upper << 2 | static_cast<std::uint64_t>(low) >> 62;
    auto quadrant = static_cast<unsigned>(top >> 62);
    const bool isAbove = (fraction >> 127) != 0; // nearer to the next quadrant
    if (isAbove) {
        ++quadrant;
        fraction = -fraction;
    }
    const double high = static_cast<double>(fraction);
    const double low53 = static_cast<double>(static_cast<SignedWide>(fraction - static_cast<Wide>(high)));
    Pair angle = productOf(sumOfOrdered(high * 0x1p-128, low53 * 0x1p-128), kHalfPi);
    const bool isNegative = isAbove != (x < 0);
    if (isNegative) angle = {-angle.high, -angle.low};
    return {angle, (x < 0 ? 0U - quadrant : quadrant) & 3};
}

Reduced reduce(double x)
{
    if (magnitude(x) <= 0x1.921fb54442d18p-1) return {{x, 0}, 0};
    if (magnitude(x) >= 0x1p20) return reduceLarge(x);
    const double turns = rounded(x * kTwoOverPi);
    const Pair first = sumOf(x - turns * kHalfPiPart1, -turns * kHalfPiPart2);
    const Pair second = sumOf(first.high, -turns * kHalfPiPart3);
    const Pair angle = sumOf(second.high, (first.low + second.low) - turns * kHalfPiPart4);
    return {angle, static_cast<unsigned>(static_cast<std::int64_t>(turns)) & 3};
}

// Taylor's series; what is left out is below 2^-63 of the result.

Pair sineOf(Pair angle)
{
    const double x = angle.high, z = x * x;
    const double series =
        -1.0 / 6 +
        z * (1.0 / 120 +
             z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                         z * (1.0 / 6227020800 + z * (-1.0 / 1307674368000 +
                                                                                      z * (1.0 / 355687428096000)))))));
    return sumOfOrdered(x, x * z * series + angle.low * (1 - 0.5 * z));
}

Pair cosineOf(Pair angle)
{
    const double x = angle.high;
    const Pair square = productOf(x, x);
    const double z = square.high;
    const double series = 1.0 / 24 +
                          z * (-1.0 / 720 +
                               z * (1.0 / 40320 +
                                    z * (-1.0 / 3628800 + z * (1.0 / 479001600 + z * (-1.0 / 87178291200 +
                                                                                      z * (1.0 / 20922789888000))))));
    const Pair start = sumOfOrdered(1, -0.5 * z);
    return sumOfOrdered(start.high, start.low - 0.5 * square.low + (z * z * series - x * angle.low));
}

double nearest(Pair x) { return x.high + x.low; }

double sineIn(const Reduced& reduced, unsigned quadrant)
{
    const double size = nearest((quadrant & 1) != 0 ? cosineOf(reduced.angle) : sineOf(reduced.angle));
    return (quadrant & 2) != 0 ? -size : size;
}

bool isFinite(double x) { return magnitude(x) < __builtin_inf(); }

} // namespace

extern "C" {

double sin(double x)
{
    if (!isFinite(x)) return x - x;
    const Reduced reduced = reduce(x);
    return x == 0 ? x : sineIn(reduced, reduced.quadrant);
}

double cos(double x)
{
    if (!isFinite(x)) return x - x;
    const Reduced reduced = reduce(x);
    return sineIn(reduced, reduced.quadrant + 1);
}

void sincos(double x, double* sine, double* cosine)
{
    if (!isFinite(x)) {
        *sine = *cosine = x - x;
        return;
    }
    const Reduced reduced = reduce(x);
    *sine = x == 0 ? x : sineIn(reduced, reduced.quadrant);
    *cosine = sineIn(reduced, reduced.quadrant + 1);
}

double tan(double x)
{
    if (!isFinite(x)) return x - x;
    if (x == 0) return x;
    const Reduced reduced = reduce(x);
    const Pair sine = sineOf(reduced.angle), cosine = cosineOf(reduced.angle);
    return (reduced.quadrant & 1) != 0 ? -nearest(quotientOf(cosine, sine)) : nearest(quotientOf(sine, cosine));
}

} // extern "C"

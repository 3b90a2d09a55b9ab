#include "core/math/elementary/Exponential.h"

using namespace tendon::elementary;

namespace {

constexpr double kInfinity = __builtin_inf();

double powerOfPair(Pair x)
{
    if (x.high > kMaxExponent) return kInfinity;
    if (x.high < kMinExponent) return 0;
    const Power power = powerOf(x);
    return scaled(power.value.high + power.value.low, power.scale);
}

/// The logarithm by a base, given 1 / ln(base).
double logarithmByBase(double x, Pair factor)
{
    if (x > 0 && x < kInfinity) {
        const Pair result = productOf(logarithmOf(x), factor);
        return result.high + result.low;
    }
    if (x == 0) return -kInfinity;
    return x == kInfinity ? x : x < 0 ? __builtin_nan("") : x + x;
}

bool isWhole(double x) { return magnitude(x) >= 0x1p52 || rounded(x) == x; }
bool isOdd(double x) { return magnitude(x) < 0x1p53 && isWhole(x) && (static_cast<std::int64_t>(x) & 1) != 0; }

/// The cases that C's standard lists, for x or y that is 0, infinite or not a number.
double specialPower(double x, double y)
{
    if (isNan(x) || isNan(y)) return x + y;
    if (isInfinite(y)) {
        const double size = magnitude(x);
        if (size == 1) return 1;
        return (size > 1) == (y > 0) ? kInfinity : 0;
    }
    const double size = (x == 0) == (y > 0) ? 0 : kInfinity; // x is 0 or infinite
    return isOdd(y) ? __builtin_copysign(size, x) : size;
}

} // namespace

extern "C" {

double exp(double x) { return isNan(x) ? x + x : powerOfPair({x, 0}); }

double expm1(double x)
{
    if (isNan(x) || x == 0) return x + x;
    if (x > kMaxExponent) return kInfinity;
    if (x < -50) return -1;
    if (magnitude(x) < 0.25) {
        double tail = 0; // x^3 / 6 + x^4 / 24 + ...
        for (int n = 15; n >= 3; --n) tail = (1 + tail) * x / n;
        return x + 0.5 * x * x * (1 + tail);
    }
    const Power power = powerOf({x, 0});
    const double high = scaled(power.value.high, power.scale), low = scaled(power.value.low, power.scale);
    const Pair difference = sumOf(high, -1);
    return difference.high + (difference.low + low);
}

double log(double x)
{
    if (!(x > 0 && x < kInfinity)) return logarithmByBase(x, {});
    const Pair result = logarithmOf(x);
    return result.high + result.low;
}

double log2(double x) { return logarithmByBase(x, kOneOverLn2); }
double log10(double x) { return logarithmByBase(x, kOneOverLn10); }

double pow(double x, double y)
{
    if (x == 1 || y == 0) return 1;
    if (isNan(x) || isNan(y) || isInfinite(x) || isInfinite(y) || x == 0) return specialPower(x, y);
    if (x < 0 && !isWhole(y)) return __builtin_nan("");
    const double sign = x < 0 && isOdd(y) ? -1 : 1;
    const Pair logarithm = logarithmOf(magnitude(x));
    const double estimate = logarithm.high * y;
    if (magnitude(estimate) > 1000) return estimate > 0 ? sign * kInfinity : sign * 0;
    if (magnitude(y) > 0x1p900) return sign; // of 1: only this near to 1 the product above is so small
    return sign * powerOfPair(productOf(logarithm, y));
}

} // extern "C"

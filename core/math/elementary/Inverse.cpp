#include "core/math/elementary/Tables.h"

using namespace tendon::elementary;

namespace {

Pair difference(Pair a, Pair b)
{
    const Pair sum = sumOf(a.high, -b.high);
    return sumOfOrdered(sum.high, sum.low + (a.low - b.low));
}

/// atan(y / x) for 0 <= y <= x, of moderate size.
Pair arcTangentBelowOne(Pair y, Pair x)
{
    const Pair slope = quotientOf(y, x);
    const double index = rounded(64 * slope.high), c = index / 64;
    Pair t = slope; // tan(angle - atan(c)), at most 1 / 127
    if (index != 0) {
        const Pair product = productOf(slope.high, c);
        const Pair below = sumOfOrdered(1, product.high);
        t = quotientOf({slope.high - c, slope.low}, {below.high, below.low + product.low + slope.low * c});
    }
    const double z = t.high * t.high;
    const double rest = t.high * z * (-1.0 / 3 + z * (1.0 / 5 + z * (-1.0 / 7 + z * (1.0 / 9))));
    const Pair& start = kArcTangents[static_cast<int>(index)];
    const Pair sum = sumOf(start.high, t.high);
    return sumOfOrdered(sum.high, sum.low + (start.low + t.low + rest));
}

/// The angle of the point (x, y), both >= 0 and not both 0.
Pair angleOf(Pair y, Pair x)
{
    if (y.high <= x.high) return arcTangentBelowOne(y, x);
    return difference(kHalfPi, arcTangentBelowOne(x, y));
}

double nearest(Pair x) { return x.high + x.low; }
double withSign(double size, double sign) { return __builtin_copysign(size, sign); }

/// sqrt(1 - x^2) for |x| < 1
Pair otherSide(double x)
{
    const Pair square = productOf(x, x);
    const Pair below = sumOfOrdered(1, -square.high);
    const double rest = below.low - square.low;
    const double root = __builtin_sqrt(below.high);
    const Pair back = productOf(root, root);
    return sumOfOrdered(root, (((below.high - back.high) - back.low) + rest) / (2 * root));
}

} // namespace

extern "C" {

double atan2(double y, double x)
{
    if (isNan(x) || isNan(y)) return x + y;
    const bool isBehind = __builtin_signbit(x) != 0;
    double size = magnitude(x), height = magnitude(y);
    if (height == 0) return withSign(isBehind ? kPi.high : 0, y);
    if (size == 0) return withSign(kHalfPi.high, y);
    if (isInfinite(x) || isInfinite(y)) {
        size = isInfinite(x) ? 1 : 0;
        height = isInfinite(y) ? 1 : 0;
        if (height == 0) return withSign(isBehind ? kPi.high : 0, y);
    } else if (height < size * 0x1p-70) {
        return withSign(isBehind ? kPi.high : height / size, y);
    } else if (size < height * 0x1p-70) {
        return withSign(kHalfPi.high, y);
    }
    const double larger = size > height ? size : height;
    const double scale = larger > 0x1p500 ? 0x1p-600 : larger < 0x1p-400 ? 0x1p600 : 1;
    const Pair angle = angleOf({height * scale, 0}, {size * scale, 0});
    return withSign(nearest(isBehind ? difference(kPi, angle) : angle), y);
}

double atan(double x)
{
    if (isNan(x) || x == 0) return x + x;
    const double size = magnitude(x);
    if (size > 0x1p60) return withSign(kHalfPi.high, x);
    if (size < 0x1p-30) return x;
    return withSign(nearest(angleOf({size, 0}, {1, 0})), x);
}

double asin(double x)
{
    const double size = magnitude(x);
    if (!(size <= 1)) return (x - x) / (x - x);
    if (size < 0x1p-30) return x;
    if (size == 1) return withSign(kHalfPi.high, x);
    return withSign(nearest(angleOf({size, 0}, otherSide(x))), x);
}

double acos(double x)
{
    const double size = magnitude(x);
    if (!(size <= 1)) return (x - x) / (x - x);
    if (size == 1) return x > 0 ? 0 : kPi.high;
    const Pair angle = angleOf(otherSide(x), {size, 0});
    return nearest(x < 0 ? difference(kPi, angle) : angle);
}

} // extern "C"

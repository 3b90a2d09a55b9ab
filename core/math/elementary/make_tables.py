#!/usr/bin/env python3
"""Writes Tables.h: constants of the elementary functions, computed with 420 decimal digits.

    ./make_tables.py > Tables.h && clang-format -i Tables.h
"""
from decimal import ROUND_FLOOR, Decimal, getcontext
from fractions import Fraction

getcontext().prec = 420


def atan(x):
    if x > Decimal("0.1"):  # halves the angle
        return 2 * atan(x / (1 + (1 + x * x).sqrt()))
    total = term = x
    n = 1
    while abs(term) > Decimal(10) ** -415:
        term *= -x * x
        n += 2
        total += term / n
    return total


PI = 16 * atan(1 / Decimal(5)) - 4 * atan(1 / Decimal(239))
LN2 = Decimal(2).ln()
LN10 = Decimal(10).ln()


def nearest(x, bits=53):
    """The nearest number with so many bits, as an exact Decimal."""
    if x == 0:
        return Decimal(0)
    unit = Fraction(1)
    size = abs(Fraction(x))
    while size / unit >= 2**bits:
        unit *= 2
    while size / unit < 2 ** (bits - 1):
        unit /= 2
    value = Fraction(round(Fraction(x) / unit)) * unit
    return Decimal(value.numerator) / Decimal(value.denominator)


def hexadecimal(x):
    return float(x).hex()


def pair(x):
    high = nearest(x)
    return "{%s, %s}" % (hexadecimal(high), hexadecimal(nearest(x - high)))


def parts(x, *bits):
    """x as a sum of numbers with so many bits each."""
    values = []
    for count in bits:
        values.append(nearest(x, count))
        x -= values[-1]
    return [hexadecimal(value) for value in values]


def table(name, comment, rows, kind="Pair"):
    print("/// %s" % comment)
    print("inline constexpr %s %s[] = {%s};\n" % (kind, name, ", ".join(rows)))


def constant(name, value, comment=""):
    print("inline constexpr %s = %s;%s" % (name, value, " ///< " + comment if comment else ""))


print("#pragma once\n\n// Made by make_tables.py.\n\n#include \"core/math/elementary/Pair.h\"\n\n#include <cstdint>\n")
print("namespace tendon::elementary {\n")
constant("Pair kPi", pair(PI))
constant("Pair kHalfPi", pair(PI / 2))
constant("double kTwoOverPi", hexadecimal(2 / PI))
for index, part in enumerate(parts(PI / 2, 33, 33, 33, 53)):
    constant("double kHalfPiPart%d" % (index + 1), part, "" if index else "33 bits each, the last one all: exact times 2^20")
constant("double kStepsPerUnit", hexadecimal(128 / LN2))
high, low = parts(LN2 / 128, 32, 53)
constant("double kStepHigh", high, "ln(2) / 128; 32 bits: exact times 2^21")
constant("double kStepLow", low)
high, low = parts(LN2, 42, 53)
constant("double kLn2High", high, "42 bits: exact times 2^11")
constant("double kLn2Low", low)
constant("Pair kOneOverLn10", pair(1 / LN10))
constant("Pair kOneOverLn2", pair(1 / LN2))
print()
table("kPowersOfTwo", "2^(i / 128)", [pair((LN2 * i / 128).exp()) for i in range(128)])
table("kArcTangents", "atan(i / 64)", [pair(atan(Decimal(i) / 64)) for i in range(65)])

rows = []
for i in range(128):
    # The middle of what shares seven bits behind 0.6875; the neighbours of 1 belong to 1.
    below = Fraction(11, 16) + Fraction(i, 256)
    low_end = below if below < 1 else 1 + (below - 1) * 2
    high_end = low_end + (Fraction(1, 256) if low_end < 1 else Fraction(1, 128))
    middle = (low_end + high_end) / 2
    inverse = Fraction(round(1024 / middle), 1024)
    if low_end == 1 or high_end == 1:
        inverse = Fraction(1)
    exact = Decimal(inverse.numerator) / Decimal(inverse.denominator)
    logarithm = -exact.ln() if inverse != 1 else Decimal(0)
    rows.append("{%s, %s}" % (hexadecimal(exact), pair(logarithm)))
table("kLogarithms", "1 / c in eleven bits, and ln(c)", rows, "Logarithm")

bits = (2 / PI * Decimal(2) ** 1280).to_integral_value(rounding=ROUND_FLOOR)
words = [(int(bits) >> (1280 - 64 * (i + 1))) & (2**64 - 1) for i in range(20)]
table("kTwoOverPiBits", "2 / pi: a word in front of the point, then 1280 bits behind it",
      ["0"] + ["0x%016x" % word for word in words], "std::uint64_t")
print("} // namespace tendon::elementary")

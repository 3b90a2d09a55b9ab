"""Comparisons that say what was measured when they fail."""


def at_most(value, bound, what):
    if not value <= bound:
        raise AssertionError(f"{what}: {value:.6g}, at most {bound:g} is right")


def at_least(value, bound, what):
    if not value >= bound:
        raise AssertionError(f"{what}: {value:.6g}, at least {bound:g} is right")


def near(value, expected, tolerance, what):
    if not abs(value - expected) <= tolerance:
        raise AssertionError(f"{what}: {value:.9g}, {expected:.9g} within {tolerance:g} is right")


def same(value, expected, what):
    if value != expected:
        raise AssertionError(f"{what}: {value!r}, {expected!r} is right")


def differs(value, other, what):
    if value == other:
        raise AssertionError(f"{what}: is still {value!r}")


def holds(condition, what):
    if not condition:
        raise AssertionError(what)

#!/usr/bin/env python3
"""Writes sdls_numbers.h: the golden numbers that selectively damped least squares must reproduce.

An implementation from the paper alone, in plain Python, of S. Buss and J.-S. Kim, "Selectively damped least squares for
inverse kinematics" (2005), section 4: hinges with skew axes, unit bones along x, one or two goals for points. The
singular vectors come from the eigenvectors of J J'.

    python3 sdls_numbers.py > sdls_numbers.h
"""
import math
import random

BONES, ITERATIONS, GAMMA_MAX = 6, 8, math.pi / 4


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def times(k, a):
    return [k * x for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def apply(matrix, v):
    return [dot(row, v) for row in matrix]


def product(a, b):
    return [[dot(row, column) for column in zip(*b)] for row in a]


def rotation(axis, angle):
    """Rodrigues' formula."""
    c, s = math.cos(angle), math.sin(angle)
    columns = [plus(plus(times(c, e), times(s, cross(axis, e))), times((1 - c) * dot(axis, e), axis))
               for e in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
    return [list(row) for row in zip(*columns)]


def eigenvectors(matrix):
    """[(value, vector)] of a symmetric matrix, by Jacobi's rotations."""
    n = len(matrix)
    a = [row[:] for row in matrix]
    vectors = [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(100):
        for p in range(n):
            for q in range(p + 1, n):
                if a[p][q] == 0:
                    continue
                angle = 0.5 * math.atan2(2 * a[p][q], a[q][q] - a[p][p])
                c, s = math.cos(angle), math.sin(angle)
                for k in range(n):
                    a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
                for k in range(n):
                    a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
                for k in range(n):
                    vectors[k][p], vectors[k][q] = (c * vectors[k][p] - s * vectors[k][q],
                                                    s * vectors[k][p] + c * vectors[k][q])
    return [(a[i][i], [vectors[k][i] for k in range(n)]) for i in range(n)]


def ends_of(axes, theta, goals):
    """The points of the goals, and the columns of their Jacobian: three numbers for each end effector."""
    position, turned, pivots, turning = [0.0, 0.0, 0.0], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [], []
    at = []
    for b in range(BONES):
        pivots.append(position)
        turning.append(apply(turned, axes[b]))
        turned = product(turned, rotation(axes[b], theta[b]))
        position = plus(position, apply(turned, [1, 0, 0]))
        at.append(position)
    points = [at[bone] for bone, _ in goals]
    columns = [[x for (bone, _), point in zip(goals, points)
                for x in (cross(turning[b], minus(point, pivots[b])) if b <= bone else [0.0, 0.0, 0.0])]
               for b in range(BONES)]
    return points, columns


def clamp_max_abs(w, d):
    largest = max(abs(x) for x in w)
    return w if largest <= d else times(d / largest, w)


def step(axes, theta, goals):
    points, columns = ends_of(axes, theta, goals)
    e = [x for (_, target), point in zip(goals, points) for x in minus(target, point)]
    blocks = range(0, len(e), 3)
    rho = [sum(norm(column[k:k + 3]) for k in blocks) for column in columns]  # over the ends: |ds / dtheta_j|
    rows = list(zip(*columns))
    triples = eigenvectors([[dot(a, b) for b in rows] for a in rows])
    largest = math.sqrt(max(value for value, _ in triples))
    total = [0.0] * BONES
    for value, u in triples:
        sigma = math.sqrt(max(0.0, value))
        if sigma < 1e-6 * largest:
            continue
        v = [dot(column, u) / sigma for column in columns]
        n = sum(norm(u[k:k + 3]) for k in blocks)
        m = sum(abs(x) * r for x, r in zip(v, rho)) / sigma
        gamma = min(1, n / m) * GAMMA_MAX
        total = plus(total, clamp_max_abs(times(dot(u, e) / sigma, v), gamma))
    return norm(e), plus(theta, clamp_max_abs(total, GAMMA_MAX))


def walk(axes, theta, goals):
    residuals = []
    for _ in range(ITERATIONS):
        residual, theta = step(axes, theta, goals)
        residuals.append(residual)
    return residuals, theta


def row(values):
    return "{" + ", ".join(repr(v) for v in values) + "}"


def main():
    print("#pragma once\n\n// Made by sdls_numbers.py: do not edit.\n")
    print("struct SdlsCase\n{")
    print(f"    double axes[{3 * BONES}];     // of the hinges")
    print(f"    double theta[{BONES}];     // at the start")
    print("    int goals;           // 1 or 2")
    print(f"    double targetA[3];   // of the end of bone {BONES - 1}")
    print("    double targetB[3];   // of the end of bone 2")
    print(f"    double residuals[{ITERATIONS}]; // |e| before each step")
    print(f"    double result[{BONES}];    // angles after the last step\n}};\n")
    print("inline constexpr SdlsCase kSdlsCases[] = {")
    numbers = random.Random(5)
    for number in range(6):
        axes = [[numbers.gauss(0, 1) for _ in range(3)] for _ in range(BONES)]
        axes = [times(1 / norm(axis), axis) for axis in axes]
        theta = [numbers.uniform(-1, 1) for _ in range(BONES)]
        targets = [[2 * numbers.gauss(0, 1) for _ in range(3)], [numbers.gauss(0, 1) for _ in range(3)]]
        count = 1 + number % 2
        residuals, result = walk(axes, theta, [(BONES - 1, targets[0]), (2, targets[1])][:count])
        print("    {" + row(x for axis in axes for x in axis) + ",\n     " + row(theta) + f",\n     {count},\n     " +
              ",\n     ".join(row(x) for x in (targets[0], targets[1], residuals, result)) + "},")
    print("};")


main()

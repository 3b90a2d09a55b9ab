#!/usr/bin/env python3
"""Writes plain_dls_numbers.h: the golden numbers that the plain mode of damped least squares must reproduce.

A second implementation, with numpy, of J. Gregson's "Simple & compact damped least-squares IK solver" (2020): six unit
bones along x, two goals, 4x4 transforms and their derivatives (Gallego and Yezzi 2015, "A compact formula for the
derivative of a 3-D rotation in exponential coordinates"). As there, the walk from a goal to the root stops before bone 0.

    python3 plain_dls_numbers.py > plain_dls_numbers.h        (needs python3-numpy)
"""
import numpy as np

BONES, ITERATIONS, REG, RELAX = 6, 10, 0.05, 0.75


def cross(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rotate(v):
    """4x4 rotation of a rotation vector and its three 4x4 derivatives."""
    squared, angle = v @ v, np.linalg.norm(v)
    k = cross(v / angle)
    r = np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
    t, j = np.eye(4), np.zeros((3, 4, 4))
    t[:3, :3] = r
    for i in range(3):
        e = np.eye(3)[i]
        j[i, :3, :3] = (v[i] * cross(v) + cross(np.cross(v, (np.eye(3) - r) @ e))) / squared @ r
    return t, j


def step(theta, goals):
    rest = np.eye(4)
    rest[0, 3] = 1
    world, derivative = [], []
    for b in range(BONES):
        t, j = rotate(theta[b])
        before = world[b - 1] @ rest if b > 0 else np.eye(4)
        world.append(before @ t)
        derivative.append([before @ j[i] @ np.linalg.inv(world[b]) for i in range(3)])
    jacobian, error = np.zeros((3 * len(goals), 3 * BONES)), np.zeros(3 * len(goals))
    for g, (bone, local, target) in enumerate(goals):
        point = world[bone] @ np.append(local, 1)
        error[3 * g:3 * g + 3] = point[:3] - target
        for b in range(bone, 0, -1):
            for i in range(3):
                jacobian[3 * g:3 * g + 3, 3 * b + i] = (derivative[b][i] @ point)[:3]
    normal = jacobian.T @ jacobian
    normal += REG * np.diag(np.maximum(1e-6, np.diag(normal)))
    theta = theta - RELAX * np.linalg.solve(normal, jacobian.T @ error).reshape(-1, 3)
    return np.linalg.norm(error), theta


def walk(theta, goals):
    residuals = []
    for _ in range(ITERATIONS):
        residual, theta = step(theta, goals)
        residuals.append(residual)
    return np.array(residuals), theta


def row(values):
    return "{" + ", ".join(repr(float(v)) for v in np.ravel(values)) + "}"


def main():
    print("#pragma once\n\n// Made by plain_dls_numbers.py: do not edit.\n")
    print("struct PlainCase\n{")
    print(f"    double theta[{3 * BONES}];      // rotation vectors at the start")
    print("    double targetA[3];      // of the point (1, 0.1, 0.2) of bone 5")
    print("    double targetB[3];      // of the point (1, 0, 0) of bone 2")
    print(f"    double residuals[{ITERATIONS}]; // |e| before each step")
    print(f"    double result[{3 * BONES}];     // rotation vectors after the last step\n}};\n")
    print("inline constexpr PlainCase kPlainCases[] = {")
    random = np.random.RandomState(4)
    made = 0
    while made < 6:
        theta = 0.5 * random.standard_normal((BONES, 3))
        goals = [(5, np.array([1.0, 0.1, 0.2]), random.standard_normal(3)), (2, np.array([1.0, 0, 0]), random.standard_normal(3))]
        residuals, result = walk(theta, goals)
        # The plain step may overshoot wildly, and then multiplies rounding errors too: such a walk is nobody's reference.
        shaken = walk(theta + 1e-13, goals)
        if max(np.abs(residuals - shaken[0]).max(), np.abs(result - shaken[1]).max()) > 1e-10:
            continue
        print("    {" + ",\n     ".join(row(x) for x in (theta, goals[0][2], goals[1][2], residuals, result)) + "},")
        made += 1
    print("};")


main()

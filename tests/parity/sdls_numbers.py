#!/usr/bin/env python3
"""Writes sdls_numbers.h: the golden numbers that selectively damped least squares must reproduce.

An implementation with numpy, from the paper alone, of S. Buss and J.-S. Kim, "Selectively damped least squares for
inverse kinematics" (2005), section 4: hinges with skew axes, unit bones along x, one or two goals for points.

    python3 sdls_numbers.py > sdls_numbers.h        (needs python3-numpy)
"""
import numpy as np

BONES, ITERATIONS, GAMMA_MAX = 6, 8, np.pi / 4


def rotation(axis, angle):
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def ends_of(axes, theta, goals):
    """The points of the goals, and their Jacobian: one 3-row block for each end effector."""
    position, turned, pivots, turning = np.zeros(3), np.eye(3), [], []
    points = [None] * len(goals)
    for b in range(BONES):
        pivots.append(position)
        turning.append(turned @ axes[b])
        turned = turned @ rotation(axes[b], theta[b])
        position = position + turned @ np.array([1.0, 0, 0])
        for g, (bone, _) in enumerate(goals):
            if bone == b:
                points[g] = position
    jacobian = np.zeros((3 * len(goals), BONES))
    for g, (bone, _) in enumerate(goals):
        for b in range(bone + 1):
            jacobian[3 * g:3 * g + 3, b] = np.cross(turning[b], points[g] - pivots[b])
    return np.concatenate(points), jacobian


def clamp_max_abs(w, d):
    largest = np.abs(w).max()
    return w if largest <= d else w * d / largest


def step(axes, theta, goals):
    points, jacobian = ends_of(axes, theta, goals)
    e = np.concatenate([target for _, target in goals]) - points
    u, sigma, vt = np.linalg.svd(jacobian, full_matrices=False)
    rho = np.linalg.norm(jacobian.reshape(len(goals), 3, BONES), axis=1)  # rho[l, j] = |ds_l / dtheta_j|
    total = np.zeros(BONES)
    for i in range(len(sigma)):
        if sigma[i] < 1e-6 * sigma[0]:
            continue
        n = np.linalg.norm(u[:, i].reshape(len(goals), 3), axis=1).sum()
        m = (np.abs(vt[i]) * rho.sum(axis=0)).sum() / sigma[i]
        gamma = min(1, n / m) * GAMMA_MAX
        total += clamp_max_abs(u[:, i] @ e / sigma[i] * vt[i], gamma)
    return np.linalg.norm(e), theta + clamp_max_abs(total, GAMMA_MAX)


def walk(axes, theta, goals):
    residuals = []
    for _ in range(ITERATIONS):
        residual, theta = step(axes, theta, goals)
        residuals.append(residual)
    return np.array(residuals), theta


def row(values):
    return "{" + ", ".join(repr(float(v)) for v in np.ravel(values)) + "}"


def main():
    print("#pragma once\n\n// Made by sdls_numbers.py: do not edit.\n")
    print("struct SdlsCase\n{")
    print(f"    double axes[{3 * BONES}];      // of the hinges")
    print(f"    double theta[{BONES}];      // at the start")
    print("    int goals;            // 1 or 2")
    print(f"    double targetA[3];    // of the end of bone {BONES - 1}")
    print("    double targetB[3];    // of the end of bone 2")
    print(f"    double residuals[{ITERATIONS}]; // |e| before each step")
    print(f"    double result[{BONES}];     // angles after the last step\n}};\n")
    print("inline constexpr SdlsCase kSdlsCases[] = {")
    random = np.random.RandomState(5)
    for number in range(6):
        axes = random.standard_normal((BONES, 3))
        axes /= np.linalg.norm(axes, axis=1)[:, None]
        theta = random.uniform(-1, 1, BONES)
        targets = [2.0 * random.standard_normal(3), random.standard_normal(3)]
        count = 1 + number % 2
        goals = [(BONES - 1, targets[0]), (2, targets[1])][:count]
        residuals, result = walk(axes, theta, goals)
        print("    {" + row(axes) + ",\n     " + row(theta) + f",\n     {count},\n     " +
              ",\n     ".join(row(x) for x in (targets[0], targets[1], residuals, result)) + "},")
    print("};")


main()

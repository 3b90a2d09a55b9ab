"""Damped least squares: rows E1 to E12."""

import json
import math

from checks import at_least, at_most, differs, holds, near, same
from geometry import chain, cross, distance, dot, handle, length, turn_between
from program import op

TOLERANCE = 1e-4  # of a goal, by default [m]
BONES = 6
START = [[0.0, 0.0, 0.0], [0.3, -0.2, 0.5], [-0.4, 0.1, 0.3], [0.2, 0.6, -0.1], [-0.1, -0.3, 0.4], [0.5, 0.2, 0.1]]


def quaternion(vector):
    angle = length(vector)
    share = math.sin(angle / 2) / angle if angle else 0.5
    return [share * x for x in vector] + [math.cos(angle / 2)]


def rotate(q, v):
    t = [2 * x for x in cross(q[:3], v)]
    return [v[i] + q[3] * t[i] + cross(q[:3], t)[i] for i in range(3)]


def times(a, b):
    return [a[3] * b[i] + b[3] * a[i] + cross(a[:3], b[:3])[i] for i in range(3)] + [a[3] * b[3] - dot(a[:3], b[:3])]


def conjugate(q):
    return [-q[0], -q[1], -q[2], q[3]]


def right_jacobian(vector, axis):
    """One column: how the rotation turns, in its own frame, per change of the rotation vector along an axis."""
    unit, angle = [float(i == axis) for i in range(3)], length(vector)
    once, twice = cross(vector, unit), cross(vector, cross(vector, unit))
    first, second = (1 - math.cos(angle)) / angle**2, (angle - math.sin(angle)) / angle**3
    return [u - first * a + second * b for u, a, b in zip(unit, once, twice)]


def frames(theta):
    """[(position, rotation)] of the bones, each one unit along x from the one before."""
    found = [([0.0, 0.0, 0.0], quaternion(theta[0]))]
    for vector in theta[1:]:
        at, turn = found[-1]
        found.append(([a + b for a, b in zip(at, rotate(turn, [1, 0, 0]))], times(turn, quaternion(vector))))
    return found


def point_of(theta, bone, local):
    at, turn = frames(theta)[bone]
    return [a + b for a, b in zip(at, rotate(turn, local))]


def beside(bone, local, away):
    return bone, local, [a + b for a, b in zip(point_of(START, bone, local), away)]


GOALS = {"A": beside(5, [1.0, 0.1, 0.2], [0.5, -0.6, 0.4]), "B": beside(2, [1.0, 0.0, 0.0], [-0.3, 0.2, -0.2])}  # bone, point in it, target


def solve(matrix, right):
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, size):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    for i in range(size - 1, -1, -1):
        rows[i][size] = (rows[i][size] - sum(rows[i][k] * rows[k][size] for k in range(i + 1, size))) / rows[i][i]
    return [row[size] for row in rows]


def damped_step(theta, regularisation=0.05, relax=0.75):
    """One step of the classical method: |residual| before it, and the new rotation vectors. Bone 0 does not turn."""
    jacobian, residual = [], []
    for bone, local, target in GOALS.values():
        residual += [a - b for a, b in zip(point_of(theta, bone, local), target)]
        columns = []
        for joint in range(BONES):
            for axis in range(3):
                if not 0 < joint <= bone:
                    columns.append([0.0, 0.0, 0.0])
                    continue
                # The derivative of turn * local by the rotation vector is -turn [local]x Jr, with Jr the right Jacobian.
                at, turn = frames(theta)[joint]
                arm = rotate(conjugate(turn), [a - b for a, b in zip(point_of(theta, bone, local), at)])
                columns.append(rotate(turn, [-x for x in cross(arm, right_jacobian(theta[joint], axis))]))
        jacobian += [list(row) for row in zip(*columns)]
    size = 3 * BONES
    normal = [[sum(row[i] * row[j] for row in jacobian) for j in range(size)] for i in range(size)]
    for i in range(size):
        normal[i][i] += regularisation * max(1e-6, normal[i][i])
    change = solve(normal, [sum(row[i] * r for row, r in zip(jacobian, residual)) for i in range(size)])
    return length(residual), [[v - relax * change[3 * i + k] for k, v in enumerate(vector)] for i, vector in enumerate(theta)]


def two_goals(tendon, steps, goals=GOALS, **parameters):
    joints = [op("addJoint", name=f"Bone{i}", parent=f"Bone{i - 1}" if i else None, translation=[1.0 if i else 0.0, 0, 0])
              for i in range(BONES)]
    fixed = [op("setRotationAxis", joint="Bone0", axis=axis, active=False) for axis in "xyz"]
    posed = [op("setPose", joint=f"Bone{i}", rotation=quaternion(vector)) for i, vector in enumerate(START)]
    made = [[op("addHandle", name=name, start="Bone0", end=f"Bone{bone}", solver="dls", offset=local),
             op("setGoal", handle=name, position=target),
             op("setHandle", name=name, maxIterations=steps, parameters={"mode": "plain", **parameters})]
            for name, (bone, local, target) in goals.items()]
    return tendon.build(joints, fixed, posed, made)


def E1_parents_precede_children(tendon):
    loose = [op("addJoint", name=name, translation=[0, 0.1 * i, 0]) for i, name in enumerate("abc")]
    pose = tendon.build(loose, op("link", joint="a", parent="b"), op("link", joint="b", parent="c")).pose()
    same(list(pose.joints), ["c", "b", "a"], "order of the joints")
    for name in ("mannequin", "two-goals"):
        joints = tendon.sample(name).pose().joints
        seen = set()
        for joint in joints.values():
            holds(joint["parent"] is None or joint["parent"] in seen, f"{joint['name']} comes before its parent")
            seen.add(joint["name"])


def E1_rotations_are_printed_as_vectors(tendon):
    project = two_goals(tendon, 1, {})
    _, text = tendon.call("pose", project.file, "--frame", "1", "--json", "--rotation-vectors")
    joints = {joint["name"]: joint for joint in json.loads(text)["joints"]}
    for i, vector in enumerate(START):
        for found, angle in zip(joints[f"Bone{i}"]["rotationVector"], vector):
            near(found, math.degrees(angle), 1e-9, f"rotation vector of bone {i} [deg]")
    same(["rotationVector" in joint for joint in project.pose().joints.values()], [False] * BONES, "vectors that nobody asked for")
    head = tendon.call("pose", project.file, "--frame", "1", "--rotation-vectors")[1].splitlines()[2].split()
    same([name for name in head if name.startswith(("r", "v"))], ["vx", "vy", "vz"], "columns")


def E2_goals_act_on_any_point_of_any_bone(tendon):
    adaptive = [op("setHandle", name=name, parameters={"mode": "adaptive"}, maxIterations=100) for name in GOALS]
    pose = two_goals(tendon, 1).run(adaptive).pose(exit_code=0)
    for name, (bone, local, target) in GOALS.items():
        joint = pose.world(f"Bone{bone}")
        point = [a + b for a, b in zip(joint["translation"], rotate(joint["rotation"], local))]
        at_most(distance(point, target), TOLERANCE, f"point of {name}")


def E4_one_solve_takes_goals_of_every_kind(tendon):
    rig = [chain(6, bends=10.0), handle("elbow", "b0", "b3", "dls", goal=[0.1, 0.22, 0.05]),
           handle("hand", "b0", "b6", "dls", goal=[0.2, 0.35, 0.1], orientationWeight=1),
           op("setGoal", handle="hand", rotation=[30, 20, 10])]
    pose = tendon.build(rig).pose(exit_code=0)
    at_most(max(pose.error("elbow"), pose.error("hand")), TOLERANCE, "position errors")
    at_most(pose.handles["hand"]["rotationError"], 0.1, "rotation error [deg]")
    without = tendon.build(rig[:2], handle("hand", "b0", "b6", "dls", goal=[0.2, 0.35, 0.1])).pose(exit_code=0)
    at_least(turn_between(without.world("b6")["rotation"], pose.world("b6")["rotation"]), 1, "turn for the rotation goal [deg]")


def E5_a_goal_acts_on_the_joints_above_it_alone(tendon):
    start = two_goals(tendon, 1, {}).pose()
    for name, (bone, _, _) in GOALS.items():
        pose = two_goals(tendon, 1, {name: GOALS[name]}).pose()
        moved = [i for i in range(BONES) if pose.local(f"Bone{i}") != start.local(f"Bone{i}")]
        same(moved, list(range(1, bone + 1)), f"bones that goal {name} turns")


def E6_a_plain_step_is_the_classical_one(tendon):
    theta, residuals = START, []
    for steps in (1, 2, 3):
        residual, theta = damped_step(theta)
        residuals.append(residual)
        pose = two_goals(tendon, steps).pose()
        for i, (at, _) in enumerate(frames(theta)):
            at_most(distance(pose.position(f"Bone{i}"), at), 1e-9, f"bone {i} after {steps} steps")
    same(sorted(residuals, reverse=True), residuals, "residuals, which fall from step to step")
    same([p["default"] for p in tendon.solvers()["dls"]["parameters"] if p["id"] in ("reg_weight", "relax")], [0.05, 0.75], "defaults")


def E7_relaxation_is_a_share_of_the_step(tendon):
    for wrong in (0, 1.01, -1):
        tendon.refuses(op("setHandle", name="A", parameters={"relax": wrong}), project=two_goals(tendon, 1))
    start, half, whole = (two_goals(tendon, 1, GOALS, relax=share).pose() if share else two_goals(tendon, 1, {}).pose()
                          for share in (0, 0.001, 1))
    differs(half.joints, start.joints, "pose after a thousandth of a step")
    near(distance(half.position("Bone5"), start.position("Bone5")) / distance(whole.position("Bone5"), start.position("Bone5")),
         0.001, 0.0005, "share of the way")


def E8_the_root_is_locked_turns_or_moves_freely(tendon):
    goals = [handle("low", "b0", "b1", "dls", goal=[0.1, 0, 0]), handle("tip", "b0", "b3", "dls", goal=[0.1, 0.2, 0])]
    rig = [chain(3, bends=0.0), goals]
    still = [op("setRotationAxis", joint="b0", axis=axis, active=False) for axis in "xyz"]
    missed = tendon.build(rig, still).pose(exit_code=3)
    at_least(missed.error("low"), 0.1, "error with a locked root")
    turns = tendon.build(rig).pose(exit_code=0)
    same(turns.position("b0"), [0, 0, 0], "a root that only turns")
    free = tendon.build(rig, [op("setSlidingAxis", joint="b0", axis=axis, active=True) for axis in "xyz"],
                        op("setGoal", handle="tip", position=[0.1, 0.9, 0]), op("setGoal", handle="low", position=[0.1, 0.7, 0]))
    at_least(free.pose(exit_code=0).position("b0")[1], 0.5, "height of a free root")


def E12_error_angles_and_transforms_come_back(tendon):
    pose = two_goals(tendon, 3).pose()
    for name, (bone, local, target) in GOALS.items():
        joint = pose.world(f"Bone{bone}")
        point = [a + b for a, b in zip(joint["translation"], rotate(joint["rotation"], local))]
        near(pose.error(name), distance(point, target), 1e-12, f"error of {name}")
    at, turn = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]
    for i in range(BONES):
        at = [a + b for a, b in zip(at, rotate(turn, pose.local(f"Bone{i}")["translation"]))]
        turn = times(turn, pose.local(f"Bone{i}")["rotation"])
        at_most(distance(at, pose.position(f"Bone{i}")), 1e-12, f"bone {i}")
    at_least(sum(abs(pose.angle("Bone3", axis)) for axis in "xyz"), 1, "angles [deg]")

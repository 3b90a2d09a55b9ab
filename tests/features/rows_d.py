"""FABRIK: rows D1 to D26."""

import json
import math
import os
from random import Random

from checks import at_least, at_most, holds, near, same
from geometry import chain, distance, handle, hinge, length, locked, mix, off_line, turn_between
from program import op

TOLERANCE = 1e-4  # of a goal, by default [m]
PLAIN = {"twoSpheres": False, "sweeps": False}  # passes alone


def one_pass(points, target):
    """FABRIK on points: backward from the target, then forward from the first point."""
    lengths = [distance(a, b) for a, b in zip(points, points[1:])]
    back = list(points)
    back[-1] = target
    for i in range(len(back) - 2, -1, -1):
        back[i] = mix(back[i + 1], back[i], lengths[i] / distance(back[i + 1], back[i]))
    there = list(back)
    there[0] = points[0]
    for i in range(len(there) - 1):
        there[i + 1] = mix(there[i], there[i + 1], lengths[i] / distance(there[i], there[i + 1]))
    return there


def points_of(pose, count, prefix="b"):
    return [pose.position(f"{prefix}{i}") for i in range(count + 1)]


def capped(tendon, bones, goal, passes, **settings):
    return tendon.build(chain(bones, bends=15.0), handle("tip", "b0", f"b{bones}", "fabrik", goal=goal, tolerance=1e-9,
                                                         maxIterations=passes, parameters=PLAIN, **settings))


GOAL = [0.12, 0.22, 0.15]


def D1_points_and_lengths_in_points_out(tendon):
    bones = 4
    before = points_of(tendon.build(chain(bones, bends=15.0)).pose(), bones)
    after = points_of(capped(tendon, bones, GOAL, 100).pose(), bones)
    at_most(distance(after[-1], GOAL), 1e-8, "end")
    for i in range(bones):
        near(distance(after[i], after[i + 1]), distance(before[i], before[i + 1]), 1e-12, f"length {i}")


def D2_each_step_is_a_point_on_a_line(tendon):
    bones = 5
    points = points_of(tendon.build(chain(bones, bends=15.0)).pose(), bones)
    for passes in (1, 2, 3):
        points = one_pass(points, GOAL)
        for mine, its in zip(points, points_of(capped(tendon, bones, GOAL, passes).pose(), bones)):
            at_most(distance(mine, its), 1e-12, f"position after {passes} passes")


def D3_a_goal_beyond_the_lengths_is_unreachable(tendon):
    pose = tendon.build(chain(4), handle("tip", "b0", "b4", "fabrik", goal=[0.3, 0.4, 0])).pose(exit_code=3)
    same(pose.status("tip"), "unreachable", "status")
    near(pose.handles["tip"]["shortfall"], 0.5 - 0.4, 1e-9, "shortfall [m]")


def D4_beyond_reach_the_chain_points_at_the_goal(tendon):
    goal = [0.3, 0.4, 0.2]
    pose = tendon.build(chain(4), handle("tip", "b0", "b4", "fabrik", goal=goal)).pose()
    for i, point in enumerate(points_of(pose, 4)[1:]):
        at_most(off_line(point, [0, 0, 0], goal), 1e-9, f"b{i + 1} from the line")
        near(length(point), 0.1 * (i + 1), 1e-12, f"b{i + 1} along it")


def D5_the_backward_stage_runs_from_the_goal(tendon):
    points, goal = points_of(tendon.build(chain(3, bends=15.0)).pose(), 3), [0.05, 0.2, 0.1]
    back = [None, None, mix(goal, points[2], 0.1 / distance(goal, points[2])), goal]
    back[1] = mix(back[2], points[1], 0.1 / distance(back[2], points[1]))
    pose = capped(tendon, 3, goal, 1).pose()
    # The forward stage begins at the root, toward the backward stage's point.
    at_most(distance(pose.position("b1"), mix(points[0], back[1], 0.1 / distance(points[0], back[1]))), 1e-12, "first joint")
    at_most(distance(pose.position("b3"), one_pass(points, goal)[3]), 1e-12, "end")


def D6_the_forward_stage_returns_the_root(tendon):
    for passes in (1, 2, 50):
        pose = tendon.build(chain(5, bends=15.0, translation=(0.3, -0.2, 0.7)), handle(
            "tip", "b0", "b5", "fabrik", goal=[0.5, 0.1, 0.8], maxIterations=passes, parameters=PLAIN)).pose()
        same(pose.position("b0"), [0.3, -0.2, 0.7], f"root after {passes} passes")


def D7_the_tolerance_ends_the_passes(tendon):
    iterations = []
    for tolerance in (1e-2, 1e-4, 1e-8):
        pose = tendon.build(chain(5, bends=15.0), handle("tip", "b0", "b5", "fabrik", goal=[0.3, 0.3, 0.1], tolerance=tolerance,
                                                         parameters=PLAIN)).pose(exit_code=0)
        at_most(pose.error("tip"), tolerance, "error")
        iterations.append(pose.handles["tip"]["iterations"])
    same(sorted(set(iterations)), iterations, "passes at falling tolerances")
    default = tendon.build(chain(5, bends=15.0), handle("tip", "b0", "b5", "fabrik", goal=[0.3, 0.3, 0.1], parameters=PLAIN)).pose()
    same(default.handles["tip"]["iterations"], iterations[1], "passes at the default of 0.1 mm")


def D8_a_solve_that_moves_no_more_is_stalled(tendon):
    pose = tendon.build(chain(4), handle("left", "b0", "b4", "fabrik", goal=[-0.2, 0.2, 0]),
                        handle("right", "b0", "b4", "fabrik", goal=[0.2, 0.2, 0])).pose(exit_code=3)
    same([pose.status("left"), pose.status("right")], ["stalled", "stalled"], "statuses")
    at_most(pose.handles["left"]["iterations"], 999, "passes")


def D9_passes_grow_toward_full_reach_and_the_cap_is_reported(tendon):
    iterations = []
    for share in (0.9, 0.99, 0.999):
        pose = tendon.build(chain(3, bends=20.0), handle("tip", "b0", "b3", "fabrik", goal=[0.3 * share, 0, 0],
                                                         maxIterations=5000, parameters={**PLAIN, "passes": 5000})).pose(exit_code=0)
        iterations.append(pose.handles["tip"]["iterations"])
    same(sorted(iterations), iterations, "passes toward full reach")
    at_least(iterations[2] / iterations[0], 10, "growth of the passes")
    plain = tendon.build(chain(3, bends=20.0), handle("tip", "b0", "b3", "fabrik", goal=[0.29997, 0, 0],
                                                      tolerance=1e-9, parameters=PLAIN)).pose(exit_code=3)
    same(plain.status("tip"), "iteration-limit", "status at the default cap")
    at_most(plain.handles["tip"]["iterations"], 100, "default cap")
    same([p["default"] for p in tendon.solvers()["fabrik"]["parameters"] if p["id"] == "passes"], [100], "default passes")
    usual = tendon.build(chain(3, bends=20.0), handle("tip", "b0", "b3", "fabrik", goal=[0.29997, 0, 0], tolerance=1e-9)).pose(exit_code=0)
    at_most(usual.handles["tip"]["iterations"], 10, "passes when gaps are closed at once")


def D10_a_straight_chain_folds_toward_a_goal_on_its_line(tendon):
    solvers = [name for name, about in tendon.solvers().items() if {"position-goal", "pose-goal"} & set(about["features"])
               and name not in ("penalty", "pseudo-inverse")]
    for bones in (2, 3):
        names = solvers if bones == 2 else [name for name in solvers if name not in ("two-bone", "limb")]
        pose = tendon.build([chain(bones, f"{name}-", bends=0.0) + handle(
            f"{name} goal", f"{name}-0", f"{name}-{bones}", name, goal=[0, 0.05 * bones, 0]) for name in names]).pose()
        for name in names:
            same(pose.status(f"{name} goal"), "converged", f"{name}, {bones} bones")
            at_most(pose.error(f"{name} goal"), TOLERANCE, name)


def D12_beyond_reach_one_pass_is_enough(tendon):
    pose = tendon.build(chain(10), handle("tip", "b0", "b10", "fabrik", goal=[1, 2, 0])).pose(exit_code=3)
    at_most(pose.handles["tip"]["iterations"], 1, "passes")


def D13_two_spheres_close_a_chain_of_two_bones_at_once(tendon):
    rig = [chain(2, bends=30.0), handle("tip", "b0", "b2", "fabrik", goal=[0.05, 0.12, 0.05])]
    closed = tendon.build(rig).pose(exit_code=0)
    at_most(closed.handles["tip"]["iterations"], 1, "passes")
    at_most(closed.error("tip"), 1e-9, "error")
    points = points_of(tendon.build(chain(2, bends=30.0)).pose(), 2)
    for _ in range(2000):
        points = one_pass(points, [0.05, 0.12, 0.05])
    at_most(distance(points[1], closed.position("b1")), TOLERANCE, "elbow against passes without end")


def tree(tendon, *settings):
    """A trunk of two bones, two branches of two, each with two ends of two; goals a little away from the ends."""
    joints = chain(2, "t", bends=5.0)
    for side, turn in (("l", 25.0), ("r", -25.0)):
        joints += chain(2, side, bends=[turn, 5.0], parent="t2")
        for end, more in (("a", 20.0), ("b", -20.0)):
            joints += chain(2, side + end, bends=[more, 5.0], parent=f"{side}2")
    ends = [side + end for side in "lr" for end in "ab"]
    rest = tendon.build(joints).pose()
    goals = {end: [a + b for a, b in zip(rest.position(f"{end}2"), [0.01, -0.02, 0.03])] for end in ends}
    made = tendon.build(joints, [handle(f"{end} goal", "t0", f"{end}2", "fabrik", goal=goals[end]) for end in ends], *settings)
    return rest, made, goals


def D16_sub_bases_may_have_sub_bases(tendon):
    _, made, goals = tree(tendon)
    pose = made.pose(exit_code=0)
    for end, goal in goals.items():
        same(pose.status(f"{end} goal"), "converged", end)
        at_most(distance(pose.position(f"{end}2"), goal), TOLERANCE, end)


def D18_every_branch_keeps_its_lengths(tendon):
    rest, made, _ = tree(tendon)
    for pose in (made.pose(), made.run(op("setHandle", name="la goal", maxIterations=1)).pose()):
        for joint in rest.joints.values():
            if joint["parent"]:
                near(distance(pose.position(joint["name"]), pose.position(joint["parent"])),
                     distance(rest.position(joint["name"]), rest.position(joint["parent"])), 1e-12, joint["name"])


def D19_every_goal_of_a_tree_has_its_own_error(tendon):
    _, made, goals = tree(tendon)
    pose = made.run(op("setGoal", handle="la goal", position=[-2, 0, 0])).pose(exit_code=3)
    for end, goal in goals.items():
        at = [-2, 0, 0] if end == "la" else goal
        near(pose.error(f"{end} goal"), distance(pose.position(f"{end}2"), at), 1e-9, f"error of {end}")
    same(pose.status("la goal"), "unreachable", "the goal out of reach")


def swing_and_twist(rotation):
    """Swing (about x, about z) and twist of a rotation about y [deg]."""
    x, y, z, w = rotation
    if w < 0:
        x, y, z, w = -x, -y, -z, -w
    twist = 2 * math.atan2(y, w)
    size = math.hypot(y, w)
    ty, tw = y / size, w / size
    # swing = rotation * conjugate(twist)
    sx, sz, sw = x * tw + z * ty, z * tw - x * ty, w * tw + y * ty
    angle, along = 2 * math.atan2(math.hypot(sx, sz), sw), math.hypot(sx, sz)
    share = angle / along if along > 1e-12 else 2.0
    return math.degrees(sx * share), math.degrees(sz * share), math.degrees(twist)


SEMI_AXES = {"z": (20, 35), "x": (50, 10)}  # of the swing ellipse about y: [+z, -z, +x, -x]


def limited_poses(tendon):
    """Poses of chains of ball joints with four different semi-axes and a twist range, for goals all round."""
    goals = [[0.2, 0.25, 0.1], [-0.25, 0.2, 0.1], [0.1, 0.2, -0.25], [0.05, 0.3, 0.2], [0, -0.3, 0.05], [0.3, 0, 0.2]]
    for solver in ("fabrik", "dls"):
        rigs = []
        for k, goal in enumerate(goals):
            rigs += [chain(4, f"{k}-", bends=0.0), [op("setBallJoint", joint=f"{k}-{i}", axis="y", swing=[20, 35, 50, 10],
                                                       twist=[-15, 25]) for i in range(4)],
                     handle(f"goal {k}", f"{k}-0", f"{k}-4", solver, goal=goal)]
        yield solver, tendon.build(rigs).pose(), len(goals)


def D21_limits_hold_in_every_result(tendon):
    for solver, pose, count in limited_poses(tendon):
        touched = 0
        for k in range(count):
            for i in range(4):
                first, second, twist = swing_and_twist(pose.local(f"{k}-{i}")["rotation"])
                shares = inside(first, second)
                at_most(shares, 1 + 1e-5, f"{solver}: {k}-{i}: swing, in semi-axes")
                at_most(twist, 25 + 1e-3, f"{solver}: {k}-{i}: twist [deg]")
                at_least(twist, -15 - 1e-3, f"{solver}: {k}-{i}: twist [deg]")
                touched += shares > 0.999
        at_least(touched, 3, f"{solver}: joints at their limits")


def inside(about_x, about_z):
    """Where a swing stands in the ellipse: 1 is on its edge. The semi-axes go by z, then by x, the axes that follow y."""
    a = SEMI_AXES["z"][about_z < 0]
    b = SEMI_AXES["x"][about_x < 0]
    return math.hypot(about_z / a, about_x / b)


def D24_a_limit_belongs_to_its_bone_in_both_passes(tendon):
    limited = [chain(4, bends=0.0), op("setBallJoint", joint="b2", axis="y", swing=[5, 5, 5, 5], twist=[-5, 5])]
    for both in (True, False):
        pose = tendon.build(limited, handle("tip", "b0", "b4", "fabrik", goal=[0.2, 0.2, 0.05],
                                            parameters={"backwardLimits": both})).pose()
        first, second, twist = swing_and_twist(pose.local("b2")["rotation"])
        at_most(math.hypot(first, second), 5 + 1e-3, "swing [deg]")
        at_most(abs(twist), 5 + 1e-3, "twist [deg]")
        at_least(turn_between(pose.local("b1")["rotation"], [0, 0, 0, 1]), 5.5, "turn of the joint above [deg]")


def D25_the_end_takes_the_rotation_of_its_goal(tendon):
    solvers = [name for name in ("fabrik", "dls", "two-bone", "ceres") if name in tendon.solvers()]
    pose = tendon.build([chain(2, f"{name}-", bends=20.0) + handle(
        f"{name} goal", f"{name}-0", f"{name}-2", name, goal=[0.05, 0.15, 0.05], orientationWeight=1)
        + [op("setGoal", handle=f"{name} goal", rotation=[20, 30, 10])] for name in solvers]).pose(exit_code=0)
    wanted = None
    for name in solvers:
        rotation = pose.world(f"{name}-2")["rotation"]
        wanted = wanted or rotation
        at_most(turn_between(rotation, wanted), 0.2, f"{name}: rotation against the others' [deg]")
        at_most(pose.handles[f"{name} goal"]["rotationError"], 0.1, f"{name}: error [deg]")
    straight = [chain(2, bends=0.0), hinge("b0"), hinge("b1"), locked("b2")]
    held = tendon.build(straight, handle("tip", "b0", "b2", "fabrik", goal=[0, 0.2, 0], orientationWeight=1),
                        op("setGoal", handle="tip", rotation=[0, 40, 0])).pose(exit_code=3)
    near(held.handles["tip"]["rotationError"], 40, 1, "error of a rotation that no joint can make [deg]")


def D22_the_status_says_whether_limits_prevent_the_goal(tendon):
    """Goals from poses within the limits are never said to be blocked or beyond reach; goals behind a limit are."""
    random = Random(7)
    joints, turns, count = [], [], 40
    for k in range(count):
        joints.append(chain(4, f"{k}-", bends=0.0))
        for i in range(4):
            joint, axis = f"{k}-{i}", "xz"[i % 2]
            if k % 2:
                joints.append(hinge(joint, axis, from_=-40, to=50))
                turns.append(op("rotate", joint=joint, axis=axis, value=random.uniform(-39, 49)))
            else:
                joints.append(op("setBallJoint", joint=joint, axis="y", swing=[20, 35, 50, 10], twist=[-15, 25]))
                turns.append(op("setPose", joint=joint, rotation=[random.uniform(-9, 45), 0, 0] if axis == "x"
                                else [0, 0, random.uniform(-34, 19)]))
    posed = tendon.build(joints, turns).pose()
    for solver in ("dls", "fabrik"):
        pose = tendon.build(joints, [handle(f"goal {k}", f"{k}-0", f"{k}-4", solver, goal=posed.position(f"{k}-4"))
                                     for k in range(count)]).pose()
        for k in range(count):
            holds(pose.status(f"goal {k}") not in ("limits", "unreachable", "iteration-limit"),
                  f"{solver}: goal {k} is within reach, but its status is {pose.status(f'goal {k}')}")
        blocked = tendon.build(chain(2, bends=0.0), locked("b0"), hinge("b1", "x", from_=-5, to=5),
                               handle("tip", "b0", "b2", solver, goal=[0, 0.15, 0.0866])).pose(exit_code=3)
        same([blocked.status("tip"), blocked.handles["tip"]["blockedBy"]], ["limits", "b1"], f"{solver}: a goal behind a limit")


def D11_a_moved_root_starts_the_forward_stage(tendon):
    rig = [op("addJoint", name="base"), chain(5, parent="base"), handle("tip", "b0", "b5", "fabrik", goal=[0.3, 0.3, 0.1])]
    for at in ([0, 0, 0], [0.2, 0.1, 0.05], [0.3, 0.55, -0.1]):
        pose = tendon.build(rig, op("setPose", joint="base", translation=at)).pose(exit_code=0)
        same(pose.position("b0"), at, "the root")
        at_most(distance(pose.position("b5"), [0.3, 0.3, 0.1]), TOLERANCE, "end")


def D26_ten_bones_take_a_tenth_of_a_millisecond_at_most(tendon):
    turns = [{"name": f"b{i}{axis}", "parent": 3 * i + k - 1, "type": "revolute", "axis": [float(axis == one) for one in "xyz"],
              "pos": [0, 0.1 if i and not k else 0, 0], "quat": [1, 0, 0, 0], "lower": None, "upper": None, "bone": f"b{i}"}
             for i in range(10) for k, axis in enumerate("xyz")]
    tip = {"name": "end", "parent": 29, "type": "fixed", "axis": [0, 0, 1], "pos": [0, 0.1, 0], "quat": [1, 0, 0, 0],
           "lower": None, "upper": None, "bone": "end"}
    problem, cases, answers = (tendon.path(suffix) for suffix in (".json", ".csv", ".answers.csv"))
    with open(problem, "w", encoding="utf-8") as stream:
        json.dump({"name": "ten bones", "ball_chain": True, "cases": os.path.basename(cases), "count": 200, "joints": turns + [tip],
                   "goals": [{"name": "tip", "joint": 30, "offset": [0, 0, 0], "position": True, "orientation": False}],
                   "start": [0.1] * 30, "tolerance": {"position": 1e-4, "rotation": 1}, "length": 1}, stream)
    with open(cases, "w", encoding="utf-8") as stream:
        print("case,g0_px,g0_py,g0_pz,g0_qw,g0_qx,g0_qy,g0_qz", file=stream)
        for k in range(200):
            print(f"{k},{0.5 * math.sin(k)},{0.6 * math.cos(2.3 * k)},{0.4 * math.sin(1.7 * k)},1,0,0,0", file=stream)
    figures = json.loads(tendon.call("bench", "--problem", problem, "--solver", "fabrik", "--json", "-o", answers)[1])
    same(figures["solved"], 200, "goals met")
    at_most(figures["medianMicroseconds"], 100, "median time [us]")

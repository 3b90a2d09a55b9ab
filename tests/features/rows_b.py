"""Handles as in Maya: rows B1 to B12."""

from checks import at_least, at_most, holds, near, same
from geometry import angle_between, bend, chain, cross, distance, dot, handle, minus, mix, off_line, turned
from program import op

TOLERANCE = 1e-4  # of a goal, by default [m]


def B5_every_solver_brings_the_end_onto_its_goal(tendon):
    solvers = [name for name, about in tendon.solvers().items()
               if {"position-goal", "pose-goal"} & set(about["features"])]
    at_least(len(solvers), 4, "solvers")
    pose = tendon.build([chain(2, f"{name}-") + handle(f"{name} goal", f"{name}-0", f"{name}-2", name, goal=[0.05, 0.15, 0.06])
                         for name in solvers]).pose(exit_code=0)
    for name in solvers:
        at_most(distance(pose.position(f"{name}-2"), [0.05, 0.15, 0.06]), TOLERANCE, name)


def B6_a_moved_goal_turns_joints_and_slides_none(tendon):
    rig = tendon.build(chain(50, bends=3.0), handle("tip", "b0", "b50"))
    before, after = rig.pose(), rig.run(op("setGoal", handle="tip", position=[1.5, 2.5, 0.5])).pose(exit_code=0)
    for joint in before.joints:
        same(after.local(joint)["translation"], before.local(joint)["translation"], joint)
    at_least(sum(turn > 0.01 for turn in turned(before, after).values()), 45, "joints that turned")


def B7_chains_may_have_3_joints_or_50(tendon):
    for solver in ("dls", "fabrik"):
        pose = tendon.build(chain(2, "a"), handle("short", "a0", "a2", solver, goal=[0.05, 0.15, 0.03]),
                            chain(49, "b", bends=3.0), handle("long", "b0", "b49", solver, goal=[1.5, 2.5, 0.5])).pose(exit_code=0)
        for one in ("short", "long"):
            at_most(pose.error(one), TOLERANCE, f"{solver}: {one}")


def elbow_side(pose, start, joint, end):
    """The elbow's direction from the line between start and end."""
    along = minus(pose.position(end), pose.position(start))
    out = minus(pose.position(joint), pose.position(start))
    return minus(out, [a * dot(out, along) / dot(along, along) for a in along])


def B8_twist_turns_the_plane_about_the_handle_vector(tendon):
    for bones in (2, 5):
        for pole in ({}, {"pole": [0, 0.2, 1]}):
            rig = tendon.build(chain(bones, bends=20.0),
                               handle("tip", "b0", f"b{bones}", "rotate-plane", goal=[0.02, 0.08 * bones, 0.03], **pole))
            sides = []
            for twist in (0, 0.01, 90):
                pose = rig.run(op("setHandle", name="tip", twist=twist)).pose(exit_code=0)
                sides.append(elbow_side(pose, "b0", "b1", f"b{bones}"))
            about = f"{bones} bones, {'with' if pole else 'without'} a pole"
            at_most(angle_between(sides[0], sides[1]), 0.02, f"{about}: turn at a twist of 0.01 degrees")
            near(angle_between(sides[0], sides[2]), 90, 0.1, f"{about}: turn at a twist of 90 degrees")
    rotated = rig.run(op("setGoal", handle="tip", rotation=[0, 70, 0])).pose()
    same([rotated.local(j) for j in ("b0", "b1")], [rig.pose().local(j) for j in ("b0", "b1")], "chain of a rotated goal")


def B8_a_zigzag_faces_its_pole_and_turns_by_its_twist(tendon):
    start, goal, pole = [0, 1, 0], [0, 0.35, 0.05], [2, 0.5, 0]
    joints = [op("addJoint", name=name, parent=above, translation=at) for name, above, at in
              (("a", None, start), ("b", "a", [0, -0.3, 0.15]), ("c", "b", [0, -0.3, -0.3]), ("d", "c", [0, -0.3, 0.15]))]
    for solver in ("rotate-plane", "spring", "hi"):
        for aside in ([0, 0, 0], [0.0001, 0, 0], [0, 0.0001, 0], [0, 0, -0.0001]):
            to = [x + y for x, y in zip(goal, aside)]
            rig = tendon.build(joints, handle("H", "a", "d", solver, goal=to, pole=pole, twist=90))
            pose = rig.pose(exit_code=0)
            along = [x / distance(to, start) for x in minus(to, start)]
            bend = [(2 * x + y) / 3 for x, y in zip(minus(pose.position("b"), start), minus(pose.position("c"), start))]
            across = [[x - dot(v, along) * y for x, y in zip(v, along)] for v in (bend, minus(pole, start))]
            near(angle_between(across[0], cross(along, across[1])), 0, 0.1, f"{solver}: bend from the pole turned by 90 degrees")


def B9_a_single_chain_follows_the_rotation_of_its_handle(tendon):
    rig = tendon.build(chain(3, bends=20.0), handle("tip", "b0", "b3", "single-chain", goal=[0, 0.25, 0]))
    before = elbow_side(rig.pose(), "b0", "b1", "b3")
    after = elbow_side(rig.run(op("setGoal", handle="tip", rotation=[0, 60, 0])).pose(), "b0", "b1", "b3")
    near(angle_between(before, after), 60, 0.1, "turn of the plane at a goal turned by 60 degrees")
    holds("pole" not in tendon.solvers().get("single-chain", {}).get("features", ["pole"]), "it claims a pole")


def B10_a_chain_follows_a_curve(tendon):
    line = [[0, 0, 0], [0.2, 0.1, 0], [0.4, 0.2, 0], [0.6, 0.3, 0]]  # a curve of any kind through these is straight
    rig = tendon.build(chain(5), handle("tip", "b0", "b5", "spline", curve=line))
    before = rig.pose()
    for i in range(1, 6):
        at_most(off_line(before.position(f"b{i}"), line[0], line[3]), 0.001, f"b{i} from the curve")
    after = rig.run(op("setCurvePoint", handle="tip", index=1, position=[0.1, 0.3, 0.1])).pose()
    at_least(off_line(after.position("b2"), line[0], line[3]), 0.02, "b2 from the former curve")


def B10_a_keyed_curve_moves_and_its_points_come_and_go(tendon):
    rig = tendon.build(chain(6), op("addClip", name="sway"), handle("tip", "b0", "b6", "spline"))
    file = rig.pose()
    for frame, x in ((1, 0.1), (21, 0.3)):
        rig = rig.run(op("setFrame", value=frame), op("setCurvePoint", handle="tip", index=2, position=[x, 0.3, 0.1]),
                      op("key", target="tip", channels=["curve.2"]))
    middle = rig.pose(11)
    for i in range(1, 7):
        near(distance(middle.position(f"b{i}"), middle.position(f"b{i - 1}")), 0.1, 1e-9, f"bone {i}")
    at_least(distance(middle.position("b3"), file.position("b3")), 0.01, "way of b3 between the keys")
    same(rig.run(op("addCurvePoint", handle="tip", index=2), op("removeCurvePoint", handle="tip", index=2)).pose(11).position("b4"),
         middle.position("b4"), "b4 after a point came and went")
    stretched = rig.run(op("setHandle", name="tip", stretch=3), op("removeCurvePoint", handle="tip", index=3),
                        op("addCurvePoint", handle="tip", index=3, position=[0.2, 1.2, 0])).pose(21, exit_code=None)
    near(distance(stretched.position("b6"), stretched.position("b5")), distance(stretched.position("b2"), stretched.position("b1")), 1e-9,
         "bones stretch alike")


def B11_a_spring_keeps_its_bends_in_proportion(tendon):
    rest = [5.0, 20.0, 35.0, 15.0, 25.0]
    leg = tendon.build(chain(5, bends=rest), handle("tip", "b0", "b5", "spring"))
    unbent = leg.pose()
    start, end = unbent.position("b0"), unbent.position("b5")
    pose = leg.run(op("setGoal", handle="tip", position=mix(start, end, 0.6))).pose(exit_code=0)
    ratios = [bend(pose, f"b{i - 1}", f"b{i}", f"b{i + 1}") / bend(unbent, f"b{i - 1}", f"b{i}", f"b{i + 1}") for i in range(1, 5)]
    at_least(min(ratios), 1.2, "bend against the rest pose")
    at_most(max(ratios) / min(ratios) - 1, 0.05, "spread of the bends")

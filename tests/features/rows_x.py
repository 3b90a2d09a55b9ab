"""Scenes that people know: rows X1 to X7."""

import math

from checks import at_least, at_most, differs, holds, near, same
from geometry import distance, handle, minus
from program import op
from rows_c import changed, clip_frames, telescope

TOLERANCE = 1e-4  # of a goal, by default [m]
TORI = [f"Torus{i:02}" for i in range(1, 11)]


def X1_lamp(tendon):
    lamp = tendon.sample("lamp")
    before = lamp.pose()
    rigid = lamp.run(op("drag", joint="Support", by=[0.2, 0, 0.1], mode="ik")).pose()
    same(changed(before, rigid), ["Support"], "joints that a dragged support changes")
    at = [a + b for a, b in zip(before.position("Lever02"), [0.1, -0.05, 0])]
    bent = lamp.run(op("drag", joint="Lever02", to=at, mode="ik")).pose()
    at_most(distance(bent.position("Lever02"), at), TOLERANCE, "the dragged lever")
    # With the terminator, to a point at the same distance from the first hinge, which now stays.
    held = lamp.run(op("setTerminator", joint="Hinge01", on=True), op("drag", joint="Lever02", to=[0, 0.55, -0.33], mode="ik")).pose()
    for pose, fixed in ((bent, []), (held, ["Support", "Hinge01"])):
        same([joint for joint in ("Support", "Hinge01") if pose.world(joint) == before.world(joint)], fixed, "joints that stay")
        same([joint for joint in ("Hinge03", "Lever03", "Reflector") if pose.local(joint) != before.local(joint)], [], "changed below")
        differs(pose.local("Lever01"), before.local("Lever01"), "the first lever")


def X2_mace(tendon):
    mace = tendon.sample("mace")
    before = mace.pose()
    drag = {"joint": "Torus05", "by": [0.05, 0.02, 0.1]}
    fk = mace.run(op("drag", mode="fk", **drag)).pose()
    same([joint for joint in before.joints if fk.world(joint) != before.world(joint)], TORI[4:] + ["Hedra01"], "moved without IK")
    ik = mace.run(op("drag", mode="ik", **drag)).pose()
    same([joint for joint in before.joints if ik.world(joint) == before.world(joint)], [], "joints that stay with IK")
    at_most(distance(minus(ik.position("Torus05"), before.position("Torus05")), drag["by"]), TOLERANCE, "the dragged torus")
    slid = mace.run(op("setSlidingAxis", joint="ChamferCyl01", axis="z", active=True), op("drag", mode="ik", **drag)).pose()
    at_least(abs(slid.slide("ChamferCyl01", "z")), 1e-3, "the root's slide")
    fixed = mace.run([op("setRotationAxis", joint="ChamferCyl01", axis=axis, active=False) for axis in "xyz"],
                     op("drag", mode="ik", **drag)).pose()
    same(fixed.world("ChamferCyl01"), before.world("ChamferCyl01"), "the root without active axes")


def X3_leg(tendon):
    leg = tendon.sample("leg").run(op("removeHandle", name="FootGoal"), op("addHandle", name="Step", start="Dummy", end="Foot"))
    start = leg.pose().position("Foot")
    back = [start[0], start[1] + 0.08, start[2] - 0.2]
    walk = leg.run(op("setRange", from_=1, to=100), op("addClip", name="walk"), op("autoKey", on=True),
                   op("setFrame", value=50), op("setGoal", handle="Step", position=back),
                   op("setFrame", value=100), op("setGoal", handle="Step", position=start))
    same(clip_frames(walk), [1, 50, 100], "keyed frames")
    for frame, goal in ((1, start), (50, back), (100, start)):
        pose = walk.pose(frame, exit_code=0)
        at_most(distance(pose.position("Foot"), goal), TOLERANCE, f"foot at frame {frame}")
        same(pose.position("Dummy"), leg.pose().position("Dummy"), "the dummy")


def X4_telescope(tendon):
    rig = tendon.build(telescope())
    for height, top, middle in ((50, 20, 30), (30, 0, 30), (15, 0, 15), (0, 0, 0)):
        pose = rig.run(op("setGoal", handle="TopGoal", position=[0, 0, height])).pose()
        near(pose.slide("Top", "z"), top, 0.05, f"top tube at height {height}")
        near(pose.slide("Middle", "z"), middle, 0.05, f"middle tube at height {height}")
    usual = tendon.build(telescope(None), handle("TopGoal", "Middle", "Top"), op("setGoal", handle="TopGoal", position=[0, 0, 20])).pose()
    near(usual.slide("Top", "z"), 0, 0.05, "top tube with the default solver")
    near(usual.slide("Middle", "z"), 20, 0.05, "middle tube with the default solver")
    tubes = telescope(None)
    for settings in ({}, {"ease": 0.5}, {"damping": 0.5}):
        changes = [op("setSlidingAxis", joint=joint, axis="z", **settings) for joint in ("Middle", "Top") if settings]
        ends = []
        for count in (1, 7, 58):
            drags = [op("drag", joint="Top", by=[0, 0, -29 / count])] * count
            pose = tendon.build(tubes, changes, drags).pose()
            near(pose.position("Top")[2], 31, 1e-3, "the top tube")
            ends.append(30 - pose.slide("Middle", "z"))
        at_most(max(ends) - min(ends), 0.01 * 29, f"middle tube after 1, 7 and 58 drags with {settings}")
        if settings:
            at_least(min(ends), 1, f"middle tube with {settings}")
        else:
            at_most(max(ends), 1e-4, "middle tube")


def X5_arm(tendon):
    arm = tendon.sample("arm")
    before, after = arm.pose(), arm.run(op("setGoal", handle="WristGoal", position=[0.1, 1.1, 0.1])).pose(exit_code=0)
    same(changed(before, after), ["Shoulder", "Elbow"], "joints that turned")
    for joint in ("Shoulder", "Elbow"):
        same(after.local(joint)["translation"], before.local(joint)["translation"], joint)
    same(after.status("WristGoal"), "converged", "status")
    at_most(distance(after.position("Wrist"), [0.1, 1.1, 0.1]), TOLERANCE, "wrist")


def X6_opengl_arm(tendon):
    arm = tendon.sample("opengl-arm")
    same([arm.pose(exit_code=0).status("Reach"), arm.pose().handles["Reach"]["solver"]], ["converged", "fabrik"], "status and solver")


def X7_two_random_goals(tendon):
    sample = tendon.sample("two-goals")
    start = [sample.document(), sample.pose(exit_code=0)]
    same([start[1].handles[name]["solver"] for name in ("GoalA", "GoalB")], ["dls", "dls"], "solvers")
    same([start[1].status(name) for name in ("GoalA", "GoalB")], ["converged", "converged"], "statuses")
    at_least(distance(start[1].position("Bone5"), start[1].position("Bone2")), 0.1, "a bent chain")
    drawn = [op("randomPose", seed=1, angle=math.degrees(0.5), distance=1)]
    again, other = sample.run(drawn), sample.run(op("randomPose", seed=2, angle=math.degrees(0.5), distance=1))
    same(again.pose().joints, start[1].joints, "the pose of the same seed")
    differs(other.pose().joints, start[1].joints, "the pose of another seed")
    switched = sample.run([op("setHandle", name=name, parameters={"mode": "adaptive"}) for name in ("GoalA", "GoalB")])
    same(switched.pose(exit_code=0).status("GoalA"), "converged", "status of the adaptive step")
    refused = tendon.refuses(op("randomPose", seed=1, angle=-1), project=sample)
    holds("angle" in refused, refused)

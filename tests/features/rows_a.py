"""Kinematics: rows A1 to A11."""

import csv
import json

from checks import at_least, at_most, differs, holds, near, same
from geometry import chain, distance, handle, hinge, off_line
from program import op

TOLERANCE = 1e-4  # of a goal, by default [m]


def A1_a_turn_moves_what_is_below_and_nothing_else(tendon):
    lamp = tendon.sample("lamp")
    before, after = lamp.pose(), lamp.run(op("rotate", joint="Lever01", axis="x", value=30)).pose()
    for joint in ("Support", "Hinge01"):
        same(after.world(joint), before.world(joint), joint)
    below = ("Hinge02", "Lever02", "Hinge03", "Lever03", "Reflector")
    for joint in below:
        same(after.local(joint), before.local(joint), joint)
    at_least(distance(after.position("Reflector"), before.position("Reflector")), 0.1, "the reflector's way")


def shoulder_turned(arm):
    """The arm hanging from a torso, before and after the torso rotates by 30 degrees."""
    hung = arm.run(op("insertParent", joint="Shoulder", name="Torso"))
    return hung.pose(), hung.run(op("rotate", joint="Torso", axis="z", value=30)).pose()


def A2_fk_drifts_where_a_handle_stays(tendon):
    arm = tendon.sample("arm")
    before, after = shoulder_turned(arm)
    at_most(distance(before.position("Wrist"), after.position("Wrist")), TOLERANCE, "wrist with a handle")
    before, after = shoulder_turned(arm.run(op("removeHandle", name="WristGoal")))
    at_least(distance(before.position("Wrist"), after.position("Wrist")), 0.05, "wrist without one")
    hung = arm.run(op("insertParent", joint="Shoulder", name="Torso"), op("setHandle", name="WristGoal", stick=False))
    before, after = hung.pose(), hung.run(op("rotate", joint="Torso", axis="z", value=30)).pose(exit_code=0)
    at_least(distance(before.position("Wrist"), after.position("Wrist")), 0.05, "wrist with a handle that does not stick")
    for joint in ("Shoulder", "Elbow"):
        near(distance(after.position(joint), after.position("Wrist")), distance(before.position(joint), before.position("Wrist")),
             2 * TOLERANCE, f"from {joint} to the wrist that goes along")


def A3_fk_keys_of_an_ik_chain_move_on_arcs(tendon):
    clip = tendon.sample("arm").run(
        op("setHandle", name="WristGoal", blend=0), op("addClip", name="swing"),
        op("setFrame", value=1), op("rotate", joint="Shoulder", axis="x", value=-40), op("key", target="Shoulder"),
        op("setFrame", value=25), op("rotate", joint="Shoulder", axis="x", value=40), op("key", target="Shoulder"))
    start, middle, end = (clip.pose(frame) for frame in (1, 13, 25))
    radius = [distance(pose.position("Shoulder"), pose.position("Wrist")) for pose in (start, middle, end)]
    for one in radius:
        near(one, radius[0], 1e-9, "distance from the shoulder")
    off = off_line(middle.position("Wrist"), start.position("Wrist"), end.position("Wrist"))
    at_least(off, 0.2 * radius[0], "height of the arc")


def A4_a_goal_turns_only_joints_of_its_chain(tendon):
    rig = tendon.build(chain(5), handle("tip", "b1", "b4"))
    before, after = rig.pose(), rig.run(op("setGoal", handle="tip", position=[0.05, 0.3, 0.1])).pose()
    same(after.world("b0"), before.world("b0"), "the joint above the chain")
    same(after.local("b4"), before.local("b4"), "the end joint's own pose")
    same(after.local("b5"), before.local("b5"), "the joint below the chain")
    for joint in ("b1", "b2", "b3"):
        differs(after.local(joint)["rotation"], before.local(joint)["rotation"], joint)
    at_most(after.error("tip"), TOLERANCE, "error")


def A5_segments_are_saved(tendon):
    shape = {"kind": "box", "size": [0.1, 0.2, 0.3]}
    project = tendon.build(chain(1), op("setSegment", joint="b0", shape=shape, mass=3.5)).run(op("setFps", value=25))
    saved = project.document()["joints"][0]["segment"]
    same((saved["shape"], saved["size"], saved["mass"]), ("box", [0.1, 0.2, 0.3], 3.5), "the reloaded segment")
    near(distance(project.pose().position("b0"), project.pose().position("b1")), 0.1, 1e-12, "length")


def A6_a_leaf_alone_proposes_the_chain_to_its_root(tendon):
    rig = tendon.build(chain(3), op("addHandle", name="tip", end="b3"), op("setGoal", handle="tip", position=[0.1, 0.2, 0.1]))
    pose = rig.pose()
    differs(pose.local("b0"), tendon.build(chain(3)).pose().local("b0"), "the root")
    at_most(pose.error("tip"), TOLERANCE, "error")


def A7_root_and_goal_may_both_move(tendon):
    for solver in ("dls", "fabrik"):
        clip = tendon.build(
            chain(5), handle("tip", "b1", "b5", solver), op("addClip", name="walk"),
            op("setFrame", value=1), op("setPose", joint="b0", translation=[0, 0, 0]),
            op("setGoal", handle="tip", position=[0.1, 0.3, 0.1]), op("key", target="b0", channels=["translation"]),
            op("key", target="tip"),
            op("setFrame", value=31), op("setPose", joint="b0", translation=[0.4, 0.1, -0.2]),
            op("setGoal", handle="tip", position=[0.5, 0.35, -0.1]), op("key", target="b0", channels=["translation"]),
            op("key", target="tip"))
        _, report, code = clip.bake(".json")
        same(code, 0, f"{solver}: bake")
        same(report["frames"], 31, "frames")
        same(report["goals"]["missed"], [], f"{solver}: frames with a missed goal")
        at_most(report["goals"]["worst"]["error"], TOLERANCE, f"{solver}: worst error")
        same(clip.pose(31).local("b0")["translation"], [0.4, 0.1, -0.2], "root at its key")


def A8_a_handle_says_how_its_solve_ended(tendon):
    pose = tendon.build(
        chain(3, "a"), handle("met", "a0", "a3", goal=[0.1, 0.2, 0]),
        chain(3, "b"), handle("far", "b0", "b3", goal=[0, 0.5, 0]),
        chain(2, "c", bends=0.0), hinge("c1", "x", from_=-5, to=5), handle("blocked", "c0", "c2", goal=[0, 0.15, 0.05]),
        chain(3, "d"), handle("capped", "d0", "d3", goal=[-0.1, 0.1, 0], maxIterations=1),
        chain(3, "e"), handle("left", "e0", "e3", "fabrik", goal=[-0.1, 0.2, 0]),
        handle("right", "e0", "e3", "fabrik", goal=[0.1, 0.2, 0])).pose(exit_code=3)
    same(pose.status("met"), "converged", "a goal that is met")
    same(pose.status("far"), "unreachable", "a goal beyond reach")
    near(pose.handles["far"]["shortfall"], pose.error("far"), 1e-6, "what is missing")
    same(pose.status("blocked"), "limits", "a goal behind a limit")
    same(pose.handles["blocked"]["blockedBy"], "c1", "the joint that blocks it")
    same(pose.status("capped"), "iteration-limit", "a solve that is cut short")
    same(pose.status("left"), "stalled", "one of two goals that contradict each other")
    same(tendon.build(chain(3, "a"), handle("met", "a0", "a3", goal=[0.1, 0.2, 0])).pose(exit_code=0).exit, 0, "exit code")


def A9_a_handle_chooses_among_its_solutions(tendon):
    for solver in ("dls", "hd"):
        poses = []
        for choice in ("outermost", "closest", "natural") if solver == "dls" else ("outermost", "closest", "leastEnergy", "natural"):
            pose = tendon.build(chain(5), [op("setPreferredAngle", joint=f"b{i}", value=[0, 0, 25]) for i in range(5)],
                                [op("setSegment", joint=f"b{i}", mass=6 - i) for i in range(5)],
                                handle("tip", "b0", "b5", solver, goal=[0.2, 0.25, 0.1], choice=choice)).pose()
            at_most(pose.error("tip"), TOLERANCE, f"{solver}, {choice}")
            for other in poses:
                apart = max(distance(pose.position(f"b{i}"), other.position(f"b{i}")) for i in range(5))
                at_least(apart, 1e-3, f"{solver}, {choice}")
            poses.append(pose)
    text = tendon.refuses(chain(3), handle("tip", "b0", "b3", "dls", choice="leastEnergy"))
    holds("cannot choose leastEnergy" in text and "constrained or hd" in text, f"a solver that cannot weigh mass: {text}")
    text = tendon.refuses(chain(3), handle("tip", "b0", "b3", "fabrik", choice="natural"))
    holds("cannot choose" in text, f"a solver that cannot choose: {text}")


def A10_solved_angles_are_numbers_to_read(tendon):
    arm = tendon.sample("arm").run(op("setGoal", handle="WristGoal", position=[0.1, 1.1, 0.1]))
    angle = arm.pose(exit_code=0).angle("Elbow", "x")
    at_least(abs(angle), 1, "elbow")
    table, _, _ = arm.bake(".csv")
    with open(table, encoding="utf-8") as stream:
        row = list(csv.DictReader(stream))[0]
    near(float(row["Elbow.rx"]), angle, 1e-4, "elbow in the table")
    text, _, _ = arm.bake(".json")
    with open(text, encoding="utf-8") as stream:
        joints = json.load(stream)["clips"][0]["samples"][0]["joints"]
    holds(any(abs(joint["angles"][0] - angle) < 1e-9 for joint in joints), "no joint of the JSON file has the elbow's angle")


def A11_samples_reach_bend_and_press(tendon):
    for name in ("robot-arm", "dragon-neck", "button-press"):
        sample = tendon.sample(name)
        _, report, code = sample.bake(".csv")
        same((code, report["goals"]["missed"]), (0, []), name)
        at_least(report["frames"], 24, f"{name}: frames")
        if name == "dragon-neck":
            at_least(len(sample.pose().joints), 20, "joints of the neck")

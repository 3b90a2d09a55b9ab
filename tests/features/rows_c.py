"""Hierarchies as in 3ds Max: rows C1 to C34."""

import json
import math
import random

from checks import at_least, at_most, differs, holds, near, same
from geometry import chain, distance, handle, hinge, locked, minus, off_line, turn_between, turned
from program import op

TOLERANCE = 1e-4  # of a goal, by default [m]
LAMP = ["Support", "Hinge01", "Lever01", "Hinge02", "Lever02", "Hinge03", "Lever03", "Reflector"]
LEVER_DRAG = op("drag", joint="Lever02", by=[0.1, -0.05, 0], mode="ik")


def lamp_dragged(tendon, *operations):
    lamp = tendon.sample("lamp")
    return lamp.pose(), lamp.run(*operations).pose()


def changed(before, after):
    """The joints whose local pose is another, to the last printed digit."""
    return [joint for joint in before.joints if after.local(joint) != before.local(joint)]


def C1_any_joint_can_be_dragged_without_a_rig(tendon):
    for joint in ("Hinge02", "Lever02", "Lever03"):
        before, after = lamp_dragged(tendon, op("drag", joint=joint, by=[0.02, -0.03, 0.02], mode="ik"))
        wanted = [a + b for a, b in zip(before.position(joint), [0.02, -0.03, 0.02])]
        at_most(distance(after.position(joint), wanted), TOLERANCE, joint)


def C2_a_leaf_takes_its_whole_branch_along(tendon):
    before, after = lamp_dragged(tendon, op("drag", joint="Reflector", by=[0.1, 0.05, 0.1], mode="ik"))
    wanted = [a + b for a, b in zip(before.position("Reflector"), [0.1, 0.05, 0.1])]
    at_most(distance(after.position("Reflector"), wanted), TOLERANCE, "reflector")
    same(after.local("Reflector"), before.local("Reflector"), "the reflector's own pose")
    same(changed(before, after), LAMP[:-1], "joints that turned")


def C3_below_the_dragged_joint_fk_above_it_ik(tendon):
    before, after = lamp_dragged(tendon, LEVER_DRAG)
    for joint in ("Hinge03", "Lever03", "Reflector"):
        same(after.local(joint), before.local(joint), joint)
    for joint in ("Support", "Hinge01", "Lever01", "Hinge02"):
        differs(after.world(joint), before.world(joint), joint)


def C4_without_interactive_ik_only_what_is_below_moves(tendon):
    before, after = lamp_dragged(tendon, {**LEVER_DRAG, "mode": "fk"})
    moved = [joint for joint in LAMP if after.world(joint) != before.world(joint)]
    same(moved, ["Lever02", "Hinge03", "Lever03", "Reflector"], "joints that moved")


def C5_a_dragged_root_takes_everything_along_rigidly(tendon):
    before, after = lamp_dragged(tendon, op("drag", joint="Support", by=[0.2, 0, 0.1], mode="ik"))
    same(changed(before, after), ["Support"], "joints with another local pose")
    for joint in LAMP:
        at_most(distance(minus(after.position(joint), before.position(joint)), [0.2, 0, 0.1]), 1e-12, joint)


def C6_a_root_is_not_fixed(tendon):
    before, after = lamp_dragged(tendon, LEVER_DRAG)
    differs(after.world("Support"), before.world("Support"), "the support")


def C8_a_terminator_and_what_is_above_it_stay(tendon):
    before, after = lamp_dragged(tendon, op("setTerminator", joint="Hinge01", on=True), LEVER_DRAG)
    for joint in ("Support", "Hinge01"):
        same(after.world(joint), before.world(joint), joint)
    differs(after.local("Lever01"), before.local("Lever01"), "the lever below")


def C9_a_terminator_is_saved(tendon):
    lamp = tendon.sample("lamp").run(op("setTerminator", joint="Hinge01", on=True))
    saved = {joint["name"]: joint.get("terminator", False) for joint in lamp.document()["joints"]}
    same([name for name, flag in saved.items() if flag], ["Hinge01"], "terminators in the file")


def C10_joint_parameters_belong_to_the_child(tendon):
    rig = tendon.build(chain(2), hinge("b1", "z", from_=-20, to=40))
    plain = tendon.build(chain(2))
    both = zip(plain.document()["joints"], rig.document()["joints"])
    same([before["name"] for before, after in both if before != after], ["b1"], "joints that are stored with a change")


def C11_rotation_axes_are_active_limited_ranged_and_eased(tendon):
    arm = [chain(4, bends=0.0), [hinge(f"b{i}", from_=-90, to=90) for i in range(4)],
           op("setPreferredAngle", joint="b1", value=[0, 0, 20]), handle("tip", "b0", "b4", "hd", goal=[0.2, 0.25, 0])]
    plain = tendon.build(arm).pose(exit_code=0)
    for i in range(4):
        at_most(max(abs(plain.angle(f"b{i}", axis)) for axis in "xy"), 1e-6, f"b{i} about axes that are off [deg]")
    most = max(range(4), key=lambda i: abs(plain.angle(f"b{i}", "z")))
    limit = abs(plain.angle(f"b{most}", "z"))
    narrow = [hinge(f"b{most}", from_=-limit - 1, to=limit + 1)]
    eased = tendon.build(arm, narrow, op("setRotationAxis", joint=f"b{most}", axis="z", ease=0.5)).pose(exit_code=0)
    at_most(abs(eased.angle(f"b{most}", "z")), limit - 1, "the joint that ease holds back [deg]")
    held = tendon.build(arm, [hinge(f"b{most}", from_=limit / 2, to=-limit / 2)]).pose(exit_code=0)
    near(abs(held.angle(f"b{most}", "z")), limit / 2, 1e-4, "the joint at its limit [deg]")


def C12_sliding_axes_are_active_limited_and_ranged(tendon):
    for axis in "xyz":
        towards = [0.0, 0.0, 0.0]
        towards["xyz".index(axis)] = 1.0
        start = [op("addJoint", name="base"), op("addJoint", name="s", parent="base"), op("addJoint", name="e", parent="s"),
                 locked("base"), locked("s"), op("addHandle", name="goal", start="s", end="e"),
                 op("setGoal", handle="goal", position=towards)]
        held = tendon.build(start).pose()
        same(held.position("e"), [0, 0, 0], f"{axis}: not active")
        free = tendon.build(start, op("setSlidingAxis", joint="s", axis=axis, active=True)).pose()
        at_most(free.error("goal"), TOLERANCE, f"{axis}: active")
        ranged = tendon.build(start, op("setSlidingAxis", joint="s", axis=axis, active=True, limited=True, from_=-0.2, to=0.3)).pose()
        near(ranged.slide("s", axis), 0.3, 1e-6, f"{axis}: limited")
        near(ranged.error("goal"), 0.7, 1e-6, f"{axis}: what is missed")


def C13_a_solver_that_cannot_slide_says_so(tendon):
    leg, slide = tendon.sample("leg"), op("setSlidingAxis", joint="Shin", axis="y", active=True)
    text = tendon.refuses(slide, project=leg)
    holds("cannot slide" in text and "Shin" in text and "dls" in text, f"refused: {text}")
    same(leg.run(op("setHandle", name="FootGoal", solver="dls"), slide).pose(exit_code=0).status("FootGoal"), "converged", "a solver that can")


def C14_the_solvers_of_3ds_max_have_their_like(tendon):
    solvers = tendon.solvers()
    for name in ("hi", "hd", "limb", "spline"):
        holds(name in solvers, f"there is no solver {name}")


def C16_handles_are_not_exported(tendon):
    file, _, _ = tendon.sample("leg").bake(".glb")
    inside = json.loads(tendon.call("info", file, "--json")[1])
    same([joint["name"] for joint in inside["joints"]], ["Dummy", "Thigh", "Shin", "Foot"], "joints of the file")
    with open(file, "rb") as stream:
        holds(b"FootGoal" not in stream.read(), "the file names the handle")


GOALS = [[0, 0.12, 0.1], [0.05, 0.2, 0.2], [0, 0.3, -0.1], [-0.1, 0.25, 0.15], [0, 0.5, 0.1]]


def leg_poses(tendon):
    """The leg's pose for each goal of its foot: one frame each."""
    leg = tendon.sample("leg")
    keyed = leg.run(op("addClip", name="drag"), [
        [op("setFrame", value=frame), op("setGoal", handle="FootGoal", position=goal), op("key", target="FootGoal")][k]
        for frame, goal in enumerate(GOALS, 1) for k in range(3)])
    return leg.pose(), [keyed.pose(frame) for frame in range(1, len(GOALS) + 1)]


def C17_the_foot_stays_on_its_goal(tendon):
    for pose, goal in zip(leg_poses(tendon)[1], GOALS):
        at_most(distance(pose.position("Foot"), goal), TOLERANCE, f"foot at {goal}")


def C18_the_end_keeps_its_local_pose(tendon):
    rest, poses = leg_poses(tendon)
    for pose in poses:
        same(pose.local("Foot"), rest.local("Foot"), "the foot's own pose")


def C19_a_dummy_above_the_root_moves_nothing(tendon):
    leg = tendon.sample("leg")
    before, after = leg.pose(), leg.run(op("insertParent", joint="Dummy", name="Anchor")).pose()
    for joint in before.joints:
        same(after.world(joint), before.world(joint), joint)
    same(after.joints["Dummy"]["parent"], "Anchor", "the new parent")


def C20_a_small_move_of_the_goal_turns_no_joint_far(tendon):
    leg = tendon.sample("leg").run(op("setHandle", name="FootGoal", solver="hi"))
    small_moves_turn_no_joint_far(leg)
    small_moves_turn_no_joint_far(leg.run(op("setHandle", name="FootGoal", pole=None)))


def C20_a_kick_turns_no_joint_far(tendon):
    leg = tendon.sample("leg")
    for solver in ("two-bone", "hi", "dls"):
        poses = [leg.run(op("setHandle", name="FootGoal", solver=solver), op("addClip", name="kick"),
                         op("setGoal", handle="FootGoal", position=goal), op("key", target="FootGoal")).pose(exit_code=0)
                 for goal in ([-0.006, 0.8693, 0.7121], [0.031, 0.8787, 0.7319])]
        at_most(max(turned(*poses).values()), 25, f"{solver}: largest turn of a joint [deg]")


def C20_a_bare_leg_swings_at_one_place_alone(tendon):
    hip, reach = [0, 0.9, 0], 0.865
    leg = [op("addJoint", name="Thigh", translation=hip), op("addJoint", name="Shin", parent="Thigh", translation=[0, -0.44, 0.05]),
           op("addJoint", name="Foot", parent="Shin", translation=[0, -0.42, -0.05])]
    moves = [([-0.018, 0.894, -0.142], [0, 0.865, -0.168])]
    for i in range(150):  # spread over the sphere and over distances
        up, round_, far = 1 - 2 * (i + 0.5) / 150, 2.4 * i, (0.2 + 0.7 * ((0.618 * i) % 1)) * reach
        flat_ = math.sqrt(1 - up * up)
        at = [hip[0] + far * flat_ * math.cos(round_), hip[1] + far * up, hip[2] + far * flat_ * math.sin(round_)]
        if off_line(at, hip, [0, 0, 0]) < 0.15 * reach and up > 0:
            continue  # the place: away from where the foot hangs
        moves += [(at, [x + 0.01 * reach * y for x, y in zip(at, way)]) for way in ((1, 0, 0), (0, 1, 0), (0, 0, 1))[i % 3:i % 3 + 1]]
    for solver in ("dls", "two-bone", "hi", "rotate-plane"):
        rig = tendon.build(leg, handle("H", "Thigh", "Foot", solver))
        samples = at_goals(rig, [goal for move in moves for goal in move])
        for i, move in enumerate(moves):
            most = 11.5 if i else 25  # the first moves by 5 %
            at_most(most_turned(samples[2 * i], samples[2 * i + 1]), most, f"{solver}: turn of a joint from {move[0]} [deg]")
        cautions = [rig.run(op("setGoal", handle="H", position=goal)).pose(exit_code=0).handles["H"].get("caution", "")
                    for goal in ([0.05, 1.297, 0.037], [0, 0.5, 0.3])]
        holds("way round" in cautions[0] and not cautions[1], f"{solver}: cautions {cautions}")


def C20_where_a_small_move_turns_a_joint_far_it_is_said(tendon):
    hip, reach, chance = [0, 0.9, 0], 0.865, random.Random(20)
    for solver in ("hi", "two-bone", "dls"):
        rig, moves = [], 250
        for i in range(moves):
            goal = in_ball(chance, hip, 0.9 * reach)
            while True:
                way = in_ball(chance, [0, 0, 0], 1)
                moved = [a + 0.05 * reach * b / math.hypot(*way) for a, b in zip(goal, way)]
                if distance(moved, hip) < 0.9 * reach:
                    break
            for name, at in ((f"{i}", goal), (f"{i}m", moved)):
                rig += [op("addJoint", name="Thigh" + name, translation=hip),
                        op("addJoint", name="Shin" + name, parent="Thigh" + name, translation=[0, -0.44, 0.05]),
                        op("addJoint", name="Foot" + name, parent="Shin" + name, translation=[0, -0.42, -0.05])]
                rig += handle("H" + name, "Thigh" + name, "Foot" + name, solver, at)
        pose = tendon.build(rig).pose(exit_code=0)
        far = cautious = 0
        for i in range(moves):
            turn = max(turn_between(pose.local(f"{bone}{i}")["rotation"], pose.local(f"{bone}{i}m")["rotation"])
                       for bone in ("Thigh", "Shin"))
            cautions = [pose.handles[f"H{i}{end}"].get("caution", "") for end in ("", "m")]
            cautious += any(cautions)
            if turn > 25:
                far += 1
                holds(any("of the reach may" in caution for caution in cautions), f"{solver}, move {i}: {turn} degrees, {cautions}")
        at_least(far, 3, f"{solver}: moves that turn a joint far")
        at_most(cautious, moves // 6, f"{solver}: moves with a caution")
    leg = tendon.sample("leg").run(op("setHandle", name="FootGoal", solver="hi"))  # its limits turn it round here
    poses = [leg.run(op("setGoal", handle="FootGoal", position=goal)).pose()
             for goal in ([0.0653, 1.3665, 0.1126], [0.0559, 1.4074, 0.122])]
    holds(max(turned(*poses).values()) < 25 or
          any("as near to the goal" in pose.handles["FootGoal"].get("caution", "") for pose in poses), "a turn unsaid")


def in_ball(chance, middle, radius):
    while True:
        at = [chance.uniform(-radius, radius) for _ in range(3)]
        if 1e-3 * radius < math.hypot(*at) < radius:
            return [a + b for a, b in zip(middle, at)]


def at_goals(rig, goals):
    """The baked joints, a frame for each goal. Each is held, so that none counts for the next."""
    keys = [one for i, goal in enumerate(goals) for one in (
        op("setFrame", value=1 + 2 * i), op("setGoal", handle="H", position=goal), op("key", target="H", interpolation="step"))]
    file, report, _ = rig.run(op("addClip", name="steps"), op("setRange", from_=1, to=2 * len(goals)), keys).bake(".json")
    same(report["goals"]["missed"], [], "missed goals")
    with open(file, encoding="utf-8") as stream:
        samples = json.load(stream)["clips"][0]["samples"]
    return [sample["joints"] for sample in samples if sample["frame"] % 2 == 1]


def most_turned(first, second):
    """[deg]"""
    return max(turn_between(a["local"]["rotation"], b["local"]["rotation"]) for a, b in zip(first, second))


def small_moves_turn_no_joint_far(leg):
    reach, hip = 0.86, [0, 0.92, 0]
    goals = []
    for down in (0.35, 0.5, 0.65, 0.8):
        for turn in (-30, 0, 30):
            out = math.radians(turn)
            at = [0.03, 0.92 - down * reach * math.cos(out), down * reach * math.sin(out)]
            for step in ([0, 0.05, 0], [0, 0, 0.05], [0.05, 0, 0], [0, 0, -0.05]):
                to = [a + reach * b for a, b in zip(at, step)]
                if distance(to, hip) < 0.9 * reach:
                    goals.append((at, to))
    keys = [one for frame, (at, to) in enumerate(goals) for k, goal in enumerate((at, to))
            for one in (op("setFrame", value=1 + 2 * frame + k), op("setGoal", handle="FootGoal", position=goal),
                        op("key", target="FootGoal"))]
    clip = leg.run(op("addClip", name="steps"), keys)
    file, report, _ = clip.bake(".json", "--range", f"1:{2 * len(goals)}")
    with open(file, encoding="utf-8") as stream:
        samples = json.load(stream)["clips"][0]["samples"]
    at_least(len(samples), 2 * len(goals), "frames")
    same(report["goals"]["missed"], [], "missed goals")
    worst = 0.0
    for i in range(0, 2 * len(goals), 2):
        for first, second in zip(samples[i]["joints"], samples[i + 1]["joints"]):
            a, b = first["local"]["rotation"], second["local"]["rotation"]
            worst = max(worst, math.degrees(2 * math.acos(min(1, abs(sum(x * y for x, y in zip(a, b)))))))
    at_most(worst, 25, "largest turn of a joint [deg]")


def C21_auto_key_makes_a_walk_that_closes(tendon):
    leg = tendon.sample("leg")
    start = leg.pose().position("Foot")
    back = [start[0], start[1] + 0.05, start[2] - 0.25]
    walk = leg.run(op("setRange", from_=1, to=100), op("addClip", name="walk"), op("autoKey", on=True),
                   op("setFrame", value=50), op("setGoal", handle="FootGoal", position=back),
                   op("setFrame", value=100), op("setGoal", handle="FootGoal", position=start), op("autoKey", on=False))
    first, middle, last = (walk.pose(frame) for frame in (1, 50, 100))
    at_most(distance(middle.position("Foot"), back), TOLERANCE, "foot at frame 50")
    for joint in first.joints:
        at_most(distance(first.position(joint), last.position(joint)), 1e-4, f"{joint}: pose 100 against pose 1")
        at_most(max(turned(first, last).values()), 1e-2, "turn between pose 1 and pose 100 [deg]")
    same(clip_frames(walk), [1, 50, 100], "keyed frames")


def clip_frames(project):
    """The frames at which the project has keys, ascending. The file counts times in flicks, 1/705600000 s."""
    document, found = project.document(), set()
    frame = 705600000 / document["fps"][0] * document["fps"][1]

    def search(value):
        if isinstance(value, dict):
            if "times" in value:
                found.update(round(time / frame, 6) for time in value["times"])
            for one in value.values():
                search(one)
        elif isinstance(value, list):
            for one in value:
                search(one)
    search(document["clips"])
    return sorted(found)


def C7_limits_are_guessed_for_joints_that_turn_freely(tendon):
    # Named as a leg, bent at the knee by 10 degrees; a clip turns the ankle.
    free = tendon.build([op("addJoint", name="Hips", translation=[0, 1, 0]),
                         op("addJoint", name="Thigh", parent="Hips", translation=[0.1, 0, 0]),
                         op("addJoint", name="Shin", parent="Thigh", translation=[0, -0.45, 0], rotation=[10, 0, 0]),
                         op("addJoint", name="Foot", parent="Shin", translation=[0, -0.45, 0]),
                         op("addJoint", name="Toes", parent="Foot", translation=[0, 0, 0.15])],
                        [[op("setFrame", value=frame), op("rotate", joint="Foot", axis="x", value=angle), op("key", target="Foot")]
                         for frame, angle in ((1, 0), (10, -20), (20, 30))])
    joints = {joint["name"]: joint for joint in free.document()["joints"]}
    same([name for name, joint in joints.items() if "turning" in joint or "ball" in joint], [], "new joints with limits")
    same(free.run(op("guessLimits", accept=False)).document()["joints"], free.document()["joints"], "joints when nothing is accepted")
    guessed = {joint["name"]: joint for joint in free.run(op("guessLimits")).document()["joints"]}
    knee = guessed["Shin"]["turning"]
    near(math.degrees(knee["x"]["from"]), -10, 1e-9, "the knee straight [deg]")
    near(math.degrees(knee["x"]["to"]), 140, 1e-9, "the knee folded [deg]")
    same([knee[axis]["active"] for axis in "yz"], [False, False], "other axes of the knee")
    same([math.degrees(swing) >= 55 - 1e-9 for swing in guessed["Foot"]["ball"]["swing"]], [True] * 4,
         "an ankle swings as ankles do, though the clip turns it less far")
    same("ball" in guessed["Thigh"], True, "a ball at the hip")
    chosen = {joint["name"]: joint for joint in free.run(op("guessLimits", joints=["Shin"])).document()["joints"]}
    same([name for name, joint in chosen.items() if "turning" in joint or "ball" in joint], ["Shin"], "joints that were chosen")


def C22_a_new_joint_turns_and_does_not_slide(tendon):
    rig = tendon.build(chain(4))
    before, after = rig.pose(), rig.run(op("drag", joint="b4", by=[0.05, -0.05, 0.05], mode="ik")).pose()
    for joint in before.joints:
        same(after.local(joint)["translation"], before.local(joint)["translation"], f"{joint} slides")
    for joint in ("b1", "b2", "b3"):
        for axis in "xyz":
            at_least(abs(after.angle(joint, axis)), 1e-4, f"{joint} about {axis} [deg]")


SLIDE = {"joint": "ChamferCyl01", "axis": "z"}


def C23_a_sliding_axis_changes_the_pose_and_off_restores_it(tendon):
    mace = tendon.sample("mace")
    drag = op("drag", joint="Torus05", by=[0.05, 0.02, 0.15], mode="ik")
    off, on = op("setSlidingAxis", **SLIDE, active=False), op("setSlidingAxis", **SLIDE, active=True)
    plain, slid, again = (mace.run(some, drag).pose() for some in ([], [on], [on, off]))
    differs(slid.local("ChamferCyl01"), plain.local("ChamferCyl01"), "the root")
    at_least(abs(slid.position("ChamferCyl01")[2]), 1e-3, "the root's slide")
    same(again.joints, plain.joints, "the pose after off")
    same(mace.run(on, off, on, drag).pose().joints, slid.joints, "the pose after on again")


def C24_limits_hold_the_pivot_not_the_centre(tendon):
    mace = tendon.sample("mace")
    before, after = mace.pose(), mace.run(op("drag", joint="Torus03", by=[0.02, 0.01, 0.02], mode="ik")).pose()
    at_most(distance(before.position("ChamferCyl01"), after.position("ChamferCyl01")), 1e-6, "the root's pivot")
    differs(after.local("ChamferCyl01")["rotation"], before.local("ChamferCyl01")["rotation"], "the root's turn")


def C25_a_joint_without_active_axes_is_fixed(tendon):
    mace = tendon.sample("mace").run(locked("ChamferCyl01"))
    before, after = mace.pose(), mace.run(op("drag", joint="Hedra01", by=[0.1, 0.1, 0.1], mode="ik")).pose()
    same(after.world("ChamferCyl01"), before.world("ChamferCyl01"), "the root")
    same(changed(before, after), [f"Torus{i:02}" for i in range(1, 11)], "joints that turned")
    at_least(distance(before.position("Hedra01"), after.position("Hedra01")), 0.1, "the end")


def C26_values_stay_between_from_and_to(tendon):
    rigs, goals = [], []
    for number, solver in enumerate(("dls", "fabrik", "dls", "fabrik")):
        name = "acde"[number]
        turns = [hinge(f"{name}{i}", "xz"[i % 2], from_=-15 - 5 * i, to=20 + 5 * i) for i in range(4)]
        slides = [op("setSlidingAxis", joint=f"{name}2", axis="y", active=True, limited=True, from_=0.08, to=0.13)]
        rigs.append([chain(4, name), turns, slides, handle(name, f"{name}0", f"{name}4", solver)])
        goals.append([[0.3, 0.1, 0.1], [-0.2, 0.3, 0.1], [0.1, -0.2, 0.3], [0, 0.6, 0]][number])
    rig = tendon.build(rigs)
    for shift in range(4):
        pose = rig.run([op("setGoal", handle=name, position=goals[(k + shift) % 4]) for k, name in enumerate("acde")]).pose()
        for name in "acde":
            for i in range(4):
                angle = pose.angle(f"{name}{i}", "xz"[i % 2])
                at_most(angle, 20 + 5 * i + 1e-4, f"{name}{i} [deg]")
                at_least(angle, -15 - 5 * i - 1e-4, f"{name}{i} [deg]")
                at_most(abs(pose.angle(f"{name}{i}", "zx"[i % 2])), 1e-4, f"{name}{i} about an axis that is off [deg]")
            at_most(pose.slide(f"{name}2", "y"), 0.13 + 1e-4, f"{name}2")
            at_least(pose.slide(f"{name}2", "y"), 0.08 - 1e-4, f"{name}2")


def C27_from_may_be_greater_than_to(tendon):
    ends = []
    for first, last in ((-25, 40), (40, -25)):
        rig = tendon.build(chain(1, bone=1.0, bends=0.0), hinge("b0", "z", from_=first, to=last), handle("tip", "b0", "b1", goal=[-1, 0, 0]))
        stored = rig.document()["joints"][0]["turning"]["z"]
        near(math.degrees(stored["from"]), first, 1e-9, "From as typed")
        near(math.degrees(stored["to"]), last, 1e-9, "To as typed")
        ends.append(rig.pose().angle("b0", "z"))
    near(ends[0], 40, 1e-6, "angle at the limit")
    near(ends[1], ends[0], 1e-9, "angle with From and To exchanged")


def C29_an_unlimited_slide_has_no_end(tendon):
    pose = tendon.build(chain(2), op("setSlidingAxis", joint="b0", axis="x", active=True),
                        handle("tip", "b0", "b2", goal=[7, 0.1, 0])).pose(exit_code=0)
    at_least(pose.position("b0")[0], 6.5, "the root's slide")


def telescope(solver="hd", **settings):
    """Three tubes of 30, as the lesson builds them; a handle pulls the top one, if there is a solver for it."""
    sliding = {"active": True, "limited": True, "from_": 30, "to": 0, **settings}
    tubes = [op("addJoint", name="Bottom"), locked("Bottom")]
    for name, parent in (("Middle", "Bottom"), ("Top", "Middle")):
        tubes += [op("addJoint", name=name, parent=parent, translation=[0, 0, 30]), locked(name),
                  op("setSlidingAxis", joint=name, axis="z", **sliding)]
    return tubes + (handle("TopGoal", "Middle", "Top", solver) if solver else [])


def C30_ease_starts_the_next_joint_early(tendon):
    for ease in (0, 0.1, 0.5, 1):
        keys = [[op("setFrame", value=frame), op("setGoal", handle="TopGoal", position=[0, 0, height]),
                 op("key", target="TopGoal", interpolation="linear")] for frame, height in ((1, 60), (61, 0))]
        file, report, code = tendon.build(telescope(ease=ease), op("addClip", name="press"), keys).bake(".json", "--range", "1:61")
        same((code, report["goals"]["missed"]), (0, []), f"missed goals with ease {ease}")
        with open(file, encoding="utf-8") as stream:
            samples = json.load(stream)["clips"][0]["samples"]
        early = 0.0
        for sample in samples:
            middle, top = (joint["local"]["translation"][2] for joint in sample["joints"][1:])
            if not ease and top > 1e-3:
                at_most(30 - middle, 1e-4, "middle tube without ease, while the top one is not at its limit")
            if top >= 1.5:
                early = max(early, 30 - middle)
        near(top, 0, 1e-4, f"top tube at its limit with ease {ease}")
        if ease:
            at_least(early, 1, f"middle tube with ease {ease}, the top one at least 5 % from its limit")


def C31_a_reopened_file_repeats_the_drag(tendon):
    lamp = tendon.sample("lamp").run(op("setTerminator", joint="Hinge01", on=True))
    kept = tendon.path(".tendon")
    once = lamp.run(op("save", file=kept), LEVER_DRAG)
    saved = type(lamp)(tendon, kept).run(LEVER_DRAG)
    same(saved.pose().joints, once.pose().joints, "the pose after reopening")
    same(saved.document()["joints"], once.document()["joints"], "the joints in the file")


def C32_reset_and_undo_restore_the_start(tendon):
    lamp = tendon.sample("lamp")
    start = lamp.pose()
    same(lamp.run(LEVER_DRAG, op("resetPose")).pose().joints, start.joints, "reset")
    same(lamp.run(LEVER_DRAG, op("undo")).pose().joints, start.joints, "undo")
    differs(lamp.run(LEVER_DRAG, op("undo"), op("redo")).pose().joints, start.joints, "redo")


def C34_links_go_both_ways_and_make_no_cycle(tendon):
    free = [op("addJoint", name=name, translation=[0.1 * i, 0.1, 0.05 * i * i]) for i, name in enumerate("abc")]
    before = tendon.build(free).pose()
    for links in (("cb", "ba"), ("ba", "cb")):
        rig = tendon.build(free, [op("link", joint=one, parent=to) for one, to in links])
        pose = rig.pose()
        same([pose.joints[name]["parent"] for name in "abc"], [None, "a", "b"], "parents")
        for name in "abc":
            at_most(distance(pose.position(name), before.position(name)), 1e-12, f"{name} after linking")
        tendon.refuses(op("link", joint="a", parent="c"), project=rig)

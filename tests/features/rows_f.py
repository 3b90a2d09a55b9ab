"""Inverse kinematics as optimisation: rows F1 to F14."""

import json
import math

from checks import at_least, at_most, differs, holds, near, same
from geometry import angle_between, chain, distance, handle, hinge, minus, turned
from program import op

TOLERANCE = 1e-4  # of a goal, by default [m]


def F2_the_roots_translation_is_part_of_the_pose(tendon):
    for axis, goal in (("x", [2, 0.2, 0.1]), ("y", [0.1, 2, 0]), ("z", [0.1, 0.2, -2])):
        pose = tendon.build(chain(3), op("setSlidingAxis", joint="b0", axis=axis, active=True),
                            handle("tip", "b0", "b3", goal=goal)).pose(exit_code=0)
        for other in "xyz":
            if other == axis:
                at_least(abs(pose.slide("b0", other)), 1.6, f"slide along {other}")
            else:
                same(pose.slide("b0", other), 0, f"slide along {other}")


def F3_any_point_of_a_bone_can_be_pulled(tendon):
    offset, goal = [0.03, 0.05, -0.02], [0.1, 0.2, 0.1]
    solvers = ("dls", "fabrik")
    pose = tendon.build([[chain(3, f"{name}-"), op("addJoint", name=f"{name} point", parent=f"{name}-3", translation=offset),
                          op("addHandle", name=f"{name} goal", start=f"{name}-0", end=f"{name}-3", solver=name, offset=offset),
                          op("setGoal", handle=f"{name} goal", position=goal)] for name in solvers]).pose(exit_code=0)
    for name in solvers:
        at_most(distance(pose.position(f"{name} point"), goal), TOLERANCE, f"{name}: the point")
        at_least(distance(pose.position(f"{name}-3"), goal), 0.06, f"{name}: the joint's pivot")


def F4_a_bone_can_be_aimed(tendon):
    target = [1, 0.2, 0.3]
    for solver in ("dls", "constrained"):
        pose = tendon.build(chain(3), op("addJoint", name="nose", parent="b3", translation=[0, 0.05, 0.02]),
                            handle("tip", "b0", "b3", solver), op("setGoal", handle="tip", aim=target)).pose(exit_code=0)
        at_most(pose.handles["tip"]["rotationError"], 0.1, "angle from the direction [deg]")
        end, nose = pose.position("b3"), pose.position("nose")
        at_most(angle_between(minus(nose, end), minus(target, end)), 0.1, f"{solver}: angle of the bone from the target [deg]")
    tendon.refuses(chain(2), handle("tip", "b0", "b2", "two-bone"), op("setGoal", handle="tip", aim=target))


def F5_two_bones_are_closed_form(tendon):
    pose = tendon.build(chain(2), handle("tip", "b0", "b2", "two-bone", goal=[0.08, 0.1, 0.05])).pose(exit_code=0)
    same(pose.handles["tip"]["iterations"], 0, "iterations")
    at_most(pose.error("tip"), 1e-9, "error")


def F6_none_one_or_many_poses_meet_a_goal(tendon):
    rig = [chain(3, bends=0.0), [hinge(f"b{i}") for i in range(3)], handle("tip", "b0", "b3", "dls")]
    none = tendon.build(rig, op("setGoal", handle="tip", position=[0, 0.31, 0])).pose(exit_code=3)
    same(none.status("tip"), "unreachable", "beyond reach")
    many, one = [], []
    for side in (1, -1):
        bent = [op("rotate", joint=f"b{i}", axis="z", value=30 * side) for i in range(3)]
        many.append(tendon.build(rig, bent, op("setGoal", handle="tip", position=[0, 0.2, 0])).pose(exit_code=0))
        one.append(tendon.build(rig, bent, op("setGoal", handle="tip", position=[0, 0.3, 0]),
                                op("setHandle", name="tip", tolerance=1e-7)).pose())
    at_least(distance(many[0].position("b1"), many[1].position("b1")), 0.02, "distance of two poses for one goal")
    at_most(distance(one[0].position("b1"), one[1].position("b1")), 2e-3, "distance of two poses at full reach")


def F8_the_pseudo_inverse_is_quick_and_wild(tendon):
    quick = tendon.build(chain(3, bends=20.0), handle("tip", "b0", "b3", "pseudo-inverse", goal=[-0.1, 0.2, 0.05])).pose(exit_code=0)
    at_most(quick.handles["tip"]["iterations"], 8, "iterations")
    largest = {}
    rig = tendon.build(chain(3, bends=[0.0, 0.1, 0.1]))
    start = rig.pose()
    goal = [a + b for a, b in zip(start.position("b3"), [0.05, -0.02, 0.05])]
    for solver in ("pseudo-inverse", "sdls"):
        largest[solver] = max(turned(start, rig.run(handle("tip", "b0", "b3", solver, goal=goal)).pose(exit_code=0)).values())
    at_least(largest["pseudo-inverse"], 3 * largest["sdls"], "largest turn of a nearly straight chain [deg]")


def F8_a_sample_shows_the_pseudo_inverse_flail(tendon):
    file, report, _ = tendon.sample("near-straight").bake(".json")
    same(report["goals"]["missed"], [], "missed goals")
    with open(file, encoding="utf-8") as stream:
        baked = json.load(stream)
    largest = {"Wild": 0.0, "Damped": 0.0, "Selective": 0.0}
    samples = baked["clips"][0]["samples"]
    for before, after in zip(samples, samples[1:]):
        for joint, first, second in zip(baked["joints"], before["joints"], after["joints"]):
            a, b = first["local"]["rotation"], second["local"]["rotation"]
            turn = math.degrees(2 * math.acos(min(1, abs(sum(x * y for x, y in zip(a, b))))))
            arm = joint["name"].rstrip("0123456789")
            largest[arm] = max(largest[arm], turn)
    at_least(largest.pop("Wild"), 90, "turn of the wild arm from one frame to the next [deg]")
    at_most(max(largest.values()), 5, "turn of the others [deg]")


def planar_rig(solver, **parameters):
    """A chain of three bones of a metre in a plane, bent a little, and a goal."""
    return [chain(3, bone=1.0), [hinge(f"b{i}") for i in range(3)],
            handle("tip", "b0", "b3", solver, goal=[1.5, 1.5, 0], **({"parameters": parameters} if parameters else {}))]


def planar(tendon, solver, *settings, **parameters):
    return tendon.build(planar_rig(solver, **parameters), *settings)


def objectives(**weights):
    return op("setHandle", name="tip", objectives=weights)


def F9_each_objective_changes_the_pose_and_the_goal_is_met(tendon):
    solvers = [name for name, about in tendon.solvers().items() if "objectives" in about["features"] and name != "penalty"]
    at_least(len(solvers), 1, "solvers with objectives")
    joints = chain(6, bone=0.5, bends=0.0) + [
        one for i in range(6) for one in (op("setPreferredAngle", joint=f"b{i}", value=[20, 0, -15]),
                                          op("rotate", joint=f"b{i}", axis="z", value=15 + 5 * i),
                                          op("setSegment", joint=f"b{i}", mass=6 - i, shape={"kind": "cylinder", "size": [0.1, 0.5]}))]
    sweep = [op("addClip", name="sweep"), [
        [op("setFrame", value=frame), op("setGoal", handle="tip", position=goal), op("key", target="tip")]
        for frame, goal in ((1, [-1, 1, 0.5]), (9, [1.2, 1.2, -0.3]))]]
    for solver in solvers:
        rig = tendon.build(joints, handle("tip", "b0", "b6", solver), sweep)
        for name in ("restPose", "naturalPose", "velocity", "power"):
            # Compared with an objective that hardly counts: without one, frames are solved as a clip and not each by itself.
            off, little, much = (rig.run(objectives(**{name: weight})).pose(5, exit_code=0) for weight in (1e-6, 0.5, 50))
            at_most(max(little.error("tip"), much.error("tip")), TOLERANCE, f"{solver}, {name}: error")
            change = [sum(turned(off, pose).values()) for pose in (little, much)]
            at_least(change[0], 0.05, f"{solver}, {name}: change at weight 0.5 [deg]")
            at_least(change[1], change[0], f"{solver}, {name}: change at weight 50 [deg]")


def F9_solvers_without_objectives_refuse_them(tendon):
    error = tendon.refuses(planar_rig("dls"), objectives(restPose=1))
    holds("objectives" in error, f"the error does not name the objectives: {error}")


def F11_a_penalty_misses_by_the_inverse_of_its_weight(tendon):
    errors = [planar(tendon, "penalty", objectives(restPose=1), weight=weight).pose().error("tip") for weight in (1, 10, 100, 1000)]
    at_least(errors[0], 0.05, "error at weight 1")
    for weaker, stronger in zip(errors[1:], errors[2:]):
        near(weaker / stronger, 10, 0.8, "fall of the error at ten times the weight")


def F12_a_line_search_never_lets_the_total_rise(tendon):
    """Without objectives the total is the goal's squared error. The pose of a cut-off solve shows it after each step."""
    for search in (True, False):
        errors = [planar(tendon, "penalty", op("setHandle", name="tip", maxIterations=steps), lineSearch=search,
                         step=0.5).pose().error("tip") for steps in (1, 2, 4, 8)]
        same(sorted(errors, reverse=True), errors, "errors after more and more steps")
        if search:
            with_search = errors
    at_most(with_search[0], errors[0], "error after one step with the search against one without")
    overshooting = planar(tendon, "penalty", op("setHandle", name="tip", maxIterations=200), lineSearch=False, step=10).pose()
    searching = planar(tendon, "penalty", op("setHandle", name="tip", maxIterations=200), lineSearch=True, step=10).pose()
    same(searching.status("tip"), "converged", "status with the search")
    differs(overshooting.status("tip"), "converged", "status of steps far too long")


def F13_fighting_springs_share_the_miss(tendon):
    about = tendon.solvers().get("penalty", {})
    holds("never exact" in about.get("summary", ""), "the solver's summary does not say that it is never exact")
    pose = tendon.build(chain(4), handle("left", "b0", "b4", "penalty", goal=[-0.1, 0.2, 0]),
                        handle("right", "b0", "b4", "penalty", goal=[0.1, 0.2, 0])).pose(exit_code=3)
    near(pose.error("left"), 0.1, 1e-3, "error of one goal")
    near(pose.error("right"), 0.1, 1e-3, "error of the other")
    same([pose.handles["left"].get("pullsAgainst"), pose.handles["right"].get("pullsAgainst")], ["right", "left"],
         "the goals that contradict each other")


def F14_the_constrained_method_is_exact_and_quadratic(tendon):
    errors = [planar(tendon, "constrained", objectives(restPose=1), op("setHandle", name="tip", maxIterations=steps)).pose().error("tip")
              for steps in range(1, 7)]
    falling = [(a, b) for a, b in zip(errors, errors[1:]) if 1e-9 < a < 0.5]  # below is rounding
    at_least(len(falling), 2, "steps in the last phase")
    for before, after in falling:
        at_most(after, before * before, f"error after one of {before:.3g}")
    goals = ("LeftGoal", "RightGoal", "ElbowGoal")
    tree = tendon.sample("tree").run(*[op("setHandle", name=goal, solver="constrained") for goal in goals]).pose(exit_code=0)
    for goal in goals:
        at_most(tree.error(goal), 1e-6, f"error of {goal} on the tree")
        at_most(tree.handles[goal]["iterations"], 8, f"iterations for {goal} on the tree")
    done = planar(tendon, "constrained", objectives(restPose=1)).pose(exit_code=0)
    at_most(done.error("tip"), 1e-9, "error in the end")
    at_least(done.handles["tip"].get("pull", 0), 0.01, "how hard the goal pulls")
    rest = tendon.build(chain(3, bone=1.0, bends=10.0)).pose()
    idle = planar(tendon, "constrained", objectives(restPose=1), op("setGoal", handle="tip", position=rest.position("b3"))).pose(exit_code=0)
    at_most(idle.handles["tip"].get("pull", 1), 1e-6, "pull of a goal that the rest pose meets")

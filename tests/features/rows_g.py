"""The OpenGL arm: rows G1 to G8."""

from checks import at_least, at_most, near, same
from geometry import chain, distance, handle
from program import op
from rows_d import GOAL, capped, points_of

TOLERANCE = 1e-4  # of a goal, by default [m]


def G1_the_arm_reaches_its_object(tendon):
    arm = tendon.sample("opengl-arm")
    for at in ([0.75, 0.9, 0.35], [0.4, 1.1, -0.3], [-0.6, 0.5, 0.2]):
        pose = arm.run(op("setPose", joint="Object", translation=at)).pose(exit_code=0)
        at_most(distance(pose.position("P6"), at), TOLERANCE, "end")
        same(pose.position("P1"), [0, 0, 0], "start point")


def G2_beyond_reach_it_stretches_or_holds(tendon):
    rig = tendon.build(chain(3), handle("tip", "b0", "b3", "fabrik", unreachable="hold"))
    before, after = rig.pose(), rig.run(op("setGoal", handle="tip", position=[0, 0.9, 0])).pose(exit_code=0)
    same([after.local(joint) for joint in after.joints], [before.local(joint) for joint in before.joints], "the pose that is held")
    same(after.status("tip"), "held", "status")
    clip = rig.run(op("key", target="tip", frame=1), op("setFrame", value=5), op("setGoal", handle="tip", position=[0.1, 0.2, 0.05]),
                   op("key", target="tip"), op("setFrame", value=6), op("setGoal", handle="tip", position=[0, 0.9, 0]), op("key", target="tip"))
    last, beyond = clip.pose(5, exit_code=0), clip.pose(6, exit_code=0)
    same([beyond.local(joint) for joint in beyond.joints], [last.local(joint) for joint in last.joints], "the last pose in reach")
    stretched = rig.run(op("setHandle", name="tip", unreachable="stretch"), op("setGoal", handle="tip", position=[0, 0.9, 0])).pose(exit_code=3)
    at_most(distance(stretched.position("b3"), [0, 0.3, 0]), 1e-3, "the straight chain")
    bent = tendon.build(chain(3, bends=20.0), handle("tip", "b0", "b3", "fabrik", squash=0.5))
    at_rest = bent.pose().position("b3")
    near_goal = bent.run(op("setGoal", handle="tip", position=[0.8 * x for x in at_rest])).pose(exit_code=0)
    same(near_goal.status("tip"), "squashed", "status of a goal nearer than at rest")
    near(distance(near_goal.position("b1"), near_goal.position("b2")), 0.08, 0.003, "a bone of 0.1 m for it")


def G3_an_end_within_its_tolerance_is_done(tendon):
    rig = tendon.build(chain(3), handle("tip", "b0", "b3", "fabrik", tolerance=0.01))
    end = rig.pose().position("b3")
    near_goal = rig.run(op("setGoal", handle="tip", position=[end[0] + 0.009, end[1], end[2]])).pose(exit_code=0)
    same((near_goal.status("tip"), near_goal.handles["tip"]["iterations"]), ("converged", 0), "a goal within the tolerance")
    far = rig.run(op("setGoal", handle="tip", position=[end[0] + 0.05, end[1] - 0.05, end[2]])).pose(exit_code=0)
    at_least(far.handles["tip"]["iterations"], 1, "passes for a goal outside it")
    at_most(far.error("tip"), 0.01, "error")


def G8_every_pass_keeps_every_length(tendon):
    for passes in (1, 2, 3, 10):
        points = points_of(capped(tendon, 5, GOAL, passes).pose(), 5)
        for i in range(5):
            near(distance(points[i], points[i + 1]), 0.1, 1e-13, f"length {i} after {passes} passes")

"""Keys and curves: rows H1 to H4."""

import json
import math

from checks import at_least, at_most, holds, near, same
from geometry import chain, distance, turned
from program import op

EXACT = 1e-9  # [m]


def slides(tendon, keys, *operations, joint="b0", **fields):
    """A joint with keys of tx: {frame: value}."""
    return tendon.build(chain(1), [
        [op("setFrame", value=frame), op("setPose", joint=joint, translation=[value, 0, 0]),
         op("key", target=joint, channels=["tx"], **fields)] for frame, value in keys.items()], *operations)


def x_of(project, frame):
    return project.pose(frame).local("b0")["translation"][0]


def turns(tendon, keys):
    """A joint with keys of rx, ry and rz: {frame: [x, y, z]}, in degrees."""
    return tendon.build(chain(1), op("addClip", name="turns"), [
        [op("setFrame", value=frame), op("key", target="b0", channels=["angles"]),
         [op("setKeyValue", target="b0", channels=["r" + axis], frame=frame, value=value) for axis, value in zip("xyz", angles)]]
        for frame, angles in keys.items()])


def H1_tangents_shape_the_curve(tendon):
    rig = slides(tendon, {1: 0, 11: 1, 21: 3, 31: 3}, interpolation="bezier")

    def with_tangent(frame=11, **fields):
        return rig.run(op("setTangent", target="b0", frame=frame, **fields))
    rise = [x_of(rig, frame) for frame in range(1, 32)]
    holds(all(a <= b + EXACT for a, b in zip(rise, rise[1:])) and max(rise) <= 3 + EXACT, "automatic tangents overshoot")
    flat = with_tangent(mode="flat")
    at_most(abs(x_of(flat, 12) - 1), 0.1, "way in the frame after a flat key")
    linear = with_tangent(21, mode="linear").run(op("setTangent", target="b0", frame=11, mode="linear"))
    near(x_of(linear, 16), 2, EXACT, "halfway between keys with linear tangents")
    fps = rig.document()["fps"]
    seconds = 10 * fps[1] / fps[0]  # from key to key
    free = with_tangent(mode="free", out=-2.4, **{"in": 4.8})  # Hermite's cubics at 0.1 and 0.9; the other keys are level
    near(x_of(free, 12), 1 + 2 * 0.028 - 2.4 * seconds * 0.081, 1e-6, "frame after the key")
    near(x_of(free, 10), 0.972 - 4.8 * seconds * 0.081, 1e-6, "frame before it")
    near(x_of(with_tangent(out=2.4, outWeight=0.001), 12), x_of(with_tangent(out=-2.4, outWeight=0.001), 12), 0.01,
         "a tangent without reach")
    same(x_of(with_tangent(interpolation="step"), 20), 1, "value that is held")


def H2_channels_go_on_before_and_after_their_keys_and_bakes_play_the_same(tendon):
    keys = {31: 0.2, 36: 1.1, 41: 0.7}
    rig = slides(tendon, keys, interpolation="linear")
    expected = {"constant": (0.2, 0.7), "linear": (0.2 - 10 * 0.18, 0.7 - 10 * 0.08), "cycle": (0.2, 0.7),
                "cycleOffset": (0.2 - 0.5, 0.7 + 0.5), "oscillate": (0.7, 0.2)}
    for infinity, (before, after) in expected.items():
        for target in (rig, rig.run(op("setTangent", target="b0", frame=36, interpolation="step"))):
            clip = target.run(op("setInfinity", target="b0", before=infinity, after=infinity))
            if target is rig:
                near(x_of(clip, 21), before, 1e-6, f"{infinity}: 10 frames before the keys")
                near(x_of(clip, 51), after, 1e-6, f"{infinity}: 10 frames after the keys")
            file, _, _ = clip.bake(".json", "--range", "6:68")
            with open(file, encoding="utf-8") as stream:
                samples = json.load(stream)["clips"][0]["samples"]
            found = {sample["frame"]: sample["joints"][0]["local"]["translation"][0] for sample in samples}
            for frame in range(6, 69, 3):
                near(found[frame], x_of(clip, frame), 1e-6, f"{infinity}: baked at frame {frame}")
            for suffix in (".glb", ".fbx"):  # read back and compared
                clip.bake(suffix, "--range", "6:68")


def H3_values_of_keys_are_edited(tendon):
    rig = slides(tendon, {1: 0, 11: 1, 21: 2})
    near(x_of(rig.run(op("setKeyValue", target="b0", frame=11, value=5)), 11), 5, EXACT, "value that is set")
    near(x_of(rig.run(op("moveKeys", target="b0", frame=21, by=4, value=0.5)), 25), 2.5, EXACT, "key that is moved")
    near(x_of(rig.run(op("scaleKeys", target="b0", valueBy=2, valueAbout=1)), 21), 3, EXACT, "value that is scaled")
    for factor, value in ((0, 0), (0.25, 0.25), (1.5, 1.5)):
        near(x_of(slides(tendon, {1: 0, 21: 1}, op("breakdown", target="b0", frame=11, factor=factor)), 11), value, EXACT,
             f"breakdown at {factor}")
    goal = tendon.sample("arm").run(op("key", target="WristGoal", frame=1))
    before = goal.pose(1).position("Wrist")
    after = goal.run(op("setKeyValue", target="WristGoal", channels=["goal.position"], frame=1, components=["y"],
                        by=-0.05)).pose(1).position("Wrist")
    at_most(distance(after, [before[0], before[1] - 0.05, before[2]]), 1e-3, "goal of which one component is moved")
    holds("components" in tendon.refuses(op("moveKeys", target="b0", by=1, components=["x"]), project=rig), "components without a value")


def H4_keys_are_cleaned_up(tendon):
    spun = turns(tendon, {1: [10, 20, 30], 11: [375, 20, 30], 21: [200, 160, 210]})
    filtered = spun.run(op("eulerFilter", target="b0"))
    for frame in (1, 11, 21):
        at_most(max(turned(spun.pose(frame), filtered.pose(frame)).values()), 1e-6, f"turn at the key {frame} [deg]")
    angles = [[filtered.pose(frame).angle("b0", axis) for frame in range(1, 22)] for axis in "xyz"]
    at_most(max(abs(b - a) for axis in angles for a, b in zip(axis, axis[1:])), 5, "largest step of an angle [deg]")

    wave = slides(tendon, {frame: math.sin(frame / 8) for frame in range(1, 61)}, interpolation="linear")
    reduced = wave.run(op("reduceKeys", target="b0", error=0.01))

    def count(project):
        return len(next(iter(project.document()["clips"][0]["channels"]))["times"])
    at_most(count(reduced), 15, "keys that are left")
    at_most(max(abs(x_of(reduced, frame) - x_of(wave, frame)) for frame in range(1, 61, 4)), 0.01 + 1e-6, "way of the curve")

    noisy = slides(tendon, {frame: frame * 0.1 + (0.05 if frame % 2 else -0.05) for frame in range(1, 22)})
    smooth = noisy.run(op("smoothKeys", target="b0", amount=1, passes=4))

    def rough(project):
        return max(abs(x_of(project, frame) - frame * 0.1) for frame in range(6, 16))
    at_least(rough(noisy), 0.04, "noise")
    at_most(rough(smooth), 0.005, "noise after smoothing")
    for frame in (1, 21):
        near(x_of(smooth, frame), x_of(noisy, frame), EXACT, "first and last key")

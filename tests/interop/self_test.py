#!/usr/bin/python3
"""Shows that the comparison finds errors. A small rig is exported unchanged, which must pass, and then with one error at a time: a
joint moved by a ten-thousandth of the skeleton, an additional joint, another name, a clip that is missing, later or shorter, one wrong
key in the middle, a moved shape. Both readers must find every error in both formats, and none in the correct file.
usage: self_test.py"""

import copy
import json
import os
import sys

import numpy as np

import recording
import samples
import tools

FRAMES = (0, 10, 20)


def script(aside=0.0, more=False, name="hand", clip="swing", length=1.0, wrong=0.0, shape=0.0):
    """The rig and its clip as operations. `aside` [m] of the last joint, `wrong` [degrees] of the middle key."""
    steps = [{"op": "addJoint", "name": "base"},
             {"op": "addJoint", "name": "arm", "parent": "base", "translation": [0, 1, 0]},
             {"op": "addJoint", "name": name, "parent": "arm", "translation": [aside, 1, 0]},
             {"op": "setSegment", "joint": "arm", "shape": {"kind": "box", "size": [0.2, 1, 0.3], "offset": [shape, 0.5, 0]}}]
    if more:
        steps.append({"op": "addJoint", "name": "extra", "parent": name, "translation": [0, 0.2, 0]})
    steps.append({"op": "addClip", "name": clip})
    for frame in FRAMES:
        for joint, angle in (("base", 2 * frame), ("arm", 30 - frame + (wrong if frame == FRAMES[1] else 0)), (name, 5)):
            steps += [{"op": "setFrame", "value": frame * length}, {"op": "setPose", "joint": joint, "rotation": [0, 0, angle]},
                      {"op": "key", "target": joint}]
    return steps


LIES = {
    "a joint aside": {"aside": 3e-4},
    "a joint more": {"more": True},
    "another name": {"name": "fist"},
    "another clip": {"clip": "sway"},
    "shorter": {"length": 0.5},
    "one wrong key": {"wrong": 0.02},
    "a shape moved": {"shape": 1e-3},
}


def bake(folder, what, **lie):
    inside = os.path.join(folder, what.replace(" ", "-"))
    os.mkdir(inside)
    start, project = os.path.join(inside, "ops.json"), os.path.join(inside, "rig.tendon")
    json.dump(script(**lie), open(start, "w"))
    tools.tendon("run", start, "-o", project)
    return tools.Bake(project, inside, ["glb", "fbx"])


def play(reader, truth, baked, folder):
    jobs = [{"file": file, "out": os.path.join(os.path.dirname(file), f"{reader}-{suffix}"), "fps": truth.fps, "clips": truth.clips(),
             "vertexEvery": 1} for suffix, file in baked.files.items()]
    return dict(zip(baked.files, tools.play(reader, jobs, folder)))


def findings(reader, truth, right, played):
    """What is wrong with one file that was played, beside the right one of the same reader."""
    found = samples.judge(reader, copy.copy(played), truth, None)[1]
    error = None if played.positions[0] is None else recording.vertex_error(right, played, 0)
    if error is not None and not error / truth.radius <= tools.VERTEX_TOLERANCE:
        found.append(f"vertices off by {error / truth.radius:.1e}")
    return found


def main():
    missed = 0
    with tools.Scratch() as folder:
        truth = bake(folder, "the truth")
        lies = {what: bake(folder, what, **lie) for what, lie in LIES.items()}
        for reader in ("three", "blender"):
            right = play(reader, truth, truth, folder)
            for suffix, played in right.items():
                found = findings(reader, truth, played, played)
                print(f"{reader:8} .{suffix}  {'the truth':15} {'ok' if not found else 'WRONGLY ' + '; '.join(found)}", flush=True)
                missed += bool(found)
            for what, lie in lies.items():
                for suffix, played in play(reader, truth, lie, folder).items():
                    found = findings(reader, truth, right[suffix], played)
                    print(f"{reader:8} .{suffix}  {what:15} {'found: ' + '; '.join(found) if found else 'NOT FOUND'}", flush=True)
                    missed += not found
    print("every lie is found" if not missed else f"{missed} are not told apart")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

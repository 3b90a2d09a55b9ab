#!/usr/bin/python3
"""Bakes every shipped sample, the leg with nothing but its goal keyed, and a character that was rigged and got a motion of another
skeleton and its mirror image, to .glb, .gltf and .fbx and plays them in three.js and Blender. Joints must be where Tendon has them, both readers must agree on vertices, clips must have the same name and length, and
the Khronos validator must find no error. Prints a row per sample; exit code 1 if one is wrong.
usage: samples.py [NAME...]"""

import json
import os
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
import check_batches
import recording
import tools
from tools import BLENDER_TOLERANCE, JOINT_TOLERANCE, VERTEX_TOLERANCE, short

HOLDERS = {"", "Armature", "Skeleton", "Scene", "RootNode"}  # what writers and readers put around joints
LEG_GOAL, RETARGETED = "leg-goal", "retargeted"  # not shipped: made here


def write_retargeted(project, folder):
    """The mannequin's model, rigged by its roles, with a walk of another skeleton, half of it on a goal, and the walk mirrored."""
    model, rigged, motion, script = (os.path.join(folder, name) for name in ("model.glb", "rigged.tendon", "walk.bvh", "walk.json"))
    start = os.path.join(folder, "mannequin.tendon")
    tools.tendon("samples", "mannequin", "-o", start)
    tools.tendon("bake", start, "-o", model, allowed=(0, 3))
    tools.tendon("rig", model, "-o", rigged, allowed=(0, 3))
    check_batches.write_bvh(motion, 24, 0.5)
    tools.tendon("retarget", rigged, motion, "-o", project, allowed=(0, 3))
    handle = next(handle["name"] for handle in json.loads(tools.tendon("pose", project, "--frame", "12", "--json"))["handles"]
                  if handle["name"].startswith("HandIK"))
    steps = [{"op": "selectClip", "name": "walk"}, {"op": "setFrame", "value": 12}, {"op": "switch", "handle": handle, "to": "ik"},
             {"op": "mirrorClip", "clip": "walk", "as": "walk mirrored"}]
    json.dump(steps, open(script, "w"))
    tools.tendon("run", script, "-p", project, "-o", project)


def write_project(name, project, folder):
    if name == RETARGETED:
        write_retargeted(project, folder)
        return
    if name != LEG_GOAL:
        tools.tendon("samples", name, "-o", project)
        return
    start, script = os.path.join(folder, "leg.tendon"), os.path.join(folder, "leg.json")
    tools.tendon("samples", "leg", "-o", start)
    handle = json.loads(tools.tendon("pose", start, "--frame", "0", "--json"))["handles"][0]["name"]
    moments = [(0, [0.1, 0.1, 0.2]), (12, [0.0, 0.3, 0.4]), (24, [-0.1, 0.1, 0.1])]
    steps = [{"op": "addClip", "name": "goal only"}]
    for frame, place in moments:
        steps += [{"op": "setFrame", "value": frame}, {"op": "setGoal", "handle": handle, "position": place},
                  {"op": "key", "target": handle, "channels": ["goal.position"]}]
    json.dump(steps, open(script, "w"))
    tools.tendon("run", script, "-p", start, "-o", project)


def judge(reader, played, bake, standing):
    """(joint error, vertices' recording aligned, problems) of one file in one reader."""
    if played is None or played.error:
        return np.inf, [f"cannot be read: {played.error if played else 'it crashed'}"]
    problems = []
    joints = recording.find_joints(bake.table, played)
    own = np.arange(len(bake.table.names))
    worst = 0.0
    for clip, name in enumerate(bake.table.clips):
        if played.positions[clip] is None:
            problems.append(f"lacks the clip {name}")
            continue
        worst = max(worst, recording.joint_error(bake.table, own, played, joints, clip) / bake.radius)
        if abs(played.seconds[clip] - bake.table.seconds[clip]) > 1e-5 * max(1, bake.table.seconds[clip]):
            problems.append(f"{name} lasts {played.seconds[clip]:.5f} s, not {bake.table.seconds[clip]:.5f}")
    if not worst <= (BLENDER_TOLERANCE if reader == "blender" else JOINT_TOLERANCE):
        problems.append(f"joints off by {worst:.1e}")
    added = recording.added_bones(bake.table, played, joints)
    if added:
        problems.append(f"{len(added)} bones too many ({added[0]})")
    else:
        problems += strangers(bake, played, joints)
    if standing is not None and not problems:
        still = [n for n in np.array(bake.table.names)[~recording.moving(played, joints)] if n not in standing]
        if still:
            problems.append(f"{len(still)} joints stand still ({', '.join(still[:3])})")
    for code, count in played.meta.get("validator", {}).items():
        problems.append(f"validator: {count} {code}")
    return worst, problems


def strangers(bake, played, joints):
    """Joints of another name, and what is neither a joint, a mesh nor a holder of them. (Without a skin glTF knows no bones.)"""
    known = {recording.plain(name) for name in bake.table.names}
    renamed = [f"{name} is called {played.names[j]}" for name, j in zip(bake.table.names, joints)
               if j >= 0 and recording.plain(played.names[j]) != recording.plain(name)]
    meshes = {recording.plain(mesh["name"]) for mesh in played.meta["meshes"]}
    added = [name for i, name in enumerate(played.names) if i not in set(joints) and recording.plain(name) not in known
             and recording.plain(name) not in meshes and recording.stem(name) not in HOLDERS]
    return renamed + ([f"{len(added)} nodes too many ({added[0]})"] if added else [])


def check(name, folder):
    project = os.path.join(folder, "sample.tendon")
    write_project(name, project, folder)
    bake = tools.Bake(project, folder, ["glb", "gltf", "fbx"])
    problems, cells = list(bake.problems), []
    # A sample without keys stands still, rightly; what handles drive must arrive as motion of joints.
    standing = {LEG_GOAL: {"Dummy"}, "mannequin": set()}.get(name)
    every = bake.every(17_000 if name in ("mannequin", RETARGETED) else 2_000)
    played = {}
    for reader in ("three", "blender"):
        jobs = [{"file": file, "out": os.path.join(folder, f"{reader}-{suffix}"), "fps": bake.fps, "clips": bake.clips(),
                 "vertexEvery": every} for suffix, file in bake.files.items()]
        for suffix, recorded in zip(bake.files, tools.play(reader, jobs, folder)):
            played[reader, suffix] = recorded
            worst, found = judge(reader, recorded, bake, standing)
            cells.append(short(worst))
            problems += [f"{reader} .{suffix}: {text}" for text in found]
    vertices, first = None, played.get(("three", "glb"))
    if first is not None and first.meta.get("vertexCount"):
        for key, other in played.items():
            if other is None or other.error or other is first:
                continue
            for clip in range(len(bake.table.clips)):
                error = recording.vertex_error(first, other, clip)
                error = np.inf if error is None else error / bake.radius
                vertices = max(vertices or 0, error)
                if not error <= VERTEX_TOLERANCE:
                    problems.append(f"{key[0]} .{key[1]}: vertices off by {error:.1e}")
    moments = sum(len(t) for t in bake.times)
    print(f"{name:14} {len(bake.table.names):6} {len(bake.table.clips):5} {moments:6}  "
          + " ".join(f"{c:>7}" for c in cells) + f" {short(vertices):>8}  {'; '.join(problems) or 'ok'}", flush=True)
    return not problems


def main(names):
    known = [line.split()[0] for line in tools.tendon("samples").split("\n") if line.strip()]
    print(f"{'':36}three.js                Blender\n{'sample':14} {'joints':>6} {'clips':>5} {'poses':>6}  "
          + " ".join(f"{c:>7}" for c in ("glb", "gltf", "fbx") * 2) + f" {'vertices':>8}  of the skeleton's radius")
    good = True
    for name in names or known + [LEG_GOAL, RETARGETED]:
        with tools.Scratch() as folder:
            try:
                good = check(name, folder) and good
            except (tools.Failed, ValueError) as error:
                print(f"{name:14} {error}", flush=True)
                good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

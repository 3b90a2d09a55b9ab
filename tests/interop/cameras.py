#!/usr/bin/python3
"""Compares cameras and lights in three.js and Blender. A small set of them, on a joint that rotates, on one that moves and in the
world, is exported as patched glTF, as FBX, and as new glTF made from that FBX. At the first and the last frame each must have the
position, the direction and the field of view of the set. Prints a row per file and reader; exit code 1 if one is wrong.
usage: cameras.py"""

import base64
import json
import os
import sys

import numpy as np

import tools
from tools import BLENDER_TOLERANCE, JOINT_TOLERANCE, short

FIELD_OF_VIEW, HALF_HEIGHT = 0.7, 2.0
MOMENTS = (0.0, 1.0)
# Key values at those moments.
MOVES = {"arm": {"rotation": [[0, 0, 0, 1], [0, 0.6, 0, 0.8]]},
         "crane": {"translation": [[1, 2, 3], [4, 2, 3]], "rotation": [[0, 0, 0, 1], [0, 1, 0, 0]]}}
SIN15, COS15, HALF = np.sin(np.pi / 12), np.cos(np.pi / 12), np.sqrt(0.5)


def light(index):
    return {"KHR_lights_punctual": {"light": index}}


NODES = [{"name": "rig", "rotation": [0, HALF, 0, HALF], "scale": [2, 2, 2], "children": [1]},
         {"name": "arm", "translation": [0, 1, 0], "children": [2, 3, 4]},
         {"name": "eye", "translation": [0, 0.5, 0], "rotation": [-SIN15, 0, 0, COS15], "camera": 0},
         {"name": "lamp", "translation": [0.25, 0, 0], "rotation": [0, 0.6, 0, 0.8], "extensions": light(0)},
         {"name": "bulb", "translation": [0, 0, -1], "extensions": light(2)},
         {"name": "sun", "rotation": [-0.6, 0, 0, 0.8], "extensions": light(1)},
         {"name": "plan", "translation": [0, 5, 0], "rotation": [-HALF, 0, 0, HALF], "camera": 1},
         {"name": "crane", "translation": [1, 2, 3], "camera": 0}]
CAMERAS, LIGHTS = ("eye", "crane", "plan"), {"lamp": "spot", "sun": "directional", "bulb": "point"}


def write_set(path):
    data, accessors, channels, samplers = b"", [], [], []

    def accessor(values, kind, **more):
        nonlocal data
        accessors.append({"bufferView": len(accessors), "componentType": 5126, "count": len(values), "type": kind, **more})
        data += np.array(values, np.float32).tobytes()
        return len(accessors) - 1

    names = [node["name"] for node in NODES]
    for name, parts in MOVES.items():
        for part, values in parts.items():
            samplers.append({"input": accessor(MOMENTS, "SCALAR", min=[MOMENTS[0]], max=[MOMENTS[1]]),
                             "output": accessor(values, "VEC4" if part == "rotation" else "VEC3")})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": names.index(name), "path": part}})
    views, at = [], 0
    for entry in accessors:
        size = entry["count"] * {"SCALAR": 4, "VEC3": 12, "VEC4": 16}[entry["type"]]
        views.append({"buffer": 0, "byteOffset": at, "byteLength": size})
        at += size
    lights = [{"type": "spot", "intensity": 40, "range": 7, "spot": {"innerConeAngle": 0.2, "outerConeAngle": 0.6}},
              {"type": "directional", "intensity": 3}, {"type": "point", "intensity": 12}]
    json.dump({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 5, 6, 7]}], "nodes": NODES,
               "cameras": [{"type": "perspective", "perspective": {"yfov": FIELD_OF_VIEW, "aspectRatio": 1.5, "znear": 0.1, "zfar": 50}},
                           {"type": "orthographic", "orthographic": {"xmag": 3, "ymag": HALF_HEIGHT, "znear": 0.1, "zfar": 20}}],
               "extensionsUsed": ["KHR_lights_punctual"], "extensions": {"KHR_lights_punctual": {"lights": lights}},
               "animations": [{"name": "pan", "channels": channels, "samplers": samplers}], "accessors": accessors, "bufferViews": views,
               "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]},
              open(path, "w"))


def matrix(rotation):
    x, y, z, w = rotation
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def world_of(name, moment):
    """Place, axes (columns) and scale of a node of the set."""
    node = next(n for n in NODES if n["name"] == name)
    at = {**node, **{part: values[moment] for part, values in MOVES.get(name, {}).items()}}
    place, turn = np.array(at.get("translation", [0, 0, 0]), float), matrix(at.get("rotation", [0, 0, 0, 1]))
    scale = at.get("scale", [1])[0]
    above = next((n for n in NODES if NODES.index(node) in n.get("children", [])), None)
    if above is None:
        return place, turn, scale
    above_place, above_turn, above_scale = world_of(above["name"], moment)
    return above_place + above_scale * above_turn @ place, above_turn @ turn, above_scale * scale


def axes_of(reader, suffix, kind):
    """The directions, in an object's recorded axes, in which it looks and is upright. Three.js leaves FBX nodes as they stand: cameras
    along +X and lights along -Y of them. Blender's axes were turned with its world."""
    if reader == "blender":
        return [0, -1, 0], [0, 0, -1]
    if suffix == "fbx":
        return ([1, 0, 0], [0, 1, 0]) if kind == "camera" else ([0, -1, 0], None)
    return [0, 0, -1], [0, 1, 0]


def judge(reader, suffix, played):
    """(place error, largest angle, problems)"""
    if played is None or played.error:
        return np.inf, np.inf, [f"cannot be read: {played.error if played else 'it crashed'}"]
    problems, place_error, angle_error = [], 0.0, 0.0
    for name in [*CAMERAS, *LIGHTS]:
        kind = "camera" if name in CAMERAS else "light"
        if name == "plan" and reader == "three" and suffix == "fbx":
            continue  # its loader knows no orthographic cameras
        entries = [e for e in played.meta["lenses"] if e["type"] == kind and e["name"].split("_")[0].split(".")[0] == name]
        if len(entries) != 1:
            problems.append(f"{len(entries)} {kind}s {name}")
            continue
        entry = entries[0]
        wanted = LIGHTS[name] if kind == "light" else HALF_HEIGHT if name == "plan" else FIELD_OF_VIEW
        if (entry["sees"] != wanted) if kind == "light" else not abs(entry["sees"] - wanted) < 1e-5 * wanted:
            problems.append(f"{name} is {entry['sees']}, not {wanted}")
        look, up = axes_of(reader, suffix, kind)
        for moment in range(len(MOMENTS)):
            place, axes, _ = world_of(name, moment)
            # Spot and directional lights of three.js begin at (0, 1, 0), which its FBX loader moves along instead of replacing.
            if not (name in ("lamp", "sun") and reader == "three" and suffix == "fbx"):
                place_error = max(place_error, np.abs(played.positions[0][moment][entry["object"]] - place).max())
            turn = matrix(played.rotations[0][moment][entry["object"]])
            pairs = [] if name == "bulb" else [(look, -axes[:, 2])] + ([(up, axes[:, 1])] if kind == "camera" else [])
            angle_error = max([angle_error] + [np.linalg.norm(turn @ own - wanted) for own, wanted in pairs])
    limit = BLENDER_TOLERANCE if reader == "blender" else JOINT_TOLERANCE
    size = 5.0  # [m] of the set
    if not place_error <= limit * size:
        problems.append(f"stands {short(place_error)} m off")
    if not angle_error <= limit:
        problems.append(f"looks {short(angle_error)} rad off")
    for code, count in played.meta.get("validator", {}).items():
        problems.append(f"validator: {count} {code}")
    return place_error, angle_error, problems


def main():
    good = True
    print(f"{'file':12} {'reader':8} {'place [m]':>10} {'turn [rad]':>10}")
    with tools.Scratch() as folder:
        files = {"set": os.path.join(folder, "set.gltf")}
        write_set(files["set"])
        for name, source, suffix in (("patched", "set", "glb"), ("fbx", "set", "fbx"), ("anew", "fbx", "glb")):
            project, files[name] = os.path.join(folder, name + ".tendon"), os.path.join(folder, f"{name}.{suffix}")
            tools.tendon("import", files[source], "-o", project)
            tools.tendon("bake", project, "-o", files[name])
        for reader in ("three", "blender"):
            jobs = [{"file": file, "out": os.path.join(folder, f"{reader}-{name}"), "fps": 24, "vertexEvery": 1,
                     "clips": [{"name": "pan", "times": MOMENTS}]} for name, file in files.items()]
            for (name, file), played in zip(files.items(), tools.play(reader, jobs, folder)):
                place, angle, problems = judge(reader, file.rsplit(".", 1)[1], played)
                print(f"{name:12} {reader:8} {short(place):>10} {short(angle):>10}  {'; '.join(problems) or 'ok'}", flush=True)
                good = good and not problems
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

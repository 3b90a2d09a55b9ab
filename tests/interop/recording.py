"""The format of a player's recording, and the comparison of two recordings.

A job for a player (play_three.mjs, play_blender.py):
  {"file", "out", "fps", "clips": [{"name", "times": [s, ...]}], "vertexEvery", "byIndex"?, "bind"?}
  byIndex: if names differ, clips are matched by index; bind: the model in its bind pose, without clips.
The recording: OUT.json has {"error"} or {"reader", "objects": [{"name", "parent", "isBone"}], "meshes", "materials", "clips",
"vertexCount", "vertexEvery", "recorded": [{"name", "times", "seconds"} or {"name", "isMissing"}]}. OUT.bin has, for every
time of every recorded clip, 7 doubles per object (position, rotation xyzw; world) and, at every vertexEvery-th time,
3 floats per vertex (world, morphed and skinned)."""

import json
import re

import numpy as np


class Recording:
    """Played moments of one file. positions[c]: (moments, objects, 3), rotations[c]: (moments, objects, 4),
    vertices[c]: (moments / every, vertices, 3), for the clips in `clips` that are there (None: missing)."""

    def __init__(self, meta, data=None):
        self.meta = meta
        self.error = meta.get("error")
        self.names = [o["name"] for o in meta.get("objects", [])]
        self.is_bone = [o["isBone"] for o in meta.get("objects", [])]
        self.every = meta.get("vertexEvery", 1)
        self.clips, self.seconds, self.positions, self.rotations, self.vertices = [], [], [], [], []
        if data is not None:
            self._read(memoryview(data))

    def _read(self, data):
        objects, count, at = len(self.names), self.meta["vertexCount"], 0
        for clip in self.meta["recorded"]:
            self.clips.append(clip["name"])
            if clip.get("isMissing"):
                for part in (self.seconds, self.positions, self.rotations, self.vertices):
                    part.append(None)
                continue
            poses, points = [], []
            for k in range(len(clip["times"])):
                poses.append(np.frombuffer(data, np.float64, objects * 7, at).reshape(objects, 7))
                at += objects * 7 * 8
                if k % self.every == 0:
                    points.append(np.frombuffer(data, np.float32, count * 3, at).reshape(count, 3))
                    at += count * 3 * 4
            poses = np.array(poses)
            self.seconds.append(clip["seconds"])
            self.positions.append(poses[:, :, :3])
            self.rotations.append(poses[:, :, 3:])
            self.vertices.append(np.array(points, np.float64))
        if at != len(data):
            raise ValueError(f"{len(data)} bytes, {at} expected")

    def moved(self, transform):
        """In other axes and another unit: p -> transform @ p (3 x 3)."""
        twin = Recording(self.meta)
        twin.clips, twin.seconds, twin.rotations = self.clips, self.seconds, self.rotations
        twin.positions = [None if p is None else p @ transform.T for p in self.positions]
        twin.vertices = [None if v is None else v @ transform.T for v in self.vertices]
        return twin


def load(out):
    """None when the reader did not get as far as writing it."""
    try:
        meta = json.load(open(out + ".json", encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return Recording(meta, None if "error" in meta else open(out + ".bin", "rb").read())


def from_table(path):
    """The joints of a table that `tendon bake -o x.json` wrote: metres, +Y up."""
    table = json.load(open(path, encoding="utf-8"))
    recording = Recording({"reader": "Tendon", "objects": [
        {"name": j["name"], "parent": -1, "isBone": True} for j in table["joints"]]})
    for clip in table["clips"]:
        recording.clips.append(clip["name"])
        recording.seconds.append(clip["samples"][-1]["seconds"])
        worlds = [[j["world"] for j in sample["joints"]] for sample in clip["samples"]]
        recording.positions.append(np.array([[w["translation"] for w in row] for row in worlds]))
        recording.rotations.append(np.array([[w["rotation"] for w in row] for row in worlds]))
        recording.vertices.append(None)
    times = [[s["seconds"] for s in clip["samples"]] for clip in table["clips"]]
    return recording, times


def plain(name):
    """As the strictest reader leaves a name: no blanks, brackets, dots, colons, slashes; 63 bytes."""
    name = re.sub(r"[\[\].:/\\|$]", "", re.sub(r"\s", "_", name))
    name = re.sub(r"^Node_(\d+)$", r"node\1", name)  # what is given to nodes without a name
    return name.encode()[:60].decode(errors="ignore")


def find_joints(table, other):
    """For every joint of `table` the object of `other` of that name, or of those without a partner the one that plays most
    like it. -1: there is none. `other` is in the table's unit and axes."""
    by_name = {}
    for index, name in enumerate(other.names):
        by_name.setdefault(plain(name), []).append(index)
    wanted = {}
    for index, name in enumerate(table.names):
        wanted.setdefault(plain(name), []).append(index)
    found = np.full(len(table.names), -1)
    for name, joints in wanted.items():
        same = by_name.get(name, [])
        bones = [i for i in same if other.is_bone[i]]
        for candidates in (same, bones):
            if len(joints) == len(candidates) == 1:
                found[joints[0]] = candidates[0]
    clips = [c for c in range(len(table.clips)) if c < len(other.clips) and other.positions[c] is not None]
    taken = set(found[found >= 0])
    free = [i for i in range(len(other.names)) if i not in taken]
    first = {name: joint for joint, name in reversed(list(enumerate(table.names)))}
    for joint, name in enumerate(table.names):  # an FBX node was split: the leaf that has its scale stands where the node stands
        if found[joint] < 0 and name.endswith("_scale") and name[:-len("_scale")] in first:
            found[joint] = found[first[name[:-len("_scale")]]]
    if clips and free:
        theirs = np.concatenate([other.positions[c] for c in clips])[:, free]
        ours = np.concatenate([table.positions[c] for c in clips])
        for j in np.flatnonzero(found < 0):
            apart = np.abs(theirs - ours[:, j:j + 1]).max(axis=(0, 2))
            found[j] = free[int(apart.argmin())]
    if clips:
        _swap_numbered(table, other, clips, found)
    return found


def stem(name):
    return re.sub(r"[._]?\d{1,3}$", "", plain(name).replace(".", ""))


def _swap_numbered(table, other, clips, found):
    """Joints of one name get their numbers in an order of each program's own: among those that differ in nothing but a
    number at the end, one that plays otherwise goes to the one that it plays like."""
    theirs = np.concatenate([other.positions[c] for c in clips])
    ours = np.concatenate([table.positions[c] for c in clips])
    enough = 1e-4 * max(radius_of(ours), 1e-12)
    stems = {}
    for index, name in enumerate(other.names):
        stems.setdefault(stem(name), []).append(index)
    for j in np.flatnonzero(np.abs(theirs[:, found] - ours).max(axis=(0, 2)) > enough):
        group = stems.get(stem(table.names[j]), [])
        if group:
            apart = np.abs(theirs[:, group] - ours[:, j:j + 1]).max(axis=(0, 2))
            if apart.min() < enough:
                found[j] = group[int(apart.argmin())]


def added_bones(table, other, found):
    """Names of bones that `table` does not have. (three.js copies an FBX joint for every further mesh bound to it: those
    have a name that is known.)"""
    known, partners = {plain(name) for name in table.names}, set(found)
    return [name for i, name in enumerate(other.names)
            if other.is_bone[i] and i not in partners and plain(name) not in known]


def radius_of(points):
    flat = points.reshape(-1, 3)
    return float(np.linalg.norm(flat - flat.mean(axis=0), axis=1).max()) if len(flat) else 0.0


def joint_error(a, ia, b, ib, clip, moments=None):
    """Largest distance of joints ia of `a` and ib of `b`, over the clip or some of its moments; infinite when one is
    missing."""
    if a.positions[clip] is None or b.positions[clip] is None or (ia < 0).any() or (ib < 0).any():
        return np.inf
    p, q = a.positions[clip][:, ia], b.positions[clip][:, ib]
    if moments is not None:
        p, q = p[moments], q[moments]
    return float(np.linalg.norm(p - q, axis=2).max(initial=0))


def _toward(p, q):
    """Of up to 400 vertices of p the largest distance to the vertex of q that plays most like it. (moments, vertices, 3)"""
    chosen = np.linspace(0, p.shape[1] - 1, min(400, p.shape[1])).astype(int)
    at = np.unique(np.linspace(0, len(p) - 1, min(5, len(p))).astype(int))
    centre = q[at].mean(axis=1, keepdims=True)  # the squares below would cancel far from the origin
    features = (q[at] - centre).transpose(1, 0, 2).reshape(q.shape[1], -1)
    squares = (features ** 2).sum(axis=1)
    worst = 0.0
    for start in range(0, len(chosen), 50):
        part = chosen[start:start + 50]
        mine = (p[at][:, part] - centre).transpose(1, 0, 2).reshape(len(part), -1)
        twins = (squares - 2 * mine @ features.T).argmin(axis=1)
        worst = max(worst, float(np.linalg.norm(p[:, part] - q[:, twins], axis=2).max()))
    return worst


def vertex_error(a, b, clip, recorded=None):
    """Largest distance of vertices, by order where both have them in one order, else by who plays alike; None without.
    `recorded`: at these of the moments at which vertices were written down, all of them where it is empty."""
    p, q = a.vertices[clip], b.vertices[clip]
    if p is None or q is None or not p.size or not q.size:
        return None
    if recorded is not None and len(recorded):
        p, q = p[recorded], q[recorded]
    in_order = float(np.linalg.norm(p - q, axis=2).max()) if p.shape == q.shape else np.inf
    return min(in_order, max(_toward(p, q), _toward(q, p)))


def moving(recording, joints):
    """True for each of the joints that moves or turns by more than a thousandth over the clips."""
    still = np.zeros(len(joints), bool)
    size = max([radius_of(p) for p in recording.positions if p is not None] + [1e-12])
    for positions, rotations in zip(recording.positions, recording.rotations):
        if positions is None:
            continue
        p, q = positions[:, joints], rotations[:, joints]
        shift = np.linalg.norm(p - p[:1], axis=2).max(axis=0) / size
        turn = 1 - np.abs((q * q[:1]).sum(axis=2)).min(axis=0)
        still |= (shift > 1e-3) | (turn > 1e-6)
    return still

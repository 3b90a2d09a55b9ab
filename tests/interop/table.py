#!/usr/bin/python3
"""Imports every model of some folders, bakes it to .glb and .fbx with all its clips, and plays both in three.js and Blender beside
the source. Prints a row per file with what is wrong, then how many are right; exit code 1 if one is not.
usage: table.py [FILE or FOLDER...]   default: assets/characters and assets/bvh of $TENDON_SHARED (../shared)

Columns:
  s       wall time of `tendon import` in seconds
  assimp  wall time of `assimp info`. Both run alternately several times, and the minimum counts. If the limit (twice assimp's time and
          0.2 s) is missed, there are more tries. On a machine so busy that assimp waits, too, the 0.2 s grow as assimp's time does
  import  largest joint error of the import against the source in three.js (FBX at its keys and BVH: against three.js or Blender,
          whichever is nearer. For BVH with an offset under position channels three.js adds the two; Blender and Assimp use the channels)
Then, for each exported file and each reader, the largest error of joints and vertices over all frames: glTF, Collada and BVH against
the source in three.js, FBX against Tendon's own numbers (joints) and the source (vertices). All errors are shares of the skeleton's radius.
  *       the reader plays the source itself differently from three.js, and the export is compared with the reader's own playback
  =       no reader can play the source (fbx_source.py), so the exports are compared with each other
  m/t/o   materials, textures and morph targets of the source that arrived
If ufbx is available (tools.py), it is a third judge of FBX."""

import json
import math
import os
import re
import resource
import sys

import numpy as np

import fbx_source
import recording
import tools
from tools import BLENDER_TOLERANCE, JOINT_TOLERANCE, VERTEX_TOLERANCE, short

SUFFIXES = {".glb", ".gltf", ".vrm", ".vrma", ".fbx", ".dae", ".bvh", ".md5mesh", ".b3d", ".x", ".smd", ".mdl"}
BY_THREE = {".glb", ".gltf", ".vrm", ".vrma", ".fbx", ".dae", ".bvh"}
BY_BLENDER = {".glb", ".gltf", ".fbx", ".bvh"}
LEAST_TRIES, MOST_TRIES = 3, 10
UP = {"x": [[0, -1, 0], [1, 0, 0], [0, 0, 1]], "y": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "z": [[1, 0, 0], [0, 0, 1], [0, -1, 0]]}


def models(arguments):
    for argument in arguments:
        if os.path.isfile(argument):
            yield argument, os.path.basename(argument)
        for folder, _, files in sorted(os.walk(argument)):
            for file in sorted(files):
                if os.path.splitext(file)[1].lower() in SUFFIXES:
                    path = os.path.join(folder, file)
                    yield path, os.path.relpath(path, os.path.dirname(argument.rstrip("/")))


def work():
    """Seconds that the programs run so far have worked, with what they started."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def turns_far(path):
    """True for Collada that turns by more than half a turn between two keys: three.js makes matrices of the keys and goes the
    short way between them."""
    text = open(path, encoding="utf-8", errors="replace").read() if path.lower().endswith(".dae") else ""
    angles = [np.array(values.split(), float) for values in re.findall(r"<float_array[^>]*ANGLE[^>]*output[^>]*>([^<]*)<", text)]
    return any(len(a) > 1 and np.abs(np.diff(a)).max() > 180 for a in angles)


class Row:
    def __init__(self, path, label):
        self.path, self.label = path, label
        self.suffix = os.path.splitext(path)[1].lower()
        self.cells, self.problems, self.notes = {}, [], []
        self.is_readable = True
        self.turns_far = turns_far(path)
        if self.turns_far:
            self.notes.append("three.js turns the short way: judged at the source's keys, between them the exports by each other")
        # What a reader says itself that it cannot play of the source: where that is all there is to differ from, the exports are
        # held against each other.
        self.joint_limits, self.vertex_limits, self.spans = {}, {}, {}

    def fill(self, folder):
        self.folder = folder
        self.project = os.path.join(folder, "model.tendon")
        if not self.import_it():
            return
        if self.suffix == ".fbx":
            self.joint_limits, self.vertex_limits, self.spans = fbx_source.limits(self.path)
        self.bake = tools.Bake(self.project, folder, ["glb", "fbx"])
        self.problems += self.bake.problems
        self.info = json.loads(tools.tendon("info", self.path, "--json"))
        self.is_bind = not self.info["clips"]
        self.every = self.bake.every(sum(m["vertices"] for m in self.info["meshes"]))
        self.play()
        self.check_import()
        for suffix in self.bake.files:
            for reader in ("three", "blender", "ufbx"):
                if (reader, suffix) in self.played:
                    self.check_export(suffix, reader)
        self.check_parts()

    def import_it(self):
        commands = {"s": [tools.TENDON, "import", self.path, "-o", self.project, "--quiet"], "assimp": ["assimp", "info", self.path]}
        best, waited = dict.fromkeys(commands, math.inf), 1.0
        for attempt in range(MOST_TRIES):
            for what, command in commands.items():
                before = work()
                code, _, err, seconds = tools.run(command, 60)
                if what == "assimp" and seconds < best[what]:
                    waited = max(1.0, seconds / max(work() - before, 1e-3))
                best[what] = min(best[what], seconds)
                if what == "s" and code != 0:
                    self.judge_refusal(tools.last_line(err))
                    return False
            is_quick = best["s"] <= 2 * best["assimp"] + 0.2
            if is_quick and attempt + 1 >= LEAST_TRIES:
                break
        self.cells.update({what: f"{seconds:.2f}" for what, seconds in best.items()})
        if not is_quick and best["s"] <= 2 * best["assimp"] + 0.2 * waited:
            self.notes.append(f"busy machine: the wall time of assimp was {waited:.1f} times its CPU time, so the 0.2 s were extended as much")
        elif not is_quick:
            self.problems.append(f"import takes {best['s']:.2f} s, assimp {best['assimp']:.2f} s")
        return True

    def judge_refusal(self, line):
        """Right when there is nothing in the file; of no account when Assimp, which reads for Tendon, cannot read it either."""
        reason = line.replace("tendon: " + self.path + ": ", "")[:160]
        is_unknown = "unknown model format" in line  # a format that Tendon does not say it reads
        self.is_readable = not is_unknown and "Failed to load" not in tools.run(["assimp", "info", self.path], 60)[1]
        job = {"file": self.path, "out": os.path.join(self.folder, "three-source"), "fps": 30, "clips": [], "vertexEvery": 1}
        found = tools.play("three", [job], self.folder)[0] if self.is_readable and self.suffix in BY_THREE else None
        if found is not None and not found.error and not any(found.is_bone) and not found.meta["meshes"] and not found.meta["clips"]:
            self.notes.append(f"refused: {reason}; three.js finds no bone, mesh or clip in it")
        elif self.is_readable:
            self.problems.append("refused: " + reason)
        else:
            self.notes.append(("" if is_unknown else "as Assimp does, ") + f"refused: {reason}")

    def job(self, name, file):
        fps = self.bake.fps
        if file.lower().endswith(".bvh"):  # a frame of Blender's is one of the file's, which may be 0.041667 s
            fps = 1 / float(re.search(r"Frame Time:\s*(\S+)", open(file, errors="replace").read())[1])
        return {"file": file, "out": os.path.join(self.folder, name), "fps": fps, "clips": self.bake.clips(),
                "vertexEvery": self.every}

    def play(self):
        """Everything but the source in Blender, which is needed seldom unless it is FBX or BVH."""
        self.played = {}
        sources = {"three": BY_THREE, "blender": {".fbx", ".bvh"}, **({"ufbx": {".fbx"}} if tools.has_ufbx() else {})}
        for reader, formats in sources.items():
            jobs = {suffix: self.job(f"{reader}-{suffix}", file) for suffix, file in self.bake.files.items()
                    if reader != "ufbx" or suffix == "fbx"}
            if self.suffix in formats:
                jobs["source"] = {**self.job(f"{reader}-source", self.path), "byIndex": True, "bind": self.is_bind}
            for name, recorded in zip(jobs, tools.play(reader, list(jobs.values()), self.folder)):
                self.played[reader, name] = recorded
        drawn = self.played.get(("three", "glb"))
        if self.bake.stands_in_one_place and drawn is not None and not drawn.error and drawn.meta["vertexCount"]:
            self.bake.radius = max(recording.radius_of(v) for v in drawn.vertices if v is not None)  # of what hangs on its joints
        self.sources = {r: self.upright(self.played.get((r, "source"))) for r in sources}

    def source_by(self, reader):
        if reader not in self.sources or (reader == "blender" and self.sources[reader] is None):
            if self.suffix not in BY_BLENDER:
                return None
            job = {**self.job(f"{reader}-source", self.path), "byIndex": True, "bind": self.is_bind}
            self.sources[reader] = self.upright(tools.play(reader, [job], self.folder)[0])
        return self.sources[reader]

    def upright(self, recorded):
        """The source in metres and +Y up, by what the file says of itself; which of that its reader has done already shows
        in which fits."""
        if recorded is None or recorded.error:
            return None
        unit = self.info["unit"] if isinstance(self.info["unit"], (int, float)) else float(self.info["unit"].split()[0])
        best = None
        # Three.js leaves FBX in its unit; where all joints stand in one place that is all there is to tell.
        for scale in (unit, 1.0) if recorded.meta["reader"].startswith("three") else (1.0, unit):
            for turn in (UP["y"], UP[str(self.info["upAxis"]).lower().strip("+")]):
                moved = recorded.moved(scale * np.array(turn, float))
                moved.joints = recording.find_joints(self.bake.table, moved)
                error = self.against_table(moved)
                if best is None or error < best[0]:
                    best = (error, moved)
        return best[1]

    def joints_in(self, other):
        """The joints that `other` can have: Blender makes tails of bones of the end sites of a BVH."""
        names = self.bake.table.names
        without = self.suffix == ".bvh" and other.meta["reader"].startswith("Blender")
        return np.array([i for i, name in enumerate(names) if not (without and name.startswith("EndSite"))])

    def against_table(self, other, moments=None):
        own = self.joints_in(other)
        found = [recording.joint_error(other, other.joints[own], self.bake.table, own, c, moments and moments[c])
                 for c in range(len(self.bake.table.clips))]
        return max(found) / self.bake.radius

    def at_keys(self):
        """For each clip the moments at which the source has keys; all where it has none there."""
        three = self.played.get(("three", "source"))
        chosen = []
        for c, times in enumerate(self.bake.times):
            keys = three.meta["recorded"][c].get("keys", []) if three and not three.error else []
            times = np.array(times)
            near = np.array([len(keys) > 0 and np.abs(np.array(keys) - t).min() < 1e-4 for t in times])
            chosen.append(np.flatnonzero(near) if near.any() else np.arange(len(times)))
        return chosen

    def check_import(self):
        found = {}
        for reader, source in self.sources.items():
            if source is not None:
                # Three.js and Blender play FBX rightly at its keys alone.
                is_at_keys = self.suffix == ".fbx" and reader != "ufbx" or self.turns_far
                found[reader] = self.against_table(source, self.at_keys() if is_at_keys else None)
        if not found:
            if self.suffix in BY_THREE:
                errors = [r.error for (_, name), r in self.played.items() if name == "source" and r is not None]
                self.problems.append(f"no reader takes the source: {errors}")
            return
        reader = min(found, key=found.get)
        self.truth = self.sources[reader]
        self.cells["import"] = short(found[reader])
        if not found[reader] <= (BLENDER_TOLERANCE if reader == "blender" else JOINT_TOLERANCE):
            limits = [self.joint_limits.get(r, []) for r in found]
            if all(limits):
                self.notes.append("no reader here plays its " + ", ".join(dict.fromkeys(sum(limits, []))))
                self.cells["import"] += "?"
            else:
                self.problems.append("import: joints off by " + ", ".join(f"{short(e)} ({r})" for r, e in found.items()))
        truth = self.truth
        lost = [n for i, n in enumerate(truth.names) if truth.is_bone[i] and i not in set(truth.joints)
                and recording.plain(n) not in {recording.plain(t) for t in self.bake.table.names}]
        lost = [n for n in lost if n and not (self.suffix == ".bvh" and n == "ENDSITE")]  # named otherwise by us
        if lost:
            self.problems.append(f"import: {len(lost)} bones lost ({lost[0]})")
        theirs = self.played.get(("three", "source"))
        if theirs is not None and not theirs.error and not self.is_bind:
            self.check_clips(theirs)

    def check_clips(self, theirs):
        """Names and lengths as three.js has them. Collada's and BVH's clips have no name of their own."""
        for c, name in enumerate(self.bake.table.clips):
            clip = theirs.meta["recorded"][c]
            if clip.get("isMissing") or (clip["clipName"] != name and not clip["isUnnamed"] and self.suffix not in (".bvh", ".dae")):
                self.problems.append(f"clip {name} is called {clip.get('clipName')} in three.js")
            # Three.js plays all keys of a curve, also those beyond the span that the take states.
            seconds = min(clip.get("seconds", 0), self.spans.get(name, np.inf))
            if "layers" not in self.joint_limits.get("three", []) and not clip.get("isMissing") and abs(seconds - self.bake.table.seconds[c]) > 1e-4 * max(1, seconds):
                self.problems.append(f"{name}: {seconds:.4f} s became {self.bake.table.seconds[c]:.4f}")
        if len(theirs.meta["clips"]) != len(self.bake.table.clips):
            self.problems.append(f"{len(theirs.meta['clips'])} clips became {len(self.bake.table.clips)}")

    def check_export(self, suffix, reader):
        recorded = self.played[reader, suffix]
        column = reader[0].replace("t", "3") + suffix
        if recorded is None or recorded.error:
            self.problems.append(f"{reader} cannot read the .{suffix}: {recorded.error if recorded else 'crashed'}")
            return
        recorded.joints = recording.find_joints(self.bake.table, recorded)
        joint_limit = BLENDER_TOLERANCE if reader == "blender" else JOINT_TOLERANCE
        truth = None if self.suffix == ".fbx" else getattr(self, "truth", None)
        joints, stars = self.against(recorded, truth, joint_limit, reader)
        points, point_stars = self.vertices_against(recorded, reader) if not self.loses_weights(suffix, reader) else (None, "")
        self.cells[column + "j"], self.cells[column + "v"] = short(joints) + stars, short(points) + point_stars
        if truth is not None and truth.meta["reader"].startswith("Blender"):
            joint_limit = BLENDER_TOLERANCE
        if not joints <= joint_limit:
            self.problems.append(f"{reader} .{suffix}: joints off by {short(joints)}")
        if points is not None and not points <= VERTEX_TOLERANCE:
            self.problems.append(f"{reader} .{suffix}: vertices off by {short(points)}")
        self.check_file(recorded, suffix, reader)

    def loses_weights(self, suffix, reader):
        """Three.js keeps four weights of an FBX vertex and says so; what was written may have more."""
        if suffix != "fbx" or reader != "three" or fbx_source.Source(self.bake.files["fbx"]).most_influences() <= 4:
            return False
        self.notes.append("three.js keeps four weights of an FBX vertex, some have more: its vertices are judged by the other readers")
        return True

    def against(self, recorded, truth, limit, reader):
        clips = range(len(self.bake.table.clips))

        def error(other, joints):
            own = self.joints_in(other)
            moments = self.at_keys() if self.turns_far and other is not self.bake.table else None
            return max(recording.joint_error(other, joints[own], recorded, recorded.joints[own], c, moments and moments[c]) for c in clips) / self.bake.radius

        if truth is None:
            return error(self.bake.table, np.arange(len(self.bake.table.names))), ""
        worst = error(truth, truth.joints)
        if worst <= limit or reader == "three":
            return worst, ""
        own_source = self.source_by(reader)
        twin = error(own_source, own_source.joints) if own_source is not None else np.inf
        return (twin, "*") if twin < worst else (worst, "")

    def vertices_against(self, recorded, reader):
        def error(other):
            # Three.js and Blender run straight between keys, FBX does not.
            is_at_keys = self.suffix == ".fbx" and other.meta["reader"] != "ufbx" or self.turns_far and other is not self.played["three", "glb"]
            moments = self.at_keys() if is_at_keys else None
            found = [recording.vertex_error(other, recorded, c, moments and moments[c][moments[c] % self.every == 0] // self.every)
                     for c in range(len(self.bake.table.clips))
                     if other.positions[c] is not None and recorded.positions[c] is not None]
            found = [e for e in found if e is not None]
            return max(found) / self.bake.radius if found else None

        best, limits = None, []
        for other in (getattr(self, "truth", None), self.sources.get("ufbx"), self.sources.get("three"), reader):
            if other is reader:
                other = self.source_by(reader)
            if other is None or not other.meta.get("vertexCount"):
                continue
            worst = error(other)
            if worst is not None and (best is None or worst < best[0]):
                best = (worst, "" if other is self.sources.get("three") else "*")
            if best and best[0] <= VERTEX_TOLERANCE:
                break
            if worst is not None:
                limits.append(self.vertex_limits.get(next(r for r in ("three", "blender", "ufbx", "") if other.meta["reader"].lower().startswith(r)), []))
        if best is None or best[0] > VERTEX_TOLERANCE and all(limits):
            # No reader has the source's vertices: the files that were written against each other.
            self.notes += ["no reader here plays its " + ", ".join(dict.fromkeys(sum(limits, [])))] if limits else []
            others = [self.played.get(("three", "glb")), self.played.get(("three", "fbx"))]
            other = next((o for o in others if o is not None and o is not recorded and not o.error and o.meta.get("vertexCount")), None)
            return (None, "") if other is None else (error(other), "=")
        first = self.played["three", "glb"]
        return max(best, (error(first), "=")) if self.turns_far and first is not recorded and not first.error else best

    def check_file(self, recorded, suffix, reader):
        added = recording.added_bones(self.bake.table, recorded, recorded.joints)
        truth = getattr(self, "truth", None)
        theirs = {recording.plain(n) for n in truth.names} if truth is not None else set()
        added = [n for n in added if recording.plain(n) not in theirs]
        if added:
            self.problems.append(f"{reader} .{suffix}: {len(added)} bones too many ({added[0]})")
        for c, name in enumerate(self.bake.table.clips):
            if recorded.positions[c] is None:
                self.problems.append(f"{reader} .{suffix}: lacks the clip {name}")
            elif abs(recorded.seconds[c] - self.bake.table.seconds[c]) > 1e-4 * max(1, self.bake.table.seconds[c]):
                self.problems.append(f"{reader} .{suffix}: {name} lasts {recorded.seconds[c]:.4f} s, not {self.bake.table.seconds[c]:.4f}")
        if suffix == "fbx" and reader == "blender" and not self.is_bind and abs(recorded.meta["fps"] - self.bake.fps) > 1e-3:
            self.problems.append(f".fbx: {recorded.meta['fps']:.3f} fps, not {self.bake.fps}")
        source = self.played.get(("three", "source"))
        before = source.meta.get("validator", {}) if source is not None and not source.error else {}
        new = {code: n - before.get(code, 0) for code, n in recorded.meta.get("validator", {}).items() if n > before.get(code, 0)}
        for code, count in new.items():
            self.problems.append(f"validator: {count} {code}")
        if suffix == "glb" and reader == "three":
            self.cells["new"] = str(sum(new.values()))

    def check_parts(self):
        """Materials, pictures and morph targets against what three.js finds in the source, else against `tendon info`."""
        def of_three(recorded):
            meta = recorded.meta
            return [len({m["name"] for m in meta["materials"]}), sum("map" in m["textures"] for m in meta["materials"]),
                    max([m["morphs"] for m in meta["meshes"]] + [0])]

        source = self.played.get(("three", "source"))
        if source is None or source.error:
            return
        wanted = of_three(source)
        for suffix in self.bake.files:
            found = of_three(self.played["three", suffix]) if not self.played["three", suffix].error else [0, 0, 0]
            self.cells["parts " + suffix] = "/".join(str(n) for n in found)
            if any(f < w for f, w in zip(found, wanted)):
                self.problems.append(f".{suffix}: materials/pictures/morphs {'/'.join(map(str, found))} of {'/'.join(map(str, wanted))}")
        blender = self.played.get(("blender", "fbx"))
        for material in blender.meta["materials"] if blender and not blender.error else []:
            if material["lost"]:
                self.problems.append(f".fbx: picture lost in Blender ({material['lost'][0]})")

    COLUMNS = [("s", 5), ("assimp", 6), ("import", 7), ("3glbj", 7), ("3glbv", 7), ("bglbj", 7), ("bglbv", 7), ("3fbxj", 7),
               ("3fbxv", 7), ("bfbxj", 7), ("bfbxv", 7), ("new", 3), ("parts glb", 9), ("parts fbx", 9)]

    def print(self):
        known = hasattr(self, "bake")
        size = f"{len(self.bake.table.names):4} {len(self.bake.table.clips):3} {sum(map(len, self.bake.times)):5}" if known else f"{'-':>4} {'-':>3} {'-':>5}"
        print(f"{self.label[-52:]:52} {size} " + " ".join(f"{self.cells.get(c, '-'):>{w}}" for c, w in self.COLUMNS)
              + "  " + "; ".join(dict.fromkeys(self.problems or ["ok" if self.is_readable else "-"]))
              + "".join(f" ({note})" for note in dict.fromkeys(self.notes)), flush=True)


def main(arguments):
    folders = arguments or [os.path.join(tools.SHARED, "assets", part) for part in ("characters", "bvh")]
    heads = {"3glbj": "3 glb", "3glbv": "vert", "bglbj": "B glb", "bglbv": "vert", "3fbxj": "3 fbx", "3fbxv": "vert",
             "bfbxj": "B fbx", "bfbxv": "vert", "parts glb": "m/t/o glb", "parts fbx": "m/t/o fbx"}
    print(f"{'file':52} {'jnts':>4} {'clp':>3} {'poses':>5} " + " ".join(f"{heads.get(c, c):>{w}}" for c, w in Row.COLUMNS))
    right = total = refused = 0
    for path, label in models(folders):
        row = Row(path, label)
        with tools.Scratch() as folder:
            try:
                row.fill(folder)
            except Exception as error:  # one file's trouble is its own row's
                row.problems.append(f"{type(error).__name__}: {error}")
        row.print()
        refused += not row.is_readable
        total += row.is_readable
        right += row.is_readable and not row.problems
    print(f"{right} of {total} files are right" + (f"; {refused} more are refused: of formats that are not read, or not by Assimp" if refused else ""))
    return 0 if right == total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

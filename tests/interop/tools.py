"""Runs tendon and the readers; shared by all programs of this folder."""

import json
import math
import os
import subprocess
import tempfile
import time

import recording

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TENDON = os.environ.get("TENDON", os.path.join(ROOT, "build/dev/bin/tendon"))
NODE_FOLDER = os.environ.get("TENDON_INTEROP", os.path.join(ROOT, "build/interop"))
SHARED = os.environ.get("TENDON_SHARED", os.path.join(ROOT, "../shared"))

JOINT_TOLERANCE = 1e-5  # of the skeleton's radius
BLENDER_TOLERANCE = 1e-4  # Blender keeps bones as head, tail and roll in single precision: its own floor
VERTEX_TOLERANCE = 1e-4
MOST_VERTICES = 3e6  # recorded of one file: larger ones not at every moment


# ufbx.c and ufbx.h, which neither Debian 12 nor npm has: with them at hand FBX files have a third judge.
UFBX = os.environ.get("TENDON_UFBX", os.path.join(SHARED, "checks/ufbx"))


class Failed(Exception):
    pass


def run(command, seconds=300, **more):
    """(exit code, stdout, stderr, seconds taken)"""
    begin = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds,
                              stdin=subprocess.DEVNULL, **more)
    except subprocess.TimeoutExpired:
        return -1, "", f"not done after {seconds} s", time.monotonic() - begin
    return done.returncode, done.stdout, done.stderr, time.monotonic() - begin


def last_line(text):
    lines = [line for line in text.strip().split("\n") if line.strip()]
    return lines[-1].strip() if lines else ""


def tendon(*arguments, allowed=(0,)):
    code, out, err, _ = run([TENDON, *arguments, "--quiet"])
    if code not in allowed:
        raise Failed(f"tendon {arguments[0]}: exit {code}: {last_line(err)[:160]}")
    return out


def has_ufbx():
    return os.path.exists(os.path.join(UFBX, "ufbx.c"))


def ufbx_player():
    """The program, compiled when it is not there yet or older than what it is made of."""
    program, source = os.path.join(NODE_FOLDER, "play_ufbx"), os.path.join(HERE, "play_ufbx.c")
    parts = [source, os.path.join(UFBX, "ufbx.c")]
    if not os.path.exists(program) or os.path.getmtime(program) < max(map(os.path.getmtime, parts)):
        code, _, err, _ = run(["cc", "-O1", "-w", "-I" + UFBX, *parts, "-lm", "-o", program])
        if code != 0:
            raise Failed(f"ufbx: {last_line(err)[:160]}")
    return program


def play_by_ufbx(job, folder):
    lines = [job["file"], "byIndex" if job.get("byIndex") else "byName", str(job["vertexEvery"]), str(len(job["clips"]))]
    for clip in job["clips"]:
        lines += ["" if job.get("bind") else clip["name"], str(len(clip["times"])), *map(repr, clip["times"])]
    path = os.path.join(folder, "ufbx.job")
    open(path, "w", encoding="utf-8").write("\n".join(lines) + "\n")
    code, out, _, _ = run([ufbx_player(), path, job["out"] + ".bin"], 900)
    meta = {"reader": "ufbx", "objects": [], "meshes": [], "materials": [], "clips": [], "recorded": [], "vertexEvery": job["vertexEvery"]}
    for line in out.split("\n"):
        kind, *fields = line.split("\t")
        if kind == "error":
            return recording.Recording({"error": fields[0]})
        if kind == "object":
            meta["objects"].append({"name": fields[2], "parent": int(fields[0]), "isBone": fields[1] == "1"})
        elif kind == "mesh":
            meta["meshes"].append({"name": fields[3], "vertices": int(fields[0]), "isSkinned": fields[1] == "1", "morphs": int(fields[2])})
        elif kind == "material":
            meta["materials"].append({"name": fields[1], "textures": ["map"] * int(fields[0])})
        elif kind == "vertices":
            meta["vertexCount"] = int(fields[0])
        elif kind in ("recorded", "missing"):
            clip = job["clips"][len(meta["recorded"])]
            found = {"isMissing": True, "times": []} if kind == "missing" else {"times": clip["times"], "seconds": float(fields[0]), "clipName": fields[1]}
            meta["recorded"].append({"name": clip["name"], **found})
    return recording.Recording(meta, open(job["out"] + ".bin", "rb").read()) if code == 0 else None


def without_draco(file, folder):
    """The .glb itself, or a copy with its meshes unpacked by a decoder that is not Tendon's: Debian's Blender has none."""
    if not file.lower().endswith(".glb") or b"KHR_draco_mesh_compression" not in open(file, "rb").read():
        return file
    copy = os.path.join(folder, f"unpacked-{os.path.basename(file)}")
    code, _, err, _ = run(["node", os.path.join(NODE_FOLDER, "draco.mjs"), file, copy])
    if code != 0:
        raise Failed(f"draco: exit {code}: {last_line(err)[:160]}")
    return copy


def play(reader, jobs, folder):
    """Lets "three", "blender" or "ufbx" play the jobs; one Recording (or None) a job."""
    if reader == "ufbx":
        return [play_by_ufbx(job, folder) for job in jobs]
    if reader == "blender":
        jobs = [{**job, "file": without_draco(job["file"], folder)} for job in jobs]
    path = os.path.join(folder, reader + ".jobs")
    json.dump(jobs, open(path, "w", encoding="utf-8"))
    if reader == "three":
        # npm's packages stand in NODE_FOLDER: node looks for them beside the program.
        code, _, err, _ = run(["node", os.path.join(NODE_FOLDER, "play_three.mjs"), path], 900)
    else:
        # Blender embeds the system's Python; with another python3 first on the PATH it finds no numpy.
        code, _, err, _ = run(["blender", "-b", "--factory-startup", "--python", os.path.join(HERE, "play_blender.py"),
                               "--", path], 900, env={**os.environ, "PATH": "/usr/bin:/bin"})
    recordings = [recording.load(job["out"]) for job in jobs]
    if code != 0 and all(r is None for r in recordings):
        raise Failed(f"{reader}: exit {code}: {last_line(err)[:160]}")
    return recordings


class Bake:
    """A project baked to files, and Tendon's own numbers of it."""

    def __init__(self, project, folder, suffixes, clips=("--clips", "all")):
        self.table_file = os.path.join(folder, "table.json")
        self.report_file = os.path.join(folder, "report.json")
        self.files = {}
        # 3: a goal was missed on some frame, which is no matter of files
        tendon("bake", project, "-o", self.table_file, *clips, "--report", self.report_file, allowed=(0, 3))
        self.report = json.load(open(self.report_file, encoding="utf-8"))
        self.table, self.times = recording.from_table(self.table_file)
        self.fps = self.report["fps"]
        self.radius = max([recording.radius_of(p) for p in self.table.positions] + [0])
        self.stands_in_one_place = self.radius < 1e-9
        if self.stands_in_one_place:
            self.radius = 1.0
        self.problems, self.report_of = [], {}
        for suffix in suffixes:
            file, report = os.path.join(folder, "baked." + suffix), os.path.join(folder, suffix + ".report")
            code, _, err, _ = run([TENDON, "bake", project, "-o", file, *clips, "--report", report, "--quiet"])
            if code not in (0, 3):
                self.problems.append(f".{suffix}: exit {code}: {last_line(err)[:160]}")
            if os.path.exists(file):
                self.files[suffix] = file
                self.report_of[suffix] = json.load(open(report, encoding="utf-8"))

    def clips(self):
        return [{"name": name, "times": times} for name, times in zip(self.table.clips, self.times)]

    def every(self, vertices):
        return max(1, math.ceil(vertices * sum(len(t) for t in self.times) / MOST_VERTICES))


class Scratch:
    """A folder that goes when it is left."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tendon-interop-")
        return self.folder.name

    def __exit__(self, *_):
        self.folder.cleanup()


def short(error):
    return "-" if error is None else "missing" if math.isinf(error) else f"{error:.0e}".replace("e-0", "e-")

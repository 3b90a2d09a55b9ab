#!/usr/bin/env python3
"""check_batches.py batch|snakemake|parallel TENDON ROOT

Batches of `tendon retarget` on motions that are made here.

batch      Files are the same bytes one by one, together and in any number of jobs; a bad motion stops no other; a run that
           was killed goes on and makes what is missing alone; strangers are not overwritten; a changed motion is made anew.
snakemake  The worked example of the manual gives the same bytes. Skipped (exit 77) without snakemake.
parallel   The same with GNU parallel. Skipped without parallel.
"""

import hashlib
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LIMBS = {"UpLeg": "UpperLeg", "Leg": "LowerLeg", "Foot": "Foot", "Arm": "UpperArm", "ForeArm": "LowerArm", "Hand": "Hand"}


def skeleton(scale):
    """(name, parent, offset) of a small person with Mixamo's names."""
    joints = [("Hips", None, (0, 0.95 * scale, 0)), ("Spine", "Hips", (0, 0.2, 0)), ("Spine1", "Spine", (0, 0.2, 0)),
              ("Neck", "Spine1", (0, 0.2, 0)), ("Head", "Neck", (0, 0.1, 0.02))]
    for side, x in (("Left", 1), ("Right", -1)):
        joints += [(side + "UpLeg", "Hips", (0.1 * x, -0.05, 0)), (side + "Leg", side + "UpLeg", (0, -0.42 * scale, 0.01)),
                   (side + "Foot", side + "Leg", (0, -0.4 * scale, -0.02)), (side + "ToeBase", side + "Foot", (0, -0.06, 0.12)),
                   (side + "Shoulder", "Spine1", (0.05 * x, 0.15, 0)), (side + "Arm", side + "Shoulder", (0.12 * x, 0, 0)),
                   (side + "ForeArm", side + "Arm", (0.28 * x, 0, 0)), (side + "Hand", side + "ForeArm", (0.25 * x, 0, 0))]
    return joints


def write_bvh(path, frames, phase):
    joints = skeleton(1)
    children = {}
    for name, parent, _ in joints:
        children.setdefault(parent, []).append(name)
    offsets = {name: offset for name, _, offset in joints}
    lines, order = ["HIERARCHY"], []

    def put(name, depth):
        pad = "  " * depth
        lines.append(f"{pad}{'ROOT' if depth == 0 else 'JOINT'} {name}")
        lines.append(pad + "{")
        lines.append(f"{pad}  OFFSET " + " ".join(f"{100 * v:.6f}" for v in offsets[name]))
        lines.append(f"{pad}  CHANNELS " + ("6 Xposition Yposition Zposition " if depth == 0 else "3 ") + "Zrotation Xrotation Yrotation")
        order.append(name)
        for child in children.get(name, []):
            put(child, depth + 1)
        if name not in children:
            lines.extend([f"{pad}  End Site", pad + "  {", f"{pad}    OFFSET 0 0 5", pad + "  }"])
        lines.append(pad + "}")

    put("Hips", 0)
    lines += ["MOTION", f"Frames: {frames}", "Frame Time: 0.0333333"]
    for frame in range(frames):
        values = [0, 95 + math.sin(frame + phase), 3.0 * frame]
        for place, name in enumerate(order):
            swing = 20 * math.sin(0.2 * frame + place + phase)
            values += [0.3 * swing, swing if "Leg" not in name or "Up" in name else abs(swing), 0.2 * swing]
        lines.append(" ".join(f"{v:.6f}" for v in values))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


class Folder:
    """A character and motions in a folder of their own."""

    def __init__(self, tendon, motions, frames):
        self.tendon = tendon
        self.path = tempfile.mkdtemp(prefix="tendon-batches-")
        operations = []
        for name, parent, offset in skeleton(1.2):
            operation = {"op": "addJoint", "name": name + "_c", "translation": list(offset)}
            if parent:
                operation["parent"] = parent + "_c"
            operations.append(operation)
        roles = {"hips": "Hips_c", "spine": "Spine_c", "chest": "Spine1_c", "neck": "Neck_c", "head": "Head_c"}
        for side in ("Left", "Right"):
            for joint, role in list(LIMBS.items()) + [("ToeBase", "Toes"), ("Shoulder", "Shoulder")]:
                roles[side.lower() + role] = side + joint + "_c"
        operations.append({"op": "setRoles", "roles": roles})
        with open(self.file("rig.json"), "w", encoding="utf-8") as file:
            json.dump(operations, file)
        self.run("run", "rig.json", "-o", "walker.tendon")
        os.mkdir(self.file("clips"))
        self.names = [f"take_{i:02}" for i in range(motions)]
        for i, name in enumerate(self.names):
            write_bvh(self.file(f"clips/{name}.bvh"), frames, i)

    def file(self, name):
        return os.path.join(self.path, name)

    def run(self, *arguments, expected=0):
        done = subprocess.run([self.tendon, *arguments], cwd=self.path, capture_output=True, text=True, check=False)
        check(done.returncode == expected, f"{arguments}: exit {done.returncode}, not {expected}\n{done.stdout}{done.stderr}")
        return done

    def script(self, name, operations):
        with open(self.file(name), "w", encoding="utf-8") as file:
            json.dump(operations, file)
        return name

    def motions(self):
        return [f"clips/{name}.bvh" for name in self.names]

    def digests(self, folder):
        return {name: hashlib.sha256(open(self.file(f"{folder}/{name}.glb"), "rb").read()).hexdigest() for name in self.names
                if os.path.exists(self.file(f"{folder}/{name}.glb"))}

    def report(self, folder):
        with open(self.file(f"{folder}/retarget-report.json"), encoding="utf-8") as file:
            return json.load(file)


def check(holds, text):
    if not holds:
        print(text)
        sys.exit(1)


def batch(tendon):
    folder = Folder(tendon, 8, 40)
    folder.run("retarget", "walker.tendon", *folder.motions(), "-o", "together", "-j", "2")
    whole = folder.digests("together")
    check(len(whole) == 8, "not all files are there")
    for name in folder.names:
        folder.run("retarget", "walker.tendon", f"clips/{name}.bvh", "-o", "alone", "-j", "1")
    check(folder.digests("alone") == whole, "one by one the bytes are others")
    check(folder.report("alone")["clips"] == folder.report("together")["clips"], "one by one the report is another")

    # Up to date: nothing is touched.
    before = {name: os.stat(folder.file(f"together/{name}.glb")).st_mtime_ns for name in folder.names}
    done = folder.run("retarget", "walker.tendon", "clips", "-o", "together")
    check("8 up to date" in done.stdout, done.stdout)
    check(before == {name: os.stat(folder.file(f"together/{name}.glb")).st_mtime_ns for name in folder.names}, "files were touched")

    # A changed motion, a missing file, a bad motion and a stranger.
    write_bvh(folder.file("clips/take_03.bvh"), 40, 0.5)
    os.remove(folder.file("together/take_05.glb"))
    with open(folder.file("clips/bad.bvh"), "w", encoding="utf-8") as file:
        file.write("HIERARCHY\nROOT Hips\n{\n")
    with open(folder.file("clips/foreign.bvh"), "w", encoding="utf-8") as file, open(folder.file("clips/take_00.bvh"), encoding="utf-8") as other:
        file.write(other.read())
    with open(folder.file("together/foreign.glb"), "w", encoding="utf-8") as file:
        file.write("mine")
    done = folder.run("retarget", "walker.tendon", "clips", "-o", "together", expected=3)
    check("2 ok, 6 up to date, 2 failed" in done.stdout, done.stdout)
    check("was not made from these inputs: --force" in done.stderr, done.stderr)
    check(open(folder.file("together/foreign.glb"), encoding="utf-8").read() == "mine", "a stranger was overwritten")
    states = {entry["clip"]: entry["result"] for entry in folder.report("together")["clips"]}
    check(states["bad"] == "failed" and states["take_03"] == "ok", str(states))
    folder.run("retarget", "walker.tendon", "clips/bad.bvh", "-o", "none", expected=1)

    # Killed half-way: a run makes what is missing, and its bytes are the same.
    os.remove(folder.file("clips/bad.bvh")), os.remove(folder.file("clips/foreign.bvh"))
    write_bvh(folder.file("clips/take_03.bvh"), 40, 3)
    for kill_after in (1, 4):
        shutil.rmtree(folder.file("killed"), ignore_errors=True)
        process = subprocess.Popen([tendon, "retarget", "walker.tendon", "clips", "-o", "killed", "-j", "1", "--quiet"], cwd=folder.path)
        while process.poll() is None and len(folder.digests("killed")) < kill_after:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        made = {name: os.stat(folder.file(f"killed/{name}.glb")).st_mtime_ns for name in folder.digests("killed")}
        done = folder.run("retarget", "walker.tendon", "clips", "-o", "killed")
        check(folder.digests("killed") == whole, "after a kill the bytes are others")
        # One at most was in place without its entry, and is made anew.
        again = [name for name, stamp in made.items() if os.stat(folder.file(f"killed/{name}.glb")).st_mtime_ns != stamp]
        check(len(again) <= 1, f"made anew: {again}")

    # Two motions called alike: the later one has its format in its name.
    os.mkdir(folder.file("more")), shutil.copy(folder.file("clips/take_02.bvh"), folder.file("more/take_00.bvh"))
    folder.run("retarget", "walker.tendon", "clips/take_00.bvh", "more/take_00.bvh", "clips/take_01.bvh", "more", "-o", "alike", "-j", "1")
    check(sorted(name for name in os.listdir(folder.file("alike")) if name.endswith(".glb")) ==
          ["take_00.glb", "take_00_bvh.glb", "take_00_bvh_2.glb", "take_01.glb"], str(os.listdir(folder.file("alike"))))
    check(folder.digests("alike")["take_00"] == whole["take_00"], "of the first one the bytes are others")

    # Clips of a project.
    folder.run("retarget", "walker.tendon", *folder.motions(), "-o", "all.tendon")
    done = folder.run("retarget", "walker.tendon", *folder.motions(), "-o", "all.tendon")
    check("8 up to date" in done.stdout, done.stdout)
    folder.run("bake", "all.tendon", "--clip", "take_02", "--fps", "30", "-o", "baked.glb")
    # A motion with several animations gives each of them, also after a run that made a part, and as clips of a project.
    folder.run("run", folder.script("pack.json", [{"op": "import", "file": "clips/take_00.bvh"}] + [
        {"op": "importClip", "file": f"clips/take_0{i}.bvh", "as": f"Armature|take {i}"} for i in (1, 2)] + [
        {"op": "save", "file": "pack.tendon"}]), "-o", "pack.tendon")
    folder.run("bake", "pack.tendon", "--clips", "all", "-o", "pack.glb")
    done = folder.run("retarget", "walker.tendon", "pack.glb", "clips/take_03.bvh", "-o", "several")
    files = ["pack_Armature_take 1.glb", "pack_Armature_take 2.glb", "pack_take_00.glb", "take_03.glb"]
    check(sorted(name for name in os.listdir(folder.file("several")) if name.endswith(".glb")) == files, str(os.listdir(folder.file("several"))))
    check("4 clips" in done.stdout and "pack.glb, Armature|take 2" in done.stdout, done.stdout)
    os.remove(folder.file("several/pack_take_00.glb"))
    check("1 ok, 3 up to date" in folder.run("retarget", "walker.tendon", "pack.glb", "clips/take_03.bvh", "-o", "several").stdout, "not resumed")
    named = [clip["name"] for clip in json.loads(folder.run("info", "several/pack_Armature_take 1.glb", "--json").stdout)["clips"]]
    check(named == ["Armature|take 1"], str(named))
    for expected in ("3 ok", "3 up to date"):
        check(expected in folder.run("retarget", "walker.tendon", "pack.glb", "-o", "pack_clips.tendon").stdout, expected)
    named = sorted(clip["name"] for clip in json.loads(folder.run("info", "pack_clips.tendon", "--json").stdout)["clips"])
    check(named == ["Armature|take 1", "Armature|take 2", "take_00"], str(named))
    done = folder.run("retarget", "walker.tendon", "pack.glb", "--clip", "Armature|take 2", "-o", "one")
    check("1 clip," in done.stdout, done.stdout)
    folder.run("retarget", "walker.tendon", "pack.glb", "--clip", "take_00", "-o", "one")
    made = sorted(name for name in os.listdir(folder.file("one")) if name.endswith(".glb"))
    check(made == ["pack_Armature_take 2.glb", "pack_take_00.glb"], str(made))
    check("nobody" in folder.run("retarget", "walker.tendon", "pack.glb", "--clip", "nobody", "-o", "one", expected=1).stderr, "not said")
    folder.run("retarget", "walker.tendon", "clips/take_00.bvh", "-o", "one", "--turns", "on", expected=2)

    # The character's own clips are in nobody's way, also those that are called as a motion is.
    folder.run("retarget", "all.tendon", *folder.motions(), "-o", "again")
    check(folder.digests("again") == whole, "of a character that has these clips the bytes are others")
    shutil.rmtree(folder.path)


def worked_example(root):
    """The Snakefile of the manual."""
    with open(os.path.join(root, "resources/docs/user/batches.md"), encoding="utf-8") as file:
        return re.search(r"```python\n(.*?)```", file.read(), re.S).group(1)


def with_tool(tool, tendon, root):
    if shutil.which(tool) is None:
        print(f"{tool} is not installed")
        sys.exit(77)
    folder = Folder(tendon, 4, 20)
    folder.run("retarget", "walker.tendon", *folder.motions(), "-o", "together", "--format", "glb")
    environment = dict(os.environ, PATH=os.path.dirname(tendon) + os.pathsep + os.environ["PATH"], HOME=folder.path)
    if tool == "snakemake":
        with open(folder.file("Snakefile"), "w", encoding="utf-8") as file:
            file.write(worked_example(root))
        command = ["snakemake", "--cores", "2"]
    else:
        command = ["parallel", "--will-cite", "-j", "2", "tendon", "retarget", "walker.tendon", "{}", "-o", "out/", "-j", "1", "--quiet", "--report",
                   "out/{/.}.json", ":::", *folder.motions()]
        os.mkdir(folder.file("out"))
    done = subprocess.run(command, cwd=folder.path, env=environment, capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stdout + done.stderr)
    check(folder.digests("out") == folder.digests("together"), f"through {tool} the bytes are others")
    shutil.rmtree(folder.path)


if __name__ == "__main__":
    WHAT, TENDON, ROOT = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3]
    batch(TENDON) if WHAT == "batch" else with_tool(WHAT, TENDON, ROOT)

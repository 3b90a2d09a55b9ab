#!/usr/bin/env python3
"""Mutates files and gives them to Tendon, target by target, for as long as is wished.

    fuzz.py TENDON MINUTES [--target NAME]... [--seed N] [--keep FOLDER]

MINUTES count for each target. A finding is a process that ends by a signal, hangs, takes an exit code that the manual does
not have, or prints a sanitizer's report; so is an import child that dies in Tendon's own parent ("the reader crashed").
The input of each finding stays in FOLDER, by default the working folder; its name has the seed. Exit 1 = there were findings.
"""
import argparse
import copy
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS_PER_RUN = 60  # under sanitizers; longer is a hang
EXIT_CODES = range(5)
REPORT = re.compile(rb"AddressSanitizer|LeakSanitizer|runtime error:|the reader crashed|internal error")
EXTREMES = [None, True, -1, 0, 1e-320, 1e39, -1e308, 2**31, 2**64, "", "\u202e", "x" * 300, [], {}, [[]], [1e308, 0, 0, 0]]
INTERESTING = [b"\0", b"\xff", b"-1", b"0", b"1e308", b"NaN", b"null", b"[]", b"{}", b'""', b"\xff\xff\xff\xff", b"\0\0\0\x80"]

URDF = b"""<robot name="r"><link name="a"/><link name="b"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 1" rpy="0 0 1"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
PROBLEM = b"""{"cases": "p.csv", "count": 2, "goals": [{"joint": 1, "name": "tip", "offset": [1, 0, 0], "orientation": false,
"position": true}], "joints": [{"axis": [0, 0, 1], "bone": "a", "lower": null, "name": "a", "parent": -1, "pos": [0, 0, 0],
"quat": [1, 0, 0, 0], "type": "revolute", "upper": null}, {"axis": [0, 0, 1], "bone": "b", "lower": -1, "name": "b",
"parent": 0, "pos": [1, 0, 0], "quat": [1, 0, 0, 0], "type": "revolute", "upper": 1}], "start": [0.1, 0.2],
"tolerance": {"position": 1e-6, "rotation": 1e-6}}"""
CASES = b"case,g0_px,g0_py,g0_pz,g0_qw,g0_qx,g0_qy,g0_qz\n0,1,0.5,0,1,0,0,0\n1,0.5,1,0,1,0,0,0\n"


def mutated(data, others, rng):
    """A few random edits: bits, interesting values, numbers, pieces left out, doubled, or taken from another seed."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        if not data:
            return b"\0"
        at = rng.randrange(len(data))
        size = rng.choice([1, 2, 4, 8, 64, 1024])
        kind = rng.randrange(7)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            piece = rng.choice(INTERESTING)
            data[at : at + len(piece)] = piece
        elif kind == 2:
            numbers = list(re.finditer(rb"-?\d+\.?\d*(e-?\d+)?", bytes(data[at : at + 4096])))
            if numbers:
                found = rng.choice(numbers)
                data[at + found.start() : at + found.end()] = rng.choice([b"-1", b"0", b"1e39", b"4294967296", b"99999999", b"1e-320"])
        elif kind == 3:
            del data[at : at + size]
        elif kind == 4:
            data[at:at] = data[at : at + size]
        elif kind == 5:
            other = rng.choice(others)
            begin = rng.randrange(len(other)) if other else 0
            data[at : at + size] = other[begin : begin + size]
        else:
            data[at : at + 4] = struct.pack("<I", rng.choice([0, 1, 2**31 - 1, 2**31, 2**32 - 1, rng.getrandbits(32)]))
    return bytes(data)


def places(value, path=()):
    """The paths of all values of a document."""
    yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, path + (key,))


def restructured(text, rng):
    """Still JSON, but with values that are extreme, missing, doubled, or another's. Of lines of JSON it is one of them."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        lines = text.splitlines()
        at = rng.randrange(len(lines))
        if len(lines) == 1:
            return text
        lines[at] = restructured(lines[at], rng) if lines[at] else b"{}"
        return b"\n".join(lines)
    for _ in range(rng.choice([1, 1, 2, 4])):
        paths = list(places(document))[1:]
        if not paths:
            break
        path, other = rng.choice(paths), rng.choice(paths)
        holder, value = document, document
        for key in path[:-1]:
            holder = holder[key]
        for key in other:
            value = value[key]
        kind = rng.randrange(4)
        if kind == 0:
            holder[path[-1]] = rng.choice(EXTREMES)
        elif kind == 1:
            del holder[path[-1]]
        elif kind == 2 and isinstance(holder, list):
            holder.insert(path[-1], copy.deepcopy(rng.choice(holder)))
        else:
            holder[path[-1]] = copy.deepcopy(value)
    return json.dumps(document).encode()


def restructured_glb(data, rng):
    """The same for the JSON of a .glb."""
    end = 20 + struct.unpack_from("<I", data, 12)[0]
    text = restructured(data[20:end], rng)
    text += b" " * (-len(text) % 4)
    return data[:8] + struct.pack("<III", 20 + len(text) + len(data) - end, len(text), 0x4E4F534A) + text + data[end:]


def framed(answer):
    """The child's answer with the length and the checksum that its content has now: core/io/model/Intermediate.cpp."""
    content = answer[28:]
    value = 0xCBF29CE484222325
    for at in range(0, len(content), 8):
        value = (value ^ int.from_bytes(content[at : at + 8], "little")) * 0x100000001B3 & (2**64 - 1)
        value ^= value >> 29
    return answer[:12] + struct.pack("<QQ", len(content), value) + content


class Fuzzer:
    def __init__(self, tendon, folder):
        self.tendon, self.folder = tendon, pathlib.Path(folder)
        self.targets = {
            "gltf": self.model(lambda: [p.read_bytes() for p in sorted((ROOT / "tests/corpus").glob("good-*"))] + [self.exported("x.glb")], "m.glb"),
            "meshopt": self.model(lambda: [(ROOT / "tests/corpus/good-meshopt.glb").read_bytes()], "m.glb"),
            "fbx": self.model(lambda: [self.exported("x.fbx")], "m.fbx"),
            "bvh": self.model(lambda: [self.exported("x.bvh")], "m.bvh"),
            "urdf": self.model(lambda: [URDF], "m.urdf"),
            "project": (self.projects, self.run_project),
            "operations": (self.scripts, lambda data: self.run_file("s.json", data, ["run", "s.json", "-p", "arm.tendon", "-o", "o.tendon"])),
            "problem": (lambda: [PROBLEM], self.run_problem),
            "plugin": (self.plugins, self.run_plugin),
            "answer": (lambda: [self.answer()], self.run_answer),
            "pictures": (self.pictures, self.run_pictures),
            "map": (lambda: [self.figure_file("map.tendonmap")], self.run_map),
            "pose": (lambda: [self.figure_file("pose.tendonpose")], self.run_pose),
            "report": (lambda: [self.figure_file("made/retarget-report.json")], self.run_report),
        }

    def call(self, arguments, **options):
        return subprocess.run([self.tendon, *arguments], cwd=self.folder, capture_output=True, timeout=SECONDS_PER_RUN,
                              stdin=subprocess.DEVNULL, check=False, **options)

    def run_file(self, name, data, arguments, **options):
        (self.folder / name).write_bytes(data)
        return self.call(arguments, **options)

    def model(self, seeds, name):
        return seeds, lambda data: self.run_file(name, data, ["import", name, "--embed", "-o", "o.tendon"])

    def exported(self, name):
        self.call(["samples", "arm", "-o", "arm.tendon"])
        self.call(["bake", "arm.tendon", "-o", name])
        return (self.folder / name).read_bytes()

    def projects(self):
        for name in ("arm", "tree", "telescope"):
            self.call(["samples", name, "-o", name + ".tendon"])
        return [(self.folder / (name + ".tendon")).read_bytes() for name in ("arm", "tree", "telescope")]

    def run_project(self, data):
        first = self.run_file("p.tendon", data, ["validate", "p.tendon"])
        return first if self.fault(first) else self.call(["bake", "p.tendon", "-o", "p.glb"])

    def scripts(self):
        shutil.copy(ROOT / "tests/cli/data/arm.tendon", self.folder)
        return [p.read_bytes() for folder in ("tests/cli/data", "resources/samples/scripts") for p in sorted((ROOT / folder).glob("*.json"))]

    def run_problem(self, data):
        (self.folder / "p.csv").write_bytes(CASES)
        return self.run_file("p.json", data, ["bench", "--problem", "p.json", "--solver", "dls", "--iterations", "20",
                                              "--starts", "2", "-o", "r.csv"])

    def plugins(self):
        return [p.read_bytes() for p in sorted((pathlib.Path(self.tendon).parent / "plugins").glob("tendon-two-bone.so"))]

    def run_plugin(self, data):
        (self.folder / "plugins").mkdir(exist_ok=True)
        return self.run_file("plugins/tendon-fuzzed.so", data, ["plugins"], env={**os.environ, "TENDON_PLUGIN_PATH": str(self.folder / "plugins")})

    def worker(self, task, path):
        with open(path, "rb") as source:
            return self.call(["--import-worker", task, str(1536 << 20), "20", "m.glb"], pass_fds=(3,),
                             preexec_fn=lambda: os.dup2(source.fileno(), 3))

    def answer(self):
        return self.worker("read+embed", ROOT / "tests/corpus/good-whole.glb").stdout

    def run_answer(self, data):
        worker = self.folder / "worker"
        if not worker.exists():
            worker.write_text(f"#!/bin/sh\ncat '{self.folder}/answer'\n")
            worker.chmod(0o755)
        (self.folder / "m.glb").write_bytes(b"glTF")
        imported = self.run_file("answer", framed(data), ["import", "m.glb", "--embed", "-o", "o.tendon"],
                                 env={**os.environ, "TENDON_WORKER": str(worker)})
        if imported.returncode != 0:
            return imported
        opened = self.call(["validate", "o.tendon"])  # what was accepted can be opened
        if opened.returncode == 1 and b"/model" in opened.stderr:
            opened.returncode = "import of a project that cannot be opened"
        return opened

    def pictures(self):
        files = sorted((ROOT / "resources").rglob("*.png"), key=lambda p: p.stat().st_size)[:3]
        files += sorted(ROOT.glob("resources/**/*.jpg"))[:1]
        return [struct.pack("<IQQ", 256, 1, len(data)) + data for data in (p.read_bytes() for p in files)]

    def run_pictures(self, data):
        (self.folder / "request").write_bytes(data)
        return self.worker("pictures", self.folder / "request")

    def figure_file(self, name):
        """What Tendon writes about a figure: a skeleton with a walk, a map of its roles, a pose, the report of a batch."""
        self.call(["samples", "mannequin", "-o", "walk.tendon"])
        self.call(["bake", "walk.tendon", "-o", "figure.bvh"])
        shutil.copy(self.folder / "figure.bvh", self.folder / "walk.bvh")
        self.call(["import", "figure.bvh", "-o", "figure.tendon"])
        self.call(["retarget", "figure.tendon", "walk.bvh", "--format", "bvh", "-o", "made", "--save-map", "map.tendonmap"])
        self.run_file("save.json", b'[{"op": "savePose", "file": "pose.tendonpose"}]', ["run", "save.json", "-p", "figure.tendon", "-o", "o.tendon"])
        return (self.folder / name).read_bytes()

    def run_map(self, data):
        return self.run_file("other.tendonmap", data, ["retarget", "figure.tendon", "walk.bvh", "--format", "bvh", "--force",
                                                       "-o", "made", "--map", "other.tendonmap"])

    def run_pose(self, data):
        (self.folder / "apply.json").write_text('[{"op": "applyPose", "file": "other.tendonpose", "mirror": "x", "blend": 0.5}]')
        return self.run_file("other.tendonpose", data, ["run", "apply.json", "--pending", "key", "-p", "figure.tendon", "-o", "o.tendon"])

    def run_report(self, data):
        return self.run_file("made/retarget-report.json", data, ["retarget", "figure.tendon", "walk.bvh", "--format", "bvh", "-o", "made"])

    @staticmethod
    def fault(result):
        if result.returncode not in EXIT_CODES:
            return f"exit {result.returncode}"
        found = REPORT.search(result.stderr)
        return found[0].decode() if found else ""

    def fuzz(self, name, seconds, seed, keep):
        seeds, run = self.targets[name]
        seeds = seeds()
        rng = random.Random(f"{name}/{seed}")
        cases = findings = refused = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            data = rng.choice(seeds)
            if name == "plugin":
                data = self.only_metadata(data, rng)
            elif rng.random() < 0.5 and data[:1] in b"{[":
                data = restructured(data, rng)
            elif rng.random() < 0.5 and data[:4] == b"glTF":
                data = restructured_glb(data, rng)
            else:
                data = mutated(data, seeds, rng)
            cases += 1
            try:
                result = run(data)
                what = self.fault(result)
                refused += result.returncode != 0
            except subprocess.TimeoutExpired:
                what = "hang"
            if what:
                findings += 1
                kept = keep / f"{name}-{seed}-{cases}"
                kept.write_bytes(data)
                print(f"{name}: {what}: {kept}", flush=True)
        print(f"{name}: {cases} cases, {refused} refused, {findings} findings", flush=True)
        return findings

    @staticmethod
    def only_metadata(data, rng):
        """Other bytes of a library are its code. Qt keeps its metadata in a note of its own."""
        begin = data.index(b"qt-project!\0") - 12
        end = begin + 24 + struct.unpack_from("<I", data, begin + 4)[0]
        size = end - begin
        return data[:begin] + mutated(data[begin:end], [data], rng)[:size].ljust(size, b"\0") + data[end:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tendon")
    parser.add_argument("minutes", type=float)
    parser.add_argument("--target", action="append")
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path.cwd())
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HOME=folder, XDG_STATE_HOME=folder, XDG_DATA_HOME=folder)
        fuzzer = Fuzzer(shutil.which(arguments.tendon) or arguments.tendon, folder)
        findings = sum(fuzzer.fuzz(name, 60 * arguments.minutes, arguments.seed, arguments.keep)
                       for name in arguments.target or fuzzer.targets)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

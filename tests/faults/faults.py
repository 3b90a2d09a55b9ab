#!/usr/bin/env python3
"""Kills every writing command of Tendon, and lets its system calls fail, and looks at what it leaves behind.

    faults.py TENDON CALLS.so [--minutes M] [--skip N] [--points N] [--kills N] [--seed S] [--editor] [--only TEXT]
    faults.py --self-test

A point is a command, one of its calls that change files or open something, and what happens there: a kill before or after it,
an error (ENOSPC, EIO, EDQUOT, EMFILE), or a disk that is full from there on. Further points of each command: no thread can be
started, which changes nothing, and no memory is left at a random allocation (not in the editor, whose libraries abort then).
All points are tried in random order (--points: N of them, --skip: without the first N, to go on with a seed); then come kills
at random moments (--kills: N of them; with --minutes, until the time is over). The same seed gives the same points. CALLS.so
is failing_calls.cpp, preloaded. After each: every file is the old or the new one; a .gltf has the buffers of its own
generation; a command that reports success has written everything, one that reports failure nothing, and says why in one line.
After the next start: all files of one command are old, or all are new, and nothing else is left beside them, in the folder of
temporary files or in the notes of unfinished work. --editor: the editor's pictures, exports and saves are tried, too, on an
Xvfb of this script; its exports, backup, save and picture are sets of their own, and it says what failed in its window and not
by its exit code. Exit 1 = findings.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import errno
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ERRORS = ("ENOSPC", "EIO", "EDQUOT", "EMFILE")
ALLOCATIONS = 24  # points of each command at which memory runs out
SECONDS = 60  # a command that takes longer hangs
OURS = ".tendon-"

PROBLEM = {
    "name": "two", "kind": "independent", "cases": "two.csv", "start": [0.1, 0.2],
    "tolerance": {"position": 1e-6, "rotation": 1e-6},
    "goals": [{"joint": 1, "name": "tip", "offset": [1, 0, 0], "orientation": False, "position": True}],
    "joints": [{"name": name, "bone": name, "parent": i - 1, "type": "revolute", "axis": [0, 0, 1], "lower": None,
                "upper": None, "pos": [i, 0, 0], "quat": [1, 0, 0, 0]} for i, name in enumerate("ab")]}
CASES = "case,g0_px,g0_py,g0_pz,g0_qw,g0_qx,g0_qy,g0_qz\n0,1,0.5,0,1,0,0,0\n1,0.5,1,0,1,0,0,0\n"

EXPORTS = [{"op": "export", "file": name} for name in ("a.gltf", "b.fbx", "deep/c.glb", "d.bvh", "e.csv", "f.json")]
SCRIPTS = {
    "turn.json": [{"op": "rotate", "joint": "Shin", "axis": "x", "value": 20},
                  {"op": "key", "target": "Shin"}],
    "more.json": [{"op": "addJoint", "name": "extra"}],
    "more-export.json": [{"op": "addJoint", "name": "extra"}, {"op": "export", "file": "out.gltf"}],
    "exports.json": EXPORTS + [{"op": "save", "file": "g.tendon"}],
}

# What each command writes over: the files of an earlier run with another rig.
COMMANDS = {
    "bake .gltf": ["bake", "leg.tendon", "-o", "out.gltf", "--report", "r.json"],
    "bake .fbx": ["bake", "leg.tendon", "-o", "out.fbx"],
    "bake a model's .gltf": ["bake", "model.tendon", "-o", "deep/model.gltf"],
    "run in place": ["run", "more.json", "-p", "leg.tendon", "-o", "leg.tendon"],
    "run with seven outputs": ["run", "exports.json", "-p", "leg.tendon", "-o", "new.tendon"],
    "import": ["import", "leg.gltf", "-o", "model.tendon"],
    "import --embed": ["import", "leg.gltf", "-o", "embedded.tendon", "--embed"],
    "samples": ["samples", "arm", "-o", "leg.tendon"],
    "bench": ["bench", "--problem", "two.json", "--solver", "dls", "-o", "answers.csv"],
}


# What the editor beside TENDON writes.
EDITOR = "tendon-editor"
EDITOR_COMMANDS = {
    "render": [EDITOR, "--project", "leg.tendon", "--frame", "1", "--size", "64x64", "--render", "picture.png"],
    "the editor's export and save": [EDITOR, "--project", "leg.tendon", "--script", "more-export.json", "--do", "file.save",
                                     "--size", "400x300", "--screenshot", "../window.png"],
}


class World:
    """The folder in which commands run: the files of an earlier generation, and Tendon's own folders."""

    def __init__(self, tendon, folder):
        self.tendon, self.folder = tendon, folder
        self.work = os.path.join(folder, "work")

    def run(self, arguments, calls=None, fault=None, log=None, after=None):
        """The result of one command. `after`: the seconds to a kill."""
        environment = dict(os.environ, XDG_STATE_HOME=os.path.join(self.folder, "state"), TMPDIR=os.path.join(self.folder, "tmp"),
                           HOME=self.folder)
        if fault is not None:
            environment.update(LD_PRELOAD=calls, TENDON_FAULT=fault)
        if log is not None:
            environment["TENDON_FAULT_LOG"] = log
        if arguments[0] == EDITOR:
            environment.update(QT_QPA_PLATFORM="xcb", MESA_SHADER_CACHE_DISABLE="1", XDG_RUNTIME_DIR=os.path.join(self.folder, "runtime"))
        program = [] if arguments[0] == EDITOR else [self.tendon]
        process = subprocess.Popen(program + arguments, executable=self.program(arguments), cwd=self.work, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if after is not None:
            time.sleep(after)
            process.kill()
        try:
            out, said = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            out, said = process.communicate()
            said += b"\nhangs"
        return subprocess.CompletedProcess(arguments, process.returncode, out, said)

    def program(self, arguments):
        return os.path.join(os.path.dirname(self.tendon), EDITOR) if arguments[0] == EDITOR else self.tendon

    def reset(self, old):
        for name in ("work", "state", "tmp", ".local", ".config"):
            shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "tmp"))
        os.makedirs(os.path.join(self.folder, "runtime"), mode=0o700, exist_ok=True)
        shutil.copytree(old, self.work)

    def files(self):
        """The bytes of every file but those in folders that are Tendon's own, and the notes of who has a document open."""
        found = {}
        for at, folders, names in os.walk(self.work):
            folders[:] = [name for name in folders if not name.startswith(OURS)]
            for name in names:
                if name.startswith(".~lock."):
                    continue  # without its process it locks nothing, and the next editor on this document takes it over
                path = os.path.join(at, name)
                found[os.path.relpath(path, self.work)] = content(path)
        return found

    def left_overs(self):
        """Whatever should be gone after the next start."""
        found = []
        for at, folders, names in os.walk(self.folder):
            relative = os.path.relpath(at, self.folder)
            found += [os.path.join(relative, name) for name in folders if name.startswith(OURS)]
            if relative.split(os.sep)[0] == "tmp" or relative.endswith("unfinished"):
                found += [os.path.join(relative, name) for name in folders + names
                          if not name.startswith("runtime-")]  # Qt's, when it may not ask for the user's
        return found


def content(path):
    """A file's bytes; of answers without what they took."""
    data = pathlib.Path(path).read_bytes()
    return re.sub(rb"(?m)^(\d+),[0-9.e+-]+,", rb"\1,time,", data) if path.endswith("answers.csv") else data


def make_old(tendon, old):
    """A folder in which every target of COMMANDS is there already, with other content than they will write."""
    os.makedirs(os.path.join(old, "deep"))
    for name, content in SCRIPTS.items():
        pathlib.Path(old, name).write_text(json.dumps(content))
    pathlib.Path(old, "two.json").write_text(json.dumps(PROBLEM))
    pathlib.Path(old, "two.csv").write_text(CASES)

    def run(*arguments):
        done = subprocess.run([tendon, *arguments], cwd=old, capture_output=True, text=True)
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(arguments)}: {done.stderr}")

    run("samples", "leg", "-o", "leg.tendon")
    run("bake", "leg.tendon", "-o", "leg.gltf")
    for file in ("model.tendon", "embedded.tendon"):
        run("samples", "lamp", "-o", file)
    run("run", "exports.json", "-p", "leg.tendon", "-o", "new.tendon")
    run("bake", "leg.tendon", "-o", "out.gltf", "--report", "r.json")
    run("bake", "leg.tendon", "-o", "out.fbx")
    run("import", "leg.gltf", "-o", "model.tendon")
    run("bake", "model.tendon", "-o", "deep/model.gltf")
    run("samples", "lamp", "-o", "embedded.tendon")
    pathlib.Path(old, "picture.png").write_text("old\n")
    pathlib.Path(old, "answers.csv").write_text("old\n")
    for file in ("leg.tendon", "model.tendon"):  # from now on another motion
        run("run", "turn.json", "-p", file, "-o", file)


def mixed(files, before, after):
    """The .gltf files whose buffers are not there or of another generation."""
    found = []
    for name in files:
        if not name.endswith(".gltf"):
            continue
        generation = before if files[name] == before.get(name) else after
        for buffer in json.loads(files[name]).get("buffers", []):
            beside = os.path.normpath(os.path.join(os.path.dirname(name), buffer["uri"]))
            if beside not in files or files[beside] != generation.get(beside):
                found.append(f"{name} with {beside}")
    return found


def judge(before, after, now, later, left, code, said, killed, is_one_set=True):
    """What is wrong: a list of sentences. `now`: right after the command; `later`: after the next start. A command that
    writes several sets does not say by its exit code which of them it has written."""
    wrong = []
    if not killed and code == 4 and "r.json" in after:  # which says what the read-back met
        now, later = {**now, "r.json": after["r.json"]}, {**later, "r.json": after["r.json"]}
    for name in sorted(set(now) | set(before)):
        if now.get(name) not in (before.get(name), after.get(name)):
            wrong.append(f"{name} is torn" if name in now else f"{name} is gone")
    wrong += [f"mixed: {names}" for names in mixed(now, before, after)] if not wrong else []
    if later not in (before, after) and is_one_set:
        states = {name: "old" if later.get(name) == before.get(name) else "new" if later.get(name) == after.get(name) else "other"
                  for name in set(before) | set(after) | set(later) if before.get(name) != after.get(name)}
        wrong.append(f"half a set after the next start: {states}")
    wrong += [f"left behind: {name}" for name in left]
    if killed:
        return wrong
    if code < 0:
        wrong.append(f"ended by signal {-code}: {said.decode(errors='replace').strip()}")
    elif not is_one_set:
        wrong += ["hangs"] if b"hangs" in said else []
    elif code in (0, 3, 4) and (later != after or any(now.get(name) != after[name] for name in after)):
        wrong.append(f"exit code {code}, but not everything was written")
    elif code not in (0, 3, 4):
        if now != before:
            wrong.append(f"exit code {code}, but files have changed")
        lines = [line for line in said.decode(errors="replace").splitlines()
                 if not line.startswith(("tendon: warning", "QStandardPaths:"))]  # Qt's own
        if len(lines) != 1 or "internal error" in lines[0]:
            wrong.append(f"exit code {code} with {lines}")
    return wrong


class Trial:
    def __init__(self, tendon, calls, folder, seed, commands):
        self.commands = commands
        self.tendon, self.calls, self.folder = tendon, calls, folder
        self.random = random.Random(seed)
        self.old = os.path.join(folder, "old")
        make_old(tendon, self.old)
        self.before, self.after, self.points, self.seconds = {}, {}, [], {}
        self.names = collections.Counter()
        for name, command in commands.items():
            world = World(tendon, os.path.join(folder, "first"))
            world.reset(self.old)
            self.before[name] = world.files()
            log = os.path.join(folder, "log")
            pathlib.Path(log).write_text("")
            begin = time.monotonic()
            done = world.run(command, calls, "count", log)
            self.seconds[name] = time.monotonic() - begin
            self.after[name] = world.files()
            if done.returncode not in (0, 3) or self.after[name] == self.before[name]:
                sys.exit(f"{name}: exit code {done.returncode}: {done.stderr.decode()}")
            made = pathlib.Path(log).read_text().split()
            if not made:
                sys.exit(f"{name}: no call was seen")
            self.names.update(made)
            faults = ["before {}", "after {}"] + [f"error {{}} {getattr(errno, code)}" for code in ERRORS] + ["full {}"]
            self.points += [(name, fault.format(n)) for n in range(1, len(made) + 1) for fault in faults]
            if command[0] != EDITOR:
                allocations = [round(10 ** self.random.uniform(0, 3.5)) for _ in range(ALLOCATIONS)]
                self.points += [(name, "threads"), *((name, f"memory {n}") for n in allocations)]
        self.random.shuffle(self.points)

    def look(self, world, name, done, killed):
        now = world.files()
        world.run(["--version"])
        return judge(self.before[name], self.after[name], now, world.files(), world.left_overs(), done.returncode, done.stderr,
                     killed, name != "the editor's export and save")

    def at_point(self, world, point):
        name, fault = point
        world.reset(self.old)
        log = os.path.join(world.folder, "log")
        pathlib.Path(log).write_text("")
        done = world.run(self.commands[name], self.calls, fault, log)
        kill = re.match(r"(?:before|after) (\d+)", fault)
        # The editor's threads do not make the same number of calls each time, so the last ones may not come, and the
        # program may end while one of them is about to be killed.
        killed = kill is not None and len(pathlib.Path(log).read_text().split()) >= int(kill[1])
        killed = killed and (self.commands[name][0] != EDITOR or done.returncode == -signal.SIGKILL)
        wrong = self.look(world, name, done, killed)
        if killed and done.returncode != -signal.SIGKILL:
            wrong.append(f"was not killed: exit code {done.returncode}")
        return f"{name}: {fault}", wrong

    def at_moment(self, world, seed):
        rng = random.Random(seed)
        name = rng.choice(list(self.commands))
        seconds = rng.random() * self.seconds[name] * 1.1
        world.reset(self.old)
        done = world.run(self.commands[name], after=seconds)
        return f"{name}: kill after {seconds:.4f} s", self.look(world, name, done, done.returncode < 0)


def self_test():
    """Every judgement finds what it is there for."""
    before = {"a.gltf": b'{"buffers": [{"uri": "1.bin"}]}', "1.bin": b"1", "c": b"old"}
    after = {"a.gltf": b'{"buffers": [{"uri": "2.bin"}]}', "2.bin": b"2", "c": b"new"}
    good = dict(now=before, later=after, left=[], code=-9, said=b"", killed=True)
    cases = [({}, None), (dict(now={**before, "c": b"ne"}), "torn"), (dict(now={"a.gltf": before["a.gltf"], "1.bin": b"1"}), "gone"),
             (dict(now={**after, "2.bin": b"x"}), "torn"), (dict(now={"a.gltf": after["a.gltf"], "c": b"new"}), "mixed"),
             (dict(later={**after, "c": b"old"}), "half a set"), (dict(left=["x"]), "left behind"),
             (dict(killed=False, code=-11), "signal 11"), (dict(killed=False, code=0), "not everything"),
             (dict(killed=False, code=4), "not everything"),
             (dict(killed=False, code=1, now=after, said=b"tendon: x\n"), "have changed"),
             (dict(killed=False, code=1, said=b""), "with []"),
             (dict(killed=False, code=0, said=b"\nhangs", is_one_set=False), "hangs"),
             (dict(later={**after, "c": b"old"}, is_one_set=False), None), (dict(killed=False, code=1, said=b"tendon: x\n"), None)]
    for changes, expected in cases:
        wrong = judge(before, after, **{**good, **changes})
        if (expected is None) != (not wrong) or expected is not None and not any(expected in text for text in wrong):
            sys.exit(f"{changes}: {wrong} instead of {expected}")
    print("every judgement can fail")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tendon", nargs="?")
    parser.add_argument("calls", nargs="?")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--points", type=int)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--editor", action="store_true")
    parser.add_argument("--only", default="", help="commands with this in their name")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    print(f"seed {options.seed}", flush=True)
    commands = {**COMMANDS, **EDITOR_COMMANDS} if options.editor else COMMANDS
    commands = {name: command for name, command in commands.items() if options.only in name}
    with display() if options.editor else contextlib.nullcontext():
        sys.exit(1 if try_all(options, commands) else 0)


@contextlib.contextmanager
def display():
    """An Xvfb for the editor, whose number it finds itself."""
    with subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        os.environ["DISPLAY"] = ":" + server.stdout.readline().decode().strip()
        try:
            yield
        finally:
            server.terminate()


def try_all(options, commands):
    """How many findings there are."""
    end = time.monotonic() + 60 * options.minutes if options.minutes is not None else float("inf")
    findings = 0
    tried = collections.Counter()
    workers = os.cpu_count() or 1
    lock = threading.Lock()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(workers) as pool:
        trial = Trial(os.path.abspath(options.tendon), os.path.abspath(options.calls), folder, options.seed, commands)
        worlds = [World(trial.tendon, os.path.join(folder, str(i))) for i in range(workers)]

        def go(function, jobs, what):
            """Each worker takes the next job with its own world."""
            nonlocal findings
            source = iter(jobs)

            def work(world):
                results = []
                while time.monotonic() < end:
                    with lock:
                        job = next(source, None)
                    if job is None:
                        break
                    results.append(function(world, job))
                    if results[-1][1]:
                        print(f"{results[-1][0]}: {'; '.join(results[-1][1])}", flush=True)
                return results

            for results in pool.map(work, worlds):
                tried[what] += len(results)
                findings += sum(1 for _, wrong in results if wrong)

        points = trial.points[options.skip :][: options.points]
        go(trial.at_point, points, "points")
        kills = options.kills if options.kills is not None else 0 if options.minutes is None else 1 << 30
        go(trial.at_moment, (trial.random.randrange(1 << 62) for _ in range(kills)), "kills")
    print(f"{tried['points']} of {len(trial.points)} points ({', '.join(sorted(trial.names))}), {tried['kills']} kills at random "
          f"moments: {findings} findings")
    return findings


if __name__ == "__main__":
    main()

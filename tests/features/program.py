"""Runs `tendon` as a user would, in a folder of its own, and reads what it prints.

    arm = tendon.sample("arm").run(op("setGoal", handle="WristGoal", position=[0.1, 1.1, 0.1]))
    arm.pose().position("Wrist")
"""

import json
import os
import subprocess


def op(name, /, **fields):
    """One operation. `from_` stands for the field `from`, which Python reserves."""
    return {"op": name, **{key.rstrip("_"): value for key, value in fields.items()}}


def flat(operations):
    """The operations of lists within lists, in their order."""
    return [operations] if isinstance(operations, dict) else [one for some in operations for one in flat(some)]


class Refused(AssertionError):
    """A command failed: exit code 1 or 2."""


class Pose:
    """What `tendon pose --json` prints, with its exit code."""

    def __init__(self, exit_code, text):
        self.exit = exit_code
        output = json.loads(text)
        self.joints = {joint["name"]: joint for joint in output["joints"]}
        self.handles = {handle["name"]: handle for handle in output["handles"]}

    def local(self, joint):
        return self.joints[joint]["local"]

    def world(self, joint):
        return self.joints[joint]["world"]

    def position(self, joint):
        """Of the joint's pivot in the world [m]."""
        return self.joints[joint]["world"]["translation"]

    def angle(self, joint, axis):
        """About one of the joint's axes, from the rest pose [deg]."""
        return self.joints[joint]["axes"]["r" + axis]

    def slide(self, joint, axis):
        """Along one axis of the parent [m]."""
        return self.joints[joint]["axes"]["t" + axis]

    def status(self, handle):
        return self.handles[handle]["status"]

    def error(self, handle):
        """Distance from the goal [m]."""
        return self.handles[handle]["positionError"]


class Project:
    """A saved project. It never changes: `run` saves another one."""

    def __init__(self, tendon, file):
        self.tendon, self.file = tendon, file

    def run(self, *operations):
        return self.tendon.build(*operations, project=self)

    def pose(self, frame=1, exit_code=None):
        """The pose of a frame; a missed goal (exit code 3) is no failure unless `exit_code` is given."""
        return Pose(*self.tendon.call("pose", self.file, "--frame", str(frame), "--json",
                                      allowed=(0, 3) if exit_code is None else (exit_code,)))

    def bake(self, suffix, *options):
        """(file, report, exit code) of the baked animation."""
        file, report = self.tendon.path(suffix), self.tendon.path(".report.json")
        code, _ = self.tendon.call("bake", self.file, "-o", file, "--report", report, *options, allowed=(0, 3))
        with open(report, encoding="utf-8") as stream:
            return file, json.load(stream), code

    def document(self):
        with open(self.file, encoding="utf-8") as stream:
            return json.load(stream)


class Tendon:
    def __init__(self, program, folder):
        self.program, self.folder, self.count = program, folder, 0

    def path(self, suffix):
        self.count += 1
        return os.path.join(self.folder, f"{self.count}{suffix}")

    def call(self, *arguments, allowed=(0,)):
        """(exit code, stdout)."""
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode not in allowed:
            raise Refused(f"tendon {arguments[0]}: exit {done.returncode}: {done.stderr.strip()}")
        return done.returncode, done.stdout

    def sample(self, name):
        file = self.path(".tendon")
        self.call("samples", name, "-o", file)
        return Project(self, file)

    def build(self, *operations, project=None):
        """Runs operations, or lists of them, on a project or on an empty one."""
        script, file = self.path(".json"), self.path(".tendon")
        with open(script, "w", encoding="utf-8") as stream:
            json.dump(flat(operations), stream)
        self.call("run", script, "-o", file, *(["-p", project.file] if project else []))
        return Project(self, file)

    def refuses(self, *operations, project=None):
        """The error of operations that must fail."""
        try:
            self.build(*operations, project=project)
        except Refused as refused:
            return str(refused)
        raise AssertionError(f"accepted: {operations}")

    def solvers(self):
        """{alias: what `tendon plugins` says about it}."""
        return {solver["alias"]: solver for solver in json.loads(self.call("plugins", "list", "--json")[1])["solvers"]}

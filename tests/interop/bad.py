#!/usr/bin/python3
"""Imports damaged and odd model files with `tendon import`. Tendon must refuse each with exit code 1 and one line, or import it, within
10 s and 2 GiB, without a crash, and must write nothing except a complete project. If an index.json beside the folder says that a
file is valid, Tendon must import it. Prints a row for every file that fails (with --all, for every file), and a summary.
usage: bad.py [--all] [FILE or FOLDER...]   default: assets/bad of $TENDON_SHARED (../shared)"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import tools

MOST_SECONDS = 10
MOST_BYTES = 2 << 30
BESIDE = {".bin", ".png", ".jpg", ".md5anim", ".urdf", ".json", ".md", ".txt", ".mtl"}  # not models, or other programs' work


def index_of(folder):
    """file -> is it valid, by the notes of the index above the folder"""
    at = os.path.abspath(folder)
    while at != "/":
        if os.path.exists(os.path.join(at, "index.json")):
            entries = json.load(open(os.path.join(at, "index.json"), encoding="utf-8"))["files"]
            valid = re.compile(r"^VALID|\(valid\b|but valid")
            return {os.path.join(at, e["file"]): bool(valid.search(e.get("note", ""))) for e in entries}
        at = os.path.dirname(at)
    return {}


def files_in(arguments):
    for argument in arguments:
        if os.path.isfile(argument):
            yield argument
        for folder, _, files in sorted(os.walk(argument)):
            for file in sorted(files):
                if os.path.splitext(file)[1].lower() not in BESIDE:
                    yield os.path.join(folder, file)


def attempt(file, folder):
    """(seconds, MiB, exit code, lines on stderr, what it wrote)"""
    project = os.path.join(folder, "model.tendon")
    log = os.path.join(folder, "log")
    begin = time.monotonic()
    with open(log, "wb") as stderr:
        process = subprocess.Popen([tools.TENDON, "import", file, "-o", project, "--quiet"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=stderr, cwd=folder, start_new_session=True)
        _, status, usage = os.wait4(process.pid, 0)  # the largest of it and the children it waited for
    seconds = time.monotonic() - begin
    lines = open(log, encoding="utf-8", errors="replace").read().splitlines()
    os.unlink(log)
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code
    return seconds, usage.ru_maxrss / 1024, code, lines, sorted(os.listdir(folder))


def judge(file, is_valid):
    with tempfile.TemporaryDirectory(prefix="tendon-bad-") as folder:
        seconds, megabytes, code, lines, written = attempt(file, folder)
        problems = []
        if code not in (0, 1):
            problems.append(f"exit {code}")
        if code == 0 and written != ["model.tendon"] or code != 0 and written:
            problems.append(f"wrote {written}")
        if code == 1 and len(lines) != 1:
            problems.append(f"{len(lines)} lines on stderr")
        if code == 1 and not (lines and os.path.basename(file) in lines[0]):
            problems.append("does not name the file")
        if seconds > MOST_SECONDS:
            problems.append(f"{seconds:.1f} s")
        if megabytes * 2**20 > MOST_BYTES:
            problems.append(f"{megabytes:.0f} MiB")
        if is_valid and code != 0:
            problems.append("is valid, but refused")
        if code == 0:
            code, _, err, _ = tools.run([tools.TENDON, "validate", os.path.join(folder, "model.tendon"), "--quiet"], 60)
            if code not in (0, 3):
                problems.append(f"the project does not open: {tools.last_line(err)}")
            code = 0
    return seconds, megabytes, code, tools.last_line("\n".join(lines)), problems


def main(arguments):
    shows_all = "--all" in arguments
    folders = [a for a in arguments if a != "--all"] or [os.path.join(tools.SHARED, "assets", "bad")]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    index = {}
    for folder in folders:
        index.update(index_of(folder))
    counts, slowest, largest, failed = {0: 0, 1: 0}, (0, ""), (0, ""), 0
    valid = 0
    for file in files_in(folders):
        is_valid = index.get(os.path.abspath(file), False)
        valid += is_valid
        seconds, megabytes, code, line, problems = judge(file, is_valid)
        counts[code] = counts.get(code, 0) + 1
        slowest, largest = max(slowest, (seconds, file)), max(largest, (megabytes, file))
        failed += bool(problems)
        if problems or shows_all:
            outcome = "imported" if code == 0 else f"exit {code}"
            print(f"{os.path.relpath(file, os.path.commonpath(folders) if len(folders) > 1 else folders[0]):58} {seconds:5.2f} s "
                  f"{megabytes:5.0f} MiB  {outcome:8} {'valid ' if is_valid else '      '}{'; '.join(problems) or 'ok':10} {line[:150]}", flush=True)
    total = sum(counts.values())
    print(f"{total} files: {counts[1]} refused with a line, {counts[0]} imported ({valid} are valid), {total - counts[0] - counts[1]} otherwise; "
          f"slowest {slowest[0]:.1f} s ({os.path.basename(slowest[1])}), largest {largest[0]:.0f} MiB ({os.path.basename(largest[1])}); "
          f"{failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

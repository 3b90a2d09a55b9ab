#!/usr/bin/env python3
"""check_format.py ROOT: every C++ file that the repository holds is as clang-format 14 would write it.

Exit code 77 and the reason where that cannot be told: other versions of clang-format format otherwise.
"""

import os
import re
import subprocess
import sys

TOOLS = ("clang-format-14", "clang-format")
VERSION = 14
SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def find_tool():
    for tool in TOOLS:
        try:
            said = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
        except (FileNotFoundError, subprocess.CalledProcessError):
            continue
        if re.search(rf"version {VERSION}\.", said):
            return tool
    return skip(f"clang-format {VERSION} is not installed")


def tracked_sources(root):
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "*.h", "*.cpp"], capture_output=True, text=True,
                                check=False)
    except FileNotFoundError:
        skip("git is not installed")
    if listed.returncode != 0:
        skip("this is no git repository")
    return [name for name in listed.stdout.splitlines() if os.path.exists(os.path.join(root, name))]


def main(root):
    tool = find_tool()
    # The check itself can fail: the repository's style is not the tool's own.
    unformatted = subprocess.run([tool, "--dry-run", "-Werror", "--assume-filename", os.path.join(root, "a.cpp")],
                                 input="int  main( ){return 0;}\n", capture_output=True, text=True, check=False)
    if unformatted.returncode == 0:
        sys.exit("clang-format finds nothing wrong with a line that is")
    files = tracked_sources(root)
    if not files:
        sys.exit("no sources found")
    found = subprocess.run([tool, "--dry-run", "-Werror", *files], cwd=root, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        lines = [line for line in found.stderr.splitlines() if "error:" in line]
        print("\n".join(lines) or found.stderr)
        sys.exit(f"format these files with `{tool} -i FILE`")
    print(f"{len(files)} files are formatted")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))

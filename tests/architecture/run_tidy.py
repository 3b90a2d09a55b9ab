#!/usr/bin/env python3
"""run_tidy.py BUILD [WORD...]: clang-tidy over the product, with the checks of .clang-tidy.

BUILD is the folder of a finished build with the preset `dev`. Its sources are compiled several at a time, and so they are
checked: a quarter of the time that one by one would take. With words, only what has one of them in its path.
"""

import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PRODUCT = ("app", "core", "plugins", "resources", "solvers")
# What clang does not know, or what only GCC can read.
GCC_ONLY = re.compile(r"^-(Winvalid-pch|Wno-restrict|Wno-subobject-linkage|Werror)$")


def arguments_for_clang(command):
    result, skips = [], 0
    words = shlex.split(command)
    for at, word in enumerate(words):
        if skips:
            skips -= 1
        elif word == "-include" and "cmake_pch" in words[at + 1]:
            skips = 1
        elif not GCC_ONLY.match(word):
            result.append(word)
    compiler = next(at for at, word in enumerate(result) if re.search(r"(c\+\+|g\+\+)[^/]*$", word))
    return ["clang++", *result[compiler + 1 :]]


def product_sources(root, build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    folders = tuple(os.path.join(build, folder) + "/" for folder in PRODUCT) + tuple(
        os.path.join(root, folder) + "/" for folder in PRODUCT)
    return [{"directory": entry["directory"], "file": entry["file"], "arguments": arguments_for_clang(entry["command"])}
            for entry in commands
            if entry["file"].startswith(folders) and not re.search(r"autogen|qrc_|cmake_pch|rcc_object", entry["file"])]


def check(entry, folder, root):
    product = "|".join(PRODUCT)
    ran = subprocess.run(["clang-tidy", "-p", folder, "--quiet", f"--config-file={root}/.clang-tidy",
                          f"--header-filter=^{re.escape(root)}/({product})/", entry["file"]],
                         capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout


def main(build, words):
    root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    build = os.path.abspath(build)
    if shutil.which("clang-tidy") is None:
        sys.exit("clang-tidy is not installed")
    sources = [entry for entry in product_sources(root, build) if not words or any(word in entry["file"] for word in words)]
    if not sources:
        sys.exit("no sources found: is this the folder of a build?")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(sources, file)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = [pool.submit(check, entry, folder, root) for entry in sources]
            for done, run in enumerate(concurrent.futures.as_completed(runs), 1):
                code, text = run.result()
                failed = failed or code != 0
                print(text.strip() + "\n" if text.strip() else "", end="")
                print(f"[{done}/{len(sources)}]", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

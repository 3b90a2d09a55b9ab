#!/usr/bin/env python3
"""check_docs.py flags|commands|solvers ROOT TENDON

flags     The manual describes every command and option of `tendon --help`, and no others.
commands  Every code block marked ```sh run in README.md and the manual runs without an error.
solvers   Every parameter of every solver.json has a description, and is described in the solver's README.md.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

COMMON = {"--help", "--json", "--quiet", "--without-plugins"}  # described once, for all commands


def help_of(tendon, *command):
    return subprocess.run([tendon, *command, "--help"], capture_output=True, text=True, check=True).stdout


def commands_in(text):
    """The names under "Subcommands:"."""
    found = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.M)
    return re.findall(r"^  (\S+)", found.group(1), re.M) if found else []


def options_in(text):
    found = re.search(r"^Options:\n((?:  .*\n)+)", text, re.M)
    return set(re.findall(r"(?<![\w-])(--[a-z][a-z-]*)", "\n".join(
        re.split(r"\s{2,}", line.strip())[0] for line in found.group(1).splitlines()))) if found else set()


def check_flags(root, tendon):
    with open(os.path.join(root, "resources/docs/user/command-line.md"), encoding="utf-8") as file:
        manual = file.read()
    sections = dict(re.findall(r"^## tendon (\S+)\n(.*?)(?=^## |\Z)", manual, re.M | re.S))
    head = manual.split("\n## ")[0]
    problems = [f"the manual's introduction does not name {flag}" for flag in sorted(COMMON) if flag not in head]
    known = commands_in(help_of(tendon))
    if not known:
        problems.append("`tendon --help` lists no commands")
    problems += [f"the manual has a section on {name}, which is no command" for name in sections if name not in known]
    for name in known:
        if name not in sections:
            problems.append(f"the manual has no section `## tendon {name}`")
            continue
        text = help_of(tendon, name)
        options = options_in(text).union(*(options_in(help_of(tendon, name, part)) for part in commands_in(text))) - COMMON
        problems += [f"the manual's section on {name} lacks {option}" for option in sorted(options) if f"`{option}" not in sections[name]]
        for option in sorted(set(re.findall(r"`(--[a-z][a-z-]*)", sections[name])) - options - COMMON):
            problems.append(f"the manual's section on {name} has {option}, which is no option of it")
    return problems


def blocks_in(text):
    """(line, commands) of every ```sh run block."""
    for match in re.finditer(r"^```sh run\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


def check_commands(root, tendon):
    documents = ["README.md"]
    for folder, _, names in os.walk(os.path.join(root, "resources/docs")):
        documents += [os.path.relpath(os.path.join(folder, name), root) for name in names if name.endswith(".md")]
    environment = dict(os.environ, PATH=os.path.dirname(tendon) + os.pathsep + os.environ["PATH"])
    problems, count = [], 0
    for document in sorted(documents):
        with open(os.path.join(root, document), encoding="utf-8") as file:
            text = file.read()
        with tempfile.TemporaryDirectory() as folder:  # one for the blocks of a page: later ones build on earlier ones
            for line, commands in blocks_in(text):
                count += 1
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=environment,
                                      stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    problems.append(f"{document}:{line}: exit {done.returncode}: {done.stdout}{done.stderr}")
    print(f"{count} blocks run")
    if count == 0:
        problems.append("no block is marked ```sh run")
    return problems


def check_solvers(root, _tendon):
    problems, count = [], 0
    solvers = os.path.join(root, "solvers")
    names = [os.path.relpath(folder, solvers) for folder, _, files in os.walk(solvers) if "solver.json" in files]
    for name in sorted(names):
        description = os.path.join(solvers, name, "solver.json")
        with open(description, encoding="utf-8") as file:
            parameters = json.load(file).get("parameters", [])
        readme = os.path.join(root, "solvers", name, "README.md")
        text = open(readme, encoding="utf-8").read() if os.path.exists(readme) else ""
        for parameter in parameters:
            count += 1
            if len(parameter.get("doc", "")) < 10:
                problems.append(f"solvers/{name}/solver.json: {parameter['id']} says nothing in its doc")
            if not re.search(rf"`[^`\n]*\b{parameter['id']}\b[^`\n]*`|^    .*\b{parameter['id']}\b", text, re.M):
                problems.append(f"solvers/{name}/README.md does not describe `{parameter['id']}`")
    print(f"{count} parameters")
    if count == 0:
        problems.append("no solver has a parameter")
    return problems


def main():
    what, root, tendon = sys.argv[1:4]
    problems = {"flags": check_flags, "commands": check_commands, "solvers": check_solvers}[what](root, os.path.abspath(tendon))
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()

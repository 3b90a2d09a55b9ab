#!/usr/bin/env python3
"""features.py run GROUP TENDON RESULTS      tries the rows of one group through the program; writes RESULTS/GROUP.json
features.py page ROOT RESULTS             the page resources/docs/features.md is what the rows' results make
features.py plants TENDON                 shows that rows fail where the program has a fault (plants.py)
features.py --self-test                   shows that each rule can fail

TENDON_UPDATE_DOCS=1 rewrites the page.
"""

import importlib
import json
import os
import re
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree

from rows import GROUPS, ROWS, row

PAGE = "resources/docs/features.md"
HEAD = """# Features

What Tendon does, row by row, and what shows it. A row in which a test is named works: the test passes. The tests of
`tests/features` drive `tendon` as a script does; those of `tests/gui` and `tests/viewport` drive the window with mouse and keyboard.

This page is made from the results of the tests. To update it, run all tests (`ctest`), then
`TENDON_UPDATE_DOCS=1 ctest -L features`.
"""
# Where the programs of other tests keep their results, and where their functions are written.
WINDOW_SOURCES = ("tests/gui", "tests/viewport", "tests/unit", "tests/parity")


def functions_of(group):
    """{row: [function]} of the module rows_GROUP; a function's name begins with its row."""
    module = importlib.import_module("rows_" + group.lower())
    found = {}
    for name, function in vars(module).items():
        match = re.match(r"([A-Z]\d+)_\w+$", name)
        if match and callable(function):
            found.setdefault(match.group(1), []).append(function)
    return found


def try_rows(functions, tendon_for):
    """{row: {function's name: None, or why it failed}}"""
    results = {}
    for id_, some in functions.items():
        for function in some:
            started = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                try:
                    function(tendon_for(folder))
                    failure = None
                except AssertionError as error:
                    line = next(frame for frame in traceback.extract_tb(error.__traceback__) if frame.name == function.__name__)
                    failure = f"{os.path.basename(line.filename)}:{line.lineno}: {error}"
            results.setdefault(id_, {})[function.__name__] = failure
            print(f"{time.monotonic() - started:5.2f} s  {function.__name__}{': ' + failure if failure else ''}")
    return results


def problems_of(rows, results):
    """What is wrong with one group's results."""
    problems = []
    declared = {one.id: one for one in rows}
    for id_, functions in results.items():
        failed = {name: why for name, why in functions.items() if why}
        if id_ not in declared:
            problems.append(f"{id_} is no row, but has a test")
        elif not declared[id_].missing:
            problems += [f"{name}: {why}" for name, why in failed.items()]
        elif not failed:
            problems.append(f"{id_} works now: delete its `missing` in rows.py and run TENDON_UPDATE_DOCS=1 ctest -L features")
    for one in rows:
        if not (one.missing or one.window or one.shown_by or one.id in results):
            problems.append(f"{one.id} has no test, names none, and does not say what is missing")
    return problems


def outcomes_of(file):
    """{function: passed} of a Qt Test program's results (JUnit's format)."""
    outcomes = {}
    try:
        cases = list(xml.etree.ElementTree.parse(file).iter("testcase"))
    except xml.etree.ElementTree.ParseError:  # the program ended before its time
        return {}
    for case in cases:
        name = case.get("name").split("(")[0]
        passed = all(case.find(kind) is None for kind in ("failure", "error", "skipped"))
        outcomes[name] = outcomes.get(name, True) and passed
    return outcomes


def written_functions(root):
    """The test functions in the sources: {function}."""
    names = set()
    for folder in WINDOW_SOURCES:
        for path, _, files in os.walk(os.path.join(root, folder)):
            for file in files:
                if file.endswith((".cpp", ".h")):
                    with open(os.path.join(path, file), encoding="utf-8") as stream:
                        names.update(re.findall(r"\bvoid (\w+)\(\)", stream.read()))
    return names


def check_others(rows, folder, written):
    """(problems, tests that did not run) of the tests that rows name."""
    problems, waiting = [], set()
    for one in rows:
        for test in one.shown_by:
            program, function = test.split(".")
            file = os.path.join(folder, program + ".xml")
            if function not in written:
                problems.append(f"{one.id}: there is no test {test}")
            elif not os.path.exists(file):
                waiting.add(program)
            elif not outcomes_of(file).get(function, False):
                problems.append(f"{one.id}: {test} did not pass")
    return problems, waiting


def page_of(rows, results):
    lines = [HEAD]
    for group, title in GROUPS.items():
        lines.append(f"## {title}\n\n| row | what it does | shown by | result |\n|---|---|---|---|")
        for one in (one for one in rows if one.id.startswith(group)):
            tests = [] if one.missing else sorted(results.get(one.id, {})) + list(one.shown_by)
            lacks = one.missing or one.window
            shown_by = ", ".join(f"`{test}`" for test in tests)
            lines.append(f"| {one.id} | {one.text} | {shown_by} | {f'not yet: {lacks}' if lacks else 'pass'} |")
        lines.append("")
    works = sum(not (one.missing or one.window) for one in rows)
    lines.append(f"{works} of {len(rows)} rows work.\n")
    return "\n".join(lines)


def run_group(group, program, folder):
    from program import Tendon
    results = try_rows(functions_of(group), lambda where: Tendon(os.path.abspath(program), where))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"{group}.json"), "w", encoding="utf-8") as stream:
        json.dump(results, stream, indent=1)
    return problems_of([one for one in ROWS if one.id.startswith(group)], results)


def try_plants(program):
    from plants import Broken, PLANTS
    problems = []
    for function, fault, how in PLANTS:
        result = try_rows({"": [function]}, lambda where, how=how: Broken(os.path.abspath(program), where, **how))
        if result[""][function.__name__] is None:
            problems.append(f"{function.__name__} does not notice: {fault}")
    return problems


def check_page(root, folder):
    results = {}
    for group in GROUPS:
        with open(os.path.join(folder, "rows", f"{group}.json"), encoding="utf-8") as stream:
            results.update(json.load(stream))
    problems, waiting = check_others(ROWS, folder, written_functions(root))
    for program in sorted(waiting):
        print(f"{program} has not run in this build; its rows count as declared")
    page, file = page_of(ROWS, results), os.path.join(root, PAGE)
    if os.environ.get("TENDON_UPDATE_DOCS"):
        problems += [f"{program} has to run first" for program in sorted(waiting)]
        if not problems:
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(page)
    elif not os.path.exists(file) or open(file, encoding="utf-8").read() != page:
        problems.append(f"{PAGE} is not what the results make; run TENDON_UPDATE_DOCS=1 ctest -L features")
    return problems


def self_test():
    works, missing, named = row("A1", "works"), row("A2", "not yet", missing="it"), row("A3", "by another", "t.f")
    part = row("A4", "in part", window="it")
    cases = [
        ([works], {"A1": {"A1_x": None}}, 0),
        ([works], {"A1": {"A1_x": "broken"}}, 1),
        ([works], {"A1": {"A1_x": None, "A1_y": "broken"}}, 1),
        ([works], {}, 1),
        ([missing], {}, 0),
        ([missing], {"A2": {"A2_x": "broken"}}, 0),
        ([missing], {"A2": {"A2_x": None}}, 1),
        ([named], {}, 0),
        ([part], {}, 0),
        ([part], {"A4": {"A4_x": None}}, 0),
        ([part], {"A4": {"A4_x": "broken"}}, 1),
        ([], {"A9": {"A9_x": None}}, 1),
    ]
    problems = [f"problems_of({rows}, {results}) finds {problems_of(rows, results)}"
                for rows, results, count in cases if len(problems_of(rows, results)) != count]
    if len({one.id for one in ROWS}) != len(ROWS):
        problems.append("two rows have the same id")
    with tempfile.TemporaryDirectory() as folder:
        if check_others([named], folder, set())[0] == [] or check_others([named], folder, {"f"}) != ([], {"t"}):
            problems.append("check_others misses a test that is not there")
        for inside, passes in (("", True), ("<failure/>", False), ("<skipped/>", False)):
            with open(os.path.join(folder, "t.xml"), "w", encoding="utf-8") as stream:
                stream.write(f'<testsuite><testcase name="f(one)">{inside}</testcase><testcase name="f(two)"/></testsuite>')
            if (check_others([named], folder, {"f"})[0] == []) != passes:
                problems.append(f"check_others is wrong about {inside}")

    def boom(_):
        raise AssertionError("boom")
    if "boom" not in (try_rows({"A1": [boom]}, lambda _: None)["A1"]["boom"] or ""):
        problems.append("try_rows misses a failure")
    return problems


def main():
    what, arguments = sys.argv[1], sys.argv[2:]
    problems = {"run": run_group, "page": check_page, "plants": try_plants, "--self-test": self_test}[what](*arguments)
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""check_architecture.py [ROOT]: checks the sources against the rules of the architecture.

 * Which folder may include what (the table below). No two folders of the core include each other.
 * Includes name files from the repository's folder.
 * No source file is longer than 800 lines; in app/editor, no header and its source together are longer than 300.
 * The top level contains only what it may, and every folder there has a README of at most a page.

Prints every offence as file:line: text. `--self-test` shows that each rule can fail.
`--graph FOLDER [ROOT]` prints which folder below FOLDER includes which other, and every cycle among them.
"""

import os
import re
import subprocess
import sys
import tempfile

LONGEST_FILE = 800
LONGEST_README = 80
LONGEST_UNIT = {"app/editor": 300}  # folder -> lines of a class: its header and its source

TOP_LEVEL = {
    "app", "solvers", "core", "plugins", "resources", "tests", "CMakeLists.txt", "README.md",
    "CMakePresets.json", ".clang-format", ".clang-tidy", ".gitignore", "LICENSE", ".ci",
}

# The layers of the core, lowest first: each may use those before it.
LAYERS = ["base", "math", "scene", "runtime", "roles", "retarget", "clip", "solve", "conformance", "io", "document"]
SDK = ["<tendon/sdk/"]
KIT = SDK + ["<tendon/kit/"]
QT = ["<Q"]
JSON = ["core/json/"]
EIGEN = ["<Eigen/"]


def core_up_to(layer):
    return [f"core/{name}/" for name in LAYERS[: LAYERS.index(layer) + 1]]


def core(*layers):
    return [f"core/{name}/" for name in layers]


# core/io: what its rooms share, and the headers that others come in by.
IO_BASE = ["core/io/base/"]
READER = core_up_to("scene") + EIGEN + QT + IO_BASE + ["core/io/formats/", "core/io/model/"]
WRITER = core_up_to("runtime") + EIGEN + QT + IO_BASE + ["core/io/formats/"]
EXPORTER = WRITER + ["core/io/export/base/", "core/io/export/prepare/", "core/io/import/ModelImport.h", "core/io/readback/"]
IO_DOORS = IO_BASE + [
    "core/io/formats/FileFormats.h", "core/io/import/ModelImport.h", "core/io/export/AnimationExport.h",
    "core/io/export/Exporters.h", "core/io/export/KeptModel.h", "core/io/export/base/", "core/io/readback/ReadBack.h",
    "core/io/project/ProjectFile.h", "core/io/project/RoleMapFile.h",
]

# Folder -> what it may include beside the standard library and itself: beginnings of paths, with < for those of others.
# The longest folder that fits a file counts. {name} stands for one part of a path, the same on both sides.
ALLOWED = {
    "solvers/sdk": SDK,
    "solvers/kit": KIT + EIGEN,
    "solvers/{name}": KIT + EIGEN + ["solvers/{name}/"],
    "solvers/ceres": KIT + EIGEN + ["solvers/ceres/", "<ceres/", "<glog/"],
    "solvers/cmake": KIT + QT,
    "plugins": KIT + EIGEN + QT,
    "plugins/{name}": KIT + EIGEN + QT + ["plugins/{name}/", "solvers/{name}/"],
    "core/base": core_up_to("base"),
    "core/json": core("base") + QT,
    "core/math": core_up_to("math") + EIGEN,
    "core/scene": core_up_to("scene") + EIGEN,
    "core/runtime": core_up_to("runtime") + EIGEN + SDK,
    "core/roles": core_up_to("roles") + EIGEN,
    "core/retarget": core_up_to("retarget") + EIGEN,
    "core/clip": core("base", "clip") + KIT + EIGEN,
    "core/solve/host": core("base") + SDK + KIT + ["core/solve/host/", "<seccomp.h>"],
    "core/solve": core_up_to("solve") + JSON + EIGEN + QT + KIT,
    "core/conformance": core_up_to("conformance") + JSON + EIGEN + QT + KIT,
    # core/io: sources stand in its rooms. Each room uses the ones before it; readers do not know each other, writers do
    # not know what reads them back, and what reads back knows no writer and no container that a writer uses.
    "core/io": [],
    "core/io/base": core("base") + QT,
    "core/io/formats": core("base") + IO_BASE + QT,
    "core/io/formats/gltf": core("base") + IO_BASE + QT + ["<nlohmann/"],
    "core/io/model": core_up_to("scene") + IO_BASE + EIGEN + QT,
    "core/io/readers/{name}": READER + ["core/io/readers/{name}/"],
    "core/io/readers/assimp": READER + ["core/io/readers/fbx/", "<assimp/"],
    "core/io/readers/draco": READER + ["<draco/"],
    "core/io/readers/gltf": READER + ["core/io/readers/draco/", "core/io/readers/meshopt/", "<nlohmann/"],
    "core/io/readers/meshopt": READER + ["<meshoptimizer.h>"],
    "core/io/readers/pictures": READER + ["<png.h>", "<jpeglib.h>"],
    "core/io/readers/urdf": READER + ["<urdf_parser/", "<urdf_model/", "<console_bridge/", "<tinyxml.h>"],
    "core/io/import": READER + ["core/io/readers/", "<seccomp.h>"],
    "core/io/readback": core_up_to("runtime") + IO_BASE + EIGEN + QT + ["core/io/import/ModelImport.h", "core/io/readers/draco/", "core/io/readers/meshopt/"],
    "core/io/export": WRITER + ["core/io/import/ModelImport.h", "core/io/readback/"],
    "core/io/export/base": WRITER + ["core/io/readback/Original.h", "core/io/readback/ReadBack.h"],
    "core/io/export/prepare": WRITER + ["core/io/export/base/"],
    "core/io/export/{name}": EXPORTER + ["core/io/export/{name}/"],
    "core/io/export/gltf": EXPORTER + ["<nlohmann/"],
    "core/io/project": core_up_to("scene") + JSON + IO_BASE + EIGEN + QT + ["core/io/import/ModelImport.h", "core/io/export/KeptModel.h", "core/io/export/gltf/GltfWriter.h"],
    "core/document": core_up_to("solve") + JSON + IO_DOORS + EIGEN + QT,
    "app/cli": core_up_to("conformance") + JSON + IO_DOORS + ["core/io/import/ImportWorker.h", "core/document/", "<CLI/", "app/cli/", "plugins/ShippedPlugins.h", "resources/samples/", "resources/solver-template/"] + QT,
    "app/viewport/view": core_up_to("runtime") + EIGEN + ["app/viewport/view/"],
    "app/viewport": core_up_to("retarget") + EIGEN + QT + ["core/io/import/Pictures.h", "app/editor/", "app/viewport/"],
    "app/editor": core_up_to("retarget") + IO_BASE + EIGEN + QT + SDK + ["core/solve/Baker.h", "core/solve/ChainBend.h", "core/solve/ClipSettler.h", "core/solve/CurveFit.h", "core/solve/DrivenDrag.h", "core/solve/Evaluator.h", "core/solve/JointLimits.h", "core/solve/ClipComparison.h", "core/solve/SolvedPoses.h", "core/solve/SolveRecording.h", "core/solve/SolverRegistry.h", "core/solve/StatusNames.h", "core/conformance/Benchmark.h", "core/conformance/Examination.h", "core/io/project/ProjectFile.h", "core/document/", "app/editor/", "resources/samples/", "core/io/import/ModelImport.h", "core/io/project/RoleMapFile.h"],
    "app/widgets": core_up_to("retarget") + IO_DOORS + EIGEN + QT + ["core/solve/ConstraintInfo.h", "core/solve/Settings.h", "core/solve/StatusNames.h", "core/conformance/PosedProblem.h", "core/document/", "app/editor/", "app/widgets/", "resources/samples/", "resources/solver-template/"],
    "app/host": core("base") + SDK + ["core/solve/PluginFile.h", "core/solve/host/PluginHost.h"],
    "app/gui": core("base") + IO_BASE + QT + ["core/io/export/KeptModel.h", "plugins/ShippedPlugins.h", "core/document/", "app/editor/", "app/viewport/", "app/widgets/", "app/gui/"],
    "resources": core_up_to("document") + EIGEN + QT + SDK + ["resources/"],
}

# Folders that hold no source themselves, only folders that do.
ROOMS_ONLY = ("core/io", "core/io/readers")

STANDARD = re.compile(r"<[a-z0-9_]+(\.h)?>$|<(sys|linux|netinet|arpa|asm)/[a-z_/]+\.h>$")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"][^>"]+[>"])')
SOURCES = (".h", ".cpp", ".hpp", ".cc", ".in")


class Checker:
    def __init__(self, root):
        self.root = root
        self.offences = []

    def offend(self, file, line, text):
        self.offences.append(f"{file}:{line}: {text}")

    def files(self):
        """What the repository holds: by git where there is one, else by looking."""
        listed = subprocess.run(["git", "-C", self.root, "ls-files", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, text=True, check=False) if self.has_git() else None
        if listed is not None and listed.returncode == 0:
            return sorted(name for name in listed.stdout.splitlines() if os.path.exists(os.path.join(self.root, name)))
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in (".git", "build", "__pycache__") and not name.startswith("build-")]
            found += [os.path.relpath(os.path.join(folder, name), self.root) for name in names]
        return sorted(found)

    def has_git(self):
        if not os.path.exists(os.path.join(self.root, ".git")):
            return False
        try:
            return subprocess.run(["git", "--version"], capture_output=True, check=False).returncode == 0
        except FileNotFoundError:
            return False

    def run(self):
        files = self.files()
        self.check_top_level(files)
        self.check_units(files)
        for file in files:
            if file.endswith(SOURCES) and not file.endswith("CMakeLists.txt"):
                self.check_source(file)
        for circle in circles(include_graph(self.root, "core")):
            self.offend(circle[0], 1, f"includes in a circle: {', '.join(circle)}")
        return self.offences

    def check_top_level(self, files):
        for name in sorted({file.split("/")[0] for file in files} - TOP_LEVEL):
            self.offend(name, 1, "does not belong at the top level")
        for folder in ("app", "solvers", "core", "plugins", "resources", "tests"):
            readme = f"{folder}/README.md"
            if readme not in files:
                self.offend(folder, 1, "has no README.md")
                continue
            length = self.lines_of(readme)
            if length > LONGEST_README:
                self.offend(readme, length, f"is longer than a page ({LONGEST_README} lines)")

    def lines_of(self, file):
        with open(os.path.join(self.root, file), encoding="utf-8") as text:
            return len(text.readlines())

    def check_units(self, files):
        units = {}
        for file in files:
            if file.endswith((".h", ".cpp")) and os.path.dirname(file) in LONGEST_UNIT:
                units.setdefault(os.path.splitext(file)[0], []).append(file)
        for unit in units.values():
            most, length = LONGEST_UNIT[os.path.dirname(unit[0])], sum(map(self.lines_of, unit))
            if length > most:
                self.offend(sorted(unit)[0], 1, f"has {length} lines with its header; at most {most} here")

    def check_source(self, file):
        if os.path.dirname(file) in ROOMS_ONLY:
            self.offend(file, 1, f"stands beside the folders of {os.path.dirname(file)}; put it into the one it belongs to")
        with open(os.path.join(self.root, file), encoding="utf-8") as text:
            lines = text.readlines()
        if len(lines) > LONGEST_FILE:
            self.offend(file, len(lines), f"is longer than {LONGEST_FILE} lines; what is its one reason to exist?")
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                self.check_include(file, number, match.group(1))

    def check_include(self, file, number, include):
        name = include[1:-1]
        if include.startswith('"'):
            if name.endswith(".moc") or "@" in name:
                return
            if self.is_of_standalone(file, name):
                return
            if not os.path.exists(os.path.join(self.root, name)):
                self.offend(file, number, f"{include} is not a path from the repository's folder")
                return
        elif STANDARD.match(include):
            return
        if include.startswith("<Qt3D") and not file.startswith("app/viewport/"):
            self.offend(file, number, f"must not include {include}: only app/viewport names Qt 3D")
            return
        allowed = self.allowed_for(file)
        target = include[:-1] if include.startswith("<") else name
        if allowed is not None and not any(target.startswith(start) for start in allowed):
            self.offend(file, number, f"must not include {include}: {os.path.dirname(file)} may use {', '.join(allowed) or 'nothing'}")

    def is_of_standalone(self, file, name):
        """Solvers see nothing of the repository but the SDK, and what is built against the installed SDK is a project of its
        own: both include beside themselves."""
        folder = os.path.dirname(file)
        return folder.startswith(("solvers/", "plugins/", "tests/")) and os.path.exists(os.path.join(self.root, folder, name))

    @staticmethod
    def allowed_for(file):
        parts = file.split("/")[:-1]
        for length in range(len(parts), 0, -1):
            folder = "/".join(parts[:length])
            if folder in ALLOWED:
                return ALLOWED[folder] + [folder + "/"]
            pattern = "/".join(parts[: length - 1] + ["{name}"])
            if pattern in ALLOWED:
                return [entry.replace("{name}", parts[length - 1]) for entry in ALLOWED[pattern]]
        return None  # tests may use everything


def include_graph(root, folder):
    """{folder: {other folder: number of include lines}} of the sources below `folder`, a path from `root`."""
    graph = {}
    checker = Checker(root)
    for file in checker.files():
        if not file.startswith(folder + "/") or not file.endswith(SOURCES):
            continue
        arrows = graph.setdefault(os.path.dirname(file), {})
        with open(os.path.join(root, file), encoding="utf-8") as text:
            for line in text:
                match = INCLUDE.match(line)
                other = os.path.dirname(match.group(1)[1:-1]) if match else ""
                if other.startswith(folder) and other != os.path.dirname(file):
                    arrows[other] = arrows.get(other, 0) + 1
    return graph


def circles(graph):
    """The sets of folders that reach each other, each as a sorted list."""
    def reachable(start):
        found, waiting = set(), [start]
        while waiting:
            for other in graph.get(waiting.pop(), {}):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    reach = {folder: reachable(folder) for folder in graph}
    return sorted({tuple(sorted({other for other in reach[folder] if folder in reach.get(other, set())}))
                   for folder in graph if folder in reach[folder]})


def print_graph(root, folder):
    graph = include_graph(root, folder)
    for name in sorted(graph):
        arrows = ", ".join(f"{other} ({count})" for other, count in sorted(graph[name].items()))
        print(f"{name} -> {arrows or 'nothing'}")
    found = circles(graph)
    for circle in found:
        print("circle: " + ", ".join(circle))
    print(f"{sum(len(arrows) for arrows in graph.values())} arrows, {len(found)} circles")


def self_test():
    """Every rule finds what it is there to find, and nothing in a tree that keeps them all."""
    cases = {
        "solvers/sdk/include/tendon/sdk/A.h": ('#include <QString>\n', "must not include <QString>"),
        "solvers/kit/include/tendon/kit/A.h": ('#include "core/base/Id.h"\n', 'must not include "core/base/Id.h"'),
        "solvers/dls/A.cpp": ('#include "solvers/fabrik/B.h"\n', 'must not include "solvers/fabrik/B.h"'),
        "core/scene/A.h": ("#include <QString>\n", "must not include <QString>"),
        "core/json/A.h": ('#include "core/math/B.h"\n', 'must not include "core/math/B.h"'),
        "core/scene/B.cpp": ('#include "core/json/B.h"\n', 'must not include "core/json/B.h"'),
        "core/base/A.h": ('#include "core/math/B.h"\n', 'must not include "core/math/B.h"'),
        "core/runtime/A.cpp": ('#include "core/io/base/B.h"\n', 'must not include "core/io/base/B.h"'),
        "core/solve/A.cpp": ('#include "core/document/B.h"\n', 'must not include "core/document/B.h"'),
        "core/runtime/B.cpp": ('#include "core/solve/B.h"\n', 'must not include "core/solve/B.h"'),
        "core/io/A.cpp": ("", "stands beside the folders of core/io"),
        "core/io/base/A.cpp": ('#include "core/io/model/B.h"\n', 'must not include "core/io/model/B.h"'),
        "core/io/model/A.cpp": ('#include "core/io/readers/gltf/B.h"\n', 'must not include "core/io/readers/gltf/B.h"'),
        "core/io/formats/gltf/A.cpp": ('#include "core/io/export/gltf/B.h"\n', 'must not include "core/io/export/gltf/B.h"'),
        "core/io/readers/gltf/A.cpp": ('#include "core/io/import/B.h"\n', 'must not include "core/io/import/B.h"'),
        "core/io/readers/gltf/C.cpp": ("#include <assimp/scene.h>\n", "must not include <assimp/scene.h>"),
        "core/io/readers/fbx/A.cpp": ('#include "core/io/readers/gltf/B.h"\n', 'must not include "core/io/readers/gltf/B.h"'),
        "core/io/import/A.cpp": ('#include "core/io/readback/B.h"\n', 'must not include "core/io/readback/B.h"'),
        "core/io/import/C.cpp": ("#include <nlohmann/json.hpp>\n", "must not include <nlohmann/json.hpp>"),
        "core/io/readback/A.cpp": ('#include "core/io/export/gltf/B.h"\n', 'must not include "core/io/export/gltf/B.h"'),
        "core/io/readback/C.cpp": ('#include "core/io/formats/gltf/B.h"\n', 'must not include "core/io/formats/gltf/B.h"'),
        "core/io/export/base/A.cpp": ('#include "core/io/readback/B.h"\n', 'must not include "core/io/readback/B.h"'),
        "core/io/export/fbx/A.cpp": ('#include "core/io/export/gltf/B.h"\n', 'must not include "core/io/export/gltf/B.h"'),
        "core/io/export/prepare/A.cpp": ('#include "core/solve/B.h"\n', 'must not include "core/solve/B.h"'),
        "core/io/export/A.cpp": ('#include "core/io/project/B.h"\n', 'must not include "core/io/project/B.h"'),
        "core/io/project/A.cpp": ('#include "core/io/export/gltf/B.h"\n', 'must not include "core/io/export/gltf/B.h"'),
        "core/document/C.cpp": ('#include "core/io/import/B.h"\n', 'must not include "core/io/import/B.h"'),
        "app/cli/C.cpp": ('#include "core/io/export/gltf/B.h"\n', 'must not include "core/io/export/gltf/B.h"'),
        "app/editor/A.cpp": ('#include "core/io/export/gltf/B.h"\n', 'must not include "core/io/export/gltf/B.h"'),
        "app/widgets/A.cpp": ('#include "core/solve/B.h"\n', 'must not include "core/solve/B.h"'),
        "app/viewport/A.cpp": ('#include "core/document/B.h"\n', 'must not include "core/document/B.h"'),
        "core/document/A.cpp": ('#include "app/cli/B.h"\n', 'must not include "app/cli/B.h"'),
        "app/viewport/view/A.h": ("#include <QString>\n", "must not include <QString>"),
        "core/document/Q.cpp": ("#include <Qt3DCore/QEntity>\n", "only app/viewport names Qt 3D"),
        "core/math/A.cpp": ('#include "B.h"\n', "is not a path from the repository's folder"),
        "core/math/Long.cpp": ("\n" * (LONGEST_FILE + 1), "is longer than 800 lines"),
        "app/editor/Long.cpp": ("\n" * 301, "has 301 lines with its header"),
        "stray.txt": ("", "does not belong at the top level"),
        "app/README.md": ("\n" * (LONGEST_README + 1), "is longer than a page"),
    }
    sound = {
        "solvers/dls/B.cpp": '#include "solvers/dls/B.h"\n#include <tendon/kit/K.h>\n#include <Eigen/Core>\n#include <vector>\n',
        "plugins/dls/B.cpp": '#include "solvers/dls/B.h"\n#include <QObject>\n',
        "core/io/readers/gltf/D.cpp": '#include <nlohmann/json.hpp>\n#include "core/scene/B.h"\n#include "core/io/formats/gltf/B.h"\n#include <sys/wait.h>\n',
        "core/io/export/D.cpp": '#include "core/io/export/gltf/B.h"\n#include "core/io/readback/B.h"\n',
        "core/io/project/D.cpp": '#include "core/io/import/ModelImport.h"\n#include "core/io/base/B.h"\n',
        "app/cli/B.cpp": '#include "core/document/B.h"\n#include <CLI/CLI.hpp>\n#include <unistd.h>\n',
    }
    headers = ["core/base/Id.h", "solvers/fabrik/B.h", "solvers/dls/B.h", "core/json/B.h", "core/math/B.h", "core/solve/B.h",
               "core/io/base/B.h", "core/io/formats/gltf/B.h", "core/io/model/B.h", "core/io/readers/gltf/B.h",
               "core/io/import/B.h", "core/io/import/ModelImport.h", "core/io/readback/B.h", "core/io/export/gltf/B.h",
               "core/io/project/B.h",
               "core/document/B.h", "app/cli/B.h", "core/scene/B.h"]
    readmes = [f"{folder}/README.md" for folder in ("app", "solvers", "core", "plugins", "resources", "tests")]
    with tempfile.TemporaryDirectory() as root:
        def put(name, text):
            os.makedirs(os.path.dirname(os.path.join(root, name)) or root, exist_ok=True)
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(text)

        for name in headers + readmes:
            put(name, "")
        for name, text in sound.items():
            put(name, text)
        failures = [f"a sound tree offends: {offence}" for offence in Checker(root).run()]
        for name, (text, expected) in cases.items():
            put(name, text)
            found = Checker(root).run()
            if not any(offence.startswith(name) and expected in offence for offence in found):
                failures.append(f"not found in {name}: {expected}; found {found}")
            if name in readmes:
                put(name, "")
            else:
                os.remove(os.path.join(root, name))
        put("core/document/here/A.h", '#include "core/document/there/B.h"\n')
        put("core/document/there/B.h", '#include "core/document/here/A.h"\n')
        if not any("includes in a circle: core/document/here, core/document/there" in offence for offence in Checker(root).run()):
            failures.append("two folders that include each other are not found")
        os.remove(os.path.join(root, "tests/README.md"))
        if not any("has no README.md" in offence for offence in Checker(root).run()):
            failures.append("a missing README is not found")
    return failures


def main():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    if sys.argv[1:2] == ["--graph"] and len(sys.argv) in (3, 4):
        print_graph(os.path.abspath(sys.argv[3] if len(sys.argv) == 4 else here), sys.argv[2].rstrip("/"))
        return
    if sys.argv[1:] == ["--self-test"]:
        offences = self_test()
    else:
        offences = Checker(os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else here)).run()
    for offence in offences:
        print(offence)
    print(f"{len(offences)} offences")
    sys.exit(bool(offences))


if __name__ == "__main__":
    main()

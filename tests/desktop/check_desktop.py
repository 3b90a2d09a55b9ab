#!/usr/bin/env python3
"""check_desktop.py ROOT TENDON EDITOR | --self-test

Manual pages and completions: every command and option of --help is in them, groff and the shells that are installed read them
without a word, and bash completes commands, options and choices.
Desktop files: the validators that are installed accept them, and every MIME type that is opened is declared.
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DESKTOP = os.path.join(HERE, "..", "..", "resources", "desktop")
sys.path.insert(0, DESKTOP)
import help_pages  # noqa: E402


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        data = file.read()
    return (gzip.decompress(data) if path[-1].endswith(".gz") else data).decode()


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def speech(*command):
    """What a checker complains about; nothing where it is not installed."""
    if not shutil.which(command[0]):
        return []
    done = run(*command)
    said = (done.stdout + done.stderr).strip()
    return [f"{' '.join(command)}: {said or 'failed'}"] if done.returncode != 0 or "warning" in said.lower() else []


def completed(folder, *words):
    """What bash offers for the last word."""
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tendon; printf "%s\\n" "${COMPREPLY[@]}"'
    return run("bash", "-c", script, "bash", os.path.join(folder, "bash", "tendon"), *words).stdout.split()


def check_pages(folder, tendon, editor):
    problems = []
    for program in (tendon, editor):
        for part in [program] + program.commands:
            page = read(folder, "man1", part.name + ".1.gz").replace("\\-", "-")
            for option in part.options:
                for name in option.names:
                    if not re.search(r"(?<![\w-])" + re.escape(name) + r"(?![\w-])", page):
                        problems.append(f"{part.name}.1 lacks {name}")
            problems += speech("groff", "-man", "-Tutf8", "-ww", "-z", extracted(folder, part.name))
        for shell, name in (("bash", program.name), ("zsh", "_" + program.name), ("fish", program.name + ".fish")):
            text = read(folder, shell, name)
            for command in program.commands:
                if command.name.split("-", 1)[1] not in text:
                    problems.append(f"the completions of {shell} lack {command.name}")
            check = {"bash": ("bash", "-n"), "zsh": ("zsh", "-n"), "fish": ("fish", "--no-execute")}[shell]
            problems += speech(*check, os.path.join(folder, shell, name))
    commands = [command.name.split("-", 1)[1] for command in tendon.commands]
    if completed(folder, "tendon", "") != commands:
        problems.append("bash does not offer the commands")
    for command in tendon.commands:
        word = command.name.split("-", 1)[1]
        names = {name for option in command.options for name in option.names}
        if not names or set(completed(folder, "tendon", word, "-")) != names:
            problems.append(f"bash does not offer the options of {word}")
        for option in command.options:
            if option.choices and completed(folder, "tendon", word, option.names[-1], "") != option.choices:
                problems.append(f"bash does not offer the choices of {word} {option.names[-1]}")
    return problems


def extracted(folder, name):
    path = os.path.join(folder, name + ".1")
    with open(path, "w", encoding="utf-8") as file:
        file.write(read(folder, "man1", name + ".1.gz"))
    return path


def check_files(folder, version):
    def path(ending):
        return os.path.join(folder, "org.tendon.editor." + ending)
    entry, metainfo, mime = read(path("desktop")), read(path("metainfo.xml")), read(path("mime.xml"))
    opened = set(re.search(r"^MimeType=(.*)$", entry, re.M).group(1).strip(";").split(";"))
    problems = speech("desktop-file-validate", path("desktop"))
    problems += speech("appstreamcli", "validate", "--no-net", path("metainfo.xml"))
    declared = set(re.findall(r'<mime-type type="([^"]+)"', mime)) | {"model/gltf-binary", "model/gltf+json"}
    problems += [f"{kind} is opened, but no MIME type" for kind in sorted(opened - declared)]
    problems += [f"{kind} is opened, but AppStream does not say so"
                 for kind in sorted(opened - set(re.findall(r"<mediatype>([^<]+)", metainfo)))]
    drawn = set(re.search(r"^MimeType=(.*)$", read(folder, "tendon.thumbnailer"), re.M).group(1).strip(";").split(";"))
    problems += [f"{kind} has thumbnails, but is not opened" for kind in sorted(drawn - opened)]
    if f'<release version="{version}"' not in metainfo:
        problems.append(f"AppStream does not name the release {version}")
    if not re.search(r'type="model/x-vrm".*?weight="([6-9]\d|100)"', mime, re.S):
        problems.append("a .vrm is VRML to shared-mime-info unless its name weighs more than 50")
    if shutil.which("update-mime-database"):
        with tempfile.TemporaryDirectory() as database:
            os.mkdir(os.path.join(database, "packages"))
            shutil.copy(path("mime.xml"), os.path.join(database, "packages"))
            problems += speech("update-mime-database", database)
            if "80:model/x-vrm:*.vrm" not in read(database, "globs2"):
                problems.append("update-mime-database does not take *.vrm")
    return problems


def self_test():
    """Each fault that is planted is found."""
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir(DESKTOP):
            if name.startswith("org.") or name.endswith("thumbnailer"):
                shutil.copy(os.path.join(DESKTOP, name), folder)
        version = re.search(r'<release version="([^"]+)"', read(folder, "org.tendon.editor.metainfo.xml")).group(1)
        if check_files(folder, version):
            failures.append("good files are refused: " + "; ".join(check_files(folder, version)))
        for name, old, new in (("org.tendon.editor.mime.xml", "application/x-urdf+xml", "application/x-robot+xml"),
                               ("org.tendon.editor.mime.xml", 'weight="80"', ""),
                               ("org.tendon.editor.metainfo.xml", "<mediatype>model/x-vrm</mediatype>", ""),
                               ("tendon.thumbnailer", "model/x-fbx", "image/png")):
            good = read(folder, name)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(good.replace(old, new))
            if not check_files(folder, version):
                failures.append(f"{name} without {old} is accepted")
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(good)

        option = help_pages.Option(["-o", "--output"], "FILE", "File to write")
        kind = help_pages.Option(["--kind"], "TEXT:{a,b}", "Kind")
        program = help_pages.Program("tendon", "Rigs", "tendon [OPTIONS]", options=[option], commands=[
            help_pages.Program("tendon-bake", "Bake", "tendon bake FILE", options=[option, kind])])
        editor = help_pages.Program("tendon-editor", "Window", "tendon-editor [FILE]", options=[option])

        def write(shown):
            for each in (shown, editor):
                help_pages.write_pages(each, version, folder)
        write(program)
        if check_pages(folder, program, editor):
            failures.append("good pages are refused: " + "; ".join(check_pages(folder, program, editor)))
        lesser = help_pages.Program("tendon", "Rigs", "tendon [OPTIONS]", options=[option], commands=[
            help_pages.Program("tendon-bake", "Bake", "tendon bake FILE", options=[kind])])
        write(lesser)
        if len(check_pages(folder, program, editor)) < 3:
            failures.append("an option that is left out is not found in page and completions")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        problems = self_test()
    else:
        _, tendon, editor = sys.argv[1:]
        version = run(tendon, "--version").stdout.split()[-1]
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.path.join(DESKTOP, "help_pages.py"), tendon, editor, version, folder], check=True)
            problems = check_pages(folder, help_pages.read_tendon(tendon), help_pages.read_editor(editor))
        problems += check_files(DESKTOP, version)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

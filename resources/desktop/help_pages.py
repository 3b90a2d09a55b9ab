#!/usr/bin/env python3
"""help_pages.py TENDON EDITOR VERSION FOLDER

Writes the manual pages and the shell completions of both programs, made from what their --help prints, so that there is one
description of each option:

    FOLDER/man1/tendon.1.gz, tendon-COMMAND.1.gz, tendon-editor.1.gz
    FOLDER/bash/tendon, FOLDER/zsh/_tendon, FOLDER/fish/tendon.fish, and the same of tendon-editor
"""

import gzip
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

SECTION = re.compile(r"^(\w[\w ]*):$")


@dataclass
class Option:
    names: list  # ["-o", "--output"]
    value: str  # "TEXT", "FILE", "" for a flag
    help: str

    @property
    def choices(self):
        """dark|light or TEXT:{dark,light}."""
        inside = re.search(r"\{([^}]*)\}", self.value)
        listed = inside.group(1).split(",") if inside else self.value.split("|")
        return listed if len(listed) > 1 or inside else []

    @property
    def shown_value(self):
        return "|".join(self.choices) or self.value


@dataclass
class Program:
    name: str
    summary: str
    usage: str
    arguments: list = field(default_factory=list)  # (name, help)
    options: list = field(default_factory=list)
    commands: list = field(default_factory=list)  # Program
    notes: list = field(default_factory=list)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "1000"}).stdout


def split_entry(line):
    """("-o,--output TEXT", "what it does"); the second is empty when it follows in the next line."""
    parts = re.split(r"\s{2,}", line.strip(), maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def option_from(left, text):
    names = re.match(r"-[\w-]+(?:,\s*-[\w-]+)*", left).group(0)
    value = left[len(names):].strip()
    value = re.sub(r"\s*(REQUIRED|Needs: .*|Excludes: .*)", "", value).strip()
    return Option([name.strip() for name in names.split(",")], value, text)


def entries_of(lines):
    """Entries of a section: (left, help), continued lines joined."""
    entries = []
    for line in lines:
        if line.startswith("      ") and entries:
            left, text = entries[-1]
            entries[-1] = (left, (text + " " + line.strip()).strip())
        else:
            entries.append(split_entry(line))
    return entries


def read_tendon(path, *command):
    """The help of tendon or of one of its commands."""
    lines = run(path, *command, "--help").splitlines()
    program = Program("tendon" + "".join("-" + word for word in command), lines[0], re.sub(r"^Usage: ", "", lines[1]))
    section, sections, tail = None, {}, []
    for line in lines[2:]:
        heading = SECTION.match(line)
        if heading:
            section = sections.setdefault(heading.group(1), [])
        elif line.startswith("  ") and section is not None:
            section.append(line)
        elif line:
            section = None
            tail.append(line)
    program.arguments = [(left.split()[0], text) for left, text in entries_of(sections.get("Positionals", []))]
    program.options = [option_from(left, text) for left, text in entries_of(sections.get("Options", []))]
    program.notes = tail
    for left, _ in entries_of(sections.get("Subcommands", [])):
        program.commands.append(read_tendon(path, *command, left))
    return program


def read_editor(path):
    lines = run(path, "--help").splitlines()
    program = Program("tendon-editor", "Rig, pose and animate with inverse kinematics", lines[0])
    for left, text in entries_of(lines[1:]):
        if not left.startswith("-"):
            program.arguments.append((left, text))
        elif "," in left and not text:
            program.options += [Option([name.strip()], "", f"Print the {'version' if 'version' in name else 'options'} and exit")
                                for name in left.split(",")]
        else:
            program.options.append(option_from(left, text))
    return program


# Manual pages ------------------------------------------------------------------------------------------------------------

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return re.sub(r"^([.'])", r"\\&\1", text)


def manual_page(program, version, parent=None):
    words = program.name.replace("tendon-", "tendon ", 1) if parent else program.name
    out = [f'.TH {program.name.upper()} 1 "" "Tendon {version}" "Tendon"', ".SH NAME",
           f"{roff(program.name)} \\- {roff(program.summary[0].lower() + program.summary[1:])}", ".SH SYNOPSIS",
           f".B {roff(words)}", roff(program.usage[len(words):].strip())]
    for heading, entries in (("ARGUMENTS", program.arguments),
                             ("OPTIONS", [(", ".join(o.names) + (" " + o.shown_value if o.value else ""), o.help)
                                          for o in program.options]),
                             ("COMMANDS", [(c.name.replace("tendon-", "tendon ", 1), c.summary) for c in program.commands])):
        if entries:
            out.append(f".SH {heading}")
            for left, text in entries:
                out += [".TP", f".B {roff(left)}", roff(text)]
    exits = [note for note in program.notes if note.startswith("Exit codes:")]
    if exits:
        out.append(".SH EXIT STATUS")
        for code, meaning in re.findall(r"(\d) ([^,.]+)", exits[0]):
            out += [".TP", f".B {code}", roff(meaning)]
    others = [parent] if parent else program.commands + [Program("tendon-editor" if program.name == "tendon" else "tendon", "", "")]
    out += [".SH SEE ALSO", ", ".join(f"\\fB{roff(other.name)}\\fR(1)" for other in others)]
    return "\n".join(out) + "\n"


# Shell completions -------------------------------------------------------------------------------------------------------

def names(options):
    return " ".join(name for option in options for name in option.names)


def bash_cases(options):
    return "".join(f"            {'|'.join(o.names)}) COMPREPLY=($(compgen -W '{' '.join(o.choices)}' -- \"$word\")); return ;;\n"
                   for o in options if o.choices)


def bash(program):
    function = "_" + program.name.replace("-", "_")
    out = [f"# Completions of {program.name} for bash; made from its --help.", f"{function}()", "{",
           '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} chosen= i', "    COMPREPLY=()"]
    if program.commands:
        out += ["    for ((i = 1; i < COMP_CWORD; i++)); do", "        [[ ${COMP_WORDS[i]} == -* ]] || { chosen=${COMP_WORDS[i]}; break; }",
                "    done"]
    out += ['    case $chosen in']
    for command in program.commands:
        word = command.name.split("-", 1)[1]
        out += [f"    {word})", "        case $before in", bash_cases(command.options) + "        esac",
                f"        [[ $word == -* ]] && COMPREPLY=($(compgen -W '{names(command.options)}' -- \"$word\")) && return"]
        if command.commands:
            inner = " ".join(c.name.rsplit("-", 1)[1] for c in command.commands)
            out.append(f"        COMPREPLY=($(compgen -W '{inner}' -- \"$word\"))")
        out.append("        ;;")
    out += ["    '')", "        case $before in", bash_cases(program.options) + "        esac"]
    out.append(f"        [[ $word == -* ]] && COMPREPLY=($(compgen -W '{names(program.options)}' -- \"$word\")) && return")
    if program.commands:
        words = " ".join(c.name.split("-", 1)[1] for c in program.commands)
        out.append(f"        COMPREPLY=($(compgen -W '{words}' -- \"$word\")); return")
    out += ["        ;;", "    esac", '    [[ ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$word"))', "}",
            f"complete -o filenames -F {function} {program.name}"]
    return "\n".join(out) + "\n"


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_options(options):
    out = []
    for option in options:
        text = re.sub(r"([\[\]:])", r"\\\1", option.help)
        value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files" if option.value else ""
        for name in option.names:
            others = f"({' '.join(option.names)})" if len(option.names) > 1 else ""
            out.append(quoted(f"{others}{name}[{text}]{value}"))
    return out


def zsh(program):
    function = "_" + program.name.replace("-", "_")
    out = [f"#compdef {program.name}", f"# Completions of {program.name} for zsh; made from its --help.", f"{function}()", "{"]
    if not program.commands:
        arguments = " \\\n        ".join(zsh_options(program.options) + ["'*:file:_files'"])
        out += [f"    _arguments \\\n        {arguments}"]
    else:
        described = "\n            ".join(quoted(f"{c.name.split('-', 1)[1]}:{c.summary}") for c in program.commands)
        arguments = " \\\n        ".join(["-C"] + zsh_options(program.options) + ["'1:command:->command'", "'*::argument:->rest'"])
        out += ["    local context state state_descr line", "    typeset -A opt_args", f"    _arguments {arguments}",
                "    case $state in", "    command)", f"        local -a commands=(\n            {described}\n        )",
                "        _describe -t commands command commands", "        ;;", "    rest)", "        case $words[1] in"]
        for command in program.commands:
            inner = [c.name.rsplit("-", 1)[1] for c in command.commands]
            rest = [f"'*:argument:({' '.join(inner)})'"] if inner else ["'*:file:_files'"]
            arguments = " \\\n                ".join(zsh_options(command.options) + rest)
            out += [f"        {command.name.split('-', 1)[1]})", f"            _arguments \\\n                {arguments}", "            ;;"]
        out += ["        esac", "        ;;", "    esac"]
    return "\n".join(out + ["}", f'{function} "$@"']) + "\n"


def fish(program):
    out = [f"# Completions of {program.name} for fish; made from its --help."]

    def add(options, condition):
        for option in options:
            flags = "".join(f" -l {n[2:]}" if n.startswith("--") else f" -s {n[1:]}" for n in option.names)
            value = f" -x -a {quoted(' '.join(option.choices))}" if option.choices else " -r" if option.value else ""
            out.append(f"complete -c {program.name}{condition}{flags}{value} -d {quoted(option.help)}")

    add(program.options, " -n __fish_use_subcommand" if program.commands else "")
    for command in program.commands:
        word = command.name.split("-", 1)[1]
        out.append(f"complete -c {program.name} -n __fish_use_subcommand -a {word} -d {quoted(command.summary)}")
        add(command.options, f" -n '__fish_seen_subcommand_from {word}'")
        for inner in command.commands:
            out.append(f"complete -c {program.name} -n '__fish_seen_subcommand_from {word}' -a {inner.name.rsplit('-', 1)[1]} "
                       f"-d {quoted(inner.summary)}")
    return "\n".join(out) + "\n"


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    data = text.encode()
    with open(os.path.join(folder, name), "wb") as file:
        file.write(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)


def write_pages(program, version, folder):
    write(os.path.join(folder, "man1"), program.name + ".1.gz", manual_page(program, version))
    for command in program.commands:
        write(os.path.join(folder, "man1"), command.name + ".1.gz", manual_page(command, version, parent=program))
    write(os.path.join(folder, "bash"), program.name, bash(program))
    write(os.path.join(folder, "zsh"), "_" + program.name, zsh(program))
    write(os.path.join(folder, "fish"), program.name + ".fish", fish(program))


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    tendon, editor, version, folder = sys.argv[1:]
    for program in (read_tendon(tendon), read_editor(editor)):
        write_pages(program, version, folder)


if __name__ == "__main__":
    main()

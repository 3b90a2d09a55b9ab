#!/usr/bin/env python3
"""Checks that programs and plugins are hardened, by what readelf finds in them.

    check_hardening.py FILE...     programs and shared libraries
    check_hardening.py --self-test finds every fault in a program that is compiled without hardening

Whether the processor watches the targets of jumps (IBT, SHSTK) is up to the C library: Debian 12 starts programs by code
that does not claim it, so the linker leaves the claim out. Here the code must have the landing pads all the same.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# endbr64 in front of a function, not in front of a jump that the linker made
LANDING_PAD = re.compile(rb"\xf3\x0f\x1e\xfa(?!\x41\xbb|\xff\x25|\xf2\xff\x25|\x68)", re.DOTALL)
MIN_LANDING_PADS = 20  # the start files have three


def readelf(path, *options):
    return subprocess.run(["readelf", "--wide", *options, path], capture_output=True, text=True, check=True).stdout


def faults(path):
    """What is not hardened in a file."""
    dynamic, segments, symbols = readelf(path, "-d"), readelf(path, "-h", "-l"), readelf(path, "--dyn-syms")
    stack = re.search(r"GNU_STACK.*", segments)
    is_library = ".so" in pathlib.Path(path).name
    checks = {
        "is not position-independent": bool(re.search(r"Type:\s+DYN", segments)),
        "has a stack that holds code (NX)": stack is not None and "RWE" not in stack[0],
        "has no read-only relocations (RELRO)": "GNU_RELRO" in segments,
        "binds symbols late (BIND_NOW)": bool(re.search(r"\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*\bNOW\b", dynamic)),
        "has a path of its own for libraries (RPATH)": not re.search(r"\((RPATH|RUNPATH)\)", dynamic),
        "has no stack protector": "__stack_chk_fail" in symbols,
    }
    if not is_library:  # a library may call none of the functions that are fortified
        checks["has no fortified functions"] = bool(re.search(r"\b__(?!stack)\w+_chk\b", symbols))
    if "X86-64" in segments:
        checks["has no landing pads (-fcf-protection)"] = len(LANDING_PAD.findall(pathlib.Path(path).read_bytes())) >= MIN_LANDING_PADS
    return [what for what, holds in checks.items() if not holds]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "bare.cpp"), pathlib.Path(folder, "bare")
        source.write_text("int main() { return 0; }\n")
        subprocess.run(["c++", "-O1", "-no-pie", "-fno-stack-protector", "-fcf-protection=none", "-Wl,-z,norelro,-z,lazy",
                        "-Wl,-z,execstack", "-Wl,-rpath,/nowhere", source, "-o", program], check=True)
        found = faults(str(program))
    print("\n".join(found))
    return 0 if len(found) == 8 else 1


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    found = [f"{path}: {what}" for path in arguments for what in faults(path)]
    print("\n".join(found) or f"{len(arguments)} files are hardened")
    return 1 if found or not arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

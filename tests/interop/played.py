#!/usr/bin/python3
"""Plays files that were exported from a project, by the editor's window for example, in three.js. Joints must be where
`tendon bake` has them in the project's current clip, there must be no additional bones, and the Khronos validator must find no
error in glTF. Prints a row per file; exit code 1 if one is wrong. FILE@METRES: a unit of the file is so long, which three.js does
not read from FBX.
usage: played.py PROJECT FILE[@METRES]..."""

import os
import sys

import numpy as np

import samples
import tools


def main(project, files):
    with tools.Scratch() as folder:
        bake = tools.Bake(project, folder, [], clips=())
        named = [(name, float(unit or 1)) for name, _, unit in (file.partition("@") for file in files)]
        jobs = [{"file": file, "out": os.path.join(folder, str(i)), "fps": bake.fps, "clips": bake.clips(), "vertexEvery": 1000}
                for i, (file, _) in enumerate(named)]
        good = True
        for (file, unit), played in zip(named, tools.play("three", jobs, folder)):
            if unit != 1 and played is not None and not played.error:
                played = played.moved(unit * np.eye(3))
            worst, problems = samples.judge("three", played, bake, None)
            print(f"{os.path.basename(file)}: {len(bake.table.names)} joints, {len(bake.times[0])} poses, off by {worst:.1e} of "
                  f"the skeleton's radius; {'; '.join(problems) or 'ok'}")
            good = good and not problems
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

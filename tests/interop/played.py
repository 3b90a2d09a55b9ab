#!/usr/bin/python3
"""Plays files that were exported from a project, by the editor's window for example, in three.js. Joints must be where
`tendon bake` has them in the project's current clip, there must be no additional bones, and the Khronos validator must find no
error in glTF. Prints a row per file; exit code 1 if one is wrong.
usage: played.py PROJECT FILE..."""

import os
import sys

import samples
import tools


def main(project, files):
    with tools.Scratch() as folder:
        bake = tools.Bake(project, folder, [], clips=())
        jobs = [{"file": file, "out": os.path.join(folder, str(i)), "fps": bake.fps, "clips": bake.clips(), "vertexEvery": 1000}
                for i, file in enumerate(files)]
        good = True
        for file, played in zip(files, tools.play("three", jobs, folder)):
            worst, problems = samples.judge("three", played, bake, None)
            print(f"{os.path.basename(file)}: {len(bake.table.names)} joints, {len(bake.times[0])} poses, off by {worst:.1e} of "
                  f"the skeleton's radius; {'; '.join(problems) or 'ok'}")
            good = good and not problems
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

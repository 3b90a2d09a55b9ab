#!/usr/bin/env python3
"""check_catalogue.py TENDON: `ceres` solves nearly all poses of a catalogue of people, within their limits.

The catalogue is the problem sets/humanoid_pose.json in $TENDON_SHARED/problems (default: ../shared beside the repository);
without it the check is skipped.
"""

import json
import os
import subprocess
import sys
import tempfile

CASES, SHARE = 250, 0.98  # what solvers/ceres/solver.json promises
SKIPPED = 77

shared = os.environ.get("TENDON_SHARED", os.path.join(os.path.dirname(__file__), "../../../shared"))
problem = os.path.join(shared, "problems/sets/humanoid_pose.json")
if not os.path.exists(problem):
    print(f"no problems to solve: TENDON_SHARED names no folder with problems/sets ({shared})")
    sys.exit(SKIPPED)
with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([sys.argv[1], "bench", "--problem", problem, "--solver", "ceres", "--cases", str(CASES), "--json",
                           "-o", os.path.join(folder, "answers.csv")], capture_output=True, text=True, check=False)
if done.returncode not in (0, 3):
    sys.exit(done.stderr)
figures = json.loads(done.stdout)
print(f"{figures['solved']} of {figures['cases']} solved cold, {figures['medianMicroseconds']:.0f} us in the median")
sys.exit(figures["cases"] != CASES or figures["limitViolations"] != 0 or figures["solved"] < SHARE * CASES)

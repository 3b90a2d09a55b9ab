"""Rows that also pass on a program with a fault prove nothing. Each plant breaks what one row is about, in what `tendon` is told or in
what it answers, and the row's function has to notice.
"""

import json

import rows_a
from program import Tendon, flat


class Broken(Tendon):
    """`tendon` with a fault: `told` changes a list of operations, `answered` what a command printed."""

    def __init__(self, program, folder, told=None, answered=None):
        super().__init__(program, folder)
        self.told, self.answered = told, answered

    def build(self, *operations, project=None):
        wanted = flat(operations)
        return super().build(self.told(wanted) if self.told else wanted, project=project)

    def call(self, *arguments, allowed=(0,)):
        code, text = super().call(*arguments, allowed=(0, 3) if self.answered else allowed)
        if self.answered and arguments[0] == "pose":
            output = json.loads(text)
            code = self.answered(output, code)
            text = json.dumps(output)
        if code not in allowed:
            raise AssertionError(f"tendon {arguments[0]}: exit {code}")
        return code, text


def without(lost):
    """The operations of which `lost` is false."""
    return {"told": lambda operations: [one for one in operations if not lost(one)]}


def for_handles(change, exit_code=None):
    """`change` made to each handle of a pose."""
    def answered(output, code):
        for handle in output["handles"]:
            change(handle)
        return code if exit_code is None else exit_code
    return {"answered": answered}


def always(**fields):
    return lambda handle: handle.update(fields)


def instead(status, other):
    return lambda handle: handle.update(status=other if handle["status"] == status else handle["status"])


def keys_of(target):
    return lambda one: one["op"] == "key" and one["target"] == target


A7, A8 = rows_a.A7_root_and_goal_may_both_move, rows_a.A8_a_handle_says_how_its_solve_ended
PLANTS = [
    (A7, "the root's keys are lost", without(keys_of("b0"))),
    (A7, "the goal's keys are lost", without(keys_of("tip"))),
    (A7, "the root does not move", without(lambda one: one["op"] == "setPose" and one["translation"] != [0, 0, 0])),
    (A8, "every goal is called met", for_handles(always(status="converged"))),
    (A8, "the exit code says that all is well", for_handles(always(), exit_code=0)),
    (A8, "what is beyond reach is called stalled", for_handles(instead("unreachable", "stalled"))),
    (A8, "limits are called stalled", for_handles(instead("limits", "stalled"))),
    (A8, "no joint is named", for_handles(always(blockedBy=None))),
    (A8, "the iterations are not told to have run out", for_handles(instead("iteration-limit", "stalled"))),
    (A8, "a contradiction is called unreachable", for_handles(instead("stalled", "unreachable"))),
    (A8, "nothing is missing", for_handles(always(shortfall=0))),
]

"""Vectors as lists, quaternions as [x, y, z, w], and chains to solve."""

import math

from program import op


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def length(a):
    return math.sqrt(dot(a, a))


def distance(a, b):
    return length(minus(a, b))


def mix(a, b, share):
    return [x + share * (y - x) for x, y in zip(a, b)]


def angle_between(a, b):
    """[deg]"""
    return math.degrees(math.atan2(length(cross(a, b)), dot(a, b)))


def turn_between(a, b):
    """Angle from one rotation to another [deg]."""
    vector = [a[3] * b[i] - b[3] * a[i] - cross(a[:3], b[:3])[i] for i in range(3)]
    return math.degrees(2 * math.atan2(length(vector), abs(dot(a, b))))


def off_line(point, start, end):
    """Distance of a point from the line through two others."""
    along = minus(end, start)
    return length(cross(minus(point, start), along)) / length(along)


def bend(pose, before, joint, after):
    """Angle between the bones that meet at a joint [deg]; 0: straight."""
    return angle_between(minus(pose.position(joint), pose.position(before)), minus(pose.position(after), pose.position(joint)))


def turned(a, b):
    """How far a joint's local rotation differs between two poses, by joint [deg]."""
    return {name: turn_between(a.local(name)["rotation"], b.local(name)["rotation"]) for name in a.joints}


def chain(bones, prefix="b", bone=0.1, bends=10.0, parent=None, translation=(0, 0, 0)):
    """Joints b0 … bN upward along y, each turned about z by `bends` degrees (a number, or one for each) in the rest pose."""
    bends = [bends] * bones if isinstance(bends, (int, float)) else bends
    joints = [op("addJoint", name=f"{prefix}0", parent=parent, translation=list(translation), rotation=[0, 0, bends[0]])]
    for i in range(1, bones + 1):
        joints.append(op("addJoint", name=f"{prefix}{i}", parent=f"{prefix}{i - 1}", translation=[0, bone, 0],
                         rotation=[0, 0, bends[i] if i < bones else 0]))
    return joints


def handle(name, start, end, solver=None, goal=None, **settings):
    made = [op("addHandle", name=name, start=start, end=end, **({"solver": solver} if solver else {}))]
    if goal:
        made.append(op("setGoal", handle=name, position=list(goal)))
    if settings:
        made.append(op("setHandle", name=name, **settings))
    return made


def hinge(joint, axis="z", **limits):
    """Makes a joint turn about one axis only."""
    return [op("setRotationAxis", joint=joint, axis=other, active=False) for other in "xyz" if other != axis] + (
        [op("setRotationAxis", joint=joint, axis=axis, limited=True, **limits)] if limits else [])


def locked(joint):
    """Keeps a joint from turning."""
    return [op("setRotationAxis", joint=joint, axis=axis, active=False) for axis in "xyz"]

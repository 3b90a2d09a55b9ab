"""Finds what an FBX file needs that three.js or Blender do not support, from the file itself and not from its name. If a source needs
more than a reader supports, that reader's playback proves nothing. Each limit is documented by the reader: a warning in
three.js's FBXLoader.js, or a property that Blender's import_fbx.py does not read.
usage: fbx_source.py FILE...: prints them"""

import re
import struct
import sys
import zlib

import numpy as np


class Record:
    def __init__(self, name):
        self.name, self.values, self.children = name, [], []

    def all(self, name):
        return [child for child in self.children if child.name == name]

    def array(self, name):
        """Numbers of an array inside; empty when there is none."""
        for child in self.all(name):
            values = [v for inner in child.all("a") for v in inner.values] or child.values
            if values and isinstance(values[0], tuple):
                kind, packed, encoding = values[0]
                return np.frombuffer(zlib.decompress(packed) if encoding else packed, "<" + {"l": "i8", "i": "i4"}.get(kind, kind))
            return np.array(values)
        return np.array([])

    def properties(self):
        return {p.values[0]: p.values[4:] for block in self.all("Properties70") for p in block.children if len(p.values) > 4}


def _binary(data):
    wide = struct.unpack_from("<I", data, 23)[0] >= 7500
    head, scalars = ("<QQQB", 25) if wide else ("<IIIB", 13), {"C": "<B", "B": "<B", "Y": "<h", "I": "<i", "L": "<q", "F": "<f", "D": "<d"}

    def record(at):
        end, count, _, length = struct.unpack_from(head[0], data, at)
        if end == 0:
            return None, at + head[1]
        at += head[1]
        found = Record(data[at:at + length].decode("latin-1"))
        at += length
        for _ in range(count):
            kind, at = chr(data[at]), at + 1
            if kind in scalars:
                found.values.append(struct.unpack_from(scalars[kind], data, at)[0])
                at += struct.calcsize(scalars[kind])
            elif kind in "SR":
                size = struct.unpack_from("<I", data, at)[0]
                found.values.append(data[at + 4:at + 4 + size].decode("utf-8", "replace") if kind == "S" else None)
                at += 4 + size
            else:
                _, encoding, size = struct.unpack_from("<III", data, at)
                found.values.append((kind, data[at + 12:at + 12 + size], encoding))
                at += 12 + size
        while at < end:
            child, at = record(at)
            if child is not None:
                found.children.append(child)
        return found, end

    top, at = Record(""), 27
    while at + head[1] <= len(data):
        child, at = record(at)
        if child is None:
            break
        top.children.append(child)
    return top


def _text(data):
    top = Record("")
    stack = [top]
    token = re.compile(r'"([^"]*)"|([^,\s{}*]+)')
    for line in data.decode("utf-8", "replace").split("\n"):
        line = line.strip()
        begins = re.match(r"([A-Za-z_0-9|]+):(.*)", line)
        if line.startswith(";") or not line:
            continue
        if line.startswith("}"):
            stack.pop()
            continue
        if begins:
            stack[-1].children.append(Record(begins[1]))
        values = stack[-1].children[-1].values
        for text, word in token.findall(begins[2] if begins else line):
            try:
                values.append(float(word) if word else text)
            except ValueError:
                values.append(word)
        if line.endswith("{"):
            stack.append(stack[-1].children[-1])
    return top


def read(path):
    data = open(path, "rb").read()
    return _binary(data) if data.startswith(b"Kaydara FBX Binary") else _text(data)


class Source:
    def __init__(self, path):
        top = read(path)
        self.objects, self.below, self.above = {}, {}, {}
        for block in top.all("Objects"):
            for record in block.children:
                if record.values and not isinstance(record.values[0], str):
                    self.objects[int(record.values[0])] = record
        for block in top.all("Connections"):
            for link in block.children:
                if link.values[0] not in ("OO", "OP") or isinstance(link.values[1], str):  # before 2011 objects have no numbers
                    continue
                child, parent = int(link.values[1]), int(link.values[2])
                property_name = link.values[3] if len(link.values) > 3 else ""
                self.below.setdefault(parent, []).append((child, property_name))
                self.above.setdefault(child, []).append((parent, property_name))
        self.usual = {}  # properties of models that the file's template gives
        for block in top.all("Definitions"):
            for kind in block.all("ObjectType"):
                if kind.values and kind.values[0] == "Model":
                    for template in kind.all("PropertyTemplate"):
                        self.usual.update(template.properties())

    def of(self, kind):
        return {i: r for i, r in self.objects.items() if r.name == kind}

    def linked(self, links, identity, kind):
        return [i for i, _ in links.get(identity, []) if i in self.objects and self.objects[i].name == kind]

    def property(self, model, name, otherwise):
        values = self.objects[model].properties().get(name, self.usual.get(name, otherwise))
        return [float(v) for v in values]

    def driven(self):
        """(model, property) that have curves"""
        return {(target, name) for node in self.of("AnimationCurveNode") if self.linked(self.below, node, "AnimationCurve")
                for target, name in self.above.get(node, [])}

    def parents(self, model):
        while True:
            above = self.linked(self.above, model, "Model")
            if not above:
                return
            model = above[0]
            yield model

    def has_scale(self, model, driven):
        return self.property(model, "Lcl Scaling", [1, 1, 1]) != [1, 1, 1] or (model, "Lcl Scaling") in driven

    def inherits_scale_otherwise(self, driven):
        """Nodes that do not take on the scale above them as matrices do."""
        return [m for m in self.of("Model") if self.property(m, "InheritType", [0])[0] != 1
                and any(self.has_scale(p, driven) for p in self.parents(m))]

    def has_cubics_apart(self):
        """Curves that are not straight, and keys that not all of their take's curves have."""
        for layer in self.of("AnimationLayer"):
            curves = [self.objects[c] for node in self.linked(self.below, layer, "AnimationCurveNode")
                      for c in self.linked(self.below, node, "AnimationCurve")]
            keys = {tuple(curve.array("KeyTime").tolist()) for curve in curves}
            if len(keys) > 1 and any((curve.array("KeyAttrFlags").astype(np.int64) & 8).any() for curve in curves):
                return True
        return False

    def most_influences(self):
        most = 0
        for skin in self.of("Deformer"):
            counts = {}
            for cluster in self.linked(self.below, skin, "Deformer"):
                for vertex, weight in zip(self.objects[cluster].array("Indexes"), self.objects[cluster].array("Weights")):
                    if weight > 0:
                        counts[vertex] = counts.get(vertex, 0) + 1
            most = max([most, *counts.values()])
        return most


def limits(path):
    """Reader -> what it says it cannot play of the file, for joints and for vertices; take -> when it ends [s]."""
    source = Source(path)
    driven = source.driven()
    joints, vertices = {"three": [], "blender": []}, {"three": [], "blender": []}

    def cannot(readers, what, *cells):
        for reader in readers:
            for cell in cells:
                cell[reader].append(what)

    if any(len(source.linked(source.below, stack, "AnimationLayer")) > 1 for stack in source.of("AnimationStack")):
        cannot(["three", "blender"], "layers", joints, vertices)  # three: "Ignoring subsequent layers"; Blender: an action each
    if source.inherits_scale_otherwise(driven):
        cannot(["three", "blender"], "scale inheritance", joints, vertices)  # three: at rest only; Blender does not read InheritType
    models = source.of("Model")
    pivoted = [m for m in models if any(any(source.property(m, p, [0, 0, 0])) for p in (
        "RotationPivot", "ScalingPivot", "RotationOffset", "ScalingOffset"))]
    if any((m, p) in driven for m in pivoted for p in ("Lcl Rotation", "Lcl Scaling")):
        cannot(["three"], "animated pivots", joints, vertices)  # three animates translation, rotation and scale alone
    if any(min(map(abs, source.property(m, "Lcl Scaling", [1, 1, 1]))) < 1e-6 for m in models):
        cannot(["blender"], "scales of zero", vertices)  # it parents by inverses, and takes a "safe" one where there is none
    if source.has_cubics_apart():  # both run straight between two keys of a curve, and are right where all curves have one
        cannot(["three", "blender"], "cubic curves with keys at moments of their own", joints, vertices)
    skinned = [m for m in models for g in source.linked(source.below, m, "Geometry")
               if any(source.objects[d].values[2] == "Skin" for d in source.linked(source.below, g, "Deformer"))]
    if any(any(source.property(m, "GeometricTranslation", [0, 0, 0])) or any(source.property(m, "GeometricRotation", [0, 0, 0]))
           or source.property(m, "GeometricScaling", [1, 1, 1]) != [1, 1, 1] for m in skinned):
        cannot(["three", "blender"], "geometric transforms of skins", vertices)
    if any(len(source.linked(source.above, g, "Model")) > 1 for g in source.of("Geometry")):
        cannot(["three", "blender"], "instances", vertices)
    if source.most_influences() > 4:
        cannot(["three"], "more than four influences", vertices)  # "Deleting additional weights"
    spans = {}
    for stack in source.of("AnimationStack").values():
        times = {name: stack.properties().get(name, [0])[0] / 46186158000 for name in ("LocalStart", "LocalStop")}
        if times["LocalStop"] > times["LocalStart"]:
            name = stack.values[1].split("\0")[0]
            spans[name.split("::")[1] if "::" in name else name] = times["LocalStop"]
    return joints, vertices, spans


if __name__ == "__main__":
    for file in sys.argv[1:]:
        try:
            print(file, limits(file))
        except Exception as error:
            print(file, type(error).__name__, error)

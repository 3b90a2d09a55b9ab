#!/usr/bin/env python3
"""Writes the files of this folder: small glTF files, each damaged in one way (bad-*) or odd but valid (good-*).

After a change, run it in this folder and commit the files. The same script writes the same bytes.
"""
import copy
import json
import struct


def floats(*values):
    return struct.pack("<%df" % len(values), *values)


def base():
    """A triangle skinned to two joints that turn: every part of a file that can be damaged. JSON and binary."""
    parts = [
        floats(0, 0, 0, 1, 0, 0, 0, 1, 0),                       # 0 positions
        struct.pack("<12B", *[0, 1, 0, 0] * 3),                  # 1 joints
        floats(*[0.5, 0.5, 0, 0] * 3),                           # 2 weights
        floats(*[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] * 2),  # 3 inverse binds
        floats(0, 1),                                            # 4 times
        floats(0, 0, 0, 1, 0, 0, 1, 0),                          # 5 rotations
        struct.pack("<3H", 0, 1, 2),                             # 6 indices
    ]
    kinds = [(5126, "VEC3", 3), (5121, "VEC4", 3), (5126, "VEC4", 3), (5126, "MAT4", 2), (5126, "SCALAR", 2), (5126, "VEC4", 2), (5123, "SCALAR", 3)]
    binary, views, accessors = b"", [], []
    for part, (component, kind, count) in zip(parts, kinds):
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(part)})
        accessors.append({"bufferView": len(accessors), "componentType": component, "count": count, "type": kind})
        binary += part + b"\0" * (-len(part) % 4)
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}],
        "nodes": [{"name": "root", "children": [1]}, {"name": "tip", "translation": [0, 1, 0]}, {"name": "body", "mesh": 0, "skin": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 6}]}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 3}],
        "animations": [{"samplers": [{"input": 4, "output": 5}], "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(binary)}],
    }
    return document, binary


def glb(document, binary, text=None):
    text = json.dumps(document, separators=(",", ":")).encode() if text is None else text
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    if binary:
        chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def write(name, content):
    with open(name, "wb") as file:
        file.write(content)


def edited(name, edit):
    """A file whose JSON `edit` has changed."""
    document, binary = base()
    edit(document)
    write(name, glb(document, binary))


def patched(name, accessor, offset, content):
    """A file whose binary holds other bytes at the place of an accessor."""
    document, binary = base()
    at = document["bufferViews"][accessor]["byteOffset"] + offset
    write(name, glb(document, binary[:at] + content + binary[at + len(content):]))


def set_to(*path_and_value):
    *path, last, value = path_and_value

    def edit(document):
        at = document
        for step in path:
            at = at[step]
        at[last] = value
    return edit


def zigzag(value, bits):
    return (value << 1 ^ value >> bits - 1) & (1 << bits) - 1


def variable_length(value):
    return bytes([value & 127 | 128]) + variable_length(value >> 7) if value > 127 else bytes([value])


def packed_attributes(data, stride):
    """Rows of `stride` bytes in meshopt's vertex format, each byte a difference to the row above, none left out."""
    rows = [data[at:at + stride] for at in range(0, len(data), stride)]
    assert len(rows) <= 16
    out = b"\xa0"
    for column in range(stride):
        values = [row[column] for row in rows]
        differences = [(a - b + 128) % 256 - 128 for a, b in zip(values, values[:1] + values)]
        out += b"\x03" + bytes(zigzag(d, 8) for d in differences).ljust(16, b"\0")
    return out + data[:stride].rjust(max(stride, 32), b"\0")


def packed_triangles(indices):
    """In meshopt's index format: each corner is a difference to the one before."""
    steps = b"".join(variable_length(zigzag(a - b, 32)) for a, b in zip(indices, [0] + indices))
    count = len(indices) // 3
    assert count == 1  # else codes stand before what belongs to them
    return b"\xe1" + b"\xff" + b"\xff" + steps + bytes(16)


def packed_sequence(numbers):
    """In meshopt's format for other indices."""
    return b"\xd1" + b"".join(variable_length(zigzag(a - b, 32) << 1) for a, b in zip(numbers, [0] + numbers)) + bytes(4)


def meshopt(edit=lambda document: None, triangles=packed_triangles([0, 1, 2])):
    """The character with every mode and every filter of EXT_meshopt_compression."""
    document, _ = base()
    document["meshes"][0]["primitives"].append(dict(document["meshes"][0]["primitives"][0], indices=7))
    document["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = 8
    document["accessors"] += [{"bufferView": 7, "componentType": 5125, "count": 3, "type": "SCALAR"},
                              {"bufferView": 8, "componentType": 5120, "count": 3, "type": "VEC3", "normalized": True}]
    document["accessors"][5].update(componentType=5122, normalized=True)
    attributes = [
        (packed_attributes(struct.pack("<9i", 0, 0, 0, 1, 0, 0, 0, 1, 0), 12), 3, 12, "EXPONENTIAL"),
        (packed_attributes(struct.pack("<12B", *[0, 1, 0, 0] * 3), 4), 3, 4, "NONE"),
        (packed_attributes(floats(*[0.5, 0.5, 0, 0] * 3), 16), 3, 16, "NONE"),
        (packed_attributes(floats(*[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] * 2), 64), 2, 64, "NONE"),
        (packed_attributes(floats(0, 1), 4), 2, 4, "NONE"),
        (packed_attributes(struct.pack("<8h", 0, 0, 0, 32767, 0, 0, 0, 32766), 8), 2, 8, "QUATERNION"),
        (triangles, 3, 2, "TRIANGLES"),
        (packed_sequence([0, 2, 1]), 3, 4, "INDICES"),
        (packed_attributes(struct.pack("<12b", *[0, 0, 127, 0] * 3), 4), 3, 4, "OCTAHEDRAL"),
    ]
    binary, document["bufferViews"] = b"", []
    for data, count, stride, mode in attributes:
        is_attribute = mode not in ("TRIANGLES", "INDICES")
        packed = {"buffer": 0, "byteOffset": len(binary), "byteLength": len(data), "byteStride": stride, "count": count,
                  "mode": "ATTRIBUTES" if is_attribute else mode, "filter": mode if is_attribute else "NONE"}
        document["bufferViews"].append({"buffer": 1, "byteLength": count * stride, "extensions": {"EXT_meshopt_compression": packed}})
        binary += data + b"\0" * (-len(data) % 4)
    document["bufferViews"][8]["byteStride"] = 4
    document["buffers"] = [{"byteLength": len(binary)},
                           {"byteLength": 1024, "extensions": {"EXT_meshopt_compression": {"fallback": True}}}]
    document["extensionsUsed"] = document["extensionsRequired"] = ["EXT_meshopt_compression"]
    edit(document)
    return glb(document, binary)


def packed_view(view, **members):
    return lambda document: document["bufferViews"][view]["extensions"]["EXT_meshopt_compression"].update(members)


document, binary = base()
whole = glb(document, binary)
nan = struct.pack("<f", float("nan"))

write("good-whole.glb", whole)
edited("good-names-alike.glb", lambda d: [node.update(name="Bone") for node in d["nodes"]])
edited("good-no-scene.glb", lambda d: (d.pop("scene"), d.pop("scenes")))
edited("good-no-inverse-binds.glb", lambda d: d["skins"][0].pop("inverseBindMatrices"))
write("good-trailing-bytes.glb", whole + b"trailing")

write("bad-empty.glb", b"")
write("bad-four-bytes.glb", whole[:4])
write("bad-truncated-json.glb", whole[:200])
write("bad-truncated-binary.glb", whole[:-20])
write("bad-length-huge.glb", whole[:8] + struct.pack("<I", 0xFFFFFFFF) + whole[12:])
write("bad-chunk-huge.glb", whole[:12] + struct.pack("<I", 0x7FFFFFFF) + whole[16:])
write("bad-json-nested.gltf", b"[" * 100000)
write("bad-json-nan.gltf", json.dumps(document).replace('"translation": [0, 1, 0]', '"translation": [NaN, 1, 0]').encode())
write("bad-name-not-utf8.glb", whole.replace(b"root", b"r\xfft\x80"))
edited("bad-accessor-past-end.glb", set_to("accessors", 0, "count", 1000000))
edited("bad-accessor-count-huge.glb", set_to("accessors", 0, "count", 4294967295))
edited("bad-accessor-count-negative.glb", set_to("accessors", 0, "count", -5))
edited("bad-accessor-bomb.glb", lambda d: d["accessors"][0].update(count=300000000) or d["accessors"][0].pop("bufferView"))
edited("bad-view-overflow.glb", lambda d: d["bufferViews"][0].update(byteOffset=4294967290, byteLength=100))
edited("bad-stride-overlaps.glb", set_to("bufferViews", 0, "byteStride", 4))
edited("bad-buffer-huge.glb", set_to("buffers", 0, "byteLength", 68719476736))
edited("bad-node-cycle.glb", set_to("nodes", 1, "children", [0]))
edited("bad-node-two-parents.glb", set_to("nodes", 2, "children", [1]))
edited("bad-node-child.glb", set_to("nodes", 0, "children", [99999]))
edited("bad-node-rotation-zero.glb", set_to("nodes", 0, "rotation", [0, 0, 0, 0]))
edited("bad-node-far-away.glb", set_to("nodes", 0, "translation", [1e300, 0, 0]))
edited("bad-skin-joint.glb", set_to("skins", 0, "joints", [0, 77]))
edited("bad-sampler.glb", set_to("animations", 0, "channels", 0, "sampler", 5))
edited("bad-interpolation.glb", set_to("animations", 0, "samplers", 0, "interpolation", "WOBBLE"))
edited("bad-cubic-values.glb", set_to("animations", 0, "samplers", 0, "interpolation", "CUBICSPLINE"))
edited("bad-extension.glb", set_to("extensionsRequired", ["EXT_nobody_knows"]))
edited("bad-version.glb", set_to("asset", "version", "1.0"))
patched("bad-position-nan.glb", 0, 0, nan)
patched("bad-weight-negative.glb", 2, 0, floats(-1))
patched("bad-joint-index.glb", 1, 1, b"\xfa")
patched("bad-inverse-bind-zero.glb", 3, 0, b"\0" * 64)
patched("bad-times-nan.glb", 4, 0, nan)
patched("bad-times-falling.glb", 4, 0, floats(2))
patched("bad-times-huge.glb", 4, 4, floats(1e9))
patched("bad-rotation-key-zero.glb", 5, 0, floats(0, 0, 0, 0))
patched("bad-index.glb", 6, 0, struct.pack("<H", 65000))
write("good-meshopt.glb", meshopt())
write("bad-meshopt-index.glb", meshopt(triangles=packed_triangles([0, 1, 65000])))
write("bad-meshopt-cut.glb", meshopt(packed_view(2, byteLength=40)))
write("bad-meshopt-bomb.glb", meshopt(packed_view(1, count=4294967295)))
write("bad-meshopt-filter.glb", meshopt(packed_view(3, filter="QUATERNION")))
write("bad-meshopt-in-itself.glb", meshopt(packed_view(0, buffer=1)))
for name, uri in {"dots": "../README.md", "escaped": "%2e%2e/README.md", "absolute": "/etc/passwd", "device": "/dev/zero",
                  "file": "file:///etc/passwd", "web": "http://127.0.0.1:1/x.bin", "missing": "missing.bin", "itself": "bad-uri-itself.gltf",
                  "data": "data:application/octet-stream;base64,@@@@"}.items():
    escaping = copy.deepcopy(document)
    escaping["buffers"][0].update(uri=uri, byteLength=65536)
    write("bad-uri-%s.gltf" % name, json.dumps(escaping).encode())

"""Plays models in Blender and records the transforms of all objects.
usage: blender -b --factory-startup --python play_blender.py -- JOBS.json
  recording.py describes JOBS.json and the recording. Positions are in Blender's world, rotated to +Y up. Works around the bugs of
  Debian 12's Blender 3.4."""
import builtins
import json
import os
import re
import sys

import bpy
import numpy as np

if not hasattr(np, "bool"):
    np.bool = bool  # numpy 1.24 dropped the name that Blender 3.4's glTF importer uses
plain_open = builtins.open
builtins.open = lambda file, mode="r", *more, **named: plain_open(file, mode.replace("U", ""), *more, **named)  # BVH: "rU"


def load(file, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = max(1, round(fps)), max(1, round(fps)) / fps
    suffix = os.path.splitext(file)[1].lower()
    if suffix in (".glb", ".gltf"):
        bpy.ops.import_scene.gltf(filepath=file)
    elif suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=file, anim_offset=0.0)
    elif suffix == ".bvh":
        bpy.ops.import_anim.bvh(filepath=file, frame_start=0, axis_forward="-Z", axis_up="Y")
    else:
        raise RuntimeError(f"no reader for {suffix} here")
    return suffix


def owners(scene):
    """What may hold actions: objects and their shape keys."""
    for thing in scene.objects:
        yield thing
        if thing.type == "MESH" and thing.data.shape_keys:
            yield thing.data.shape_keys


def clips_of(scene, suffix):
    """Name -> [(owner, action)]. The glTF importer makes a track of each clip; the FBX importer actions called
    "object|clip|layer", of which this is "clip|layer"."""
    clips = {}
    for owner in owners(scene):
        data = owner.animation_data
        for track in reversed(data.nla_tracks) if data else ():
            for strip in track.strips:
                clips.setdefault(track.name, []).append((owner, strip.action))
        if data and data.action and suffix == ".bvh":
            clips["Motion"] = [(owner, data.action)]
    if suffix == ".fbx":
        by_name = {owner.name: owner for owner in owners(scene)}
        for action in bpy.data.actions:
            whose = max((name for name in by_name if action.name.startswith(name + "|")), key=len, default=None)
            if whose is not None:
                clips.setdefault(action.name[len(whose) + 1:], []).append((by_name[whose], action))
    return clips


def show_clip(scene, clip):
    """Plays the clip alone; what it does not drive goes back to rest."""
    for owner in owners(scene):
        if owner.animation_data:
            owner.animation_data.action = None
            for track in owner.animation_data.nla_tracks:
                track.mute = True
    for thing in scene.objects:
        for bone in thing.pose.bones if thing.type == "ARMATURE" else ():
            bone.matrix_basis.identity()
    for owner, action in clip:
        (owner.animation_data or owner.animation_data_create()).action = action


def frames_a_second(scene, suffix):
    """Of what an importer made: those of glTF and FBX take the whole number of a rate such as 119.875 alone."""
    return scene.render.fps / (scene.render.fps_base if suffix == ".bvh" else 1)


def show_time(scene, seconds, first_frame, rate):
    frame = first_frame + seconds * rate
    whole = int(frame // 1)
    scene.frame_set(whole, subframe=min(frame - whole, 0.9999999))


def upright(matrix):
    """Position and rotation (xyzw) of a matrix of Blender's +Z-up world, in +Y-up axes."""
    p, q, _ = matrix.decompose()
    return [p.x, p.z, -p.y, q.x, q.z, -q.y, q.w]


def things(scene):
    """(name, parent's position in this list, is it a bone, object, bone name)"""
    listed, at = [], {}
    for thing in scene.objects:
        at[thing.name, None] = len(listed)
        listed.append([thing.name, (thing.parent.name, None) if thing.parent else None, False, thing, None])
        for bone in thing.data.bones if thing.type == "ARMATURE" else ():
            at[thing.name, bone.name] = len(listed)
            above = bone.parent.name if bone.parent else None
            listed.append([bone.name, (thing.name, above), True, thing, bone.name])
    for entry in listed:
        entry[1] = at.get(entry[1], -1)
    return listed


def vertices(meshes, graph):
    parts = []
    for thing in meshes:
        evaluated = thing.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        flat = np.empty(len(mesh.vertices) * 3, np.float32)
        mesh.vertices.foreach_get("co", flat)
        world = np.array(evaluated.matrix_world, np.float64)
        points = flat.reshape(-1, 3).astype(np.float64) @ world[:3, :3].T + world[:3, 3]
        parts.append(points)
        evaluated.to_mesh_clear()
    points = np.concatenate(parts) if parts else np.empty((0, 3))
    return np.column_stack([points[:, 0], points[:, 2], -points[:, 1]]).astype(np.float32)


def seconds_of(clip, fps):
    """The last key. (An action's own range is never shorter than a frame.)"""
    ends = [curve.keyframe_points[-1].co[0] for _, action in clip for curve in action.fcurves if curve.keyframe_points]
    return float(max(ends, default=0)) / fps


def has_picture(image):
    return bool(image.packed_file or image.has_data or image.size[0])


def lenses_of(listed):
    """Cameras and lights: the object that each is, and what a camera sees ([rad] of the height, [m] of half of it) or how a light
    shines."""
    kinds = {"SPOT": "spot", "SUN": "directional", "POINT": "point"}
    for index, (name, _, _, thing, bone) in enumerate(listed):
        if thing.type == "CAMERA":
            camera = thing.data
            sees = camera.angle_y
            if camera.type == "ORTHO":  # Blender tells the longer side
                sees = camera.ortho_scale / 2 * camera.sensor_height / max(camera.sensor_width, camera.sensor_height)
            yield {"type": "camera", "object": index, "name": name, "sees": sees}
        elif thing.type == "LIGHT":
            yield {"type": "light", "object": index, "name": name, "sees": kinds.get(thing.data.type, "")}


def describe(scene, listed, meshes, clips):
    fps = scene.render.fps / scene.render.fps_base
    materials = []
    for material in bpy.data.materials:
        if material.users and material.node_tree and material.name != "Dots Stroke":
            images = [n.image for n in material.node_tree.nodes if n.type == "TEX_IMAGE" and n.image]
            materials.append({"name": material.name, "textures": sorted(i.name for i in images if has_picture(i)),
                              "lost": sorted(i.name for i in images if not has_picture(i))})
    return {
        "reader": "Blender " + bpy.app.version_string,
        "objects": [{"name": e[0], "parent": e[1], "isBone": e[2], "node": None} for e in listed],
        "meshes": [{"name": m.name, "vertices": len(m.data.vertices),
                    "isSkinned": any(x.type == "ARMATURE" for x in m.modifiers),
                    "morphs": len(m.data.shape_keys.key_blocks) - 1 if m.data.shape_keys else 0,
                    "hasColours": len(m.data.vertex_colors) > 0} for m in meshes],
        "lenses": list(lenses_of(listed)),
        "materials": materials,
        "clips": [{"name": name, "isUnnamed": False, "seconds": seconds_of(parts, fps)} for name, parts in clips.items()],
        "fps": fps,
    }


def is_cut(name, whole):
    """True when `name` is what Blender keeps of it: names end at 63 bytes, the second of one name with a number."""
    name = re.sub(r"\.\d{3}$", "", name)
    return len(name) > 20 and whole.startswith(name)


def find_clip(clips, want, index, by_index):
    """[(owner, action)], of all layers; None when there is no such clip."""
    for fits in (lambda name: name == want, lambda name: name.startswith(want + "|"), lambda name: is_cut(name, want + "|")):
        parts = [part for name, clip in clips.items() if fits(name) for part in clip]
        if parts:
            return parts
    return list(clips.values())[index] if by_index and index < len(clips) else None


def record(job):
    suffix = load(job["file"], job["fps"])
    scene = bpy.context.scene
    for collection in bpy.data.collections:
        if collection.name.startswith("glTF_not_exported"):  # the importer's own shape for drawing bones
            for thing in list(collection.objects):
                bpy.data.objects.remove(thing)
    listed = things(scene)
    meshes = [o for o in scene.objects if o.type == "MESH"]
    clips = clips_of(scene, suffix)
    meta = describe(scene, listed, meshes, clips)
    first_frame = 1 if suffix == ".bvh" else 0  # that importer begins no earlier
    count = sum(len(m.data.vertices) for m in meshes)
    every = job.get("vertexEvery", 1)
    meta.update(vertexCount=count, vertexEvery=every, recorded=[])
    with open(job["out"] + ".bin", "wb") as out:
        for index, want in enumerate(job["clips"]):
            clip = [] if job.get("bind") else find_clip(clips, want["name"], index, job.get("byIndex"))
            if clip is None:
                meta["recorded"].append({"name": want["name"], "isMissing": True, "times": []})
                continue
            show_clip(scene, clip)
            rate = frames_a_second(scene, suffix)
            for k, seconds in enumerate(want["times"]):
                show_time(scene, seconds, first_frame, rate)
                graph = bpy.context.evaluated_depsgraph_get()
                poses = []
                for _, _, _, thing, bone in listed:
                    evaluated = thing.evaluated_get(graph)
                    matrix = evaluated.matrix_world
                    poses.append(upright(matrix @ evaluated.pose.bones[bone].matrix if bone else matrix))
                out.write(np.array(poses, np.float64).tobytes())
                if k % every == 0:
                    out.write(vertices(meshes, graph).tobytes())
            meta["recorded"].append({"name": want["name"], "times": want["times"], "seconds": seconds_of(clip, rate)})
    return meta


for job in json.load(open(sys.argv[sys.argv.index("--") + 1])):
    try:
        found = record(job)
    except Exception as error:  # whatever an importer throws: the report says so
        found = {"error": str(error).strip().split("\n")[-1][:300]}
    with open(job["out"] + ".json", "w") as report:
        json.dump(found, report)

#!/usr/bin/env node
// Plays models in three.js and records the transforms of all objects; the Khronos validator checks glTF, too.
// usage: node play_three.mjs JOBS.json
//   recording.py describes JOBS.json and the recording. Positions are in the file's unit and three.js's axes (+Y up).
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const validator = require('gltf-validator'); // before `document` exists: it would take node for a browser

// three.js expects a browser. Nobody looks at textures here, so any object that reports itself loaded will do.
globalThis.self ??= globalThis;
globalThis.window ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};
class Picture {
  constructor() { this.listeners = {}; this.width = 1; this.height = 1; this.style = {}; }
  addEventListener(type, f) { (this.listeners[type] ??= []).push(f); }
  removeEventListener(type, f) { this.listeners[type] = (this.listeners[type] ?? []).filter((g) => g !== f); }
  get src() { return this.source; }
  set src(source) { this.source = source; queueMicrotask(() => (this.listeners.load ?? []).slice().forEach((f) => f.call(this, {}))); }
}
globalThis.document ??= { createElementNS: () => new Picture(), createElement: () => new Picture() };
console.log = console.info = console.debug = console.warn = console.error = () => {};

const THREE = await import('three');

const loaders = {
  async gltf(file, bytes) {
    const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
    let data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    if (!bytes.subarray(0, 4).equals(Buffer.from('glTF'))) { // buffers beside as data URIs: node's fetch knows no files
      const json = JSON.parse(bytes.toString('utf8'));
      for (const buffer of json.buffers ?? [])
        if (buffer.uri && !buffer.uri.startsWith('data:'))
          buffer.uri = 'data:application/octet-stream;base64,' + fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(buffer.uri))).toString('base64');
      data = JSON.stringify(json);
    }
    const { dracoLoader } = await import('./draco.mjs');
    const loader = new GLTFLoader().setDRACOLoader(dracoLoader(THREE));
    const gltf = await new Promise((done, failed) => loader.parse(data, '', done, failed));
    const { associations, json } = gltf.parser;
    const nodeOf = (object) => associations.get(object)?.nodes;
    normaliseRotations(gltf.animations);
    gltf.animations.forEach((clip, index) => { clip.userData = { isUnnamed: json.animations[index]?.name === undefined }; });
    // A picture beside the file that is not there counts for none: the stand-in above loads whatever it is told to.
    const isLost = (texture) => {
      const uri = json.images?.[json.textures?.[associations.get(texture)?.textures]?.source]?.uri;
      return uri !== undefined && !uri.startsWith('data:') && !fs.existsSync(path.join(path.dirname(file), decodeURIComponent(uri)));
    };
    return { root: gltf.scene, clips: gltf.animations, isLost, nodeOf, nameOf: (object) => json.nodes?.[nodeOf(object)]?.name ?? '', json };
  },
  async fbx(file, bytes) {
    const { FBXLoader } = await import('three/examples/jsm/loaders/FBXLoader.js');
    const root = new FBXLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
    return { root, clips: root.animations };
  },
  async dae(file, bytes) {
    const { DOMParser } = await import('@xmldom/xmldom');
    globalThis.DOMParser ??= DOMParser;
    const { ColladaLoader } = await import('three/examples/jsm/loaders/ColladaLoader.js');
    const collada = new ColladaLoader().parse(bytes.toString('utf8'), '');
    return { root: collada.scene, clips: collada.scene.animations ?? collada.animations ?? [] };
  },
  async bvh(file, bytes) {
    const { BVHLoader } = await import('three/examples/jsm/loaders/BVHLoader.js');
    const { skeleton, clip } = new BVHLoader().parse(bytes.toString('utf8'));
    const root = new THREE.Group();
    root.add(skeleton.bones[0]);
    return { root, clips: [clip] };
  },
};
loaders.glb = loaders.vrm = loaders.vrma = loaders.gltf;

/// glTF wants unit quaternions; three.js takes others for a scale, and what is between them for none.
function normaliseRotations(clips) {
  for (const track of clips.flatMap((clip) => clip.tracks))
    if (track.ValueTypeName === 'quaternion')
      for (let i = 0; i + 3 < track.values.length; i += 4) {
        const length = Math.hypot(...track.values.subarray(i, i + 4)) || 1;
        for (let k = i; k < i + 4; k++) track.values[k] /= length;
      }
}

/// Codes and counts of the validator's errors, of the glTF files beside as well.
async function errorsOf(file, bytes) {
  const report = await validator.validateBytes(new Uint8Array(bytes), {
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)))),
  });
  const counts = {};
  for (const message of report.issues.messages) if (message.severity === 0) counts[message.code] = (counts[message.code] ?? 0) + 1;
  return counts;
}

/// Cameras and lights: the object that each is, and what a camera sees ([rad] of the height, [m] of half of it) or how a light shines.
function lensesOf(objects) {
  const kindOf = (light) => light.isSpotLight ? 'spot' : light.isDirectionalLight ? 'directional' : 'point';
  return objects.flatMap((object, index) => {
    const name = object.userData?.name || object.name;
    if (object.isCamera) return [{ type: 'camera', object: index, name, sees: object.isOrthographicCamera ? object.top : THREE.MathUtils.degToRad(object.fov) }];
    return object.isLight ? [{ type: 'light', object: index, name, sees: kindOf(object) }] : [];
  });
}

function describe(model) {
  const objects = [], meshes = [], bones = new Set(), materials = new Map();
  model.root.traverse((object) => {
    objects.push(object);
    if (object.isBone) bones.add(object);
    if (object.isSkinnedMesh) object.skeleton.bones.forEach((bone) => bones.add(bone));
    if (object.isMesh) meshes.push(object);
    for (const material of object.isMesh ? [object.material].flat() : [])
      if (material?.name) materials.set(material.name, Object.keys(material).filter((key) => material[key]?.isTexture && !model.isLost?.(material[key])).sort());
  });
  return {
    objects, meshes,
    meta: {
      reader: `three.js r${THREE.REVISION}`,
      objects: objects.map((object) => ({
        name: model.nameOf?.(object) || object.userData?.name || object.name, parent: objects.indexOf(object.parent),
        isBone: bones.has(object), node: model.nodeOf?.(object) ?? null,
      })),
      meshes: meshes.map((mesh) => ({
        name: mesh.name, vertices: mesh.geometry.attributes.position.count, isSkinned: !!mesh.isSkinnedMesh,
        morphs: mesh.geometry.morphAttributes.position?.length ?? 0, hasColours: !!mesh.geometry.attributes.color,
      })),
      lenses: lensesOf(objects),
      materials: [...materials].map(([name, textures]) => ({ name, textures })),
      clips: model.clips.map((clip) => ({
        name: clip.name, seconds: clip.duration,
      })),
      gltf: model.json && Object.fromEntries(['nodes', 'materials', 'textures', 'images', 'meshes', 'skins', 'cameras'].map((kind) => [kind, model.json[kind]?.length ?? 0])),
    },
  };
}

/// Positions of all vertices as they stand, file order.
function vertices(meshes, into) {
  const point = new THREE.Vector3();
  let at = 0;
  for (const mesh of meshes) {
    if (mesh.isSkinnedMesh) mesh.skeleton.update();
    for (let i = 0; i < mesh.geometry.attributes.position.count; i++, at += 3)
      mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld).toArray(into, at);
  }
}

async function record(job) {
  const suffix = path.extname(job.file).slice(1).toLowerCase(), bytes = fs.readFileSync(job.file);
  if (!loaders[suffix]) throw new Error(`three.js has no reader for .${suffix} here`);
  const model = await loaders[suffix](job.file, bytes);
  model.root.updateMatrixWorld(true);
  const { objects, meshes, meta } = describe(model);
  if (loaders[suffix] === loaders.gltf) meta.validator = await errorsOf(job.file, bytes);

  const vertexCount = meshes.reduce((sum, mesh) => sum + mesh.geometry.attributes.position.count, 0);
  const every = job.vertexEvery ?? 1;
  Object.assign(meta, { vertexCount, vertexEvery: every, recorded: [] });

  const out = fs.openSync(job.out + '.bin', 'w');
  const poses = new Float64Array(objects.length * 7), points = new Float32Array(vertexCount * 3);
  const p = new THREE.Vector3(), q = new THREE.Quaternion(), s = new THREE.Vector3();
  for (const [index, want] of job.clips.entries()) {
    const clip = job.bind ? null : model.clips.find((c) => c.name === want.name) ?? (model.clips[index]?.userData?.isUnnamed || job.byIndex ? model.clips[index] : undefined);
    if (clip === undefined) { meta.recorded.push({ name: want.name, isMissing: true, times: [] }); continue; }
    const mixer = new THREE.AnimationMixer(model.root), action = clip && mixer.clipAction(clip);
    action?.setLoop(THREE.LoopOnce).play();
    want.times.forEach((time, k) => {
      if (action) {
        action.reset();
        action.time = Math.min(Math.max(time, 0), clip.duration);
        mixer.update(0);
      }
      model.root.updateMatrixWorld(true);
      objects.forEach((object, o) => {
        object.matrixWorld.decompose(p, q, s);
        p.toArray(poses, 7 * o);
        q.toArray(poses, 7 * o + 3);
      });
      fs.writeSync(out, new Uint8Array(poses.buffer));
      if (k % every === 0) { vertices(meshes, points); fs.writeSync(out, new Uint8Array(points.buffer)); }
    });
    mixer.stopAllAction();
    meta.recorded.push({
      name: want.name, clipName: clip?.name, isUnnamed: !!clip?.userData?.isUnnamed, times: want.times, seconds: clip?.duration ?? 0,
      keys: clip ? [...new Set(clip.tracks.flatMap((track) => [...track.times]))].sort((a, b) => a - b) : [],
    });
  }
  fs.closeSync(out);
  return meta;
}

if (process.argv.length !== 3) { process.stderr.write('usage: node play_three.mjs JOBS.json\n'); process.exit(2); }
for (const job of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
  let meta;
  try { meta = await record(job); } catch (error) { meta = { error: String(error?.message ?? error).split('\n')[0] }; }
  fs.writeFileSync(job.out + '.json', JSON.stringify(meta));
}

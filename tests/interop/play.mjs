#!/usr/bin/env node
// Does a baked glTF play as its source does? three.js plays both; the Khronos validator reads both.
// usage: node play.mjs SOURCE BAKED [--fps N] [--tolerance 1e-5] [--name LABEL]
// Prints one line a clip (tab-separated: label, clip, frames, joint error, vertex error, verdict) and exits 0 when all
// agree, 1 otherwise. Errors are shares of the radius of what moves. A source without clips is compared as it stands.
//
// Nodes are matched by their index in the file, clips by name (by index where the source has no name), vertices by order.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const validator = require('gltf-validator');

// three.js wants a browser: images are never looked at here, so any object that reports itself loaded will do.
globalThis.self ??= globalThis;
globalThis.window ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};
class Image {
  constructor() { this.listeners = {}; this.width = 1; this.height = 1; this.style = {}; }
  addEventListener(type, f) { (this.listeners[type] ??= []).push(f); }
  removeEventListener(type, f) { this.listeners[type] = (this.listeners[type] ?? []).filter((g) => g !== f); }
  set src(_) { queueMicrotask(() => (this.listeners.load ?? []).slice().forEach((f) => f.call(this, {}))); }
}
globalThis.document ??= { createElementNS: () => new Image(), createElement: () => new Image() };
console.warn = console.info = console.debug = console.error = () => {};

const THREE = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

const options = { fps: 24, tolerance: 1e-5, name: '' }, files = [];
for (let args = process.argv.slice(2), i = 0; i < args.length; i++) {
  const key = args[i].replace(/^--/, '');
  if (key === args[i]) files.push(args[i]);
  else if (key in options) options[key] = typeof options[key] === 'number' ? Number(args[++i]) : args[++i];
  else { process.stderr.write(`unknown option ${args[i]}\n`); process.exit(2); }
}
if (files.length !== 2) { process.stderr.write('usage: play.mjs SOURCE BAKED [--fps N] [--tolerance T] [--name LABEL]\n'); process.exit(2); }

async function load(file) {
  const bytes = fs.readFileSync(file), folder = path.dirname(path.resolve(file));
  let data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  if (!bytes.subarray(0, 4).equals(Buffer.from('glTF'))) { // buffers beside as data URIs: node's fetch knows no files
    const json = JSON.parse(bytes.toString('utf8'));
    for (const buffer of json.buffers ?? [])
      if (buffer.uri && !buffer.uri.startsWith('data:'))
        buffer.uri = 'data:application/octet-stream;base64,' + fs.readFileSync(path.join(folder, decodeURIComponent(buffer.uri))).toString('base64');
    data = JSON.stringify(json);
  }
  const gltf = await new Promise((done, failed) => new GLTFLoader().parse(data, '', done, failed));
  const nodes = [], meshes = [];
  gltf.scene.traverse((object) => {
    const index = gltf.parser.associations.get(object)?.nodes;
    if (index !== undefined) nodes[index] ??= object;
    if (object.isMesh) meshes.push(object);
  });
  return { file, scene: gltf.scene, clips: gltf.animations, json: gltf.parser.json, nodes, meshes };
}

/// Codes and counts of the validator's errors.
async function errorsOf(file) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)))),
  });
  const counts = {};
  for (const message of report.issues.messages) if (message.severity === 0) counts[message.code] = (counts[message.code] ?? 0) + 1;
  return counts;
}

/// Returns what shows the model at a moment of the clip, and what puts it back as it was: a clip need not drive every
/// node, and must not find what the one before left there.
function player(model, clip) {
  if (!clip) return { show: () => model.scene.updateMatrixWorld(true), stop: () => {} };
  const mixer = new THREE.AnimationMixer(model.scene), action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  const show = (seconds) => {
    action.reset().play();
    mixer.setTime(0);
    action.reset();
    mixer.update(Math.min(seconds, clip.duration));
    model.scene.updateMatrixWorld(true);
  };
  return { show, stop: () => mixer.stopAllAction() };
}

/// glTF wants unit quaternions; three.js takes others for a scale, and what is between them for none.
function normaliseRotations(clips) {
  for (const track of clips.flatMap((clip) => clip.tracks))
    if (track.ValueTypeName === 'quaternion')
      for (let i = 0; i + 3 < track.values.length; i += 4) {
        const length = Math.hypot(...track.values.subarray(i, i + 4)) || 1;
        for (let k = i; k < i + 4; k++) track.values[k] /= length;
      }
}

const at = (object) => new THREE.Vector3().setFromMatrixPosition(object.matrixWorld);
function vertices(model) {
  const points = [], point = new THREE.Vector3();
  for (const mesh of model.meshes) {
    if (mesh.isSkinnedMesh) mesh.skeleton.update();
    const count = mesh.geometry.attributes.position.count, step = Math.max(1, Math.floor(count / 500));
    for (let i = 0; i < count; i += step) points.push(mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld).clone());
  }
  return points;
}

/// The largest joint and vertex distance over a clip, as shares of the radius.
function compare(source, baked, sourceClip, bakedClip) {
  const sourcePlayer = player(source, sourceClip), bakedPlayer = player(baked, bakedClip);
  const end = sourceClip?.duration ?? 0, times = [];
  for (let frame = 0; frame / options.fps < end; frame++) times.push(frame / options.fps);
  times.push(end);
  const indices = Object.keys(source.nodes).map(Number);
  const positions = [], points = [], errors = [], vertexErrors = [];
  times.forEach((time, k) => {
    sourcePlayer.show(time);
    const meant = indices.map((n) => at(source.nodes[n]));
    const withVertices = [0, 1, 2, 3, 4].some((i) => k === Math.round((i * (times.length - 1)) / 4));
    const meantVertices = withVertices ? vertices(source) : [];
    bakedPlayer.show(time);
    indices.forEach((n, i) => { positions.push(meant[i]); errors.push(baked.nodes[n] ? meant[i].distanceTo(at(baked.nodes[n])) : Infinity); });
    if (!withVertices) return;
    const found = vertices(baked);
    if (found.length !== meantVertices.length) vertexErrors.push(Infinity);
    meantVertices.forEach((v, i) => vertexErrors.push(v.distanceTo(found[i])));
    points.push(...meantVertices);
  });
  sourcePlayer.stop();
  bakedPlayer.stop();
  const most = (values) => values.reduce((a, b) => (b <= a ? a : b), 0); // not a number counts
  const radiusOf = (all) => {
    const centre = all.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(all.length || 1);
    return most(all.map((p) => p.distanceTo(centre)));
  };
  const spread = radiusOf(positions), radius = spread > 1e-9 ? spread : radiusOf(points) || 1; // joints may all be in one place
  return { frames: times.length, joints: most(errors) / radius, vertices: most(vertexErrors) / radius };
}

const [source, baked] = [await load(files[0]), await load(files[1])];
normaliseRotations(source.clips);
const label = options.name || path.basename(files[0]);
const problems = [];
if ((baked.json.nodes ?? []).length !== (source.json.nodes ?? []).length) problems.push('nodes added');
for (const kind of ['materials', 'textures', 'images', 'meshes', 'skins', 'cameras'])
  if ((baked.json[kind] ?? []).length !== (source.json[kind] ?? []).length) problems.push(`${kind} changed`);
const before = await errorsOf(files[0]);
for (const [code, count] of Object.entries(await errorsOf(files[1]))) if (count > (before[code] ?? 0)) problems.push(`validator: ${code}`);

let ok = true;
const clips = source.clips.length ? source.clips : [null];
clips.forEach((clip, index) => {
  const named = clip && source.json.animations[index].name !== undefined;
  const twin = clip ? (named ? baked.clips.find((c) => c.name === clip.name) : baked.clips[index]) : baked.clips[0];
  const found = [...problems];
  let result = { frames: 0, joints: Infinity, vertices: Infinity };
  if (clip && !twin) found.push('clip missing');
  else result = compare(source, baked, clip, twin);
  if (clip && twin && Math.abs(twin.duration - clip.duration) > 1e-6 * Math.max(1, clip.duration)) found.push(`lasts ${twin.duration} s, not ${clip.duration}`);
  if (!(result.joints <= options.tolerance)) found.push('joints differ');
  if (!(result.vertices <= 10 * options.tolerance)) found.push('vertices differ');
  if (found.length) ok = false;
  process.stdout.write([label, clip?.name ?? '(none)', result.frames, result.joints.toExponential(1), result.vertices.toExponential(1), found.length ? found.join(', ') : 'ok'].join('\t') + '\n');
});
process.exit(ok ? 0 : 1);

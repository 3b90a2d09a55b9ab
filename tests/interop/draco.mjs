// Decodes Draco for readers without a decoder: three.js's own needs a browser's workers, Debian's Blender has none. This one is
// Google's, compiled to WebAssembly (npm: draco3dgltf); Tendon links Debian's libdraco.
// usage: node draco.mjs IN.glb OUT.glb    writes a copy without KHR_draco_mesh_compression and with no other change
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { createDecoderModule } = createRequire(import.meta.url)('draco3dgltf');
const EXTENSION = 'KHR_draco_mesh_compression';

/// Array type -> the number's name in the decoder's enumeration.
const NUMBERS = new Map([[Int8Array, 'DT_INT8'], [Uint8Array, 'DT_UINT8'], [Int16Array, 'DT_INT16'], [Uint16Array, 'DT_UINT16'], [Uint32Array, 'DT_UINT32'], [Float32Array, 'DT_FLOAT32']]);
const BY_COMPONENT_TYPE = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };

/// A copy of `count` numbers that `fill` writes into the decoder's memory.
function copyOut(draco, Numbers, count, fill) {
  const bytes = count * Numbers.BYTES_PER_ELEMENT, address = draco._malloc(bytes);
  try {
    if (!fill(bytes, address)) throw new Error('Draco: an attribute cannot be read');
    return new Numbers(draco.HEAPU8.slice(address, address + bytes).buffer);
  } finally {
    draco._free(address);
  }
}

let pending;

/// A triangle mesh. `wanted`: any key -> {id: Draco's unique id, Numbers: an array type}.
async function decode(bytes, wanted) {
  const draco = await (pending ??= createDecoderModule({})), decoder = new draco.Decoder(), mesh = new draco.Mesh();
  try {
    const status = decoder.DecodeArrayToMesh(new Int8Array(bytes), bytes.byteLength, mesh);
    if (!status.ok()) throw new Error(`Draco: ${status.error_msg()}`);
    const attributes = {};
    for (const [key, { id, Numbers }] of Object.entries(wanted)) {
      const attribute = decoder.GetAttributeByUniqueId(mesh, id), components = attribute.ptr ? attribute.num_components() : 0;
      if (!components || !Numbers) throw new Error(`Draco: there is no ${key}`);
      attributes[key] = { components, numbers: copyOut(draco, Numbers, components * mesh.num_points(),
        (size, at) => decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco[NUMBERS.get(Numbers)], size, at)) };
    }
    const indices = copyOut(draco, Uint32Array, 3 * mesh.num_faces(), (size, at) => decoder.GetTrianglesUInt32Array(mesh, size, at));
    return { vertices: mesh.num_points(), indices, attributes };
  } finally {
    draco.destroy(mesh);
    draco.destroy(decoder);
  }
}

/// What three.js' GLTFLoader asks of a DRACOLoader. `ids`: three.js' attribute name -> unique id; `types`: -> array type's name.
export function dracoLoader({ BufferGeometry, BufferAttribute }) {
  return {
    preload() {},
    async decodeDracoFile(buffer, done, ids, types, colorSpace, failed) {
      try {
        const wanted = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, { id, Numbers: globalThis[types[name]] }]));
        const { indices, attributes } = await decode(buffer, wanted), geometry = new BufferGeometry();
        geometry.setIndex(new BufferAttribute(indices, 1));
        for (const [name, { components, numbers }] of Object.entries(attributes)) geometry.setAttribute(name, new BufferAttribute(numbers, components));
        done(geometry);
      } catch (error) {
        failed(error);
      }
    },
  };
}

/// Bytes of a .glb without compressed meshes: accessors that had no bytes get views at the end of the binary chunk.
async function unpacked(glb) {
  const jsonLength = glb.readUInt32LE(12), json = JSON.parse(glb.toString('utf8', 20, 20 + jsonLength));
  const parts = [glb.subarray(28 + jsonLength, 28 + jsonLength + glb.readUInt32LE(20 + jsonLength))];
  let end = parts[0].length;
  const fill = (index, numbers, componentType, count) => {
    const bytes = Buffer.from(numbers.buffer), padding = (4 - (end % 4)) % 4;
    parts.push(Buffer.alloc(padding), bytes);
    json.bufferViews.push({ buffer: 0, byteOffset: end + padding, byteLength: bytes.length });
    end += padding + bytes.length;
    Object.assign(json.accessors[index], { bufferView: json.bufferViews.length - 1, byteOffset: 0, componentType, count });
  };
  for (const primitive of json.meshes.flatMap((mesh) => mesh.primitives)) {
    const draco = primitive.extensions?.[EXTENSION];
    if (!draco) continue;
    const { byteOffset = 0, byteLength } = json.bufferViews[draco.bufferView];
    const wanted = Object.fromEntries(Object.entries(draco.attributes).map(([name, id]) =>
      [name, { id, Numbers: BY_COMPONENT_TYPE[json.accessors[primitive.attributes[name]].componentType] }]));
    const { vertices, indices, attributes } = await decode(Uint8Array.from(parts[0].subarray(byteOffset, byteOffset + byteLength)).buffer, wanted);
    for (const [name, { numbers }] of Object.entries(attributes))
      fill(primitive.attributes[name], numbers, json.accessors[primitive.attributes[name]].componentType, vertices);
    fill(primitive.indices, indices, 5125, indices.length);
    delete primitive.extensions[EXTENSION];
  }
  for (const list of ['extensionsUsed', 'extensionsRequired']) json[list] = json[list]?.filter((name) => name !== EXTENSION);
  parts.push(Buffer.alloc((4 - (end % 4)) % 4));
  const bin = Buffer.concat(parts), text = Buffer.from(JSON.stringify({ ...json, buffers: [{ byteLength: bin.length }] }));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const header = Buffer.alloc(20), binHeader = Buffer.alloc(8);
  [0x46546c67, 2, 28 + padded.length + bin.length, padded.length, 0x4e4f534a].forEach((number, i) => header.writeUInt32LE(number, 4 * i));
  [bin.length, 0x004e4942].forEach((number, i) => binHeader.writeUInt32LE(number, 4 * i));
  return Buffer.concat([header, padded, binHeader, bin]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.length !== 4) { process.stderr.write('usage: node draco.mjs IN.glb OUT.glb\n'); process.exit(2); }
  fs.writeFileSync(process.argv[3], await unpacked(fs.readFileSync(process.argv[2])));
}

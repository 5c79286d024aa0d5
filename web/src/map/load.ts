/** web/src/map/load.ts: files as worlds for the map: those of the library and of others by the library, .obj and .glb by three.js's loaders. */
import { BufferAttribute, Matrix4, Mesh, type BufferGeometry, type Object3D } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import type { Volnav, VoxelMap, World } from "volnav";
import type { OpenedFile } from "../app/view.js";
import type { Up } from "../stage/stage.js";
import { ofSpace, ofWorld, type MapWorld } from "./world.js";

export const mapFiles = ["vnav", "vnrec", "scene", "3dmap", "bt", "obj", "glb"] as const;

/** Voxels along the longest edge of a mesh, and of its agent's diameter. */
const VOXELS = 96;

/** Throws with a reason that can be read. */
export async function loadMap(volnav: Volnav, file: OpenedFile): Promise<MapWorld> {
  const { name, bytes } = file;
  switch (file.type) {
    case "vnav":
      return ofSpace(name, volnav.open(bytes));
    case "vnrec":
      return fromRecord(volnav, name, bytes);
    case "scene":
      return fromScene(volnav, name, bytes);
    case "3dmap":
      return fromVoxels(volnav, name, volnav.read3dmap(bytes), "y");
    case "bt":
      return fromVoxels(volnav, name, volnav.readOctomap(bytes), "z");
    case "obj":
      return fromMesh(volnav, name, new OBJLoader().parse(new TextDecoder().decode(bytes)));
    case "glb":
      return fromMesh(volnav, name, await parseGlb(bytes));
    default:
      throw new Error(`${name}: no map`);
  }
}

/** A recorded query: its space and its ends. */
function fromRecord(volnav: Volnav, name: string, bytes: Uint8Array): MapWorld {
  const record = volnav.openRecord(bytes);
  const { same, text } = record.replay();
  const was = record.path.status === "path" ? `a path of ${record.path.length.toFixed(1)} m` : record.path.status;
  return { ...ofSpace(name, record), start: record.start, goal: record.goal, about: `Recorded with ${record.algo}: ${was}. ${same ? "The same today." : text}` };
}

function fromScene(volnav: Volnav, name: string, bytes: Uint8Array): MapWorld {
  const { world, resolution, bounds, routes } = volnav.readScene(bytes);
  const size = resolution ?? 0.5;
  const ends = bounds ? { low: bounds[0], high: bounds[1] } : {};
  const made = ofWorld(volnav, name, world, { resolution: size, radius: size, ...ends });
  const route = routes[0];
  return route ? { ...made, start: route.from, goal: route.to } : made;
}

/** The bounds are those of the world: bounds of a bake count from its origin, which a map may have anywhere. */
function fromVoxels(volnav: Volnav, name: string, map: VoxelMap, up: Up): MapWorld {
  return ofWorld(volnav, name, map.world, { resolution: map.resolution, radius: 0, up });
}

async function parseGlb(bytes: Uint8Array): Promise<Object3D> {
  const copy = bytes.slice().buffer;
  const gltf = await new GLTFLoader().parseAsync(copy, "");
  return gltf.scene;
}

/** All triangles of an object, as one mesh of a world. */
function fromMesh(volnav: Volnav, name: string, object: Object3D): MapWorld {
  object.updateMatrixWorld(true);
  const world = volnav.createWorld();
  let longest = 0;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  object.traverse((part) => {
    if (part instanceof Mesh) addMesh(world, part.geometry as BufferGeometry, part.matrixWorld, low, high);
  });
  for (let k = 0; k < 3; ++k) longest = Math.max(longest, high[k]! - low[k]!);
  if (!(longest > 0)) throw new Error(`${name} has no triangles`);
  const resolution = longest / VOXELS;
  return ofWorld(volnav, name, world, { resolution, radius: resolution });
}

function addMesh(world: World, geometry: BufferGeometry, matrix: Matrix4, low: number[], high: number[]): void {
  const position = (geometry.getAttribute("position") as BufferAttribute).clone().applyMatrix4(matrix);
  const vertices = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; ++i) vertices.set([position.getX(i), position.getY(i), position.getZ(i)], 3 * i);
  for (let i = 0; i < vertices.length; ++i) {
    low[i % 3] = Math.min(low[i % 3]!, vertices[i]!);
    high[i % 3] = Math.max(high[i % 3]!, vertices[i]!);
  }
  const index = geometry.getIndex();
  const indices = index ? Uint32Array.from(index.array) : Uint32Array.from({ length: position.count }, (_, i) => i);
  if (indices.length >= 3) world.addMesh(vertices, indices);
}

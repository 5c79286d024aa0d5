/** bindings/js/src/maps.ts: worlds from maps, scenes and the theses. */
import { VolnavError, type Vector, type Wasm } from "./wasm.js";
import { World } from "./world.js";

export interface VoxelMap {
  world: World;
  /** voxels */
  dims: Vector;
  /** edge of a voxel, metres */
  resolution: number;
  low: Vector;
  high: Vector;
  /** voxels, as far as the file says */
  occupied: number;
  unknown: number;
}

export interface SceneRoute {
  name: string;
  from: Vector;
  to: Vector;
}

export interface SceneFile {
  world: World;
  /** null: the file has none */
  resolution: number | null;
  bounds: [Vector, Vector] | null;
  routes: SceneRoute[];
}

export interface WorldScene {
  name: string;
  source: string;
  description: string;
  resolution: number;
  bounds: [Vector, Vector];
}

function vector(o: Float64Array, at: number): Vector {
  return [o[at]!, o[at + 1]!, o[at + 2]!];
}

function added(low: Vector, dims: Vector, size: number): Vector {
  return [low[0] + size * dims[0], low[1] + size * dims[1], low[2] + size * dims[2]];
}

/** @internal */
export function read3dmap(wasm: Wasm, file: Uint8Array): VoxelMap {
  wasm.with([file], (data) => wasm.check("js_3dmap_read", [data!, file.length]));
  const o = wasm.out(5).slice();
  const dims = vector(o, 1);
  return { world: new World(wasm, o[0]!), dims, resolution: 1, low: [0, 0, 0], high: dims, occupied: o[4]!, unknown: 0 };
}

/** @internal */
export function readOctomap(wasm: Wasm, file: Uint8Array, unknown: boolean): VoxelMap {
  wasm.with([file], (data) => wasm.check("js_octomap_read", [data!, file.length, Number(unknown)]));
  const o = wasm.out(11).slice();
  const [dims, low] = [vector(o, 1), vector(o, 5)];
  return {
    world: new World(wasm, o[0]!),
    dims,
    resolution: o[4]!,
    low,
    high: added(low, dims, o[4]!),
    occupied: o[8]!,
    unknown: o[10]!,
  };
}

const ROUTE = 80;
const NAME = 32;

function route(bytes: Uint8Array): SceneRoute {
  const name = bytes.subarray(0, NAME);
  const ends = new Float64Array(bytes.slice(NAME, ROUTE).buffer);
  return {
    name: new TextDecoder().decode(name.subarray(0, name.indexOf(0))),
    from: vector(ends, 0),
    to: vector(ends, 3),
  };
}

/** @internal */
export function readScene(wasm: Wasm, file: Uint8Array): SceneFile {
  wasm.with([file], (data) => wasm.check("js_scene_read", [data!, file.length]));
  const o = wasm.out(13).slice();
  const routes = wasm.take(o[11]!, o[12]!);
  return {
    world: new World(wasm, o[0]!),
    resolution: o[1] !== 0 ? o[2]! : null,
    bounds: o[3] !== 0 ? [vector(o, 4), vector(o, 7)] : null,
    routes: Array.from({ length: routes.length / ROUTE }, (_, i) => route(routes.subarray(ROUTE * i, ROUTE * (i + 1)))),
  };
}

/** @internal */
export function listWorldScenes(wasm: Wasm): WorldScene[] {
  return Array.from({ length: wasm.call("js_world_scene_count") }, (_, index) => {
    wasm.call("js_world_scene_get", index);
    const o = wasm.out(10).slice();
    return {
      name: wasm.text(o[0]!),
      source: wasm.text(o[1]!),
      description: wasm.text(o[2]!),
      resolution: o[3]!,
      bounds: [vector(o, 4), vector(o, 7)],
    };
  });
}

/** @internal */
export function buildScene(wasm: Wasm, name: string, seed: number | bigint): World {
  const names = listWorldScenes(wasm).map((scene) => scene.name);
  const index = names.indexOf(name);
  if (index < 0) throw new VolnavError("not-found", -1, `there is no scene ${name}; there are ${names.join(", ")}`);
  const bits = BigInt.asUintN(64, BigInt(seed));
  wasm.check("js_world_scene_build", [index, Number(bits >> 32n), Number(bits & 0xffffffffn)]);
  return new World(wasm, wasm.out(1)[0]!);
}

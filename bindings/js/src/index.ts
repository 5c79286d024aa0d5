/**
 * volnav: navigation for everything that flies, swims or floats.
 *
 *     const volnav = await load(await readFile("volnav.wasm"));
 *     const world = volnav.createWorld();
 *     world.addBox([0, 0, 0], [1, 10, 10]);
 *     const space = volnav.bake(world, { resolution: 0.25, radii: [0.4] });
 *     const path = space.createQuery().find([-3, 5, 5], [4, 5, 5]);
 *
 * Positions are metres, as [x, y, z]. Points of a path come as views into the library's memory: they are valid until
 * the next call of the library; `slice()` keeps them.
 */
import { unpackSections } from "./files.js";
import { Handle } from "./handle.js";
import { Run, type RunOptions } from "./run.js";
import { STATUS_OK, Wasm } from "./wasm.js";

export { Run, type RunEnd, type RunOptions, type RunResult } from "./run.js";
export { VolnavError } from "./wasm.js";

export type Vector = readonly [number, number, number];

export interface Transform {
  position: Vector;
  /** x, y, z, w */
  rotation?: readonly [number, number, number, number];
}

/** An obstacle of a world. */
export interface ObstacleId {
  readonly index: number;
  readonly generation: number;
}

export interface BakeOptions {
  /** edge of a voxel, metres */
  resolution: number;
  /** of the agents, one layer for each; none: [0] */
  radii?: readonly number[];
  /** none: those of the world */
  bounds?: readonly [Vector, Vector];
  /** metres around the bounds of the world */
  margin?: number;
}

export interface SpaceInfo {
  dims: Vector;
  resolution: number;
  radius: number;
  low: Vector;
  blockedVoxels: number;
  freeVoxels: number;
  cells: number;
  links: number;
  components: number;
}

export const algos = ["cells", "astar", "dijkstra", "greedy"] as const;
export const qualities = ["standard", "fast", "best"] as const;

export interface FindOptions {
  algo?: (typeof algos)[number];
  quality?: (typeof qualities)[number];
  /** ends that are not free move to a free point within so many metres */
  snap?: number;
  /** of the agent; none: that of the only layer */
  radius?: number;
  /** a path to the nearest point that can be reached, if the goal cannot */
  partial?: boolean;
  /** the path is checked by code that shares nothing with the search */
  check?: boolean;
}

export interface Path {
  /** "path", "no-path", "start-blocked" ... */
  status: string;
  /** x, y, z of each point, one after another: a view */
  points: Float64Array;
  length: number;
  cost: number;
  expanded: number;
  turns: number;
  /** the cost is at most this times the least on the grid; 0: no guarantee */
  bound: number;
  checked: boolean;
  /** the nearest free point, if an end is blocked */
  nearest: Vector | null;
}

export interface Hit {
  fraction: number;
  position: Vector;
  contact: Vector;
  normal: Vector;
}

const SHAPE_BOX = 1;
const SHAPE_SPHERE = 3;
const SHAPE_CAPSULE = 7;
const NO_ROTATION = [0, 0, 0, 1] as const;

/** Statuses that are no answer of a search: unsupported, out of memory, bad argument, bad def, bad order. */
const FAULTS = new Set([9, 10, 12, 13, 14]);

function vector(from: ArrayLike<number>, at: number): Vector {
  return [from[at]!, from[at + 1]!, from[at + 2]!];
}

/** Obstacles. */
export class World extends Handle {
  /** @internal */
  constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_world_destroy");
  }

  addBox(low: Vector, high: Vector, transform?: Transform): ObstacleId {
    return this.add(SHAPE_BOX, [...low, ...high], transform);
  }

  addSphere(centre: Vector, radius: number, transform?: Transform): ObstacleId {
    return this.add(SHAPE_SPHERE, [...centre, radius], transform);
  }

  addCapsule(a: Vector, b: Vector, radius: number, transform?: Transform): ObstacleId {
    return this.add(SHAPE_CAPSULE, [...a, ...b, radius], transform);
  }

  /** Triangles: x, y, z of each vertex, and three indices a triangle. `solid`: their inside is blocked too. */
  addMesh(vertices: Float32Array, indices: Uint32Array, solid = false): ObstacleId {
    this.wasm.with([vertices, indices], (v, i) =>
      this.wasm.check("js_world_add_mesh", [this.at, v!, vertices.length / 3, i!, indices.length / 3, Number(solid)]),
    );
    return this.lastId();
  }

  remove(id: ObstacleId): void {
    this.wasm.check("js_world_remove", [this.at, id.index, id.generation]);
  }

  private add(kind: number, numbers: number[], transform?: Transform): ObstacleId {
    const moving = transform
      ? new Float32Array([...transform.position, ...(transform.rotation ?? NO_ROTATION)])
      : null;
    this.wasm.with([new Float32Array(numbers), moving], (n, t) =>
      this.wasm.check("js_world_add", [this.at, kind, n!, t!]),
    );
    return this.lastId();
  }

  private lastId(): ObstacleId {
    const [index, generation] = this.wasm.out(2);
    return { index: index!, generation: generation! };
  }
}

/** Free space for agents of one or more sizes. Does not change. */
export class Space extends Handle {
  /** @internal */
  constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_layers_destroy");
  }

  get layerCount(): number {
    return this.wasm.call("js_layers_count", this.at);
  }

  info(layer = 0): SpaceInfo {
    this.wasm.call("js_space_info", this.layer(layer));
    const o = this.wasm.out(13);
    return {
      dims: vector(o, 0),
      resolution: o[3]!,
      radius: o[4]!,
      low: vector(o, 5),
      blockedVoxels: o[8]!,
      freeVoxels: o[9]!,
      cells: o[10]!,
      links: o[11]!,
      components: o[12]!,
    };
  }

  /** Of all that a layer holds: the same for the same world on every machine. */
  hash(layer = 0): bigint {
    this.wasm.call("js_space_hash", this.layer(layer));
    const [high, low] = this.wasm.out(2);
    return (BigInt(high!) << 32n) | BigInt(low!);
  }

  isFree(position: Vector, layer = 0): boolean {
    return this.wasm.call("js_space_free", this.layer(layer), ...position) !== 0;
  }

  isVisible(from: Vector, to: Vector, layer = 0): boolean {
    return this.wasm.call("js_space_visible", this.layer(layer), ...from, ...to) !== 0;
  }

  /** Null if nothing is hit. */
  raycast(from: Vector, to: Vector, layer = 0): Hit | null {
    if (this.wasm.call("js_space_raycast", this.layer(layer), ...from, ...to) === 0) return null;
    const o = this.wasm.out(10);
    return { fraction: o[0]!, position: vector(o, 1), contact: vector(o, 4), normal: vector(o, 7) };
  }

  /** The nearest free position within `most` metres. */
  nearest(position: Vector, most = Infinity, layer = 0): { position: Vector; distance: number } {
    this.wasm.check("js_space_nearest", [this.layer(layer), ...position, most]);
    const o = this.wasm.out(4);
    return { position: vector(o, 0), distance: o[3]! };
  }

  /** A random free position, and the seed for the next one. */
  random(seed: bigint, layer = 0): { position: Vector; next: bigint } {
    const high = Number(BigInt.asUintN(32, seed >> 32n));
    this.wasm.check("js_space_random", [this.layer(layer), high, Number(BigInt.asUintN(32, seed))]);
    const o = this.wasm.out(5);
    return { position: vector(o, 0), next: (BigInt(o[3]!) << 32n) | BigInt(o[4]!) };
  }

  /** Rows of blocked voxels, or cells, as boxes for drawing: low and high of each, in voxels. A copy. */
  boxes(what: "blocked" | "cells", layer = 0): Float32Array {
    this.wasm.call("js_space_boxes", this.layer(layer), what === "blocked" ? 0 : 1);
    const [at, count] = this.wasm.out(2);
    const copy = this.wasm.floats(at!, 6 * count!).slice();
    if (at !== 0) this.wasm.free(at!);
    return copy;
  }

  createQuery(): Query {
    this.wasm.check("js_query_create", [this.at]);
    return new Query(this, this.wasm.out(1)[0]!);
  }

  /** The bytes of a .vnav. */
  save(): Uint8Array {
    this.wasm.check("js_layers_write", [this.at]);
    const [at, size] = this.wasm.out(2);
    const copy = this.wasm.bytes(at!, size!).slice();
    this.wasm.free(at!);
    return copy;
  }

  private layer(index: number): number {
    if (!(index >= 0 && index < this.layerCount)) throw new RangeError(`there is no layer ${index}`);
    return this.wasm.call("js_layers_space", this.at, index);
  }
}

/** Searches in a space, one at a time. Keeps the space alive. */
export class Query extends Handle {
  /** @internal */
  constructor(
    readonly space: Space,
    at: number,
  ) {
    super(space.wasm, at, "js_query_destroy");
  }

  /** That there is no path is an answer, see `status`; a request that makes no sense throws. */
  find(start: Vector, goal: Vector, options: FindOptions = {}): Path {
    void this.space.at; // throws if the space was disposed
    const numbers = new Float64Array([
      algos.indexOf(options.algo ?? "cells"),
      qualities.indexOf(options.quality ?? "standard"),
      0,
      options.snap ?? 0,
      options.radius ?? -1,
      Number(options.partial ?? false),
      Number(options.check ?? false),
    ]);
    const status = this.wasm.with([new Float64Array([...start, ...goal]), numbers], (e, o) =>
      this.wasm.call("js_query_find", this.at, e!, o!),
    );
    if (FAULTS.has(status)) throw this.wasm.error(status);

    const o = this.wasm.out(15).slice();
    return {
      status: status === STATUS_OK ? "path" : this.wasm.word(status),
      points: this.wasm.doubles(o[0]!, 3 * o[1]!),
      length: o[2]!,
      cost: o[3]!,
      expanded: o[4]!,
      turns: o[5]!,
      bound: o[6]!,
      checked: o[7] !== 0,
      nearest: o[8] !== 0 ? vector(o, 9) : null,
    };
  }
}

/** The library, in a memory of its own. */
export class Volnav {
  /** @internal */
  constructor(private readonly wasm: Wasm) {}

  /** 10203 is 1.2.3 */
  get version(): number {
    return this.wasm.call("js_version");
  }

  /** bytes of memory that the library holds */
  get memory(): number {
    return this.wasm.size;
  }

  createWorld(origin: Vector = [0, 0, 0]): World {
    const at = this.wasm.call("js_world_create", ...origin);
    if (at === 0) throw new TypeError("the origin of a world must be finite");
    return new World(this.wasm, at);
  }

  bake(world: World, options: BakeOptions): Space {
    const radii = new Float32Array(options.radii ?? [0]);
    const bounds = options.bounds ? new Float32Array(options.bounds.flat()) : null;
    this.wasm.with([radii, bounds], (r, b) =>
      this.wasm.check("js_layers_bake", [world.at, options.resolution, r!, radii.length, b!, options.margin ?? 0]),
    );
    return new Space(this.wasm, this.wasm.out(1)[0]!);
  }

  /** A .vnav, or the layers of a .vnrec. */
  open(file: Uint8Array): Space {
    const sections = unpackSections(file);
    const where = sections.map((one) => {
      const at = this.wasm.alloc(one.data.length);
      this.wasm.bytes(at, one.data.length).set(one.data);
      return [one.offset, at, one.data.length] as const;
    });
    try {
      this.wasm.with([file, new Uint32Array(where.flat())], (data, table) =>
        this.wasm.check("js_layers_read", [data!, file.length, table!, where.length]),
      );
    } finally {
      for (const [, at] of where) this.wasm.free(at);
    }
    return new Space(this.wasm, this.wasm.out(1)[0]!);
  }

  /** A simulated run in one of the scenes of `volnav sim`. */
  createRun(options: RunOptions): Run {
    return Run.create(this.wasm, options);
  }
}

/** Compiles the library: the bytes of volnav.wasm, or a module that is compiled already. */
export async function load(source: BufferSource | WebAssembly.Module): Promise<Volnav> {
  return new Volnav(await Wasm.open(source));
}

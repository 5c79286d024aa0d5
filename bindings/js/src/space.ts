/** bindings/js/src/space.ts: free space, and path queries in it. */
import { Handle } from "./handle.js";
import { refinements, Search, type SearchKind } from "./search.js";
import { STATUS_OK, VolnavError, type Vector, type Wasm } from "./wasm.js";
import type { World } from "./world.js";

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
  refine?: (typeof refinements)[number];
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

/** Statuses that are no answer of a search: unsupported, out of memory, bad argument, bad def, bad order. */
/** @internal */
export const FAULTS = new Set([9, 10, 12, 13, 14]);

/** @internal */
export function vector(from: ArrayLike<number>, at: number): Vector {
  return [from[at]!, from[at + 1]!, from[at + 2]!];
}

/** Layers of free space, one for each size of agents: what can be asked of them. */
export abstract class Layers extends Handle {
  abstract get layerCount(): number;

  /** @internal */
  protected abstract layerAt(index: number): number;

  /** @internal The space of a layer. */
  layer(index: number): number {
    if (!(index >= 0 && index < this.layerCount)) throw new RangeError(`there is no layer ${index}`);
    return this.layerAt(index);
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
    this.wasm.check("js_space_boxes", [this.layer(layer), what === "blocked" ? 0 : 1]);
    const [at, size] = this.wasm.out(2);
    return new Float32Array(this.wasm.take(at!, size!).buffer);
  }
}

/** Free space for agents of one or more sizes. Does not change. */
export class Space extends Layers {
  /** @internal */
  constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_layers_destroy");
  }

  get layerCount(): number {
    return this.wasm.call("js_layers_count", this.at);
  }

  createQuery(): Query {
    this.wasm.check("js_query_create", [this.at]);
    return new Query(this, this.wasm.out(1)[0]!);
  }

  /** The bytes of a .vnav. */
  save(): Uint8Array {
    this.wasm.check("js_layers_write", [this.at]);
    const [at, size] = this.wasm.out(2);
    return this.wasm.take(at!, size!);
  }

  /** Another way to search it: trees, graphs, planners; for comparison, and to see what a search does. */
  createSearch(kind: SearchKind, options: { layer?: number; world?: World } = {}): Search {
    return Search.create(this, kind, options.layer ?? 0, options.world ?? null);
  }

  /** @internal */
  protected override layerAt(index: number): number {
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

  /** Boxes in which every metre costs `factor` metres: they hold for all later searches. */
  setZones(zones: readonly ZoneBox[]): void {
    const numbers = zones.map((zone) =>
      zone.centre
        ? [1, zone.factor, ...zone.centre, 0, 0, 0, zone.radius ?? 0, 0]
        : [0, zone.factor, ...(zone.low ?? [0, 0, 0]), ...(zone.high ?? [0, 0, 0]), 0, 0],
    );
    this.wasm.with([new Float64Array(numbers.flat())], (n) =>
      this.wasm.check("js_query_set_zones", [this.at, n!, zones.length]),
    );
  }

  /** That there is no path is an answer, see `status`; a request that makes no sense throws. */
  find(start: Vector, goal: Vector, options: FindOptions = {}): Path {
    void this.space.at; // throws if the space was disposed
    const status = this.wasm.with([new Float64Array([...start, ...goal]), findNumbers(options)], (e, o) =>
      this.wasm.call("js_query_find", this.at, e!, o!),
    );
    if (FAULTS.has(status)) throw this.wasm.error(status);
    return takePath(this.wasm, status, this.wasm.out(15).slice());
  }

  /** The last search as a .vnrec: a bug report in one file. */
  save(): Uint8Array {
    void this.space.at;
    this.wasm.check("js_query_save", [this.at]);
    const [at, size] = this.wasm.out(2);
    return this.wasm.take(at!, size!);
  }

  /** What the last search expanded: low and high corner of each box, metres; 1 for those of the corridor. Copies. */
  corridor(): { boxes: Float32Array; inCorridor: Uint8Array } {
    void this.space.at;
    this.wasm.check("js_query_corridor", [this.at]);
    const o = this.wasm.out(4).slice();
    const boxes = new Float32Array(this.wasm.take(o[0]!, o[1]!).buffer);
    return { boxes, inCorridor: this.wasm.take(o[2]!, o[3]!) };
  }

  /** The last path of the first layer, rounded for an agent with limits. */
  curve(limits: CurveLimits = {}): Curve {
    void this.space.at;
    const { kind = "turn", maxSpeed = 5, maxAcceleration = 5, maxTurnRate = 0 } = limits;
    const numbers = new Float64Array([curveKinds.indexOf(kind), maxSpeed, maxAcceleration, maxTurnRate]);
    this.wasm.with([numbers], (n) => this.wasm.check("js_query_curve", [this.at, n!]));
    const [at, size, length] = this.wasm.out(3).slice();
    return { points: new Float64Array(this.wasm.take(at!, size!).buffer), length: length! };
  }

  /** The same path as found, by the funnel, pulled taut, and with all refinement; and rounded, if that is possible.
   * Copies; empty without a path. */
  stages(start: Vector, goal: Vector, options: FindOptions & { limits?: CurveLimits } = {}): PathStages {
    const stage = (refine: FindOptions["refine"]) => this.find(start, goal, { ...options, refine }).points.slice();
    const [raw, funnel, taut, smooth] = [stage("none"), stage("funnel"), stage("taut"), stage("default")];
    let curve = new Float64Array(0);
    try {
      if (smooth.length > 0) curve = this.curve(options.limits ?? {}).points;
    } catch (e) {
      if (!(e instanceof VolnavError)) throw e;
    }
    return { raw, funnel, taut, smooth, curve };
  }
}

export interface ZoneBox {
  factor: number;
  /** a box */
  low?: Vector;
  high?: Vector;
  /** or a sphere */
  centre?: Vector;
  radius?: number;
}

const curveKinds = ["chaikin", "spline", "turn"] as const;

export interface CurveLimits {
  kind?: (typeof curveKinds)[number];
  /** metres a second */
  maxSpeed?: number;
  maxAcceleration?: number;
  /** radians a second; 0: no limit */
  maxTurnRate?: number;
}

export interface Curve {
  points: Float64Array<ArrayBuffer>;
  length: number;
}

export interface PathStages {
  raw: Float64Array;
  funnel: Float64Array;
  taut: Float64Array;
  smooth: Float64Array;
  curve: Float64Array;
}

/** @internal As glue_request takes them. */
export function findNumbers(options: FindOptions): Float64Array {
  return new Float64Array([
    algos.indexOf(options.algo ?? "cells"),
    qualities.indexOf(options.quality ?? "standard"),
    refinements.indexOf(options.refine ?? "default"),
    options.snap ?? 0,
    options.radius ?? -1,
    Number(options.partial ?? false),
    Number(options.check ?? false),
  ]);
}

/** @internal As glue_put_path leaves it. */
export function takePath(wasm: Wasm, status: number, o: Float64Array): Path {
  return {
    status: status === STATUS_OK ? "path" : wasm.word(status),
    points: wasm.doubles(o[0]!, 3 * o[1]!),
    length: o[2]!,
    cost: o[3]!,
    expanded: o[4]!,
    turns: o[5]!,
    bound: o[6]!,
    checked: o[7] !== 0,
    nearest: o[8] !== 0 ? vector(o, 9) : null,
  };
}

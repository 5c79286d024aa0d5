/** bindings/js/src/run.ts: simulated runs. */
import { takeGeometry, takeZones, type Geometry, type Zone } from "./draw.js";
import { Handle } from "./handle.js";
import { STATUS_OK, STATUS_RUNNING, type Vector, type Wasm } from "./wasm.js";

/** A scene that runs can fly in. Of each list the first is default; an empty list has no choice. */
export interface SceneInfo {
  name: string;
  /** what it reproduces */
  source: string;
  description: string;
  algos: string[];
  spaces: string[];
  variants: string[];
  agents: number;
  /** seconds */
  step: number;
  /** simulated seconds */
  limit: number;
}

export interface RunOptions {
  /** such as "asteroids" */
  scene: string;
  variant?: string | null;
  algo?: string | null;
  space?: string | null;
  seed?: number | bigint;
  /** 0 to 6, or "thesis" for the rules of the thesis that the scene is from; none: 6 */
  autopilot?: number | "thesis";
  /** group 3: repairs at each node, not only when a node holds an obstacle */
  eachMove?: boolean;
  /** how many fly; none: as the scene has it, like the following ones */
  agents?: number;
  /** what moves, in the unit of the scene */
  obstacles?: number;
  /** factor on the speed of what moves */
  speed?: number;
  /** metres */
  radar?: number;
  /** seconds, 0.001 to 1 */
  step?: number;
  /** simulated seconds after which it ends */
  limit?: number;
  /** seconds from one plan to the next */
  replan?: number;
  /** seconds until an agent learns what happened */
  latency?: number;
  /** the first collision ends the run */
  endAtCollision?: boolean;
  /** keeps what save() writes */
  record?: boolean;
}

const ends = ["going", "arrived", "collided", "timeout", "enclosed", "lost"] as const;
export type RunEnd = (typeof ends)[number];

export interface RunResult {
  end: RunEnd;
  agents: number;
  arrived: number;
  collisions: number;
  wallHits: number;
  agentHits: number;
  /** least distance from what moves, metres; below 0: they overlap */
  clearance: number;
  seconds: number;
  length: number;
  fuel: number;
  /** paths asked for */
  calls: number;
  expanded: number;
  nominal: number;
  /** of all positions: the same on every machine */
  hash: bigint;
  caught: number;
  goals: number;
  wallClearance: number;
  agentClearance: number;
  steps: number;
  stopped: number;
  unverified: number;
  dynamicNodes: number;
  /** why it is lost, else "ok" */
  reason: string;
}

/** Three numbers for each agent where it is a place or a velocity. */
export interface RunAgents {
  count: number;
  positions: Float64Array;
  velocities: Float64Array;
  goals: Float64Array;
  radii: Float64Array;
  /** 1: it is there */
  arrived: Float64Array;
  colors: Uint32Array;
}

export interface RunThings {
  count: number;
  /** 0: a box, 1: a sphere */
  kinds: Uint32Array;
  centres: Float64Array;
  /** whole edges, or diameters */
  sizes: Float64Array;
  velocities: Float64Array;
  /** x, y, z, w */
  rotations: Float64Array;
  /** the same for as long as it is there */
  ids: Float64Array;
  colors: Uint32Array;
}

/** What a run looks like now. The arrays are views into the library's memory, until its next call. */
export interface RunView {
  seconds: number;
  low: Vector;
  high: Vector;
  agents: RunAgents;
  /** what moves: those near agents, if the scene has no end */
  things: RunThings;
  /** where the first agent means to fly; may be empty */
  path: Float64Array;
  /** where autopilots 2 to 5 look for obstacles: centres of cubes, on the path; empty for the others */
  lookup: Float64Array;
  /** of such a cube, metres */
  lookupEdge: number;
}

/** Milliseconds that steps took, by the clock of the page: navigation, physics and judge together. */
export interface StepTimes {
  last: number;
  worst: number;
  total: number;
  steps: number;
}

function names(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

/** @internal */
export function listScenes(wasm: Wasm): SceneInfo[] {
  return Array.from({ length: wasm.call("js_scene_count") }, (_, index) => {
    wasm.call("js_scene_get", index);
    const o = wasm.out(9).slice();
    const [name, source, description, algos, spaces, variants] = Array.from(o.subarray(0, 6), (at) => wasm.text(at));
    return {
      name: name!,
      source: source!,
      description: description!,
      algos: names(algos!),
      spaces: names(spaces!),
      variants: names(variants!),
      agents: o[6]!,
      step: o[7]!,
      limit: o[8]!,
    };
  });
}

function numbersOf(options: RunOptions): Float64Array {
  const seed = BigInt.asUintN(64, BigInt(options.seed ?? 1));
  const autopilot = options.autopilot ?? 6;
  return new Float64Array([
    Number(seed >> 32n),
    Number(seed & 0xffffffffn),
    autopilot === "thesis" ? -1 : autopilot,
    Number(options.eachMove ?? false),
    options.agents ?? 0,
    options.obstacles ?? -1,
    options.speed ?? 1,
    options.radar ?? 0,
    options.step ?? 0,
    options.limit ?? 0,
    options.replan ?? 0,
    options.latency ?? 0,
    Number(options.endAtCollision ?? false),
    Number(options.record ?? false),
  ]);
}

/** @internal As put_result leaves it. */
export function takeResult(wasm: Wasm): RunResult {
  const o = wasm.out(24).slice();
  return {
    end: ends[o[0]!]!,
    agents: o[1]!,
    arrived: o[2]!,
    collisions: o[3]!,
    wallHits: o[4]!,
    agentHits: o[5]!,
    clearance: o[6]!,
    seconds: o[7]!,
    length: o[8]!,
    fuel: o[9]!,
    calls: o[10]!,
    expanded: o[11]!,
    nominal: o[12]!,
    hash: (BigInt(o[13]!) << 32n) | BigInt(o[14]!),
    caught: o[15]!,
    goals: o[16]!,
    wallClearance: o[17]!,
    agentClearance: o[18]!,
    steps: o[19]!,
    stopped: o[20]!,
    unverified: o[21]!,
    dynamicNodes: o[22]!,
    reason: wasm.word(o[23]!),
  };
}

export class Run extends Handle {
  readonly times: StepTimes = { last: 0, worst: 0, total: 0, steps: 0 };

  /** @internal */
  constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_run_destroy");
  }

  /** @internal */
  static create(wasm: Wasm, options: RunOptions): Run {
    const { scene, variant = null, algo = null, space = null } = options;
    wasm.with([scene, variant, algo, space, numbersOf(options)], (s, v, a, g, n) =>
      wasm.check("js_run_create", [s!, v!, a!, g!, n!]),
    );
    return new Run(wasm, wasm.out(1)[0]!);
  }

  /** One step of the clock; false when the run has ended. */
  step(): boolean {
    const before = performance.now();
    const status = this.wasm.check("js_run_step", [this.at], [STATUS_OK, STATUS_RUNNING]);
    const last = performance.now() - before;
    this.times.last = last;
    this.times.worst = Math.max(this.times.worst, last);
    this.times.total += last;
    ++this.times.steps;
    return status === STATUS_RUNNING;
  }

  result(): RunResult {
    this.wasm.call("js_run_result", this.at);
    return takeResult(this.wasm);
  }

  view(): RunView {
    this.wasm.check("js_run_view", [this.at]);
    const o = this.wasm.out(16).slice();
    const [n, m] = [o[7]!, o[8]!];
    const numbers = this.wasm.doubles(o[11]!, 11 * n + 14 * m);
    const words = this.wasm.words(o[12]!, n + 2 * m);
    const things = numbers.subarray(11 * n);
    return {
      seconds: o[0]!,
      low: [o[1]!, o[2]!, o[3]!],
      high: [o[4]!, o[5]!, o[6]!],
      agents: {
        count: n,
        positions: numbers.subarray(0, 3 * n),
        velocities: numbers.subarray(3 * n, 6 * n),
        goals: numbers.subarray(6 * n, 9 * n),
        radii: numbers.subarray(9 * n, 10 * n),
        arrived: numbers.subarray(10 * n, 11 * n),
        colors: words.subarray(0, n),
      },
      things: {
        count: m,
        centres: things.subarray(0, 3 * m),
        sizes: things.subarray(3 * m, 6 * m),
        velocities: things.subarray(6 * m, 9 * m),
        rotations: things.subarray(9 * m, 13 * m),
        ids: things.subarray(13 * m, 14 * m),
        colors: words.subarray(n, n + m),
        kinds: words.subarray(n + m, n + 2 * m),
      },
      path: this.wasm.doubles(o[9]!, 3 * o[10]!),
      lookup: this.wasm.doubles(o[13]!, 3 * o[14]!),
      lookupEdge: o[15]!,
    };
  }

  /** What stands and is not among the things of the view: a copy. It does not change in a run: once is enough. */
  obstacles(): Geometry {
    this.wasm.check("js_world_geometry", [this.wasm.call("js_run_world", this.at)]);
    return takeGeometry(this.wasm);
  }

  /** Where it costs more or less to fly. */
  zones(): Zone[] {
    this.wasm.check("js_run_zones", [this.at]);
    return takeZones(this.wasm);
  }

  /** What was recorded so far, as a .vnrec; for runs with `record`. */
  save(): Uint8Array {
    this.wasm.check("js_run_save", [this.at]);
    const [at, size] = this.wasm.out(2);
    return this.wasm.take(at!, size!);
  }
}

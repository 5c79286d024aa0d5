/** bindings/js/src/nav.ts: a world that changes, spaces that follow it, requests, watches, planners. */
import { Crowd, type CrowdOptions } from "./crowd.js";
import { takeGeometry, type Geometry } from "./draw.js";
import { takeOrder, type Order } from "./order.js";
import { FAULTS, findNumbers, Layers, takePath, type FindOptions, type Path } from "./space.js";
import { Handle } from "./handle.js";
import { STATUS_OK, STATUS_RUNNING, type Vector, type Wasm } from "./wasm.js";
import { addShape, shapes, type BakeOptions, type ObstacleId, type Transform, type World } from "./world.js";

export interface NavOptions extends BakeOptions {
  /** results as soon as they are ready; none: a fixed number of ticks after their work began, the same everywhere */
  realtime?: boolean;
  /** ticks from the beginning of an update or request to its result; none: 2 */
  latency?: number;
  /** when an update begins; none: always */
  policy?: "always" | "every-n" | "last-moment";
  /** ticks, for "every-n" */
  interval?: number;
  maxRequests?: number;
  maxPoints?: number;
  maxWatches?: number;
  /** versions whose changes are kept, for planners; none: 64 if there are graphs */
  history?: number;
  /** graphs for planners */
  graphs?: readonly NavGraph[];
  /** each radius gets a second layer, in which obstacles with the flag 1 are open: what crowds evade by its motion */
  movers?: boolean;
}

const navGraphs = ["grid6", "grid26", "cells-portal", "cells-centre"] as const;
export type NavGraph = (typeof navGraphs)[number];
const policies = ["always", "every-n", "last-moment"] as const;

export interface NavResult extends Path {
  id: number;
  /** of the world in which it was found */
  version: number;
  beginTick: number;
  endTick: number;
}

const eventKinds = ["", "version", "blocked", "costs-changed", "free"] as const;

export interface NavEvent {
  kind: "version" | "blocked" | "costs-changed" | "free";
  version: number;
  watch: number;
  segment: number;
  /** blocked: metres along the path from the agent */
  distance: number;
  position: Vector;
  costChange: number;
}

const statNames = [
  "tick",
  "version",
  "versions",
  "waiting",
  "running",
  "finished",
  "pendingChanges",
  "updates",
  "versionLag",
] as const;
export type NavStats = Record<(typeof statNames)[number], number>;

const parts = { obstacles: 1, pending: 2, cells: 4, watches: 8 } as const;

function optionNumbers(options: NavOptions): Float64Array {
  const graphs = (options.graphs ?? []).reduce((bits, name) => bits | (1 << navGraphs.indexOf(name)), 0);
  return new Float64Array([
    Number(options.realtime ?? false),
    options.latency ?? -1,
    policies.indexOf(options.policy ?? "always"),
    options.interval ?? -1,
    options.maxRequests ?? -1,
    options.maxPoints ?? -1,
    options.maxWatches ?? -1,
    options.history ?? (graphs !== 0 ? 64 : -1),
    graphs,
  ]);
}

/** Every frame: move obstacles and submit requests, tick, take results and events. */
export class Nav extends Layers {
  private constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_nav_destroy");
  }

  /** @internal */
  static create(wasm: Wasm, world: World, options: NavOptions): Nav {
    const radii = new Float32Array(options.radii ?? [0]);
    const bounds = options.bounds ? new Float32Array(options.bounds.flat()) : null;
    wasm.with([radii, bounds, optionNumbers(options)], (r, b, o) =>
      wasm.check("js_nav_create", [
        world.at,
        options.resolution,
        r!,
        radii.length,
        b!,
        options.margin ?? 0,
        Number(options.movers ?? false),
        o!,
      ]),
    );
    const at = wasm.out(1)[0]!;
    world.handOver();
    return new Nav(wasm, at);
  }

  get layerCount(): number {
    return this.wasm.call("js_nav_layers", this.at);
  }

  /** Boxes without a transform stand; `flags`: 1 is for what moves and crowds evade. */
  addBox(low: Vector, high: Vector, transform?: Transform, flags = 0): ObstacleId {
    return this.add(shapes.box, [...low, ...high], transform, flags);
  }

  addSphere(centre: Vector, radius: number, transform?: Transform, flags = 0): ObstacleId {
    return this.add(shapes.sphere, [...centre, radius], transform, flags);
  }

  addCapsule(a: Vector, b: Vector, radius: number, transform?: Transform, flags = 0): ObstacleId {
    return this.add(shapes.capsule, [...a, ...b, radius], transform, flags);
  }

  /** `velocity` is for crowds, metres a second. */
  move(id: ObstacleId, transform: Transform, velocity?: Vector): void {
    const to = new Float32Array([...transform.position, ...(transform.rotation ?? [0, 0, 0, 1])]);
    this.wasm.with([to, velocity ? new Float32Array(velocity) : null], (t, v) =>
      this.wasm.check("js_nav_move", [this.at, id.index, id.generation, t!, v!]),
    );
  }

  remove(id: ObstacleId): void {
    this.wasm.check("js_nav_remove", [this.at, id.index, id.generation]);
  }

  /** A box in which every metre costs `factor` metres. */
  addZoneBox(low: Vector, high: Vector, factor: number): ObstacleId {
    return this.addZone(shapes.box, [...low, ...high], factor);
  }

  addZoneSphere(centre: Vector, radius: number, factor: number): ObstacleId {
    return this.addZone(shapes.sphere, [...centre, radius], factor);
  }

  removeZone(id: ObstacleId): void {
    this.wasm.check("js_nav_remove_zone", [this.at, id.index, id.generation]);
  }

  /** Collects finished work, and does what is due. */
  tick(): void {
    this.wasm.check("js_nav_tick", [this.at]);
  }

  /** Asks for a path over cells; its result comes some ticks later. Returns its id. */
  submit(start: Vector, goal: Vector, options: FindOptions = {}): number {
    this.wasm.with([new Float64Array([...start, ...goal]), findNumbers(options)], (e, o) =>
      this.wasm.check("js_nav_submit", [this.at, e!, o!]),
    );
    return this.wasm.out(1)[0]!;
  }

  /** Those that have come since the last call. Copies. */
  results(): NavResult[] {
    const all: NavResult[] = [];
    while (this.wasm.call("js_nav_next_result", this.at) !== 0) {
      const o = this.wasm.out(21).slice();
      const path = takePath(this.wasm, o[20]!, o);
      all.push({
        ...path,
        points: path.points.slice(),
        id: o[16]!,
        version: o[17]!,
        beginTick: o[18]!,
        endTick: o[19]!,
      });
    }
    return all;
  }

  /** At once, in the newest version, without zones. */
  find(start: Vector, goal: Vector, options: FindOptions = {}): Path {
    const status = this.wasm.with([new Float64Array([...start, ...goal]), findNumbers(options)], (e, o) =>
      this.wasm.call("js_nav_find", this.at, e!, o!),
    );
    if (FAULTS.has(status)) throw this.wasm.error(status);
    return takePath(this.wasm, status, this.wasm.out(15).slice());
  }

  /** Watches a path of the first layer: events tell when it is blocked within so many metres (0: anywhere ahead). */
  watch(points: Float64Array, horizon = 0): number {
    const copy = points.slice(); // it may be a view, and making room for an argument detaches views
    this.wasm.with([copy], (p) => this.wasm.check("js_nav_watch", [this.at, p!, copy.length / 3, horizon]));
    return this.wasm.out(1)[0]!;
  }

  /** The agent is so many metres along the path. */
  watchAt(watch: number, metres: number): void {
    this.wasm.check("js_nav_watch_at", [this.at, watch, metres]);
  }

  unwatch(watch: number): void {
    this.wasm.check("js_nav_unwatch", [this.at, watch]);
  }

  events(): NavEvent[] {
    const all: NavEvent[] = [];
    for (let kind = 0; (kind = this.wasm.call("js_nav_next_event", this.at)) !== 0; ) {
      const o = this.wasm.out(8);
      all.push({
        kind: eventKinds[kind] as NavEvent["kind"],
        version: o[0]!,
        watch: o[1]!,
        segment: o[2]!,
        distance: o[3]!,
        position: [o[4]!, o[5]!, o[6]!],
        costChange: o[7]!,
      });
    }
    return all;
  }

  stats(): NavStats {
    this.wasm.call("js_nav_stats", this.at);
    const o = this.wasm.out(statNames.length);
    return Object.fromEntries(statNames.map((name, i) => [name, o[i]!])) as NavStats;
  }

  /** Parts of it for drawing; a copy. */
  geometry(...what: (keyof typeof parts)[]): Geometry {
    const bits = what.reduce((sum, name) => sum | parts[name], 0);
    this.wasm.check("js_nav_geometry", [this.at, bits]);
    return takeGeometry(this.wasm);
  }

  obstacles(): Geometry {
    return this.geometry("obstacles");
  }

  /** A planner of the D* family, which repairs what it knows. The nav needs its graph, see NavOptions. */
  createPlanner(options: PlannerOptions): Planner {
    return Planner.create(this, options);
  }

  createCrowd(options: CrowdOptions = {}): Crowd {
    return Crowd.create(this, options);
  }

  /** @internal */
  protected override layerAt(index: number): number {
    return this.wasm.call("js_nav_space", this.at, index);
  }

  private add(kind: number, numbers: number[], transform: Transform | undefined, flags: number): ObstacleId {
    return addShape(this.wasm, "js_nav_add", this.at, kind, numbers, transform, [flags]);
  }

  private addZone(kind: number, numbers: number[], factor: number): ObstacleId {
    this.wasm.with([new Float32Array(numbers)], (n) =>
      this.wasm.check("js_nav_add_zone", [this.at, kind, n!, factor]),
    );
    const [index, generation] = this.wasm.out(2);
    return { index: index!, generation: generation! };
  }
}

export interface PlannerOptions {
  /** such as "dstar-lite", "lpa-star", "ad-star", "mtdstar" */
  algo: string;
  /** none: "grid26" */
  graph?: NavGraph;
  /** on the heuristic */
  weight?: number;
  /** plans say what was expanded, in order */
  order?: boolean;
}

export interface Plan {
  /** "path", "running" with a budget, or the reason why there is none */
  status: string;
  /** a view, until the next call of the library */
  points: Float64Array;
  cost: number;
  bound: number;
  /** by this plan alone: since the last begin, move or advance */
  expanded: number;
  sightChecks: number;
  /** searches from scratch, the first one included */
  restarts: number;
  /** of the world that it is about */
  version: number;
  microseconds: number;
  /** of what was expanded since the last plan; null without `order` */
  order: Order | null;
}

/** Begin once; then each frame move or advance, and plan. Keeps the nav alive. */
export class Planner extends Handle {
  private constructor(
    readonly nav: Nav,
    private readonly watched: boolean,
    at: number,
  ) {
    super(nav.wasm, at, "js_plan_destroy");
  }

  /** @internal */
  static create(nav: Nav, options: PlannerOptions): Planner {
    const kind = navGraphs.indexOf(options.graph ?? "grid26");
    nav.wasm.with([options.algo], (a) =>
      nav.wasm.check("js_plan_create", [nav.at, a!, kind, options.weight ?? 1, Number(options.order ?? false)]),
    );
    return new Planner(nav, options.order ?? false, nav.wasm.out(1)[0]!);
  }

  begin(start: Vector, goal: Vector): void {
    this.ends(start, goal, 0);
  }

  /** What it cannot repair it begins anew by itself. */
  move(start: Vector, goal: Vector): void {
    this.ends(start, goal, 1);
  }

  /** To the newest version of the nav. */
  advance(): void {
    this.wasm.check("js_plan_advance", [this.at]);
  }

  /** Works for up to `budget` expansions; none: to the end. */
  plan(budget = 0): Plan {
    const before = performance.now();
    const status = this.wasm.call("js_plan_step", this.at, budget);
    const microseconds = 1000 * (performance.now() - before);
    if (FAULTS.has(status)) throw this.wasm.error(status);
    const o = this.wasm.out(22).slice();
    const order = this.watched ? takeOrder(this.wasm, o, 12) : null;
    return {
      status: status === STATUS_OK ? "path" : status === STATUS_RUNNING ? "running" : this.wasm.word(status),
      points: this.wasm.doubles(o[0]!, 3 * o[1]!),
      cost: o[2]!,
      bound: o[3]!,
      expanded: o[4]!,
      sightChecks: o[5]!,
      restarts: o[6]!,
      version: o[7]!,
      microseconds,
      order,
    };
  }

  private ends(start: Vector, goal: Vector, what: number): void {
    this.wasm.with([new Float64Array([...start, ...goal])], (e) =>
      this.wasm.check("js_plan_ends", [this.at, e!, what]),
    );
  }
}

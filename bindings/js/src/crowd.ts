/** bindings/js/src/crowd.ts: many agents that go where they are sent, without touching. */
import { Handle } from "./handle.js";
import type { Nav } from "./nav.js";
import type { Vector } from "./wasm.js";

export interface CrowdOptions {
  /** none: 256 */
  maxAgents?: number;
  /** obstacles with one of these flags are evaded by their motion; none: 1 of a nav with movers, else 0 */
  moverFlags?: number;
  /** seconds for which an agent may be held up before it looks for another way */
  patience?: number;
  /** update() ticks the nav; none: true */
  ticks?: boolean;
}

export interface AgentOptions {
  radius?: number;
  /** metres a second */
  maxSpeed?: number;
  maxAcceleration?: number;
  /** radians a second; 0: no limit */
  maxTurnRate?: number;
  maxClimb?: number;
  priority?: number;
  /** metres from its target at which it has arrived */
  arrival?: number;
}

export interface AgentId {
  readonly index: number;
  readonly generation: number;
}

export const agentStates = ["idle", "planning", "moving", "waiting", "stuck", "arrived", "no-path"] as const;

/** Views into the library's memory, until its next call. */
export interface CrowdView {
  count: number;
  positions: Float64Array;
  velocities: Float64Array;
  targets: Float64Array;
  /** x, y, z, w: the z axis along the velocity */
  orientations: Float64Array;
  /** metres along the path; negative: no path */
  distances: Float64Array;
  /** of agentStates */
  states: Uint32Array;
  indices: Uint32Array;
  generations: Uint32Array;
}

export interface CrowdStats {
  agents: number;
  inState: Record<(typeof agentStates)[number], number>;
  asked: number;
  answered: number;
  shared: number;
  fields: number;
  repaired: number;
  replanned: number;
}

export class Crowd extends Handle {
  private constructor(
    readonly nav: Nav,
    at: number,
  ) {
    super(nav.wasm, at, "js_crowd_destroy");
  }

  /** @internal */
  static create(nav: Nav, options: CrowdOptions): Crowd {
    const { maxAgents = 256, moverFlags = 0, patience = 2, ticks = true } = options;
    nav.wasm.check("js_crowd_create", [nav.at, maxAgents, moverFlags, patience, Number(ticks)]);
    return new Crowd(nav, nav.wasm.out(1)[0]!);
  }

  add(position: Vector, options: AgentOptions = {}): AgentId {
    const numbers = new Float64Array([
      ...position,
      options.radius ?? -1,
      options.maxSpeed ?? -1,
      options.maxAcceleration ?? -1,
      options.maxTurnRate ?? -1,
      options.maxClimb ?? -1,
      options.priority ?? -1,
      options.arrival ?? -1,
    ]);
    this.wasm.with([numbers], (n) => this.wasm.check("js_crowd_add", [this.at, n!]));
    const [index, generation] = this.wasm.out(2);
    return { index: index!, generation: generation! };
  }

  remove(id: AgentId): void {
    this.wasm.check("js_crowd_remove", [this.at, id.index, id.generation]);
  }

  /** If the target is blocked: to the nearest free point within `snap` metres. */
  goTo(id: AgentId, position: Vector, snap = 0): void {
    this.wasm.check("js_crowd_go", [this.at, id.index, id.generation, ...position, snap]);
  }

  /** To within so many metres of another agent, wherever it goes. */
  follow(id: AgentId, leader: AgentId, distance: number): void {
    this.wasm.check("js_crowd_follow", [
      this.at,
      id.index,
      id.generation,
      leader.index,
      leader.generation,
      distance,
    ]);
  }

  stop(id: AgentId): void {
    this.wasm.check("js_crowd_stop", [this.at, id.index, id.generation]);
  }

  /** Puts an agent elsewhere. */
  place(id: AgentId, position: Vector, velocity: Vector = [0, 0, 0]): void {
    this.wasm.with([new Float64Array(position), new Float64Array(velocity)], (p, v) =>
      this.wasm.check("js_crowd_place", [this.at, id.index, id.generation, p!, v!]),
    );
  }

  /** Moves all agents by so many seconds, 0.25 at most. */
  update(seconds: number): void {
    this.wasm.check("js_crowd_update", [this.at, seconds]);
  }

  view(): CrowdView {
    this.wasm.check("js_crowd_view", [this.at]);
    const [count, at, words] = this.wasm.out(3).slice();
    const n = count!;
    const numbers = this.wasm.doubles(at!, 14 * n);
    const all = this.wasm.words(words!, 3 * n);
    return {
      count: n,
      positions: numbers.subarray(0, 3 * n),
      velocities: numbers.subarray(3 * n, 6 * n),
      targets: numbers.subarray(6 * n, 9 * n),
      orientations: numbers.subarray(9 * n, 13 * n),
      distances: numbers.subarray(13 * n),
      indices: all.subarray(0, n),
      generations: all.subarray(n, 2 * n),
      states: all.subarray(2 * n),
    };
  }

  /** Its way ahead, a copy. */
  path(id: AgentId): Float64Array {
    this.wasm.check("js_crowd_path", [this.at, id.index, id.generation]);
    const [at, count] = this.wasm.out(2).slice();
    return this.wasm.doubles(at!, 3 * count!).slice();
  }

  stats(): CrowdStats {
    this.wasm.call("js_crowd_stats", this.at);
    const o = this.wasm.out(14).slice();
    return {
      agents: o[0]!,
      inState: Object.fromEntries(agentStates.map((name, i) => [name, o[1 + i]!])) as CrowdStats["inState"],
      asked: o[8]!,
      answered: o[9]!,
      shared: o[10]!,
      fields: o[11]!,
      repaired: o[12]!,
      replanned: o[13]!,
    };
  }
}

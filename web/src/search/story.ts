/**
 * web/src/search/story.ts: an agent on its way, obstacles that drop into its path, and a planner that repairs it, frame by frame;
 * beside it the same planner that begins anew in each frame.
 */
import type { Nav, Order, Planner, Vector, Volnav } from "volnav";
import type { Place } from "./places.js";

/** Planners that keep what they know. */
export const planners = [
  "dstar-lite", "lpa-star", "ad-star", "dstar", "mtdstar-basic", "mtdstar", "aamtdstar", "aaad-star", "adaptive-astar", "mpaa", "tree-adaptive",
] as const;

export const FRAMES = 24;
/** Metres: edge of what drops, and how far ahead of the agent. */
const SIZE = 3;
const AHEAD = 7;

export interface Step {
  status: string;
  path: Float64Array;
  cost: number;
  expanded: number;
  /** expansions of this frame */
  order: Order;
  /** of all expansions of the story: where this frame's begin and end */
  from: number;
  to: number;
}

export interface Telling {
  steps: Step[];
  /** of all frames, one after another */
  order: Order;
  total: number;
  restarts: number;
}

export interface Story {
  agents: Vector[];
  drops: { frame: number; low: Vector; high: Vector }[];
  repaired: Telling;
  anew: Telling;
}

function settle(nav: Nav): void {
  for (let i = 0; i < 64; ++i) {
    nav.tick();
    const { pendingChanges, versionLag } = nav.stats();
    if (pendingChanges === 0 && versionLag === 0) return;
  }
}

/** The point `metres` along a path. */
function along(path: Float64Array, metres: number): Vector {
  let left = metres;
  for (let i = 3; i + 2 < path.length; i += 3) {
    const length = Math.hypot(path[i]! - path[i - 3]!, path[i + 1]! - path[i - 2]!, path[i + 2]! - path[i - 1]!);
    if (length >= left && length > 0) {
      const part = left / length;
      return [0, 1, 2].map((k) => path[i - 3 + k]! + (path[i + k]! - path[i - 3 + k]!) * part) as unknown as Vector;
    }
    left -= length;
  }
  return [path[path.length - 3]!, path[path.length - 2]!, path[path.length - 1]!];
}

function distance(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

class Teller {
  readonly steps: Step[] = [];
  private count = 0;
  restarts = 0;

  add(planner: Planner): Step {
    const plan = planner.plan();
    const order = plan.order!;
    const step: Step = { status: plan.status, path: plan.points.slice(), cost: plan.cost, expanded: plan.expanded, order, from: this.count, to: this.count + order.count };
    this.count += order.count;
    this.restarts = plan.restarts;
    this.steps.push(step);
    return step;
  }

  tell(): Telling {
    return { steps: this.steps, order: joined(this.steps.map((one) => one.order), this.count), total: this.steps.reduce((sum, one) => sum + one.expanded, 0), restarts: this.restarts };
  }
}

function joined(orders: readonly Order[], count: number): Order {
  const all: Order = {
    count,
    points: new Float64Array(3 * count),
    parents: new Float64Array(3 * count),
    boxes: new Float32Array(6 * count),
    g: new Float64Array(count),
    h: new Float64Array(count),
    keys: new Float64Array(count),
    fromGoal: new Uint8Array(count),
    nodes: new Uint32Array(count),
    sights: { count: 0, lines: new Float64Array(), visible: new Uint8Array(), after: new Uint32Array() },
  };
  let at = 0;
  for (const order of orders) {
    all.boxes.set(order.boxes, 6 * at);
    all.points.set(order.points, 3 * at);
    all.parents.set(order.parents, 3 * at);
    at += order.count;
  }
  return all;
}

/** A box around the path ahead; null if that would bury an end. */
function dropAhead(nav: Nav, path: Float64Array, agent: Vector, goal: Vector): { low: Vector; high: Vector } | null {
  if (path.length < 6) return null;
  const centre = along(path, AHEAD);
  if (distance(centre, agent) < SIZE || distance(centre, goal) < SIZE) return null;
  const corner = centre.map((x) => Math.floor(x - SIZE / 2 + 0.5));
  const [low, high] = [corner as unknown as Vector, corner.map((x) => x + SIZE) as unknown as Vector];
  nav.addBox(low, high);
  return { low, high };
}

/** Tells the whole story; `dropsAt` are frames. */
export function tellStory(volnav: Volnav, place: Place, algo: string, dropsAt: readonly number[]): Story {
  const world = volnav.createWorld();
  place.build(world);
  const nav = volnav.createNav(world, { resolution: 1, radii: [0], bounds: [[0, 0, 0], place.high], graphs: ["grid26"], latency: 1 });
  settle(nav);
  const planner = nav.createPlanner({ algo, graph: "grid26", order: true });
  const [repaired, anew] = [new Teller(), new Teller()];
  const story = { agents: [] as Vector[], drops: [] as Story["drops"] };
  let agent = place.start;
  try {
    planner.begin(agent, place.goal);
    for (let frame = 0; frame < FRAMES; ++frame) {
      const last = repaired.steps.at(-1);
      if (last && dropsAt.includes(frame)) {
        const box = dropAhead(nav, last.path, agent, place.goal);
        if (box) story.drops.push({ frame, ...box });
        settle(nav);
        planner.advance();
      }
      if (last && last.path.length >= 6) {
        const next = along(last.path, 1);
        if (nav.isFree(next)) agent = next;
        planner.move(agent, place.goal);
      }
      repaired.add(planner);
      const fresh = nav.createPlanner({ algo, graph: "grid26", order: true });
      fresh.begin(agent, place.goal);
      anew.add(fresh);
      fresh.dispose();
      story.agents.push(agent);
    }
  } finally {
    planner.dispose();
    nav.dispose();
  }
  return { ...story, repaired: repaired.tell(), anew: anew.tell() };
}

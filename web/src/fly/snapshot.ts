/** web/src/fly/snapshot.ts: two states of a flight, a step apart, and everything in between for smooth pictures. */
import { Quaternion, Vector3 } from "three";
import type { RunView } from "volnav";

interface State {
  seconds: number;
  agents: number;
  positions: Float64Array;
  velocities: Float64Array;
  goals: Float64Array;
  radii: Float64Array;
  arrived: Float64Array;
  agentColors: Uint32Array;
  things: number;
  kinds: Uint32Array;
  centres: Float64Array;
  sizes: Float64Array;
  thingVelocities: Float64Array;
  rotations: Float64Array;
  ids: Float64Array;
  thingColors: Uint32Array;
  path: Float64Array;
  lookup: Float64Array;
  lookupEdge: number;
}

function copy(view: RunView): State {
  const { agents, things } = view;
  return {
    seconds: view.seconds,
    agents: agents.count,
    positions: agents.positions.slice(),
    velocities: agents.velocities.slice(),
    goals: agents.goals.slice(),
    radii: agents.radii.slice(),
    arrived: agents.arrived.slice(),
    agentColors: agents.colors.slice(),
    things: things.count,
    kinds: things.kinds.slice(),
    centres: things.centres.slice(),
    sizes: things.sizes.slice(),
    thingVelocities: things.velocities.slice(),
    rotations: things.rotations.slice(),
    ids: things.ids.slice(),
    thingColors: things.colors.slice(),
    path: view.path.slice(),
    lookup: view.lookup.slice(),
    lookupEdge: view.lookupEdge,
  };
}

export class Snapshots {
  before: State;
  now: State;
  /** slot of each thing in `before` by its id; -1: it was not there */
  private match: Int32Array;

  constructor(view: RunView) {
    this.now = copy(view);
    this.before = this.now;
    this.match = this.matched();
  }

  push(view: RunView): void {
    this.before = this.now;
    this.now = copy(view);
    this.match = this.matched();
  }

  /** `part`: 0 is the state before, 1 that of now. */
  agent(i: number, part: number, out: Vector3): Vector3 {
    const source = i < this.before.agents ? this.before : this.now;
    return lerp(source.positions, i, this.now.positions, i, part, out);
  }

  velocity(i: number, part: number, out: Vector3): Vector3 {
    const source = i < this.before.agents ? this.before : this.now;
    return lerp(source.velocities, i, this.now.velocities, i, part, out);
  }

  goal(part: number, out: Vector3): Vector3 {
    return lerp(this.before.goals, 0, this.now.goals, 0, part, out);
  }

  thing(i: number, part: number, place: Vector3, turn: Quaternion): void {
    const old = this.match[i]!;
    const r = this.now.rotations;
    turn.set(r[4 * i]!, r[4 * i + 1]!, r[4 * i + 2]!, r[4 * i + 3]!);
    if (old < 0) {
      lerp(this.now.centres, i, this.now.centres, i, 1, place);
      return;
    }
    lerp(this.before.centres, old, this.now.centres, i, part, place);
    const b = this.before.rotations;
    earlier.set(b[4 * old]!, b[4 * old + 1]!, b[4 * old + 2]!, b[4 * old + 3]!);
    turn.copy(earlier.slerp(turn, part));
  }

  /** By id where ids differ, else by place in the list. */
  private matched(): Int32Array {
    const { before, now } = this;
    const match = new Int32Array(now.things).fill(-1);
    if (before === now) return match.map((_, i) => i);
    const known = new Map<number, number>();
    for (let i = 0; i < before.things; ++i) known.set(before.ids[i]!, i);
    const named = known.size === before.things && before.things > 1;
    for (let i = 0; i < now.things; ++i) {
      match[i] = named ? (known.get(now.ids[i]!) ?? -1) : before.things === now.things ? i : -1;
    }
    return match;
  }
}

const earlier = new Quaternion();

function lerp(from: Float64Array, i: number, to: Float64Array, k: number, part: number, out: Vector3): Vector3 {
  const rest = 1 - part;
  return out.set(
    from[3 * i]! * rest + to[3 * k]! * part,
    from[3 * i + 1]! * rest + to[3 * k + 1]! * part,
    from[3 * i + 2]! * rest + to[3 * k + 2]! * part,
  );
}

/** web/src/fly/own.ts: a flight of the page's own: a nav and a crowd in a world that a hand may change while they fly. */
import { agentStates, type AgentId, type Crowd, type Geometry, type Nav, type RunEnd, type RunView, type Vector, type Volnav, type Zone } from "volnav";
import type { Figures, Flight, Hands } from "./flight.js";
import { burned } from "./fuel.js";
import { advanceMover, distanceTo, moves, type Mover } from "./movers.js";

/** A world to fly in. */
export interface OwnWorld {
  low: Vector;
  high: Vector;
  geometry: Geometry;
  zones: Zone[];
  movers: Mover[];
  start: Vector;
  goal: Vector;
  resolution: number;
  radius: number;
  /** metres a second */
  speed: number;
}

export interface OwnOptions {
  agents: number;
  /** off: the pilot knows nothing of what moves or was dropped */
  dynamic: boolean;
  /** off: zones cost it nothing; works with `dynamic` only */
  weather: boolean;
  /** for the other agents */
  seed: number;
}

const STEP = 1 / 30;
const ARRIVED = agentStates.indexOf("arrived");
const NO_PATH = agentStates.indexOf("no-path");
const EVADED = 1;
const BROWN = 0xb59a7aff;
const RED = 0xd55e00ff;

export class OwnFlight implements Flight {
  readonly step = STEP;
  readonly radar = 0;
  readonly hands: Hands;
  private readonly nav: Nav;
  private readonly crowd: Crowd;
  private readonly heroes: AgentId[] = [];
  private readonly movers: Mover[];
  private dice: bigint;
  private seconds = 0;
  private length = 0;
  private fuel = 0;
  private hits = 0;
  private touching = false;
  private clearance = Infinity;
  private end: RunEnd = "going";
  private reason = "";
  private last: Vector;
  private goal: Vector;

  constructor(
    volnav: Volnav,
    private readonly world: OwnWorld,
    private readonly options: OwnOptions,
  ) {
    const { resolution, radius, low, high } = world;
    const base = volnav.createWorld();
    addGeometry(base, world.geometry);
    this.nav = volnav.createNav(base, { resolution, radii: [radius], bounds: [low, high], movers: true, latency: 1, policy: "every-n", interval: 2 });
    this.crowd = this.nav.createCrowd({ maxAgents: Math.max(options.agents, 16), moverFlags: EVADED });
    this.movers = world.movers;
    this.dice = BigInt(options.seed);
    this.goal = world.goal;
    this.last = world.start;
    if (options.dynamic) for (const mover of this.movers) mover.id = this.admit(mover);
    if (options.dynamic && options.weather) this.addZones();
    this.populate();
    this.hands = {
      setGoal: (place) => this.setGoal(place),
      setStart: (place) => this.setStart(place),
      drop: (place, size) => this.drop(place, size),
      ahead: (metres) => this.ahead(metres),
      somewhere: () => this.somewhere(),
    };
  }

  advance(): boolean {
    this.moveThings();
    this.crowd.update(STEP);
    this.seconds += STEP;
    const { positions, states } = this.crowd.view();
    const hero: Vector = [positions[0]!, positions[1]!, positions[2]!];
    const state = states[0];
    this.sendOthers(states.slice());
    this.measure(hero);
    this.judge(hero);
    if (state === ARRIVED) this.end = "arrived";
    this.reason = state === NO_PATH ? "there is no way to the goal" : "";
    return this.end === "going";
  }

  view(): RunView {
    const path = this.crowd.path(this.heroes[0]!);
    const view = this.crowd.view();
    const n = view.count;
    const all = this.movers;
    return {
      seconds: this.seconds,
      low: this.world.low,
      high: this.world.high,
      agents: {
        count: n,
        positions: view.positions,
        velocities: view.velocities,
        goals: Float64Array.from([...this.goal, ...view.targets.subarray(3)]),
        radii: new Float64Array(n).fill(this.world.radius),
        arrived: Float64Array.from(view.states, (state) => Number(state === ARRIVED)),
        colors: new Uint32Array(n),
      },
      things: {
        count: all.length,
        kinds: Uint32Array.from(all, (one) => one.kind),
        centres: Float64Array.from(all.flatMap((one) => one.position)),
        sizes: Float64Array.from(all.flatMap((one) => [...one.size])),
        velocities: Float64Array.from(all.flatMap((one) => one.velocity)),
        rotations: Float64Array.from(all.flatMap(() => [0, 0, 0, 1])),
        ids: Float64Array.from(all, (_, i) => i),
        colors: Uint32Array.from(all, (one) => (moves(one) ? BROWN : RED)),
      },
      path,
      lookup: new Float64Array(0),
      lookupEdge: 0,
    };
  }

  obstacles(): Geometry {
    return this.world.geometry;
  }

  zones(): Zone[] {
    return this.world.zones;
  }

  figures(): Figures {
    const s = this.crowd.stats();
    return {
      end: this.end,
      reason: this.reason,
      seconds: this.seconds,
      length: this.length,
      fuel: this.fuel,
      calls: s.asked + s.repaired,
      expanded: NaN,
      collisions: this.hits,
      clearance: this.clearance,
      agents: s.agents,
      arrived: s.inState.arrived,
    };
  }

  /** Only runs of the library are recorded. */
  save(): null {
    return null;
  }

  dispose(): void {
    this.crowd.dispose();
    this.nav.dispose();
  }

  // ---------- hands

  private setGoal(place: Vector): string | null {
    const free = this.free(place);
    if (!free) return "There is no free place near there.";
    this.goal = free;
    this.end = "going";
    this.crowd.goTo(this.heroes[0]!, free, this.snap);
    return null;
  }

  private setStart(place: Vector): string | null {
    const free = this.free(place);
    if (!free) return "There is no free place near there.";
    this.crowd.place(this.heroes[0]!, free);
    this.crowd.goTo(this.heroes[0]!, this.goal, this.snap);
    this.last = free;
    this.end = "going";
    return null;
  }

  private drop(place: Vector, size: number): void {
    const mover: Mover = { position: [...place], velocity: [0, 0, 0], kind: 0, size: [size, size, size], id: null };
    if (this.options.dynamic) mover.id = this.admit(mover);
    this.movers.push(mover);
  }

  private ahead(metres: number): Vector | null {
    const points = this.crowd.path(this.heroes[0]!);
    let left = metres;
    for (let i = 3; i + 2 < points.length; i += 3) {
      const from = points.subarray(i - 3, i);
      const to = points.subarray(i, i + 3);
      const long = Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!, to[2]! - from[2]!);
      if (long >= left && long > 0) {
        const part = left / long;
        return [from[0]! + (to[0]! - from[0]!) * part, from[1]! + (to[1]! - from[1]!) * part, from[2]! + (to[2]! - from[2]!) * part];
      }
      left -= long;
    }
    return null;
  }

  // ---------- inside

  private get snap(): number {
    return 4 * this.world.resolution + 2 * this.world.radius;
  }

  private free(place: Vector): Vector | null {
    try {
      return this.nav.nearest(place, 2 * this.snap).position;
    } catch {
      return null;
    }
  }

  /** Things that move are evaded by their motion, others stand in the way. */
  private admit(mover: Mover) {
    const half = mover.size.map((one) => one / 2) as [number, number, number];
    const flags = moves(mover) ? EVADED : 0;
    const transform = { position: [...mover.position] as Vector };
    if (mover.kind === 1) return this.nav.addSphere([0, 0, 0], half[0], transform, flags);
    return this.nav.addBox([-half[0], -half[1], -half[2]], half, transform, flags);
  }

  private addZones(): void {
    for (const zone of this.world.zones) {
      if (zone.kind === "box") this.nav.addZoneBox(zone.low, zone.high, zone.factor);
      if (zone.kind === "sphere") this.nav.addZoneSphere(zone.centre, zone.radius, zone.factor);
    }
  }

  private populate(): void {
    const { start, radius, speed } = this.world;
    const options = { radius, maxSpeed: speed, maxAcceleration: 2 * speed, arrival: radius };
    this.heroes.push(this.crowd.add(this.free(start) ?? start, { ...options, priority: 1 }));
    this.crowd.goTo(this.heroes[0]!, this.goal, this.snap);
    for (let i = 1; i < this.options.agents; ++i) {
      const id = this.crowd.add(this.somewhere(), { ...options, maxSpeed: speed * 0.8 });
      this.crowd.goTo(id, this.somewhere(), this.snap);
      this.heroes.push(id);
    }
  }

  private somewhere(): Vector {
    const { position, next } = this.nav.random(this.dice);
    this.dice = next;
    return position;
  }

  /** The others have somewhere to go, always. */
  private sendOthers(states: Uint32Array): void {
    for (let i = 1; i < this.heroes.length; ++i) {
      if (states[i] === ARRIVED || states[i] === NO_PATH) this.crowd.goTo(this.heroes[i]!, this.somewhere(), this.snap);
    }
  }

  private moveThings(): void {
    for (const mover of this.movers) {
      if (!moves(mover)) continue;
      advanceMover(mover, this.world.low, this.world.high, STEP);
      if (mover.id) this.nav.move(mover.id, { position: mover.position }, mover.velocity);
    }
  }

  private measure(hero: Vector): void {
    const [dx, dy, dz] = [hero[0] - this.last[0], hero[1] - this.last[1], hero[2] - this.last[2]];
    this.length += Math.hypot(dx, dy, dz);
    this.fuel += burned(dx, dy, dz, hero, this.world.zones);
    this.last = hero;
  }

  /** Contacts of the first agent with what moves; one that lasts counts once. */
  private judge(hero: Vector): void {
    let least = Infinity;
    for (const mover of this.movers) least = Math.min(least, distanceTo(mover, ...hero) - this.world.radius);
    this.clearance = Math.min(this.clearance, least);
    const touching = least < 0;
    if (touching && !this.touching) ++this.hits;
    this.touching = touching;
  }
}

function addGeometry(world: ReturnType<Volnav["createWorld"]>, { boxes, triangles }: Geometry): void {
  for (let i = 0; i < boxes.length; i += 6) {
    world.addBox([boxes[i]!, boxes[i + 1]!, boxes[i + 2]!], [boxes[i + 3]!, boxes[i + 4]!, boxes[i + 5]!]);
  }
  if (triangles.length > 0) world.addMesh(triangles, Uint32Array.from({ length: triangles.length / 3 }, (_, i) => i));
}

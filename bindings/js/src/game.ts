/** bindings/js/src/game.ts: the game "Lost in Space". */
import { Handle } from "./handle.js";
import { STATUS_OK, STATUS_RUNNING, type Vector, type Wasm } from "./wasm.js";

const numberOptions = [
  "step",
  "rim",
  "height",
  "overlap",
  "radiusMin",
  "radiusMax",
  "speedFast",
  "speedSlow",
  "orbit",
  "playerRadius",
  "playerSpeed",
  "playerTurn",
  "playerLook",
  "playerHealth",
  "hitDamage",
  "catchDamage",
  "enemyRadius",
  "enemySpeed",
  "enemyMaxSpeed",
  "enemyAcceleration",
  "enemyHealth",
  "crashDamage",
  "control",
  "horizon",
  "radar",
  "spacing",
  "winSeconds",
  "asteroids",
  "layers",
  "circles",
  "enemies",
  "winKills",
] as const;

/** The fields of vn_game_def (volnav/game.h has units and defaults). */
export interface GameOptions extends Partial<Record<(typeof numberOptions)[number], number>> {
  seed?: number | bigint;
  /** a sphere around the player, or circles that shrink */
  field?: "sphere" | "circles";
  /** by autopilots, or straight at the player */
  hunt?: "pilots" | "straight";
}

/** Sticks are -1 to 1, right and up positive. */
export interface GameInput {
  yaw?: number;
  pitch?: number;
  lookYaw?: number;
  lookPitch?: number;
  /** the camera back to where the ship flies */
  lookAhead?: boolean;
  shootLeft?: boolean;
  shootRight?: boolean;
  reload?: boolean;
  /** once for each step in which it is set */
  switchGun?: boolean;
}

/** Views into the library's memory, until its next call. */
export interface GameThings {
  count: number;
  positions: Float64Array;
  velocities: Float64Array;
  radii: Float64Array;
  healths: Float64Array;
  /** another one each time it appears */
  ids: Float64Array;
  /** bit 0: present (else it waits for a place to appear), bit 1: its way is verified (enemies with a pilot) */
  states: Float64Array;
}

const eventKinds = [
  "fired",
  "out-of-ammo",
  "reloaded",
  "switched",
  "hit",
  "caught",
  "crashed",
  "touched",
  "destroyed",
  "hurt",
  "killed",
  "enemy-appeared",
  "won",
  "lost",
] as const;
export type GameEventKind = (typeof eventKinds)[number];

export interface GameEvent {
  kind: GameEventKind;
  index: number;
  other: number;
  position: Vector;
}

export interface GamePlayer {
  position: Vector;
  velocity: Vector;
  /** of length 1: the ship's, and the camera's */
  forward: Vector;
  look: Vector;
  /** turns */
  yaw: number;
  pitch: number;
  lookYaw: number;
  lookPitch: number;
  health: number;
  /** held: 0 or 1 */
  gun: number;
  ammunition: [number, number];
  /** seconds; 0: not reloading */
  reloadLeft: [number, number];
}

const ends = ["going", "won", "lost"] as const;
export type GameEnd = (typeof ends)[number];

export interface GameView {
  seconds: number;
  end: GameEnd;
  centre: Vector;
  player: GamePlayer;
  asteroids: GameThings;
  enemies: GameThings;
  shots: GameThings;
  /** of the last step, in the order in which they happened */
  events: GameEvent[];
}

const statNames = [
  "steps",
  "hits",
  "caught",
  "crashes",
  "touches",
  "destroyed",
  "kills",
  "shots",
  "misses",
  "deaths",
  "appeared",
  "clearance",
  "enemyClearance",
  "pilotSteps",
  "stopped",
  "unverified",
] as const;
export type GameStats = Record<(typeof statNames)[number], number>;

const THING = 10;
const EVENT = 6;

function things(numbers: Float64Array, n: number): GameThings {
  return {
    count: n,
    positions: numbers.subarray(0, 3 * n),
    velocities: numbers.subarray(3 * n, 6 * n),
    radii: numbers.subarray(6 * n, 7 * n),
    healths: numbers.subarray(7 * n, 8 * n),
    ids: numbers.subarray(8 * n, 9 * n),
    states: numbers.subarray(9 * n, 10 * n),
  };
}

function vector(o: Float64Array, at: number): Vector {
  return [o[at]!, o[at + 1]!, o[at + 2]!];
}

function event(n: Float64Array): GameEvent {
  return { kind: eventKinds[n[0]!]!, index: n[1]!, other: n[2]!, position: vector(n, 3) };
}

function player(o: Float64Array): GamePlayer {
  return {
    position: vector(o, 0),
    velocity: vector(o, 3),
    forward: vector(o, 6),
    look: vector(o, 9),
    yaw: o[12]!,
    pitch: o[13]!,
    lookYaw: o[14]!,
    lookPitch: o[15]!,
    health: o[16]!,
    gun: o[17]!,
    ammunition: [o[18]!, o[19]!],
    reloadLeft: [o[20]!, o[21]!],
  };
}

/** The same options and inputs give the same bytes on every machine. Up is +y. */
export class Game extends Handle {
  readonly #input: number;

  private constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_game_destroy");
    this.#input = wasm.keep(9 * 8);
  }

  /** @internal */
  static create(wasm: Wasm, options: GameOptions): Game {
    const numbers = new Float64Array(numberOptions.map((name) => options[name] ?? NaN));
    const seed = BigInt.asUintN(64, BigInt(options.seed ?? 1));
    wasm.with([numbers], (n) =>
      wasm.check("js_game_create", [
        Number(seed >> 32n),
        Number(seed & 0xffffffffn),
        options.field === "circles" ? 1 : 0,
        options.hunt === "straight" ? 1 : 0,
        n!,
      ]),
    );
    return new Game(wasm, wasm.out(1)[0]!);
  }

  /** One step; false when the game is won or lost: further steps change nothing. */
  step(input: GameInput = {}): boolean {
    const n = this.wasm.doubles(this.#input, 9);
    n[0] = input.yaw ?? 0;
    n[1] = input.pitch ?? 0;
    n[2] = input.lookYaw ?? 0;
    n[3] = input.lookPitch ?? 0;
    n[4] = Number(input.lookAhead ?? false);
    n[5] = Number(input.shootLeft ?? false);
    n[6] = Number(input.shootRight ?? false);
    n[7] = Number(input.reload ?? false);
    n[8] = Number(input.switchGun ?? false);
    return this.wasm.check("js_game_step", [this.at, this.#input], [STATUS_OK, STATUS_RUNNING]) === STATUS_RUNNING;
  }

  /** What a scripted player does now: it evades and shoots. */
  script(): Required<GameInput> {
    this.wasm.call("js_game_script", this.at);
    const o = this.wasm.out(9);
    return {
      yaw: o[0]!,
      pitch: o[1]!,
      lookYaw: o[2]!,
      lookPitch: o[3]!,
      lookAhead: o[4] !== 0,
      shootLeft: o[5] !== 0,
      shootRight: o[6] !== 0,
      reload: o[7] !== 0,
      switchGun: o[8] !== 0,
    };
  }

  view(): GameView {
    this.wasm.check("js_game_view", [this.at]);
    const o = this.wasm.out(33).slice();
    const [asteroids, enemies, shots, events] = [o[5]!, o[6]!, o[7]!, o[8]!];
    const all = THING * (asteroids + enemies + shots);
    const numbers = this.wasm.doubles(o[10]!, all + EVENT * events);
    return {
      seconds: o[0]!,
      end: ends[o[1]!]!,
      centre: vector(o, 2),
      player: player(o.subarray(11)),
      asteroids: things(numbers, asteroids),
      enemies: things(numbers.subarray(THING * asteroids), enemies),
      shots: things(numbers.subarray(THING * (asteroids + enemies)), shots),
      events: Array.from({ length: events }, (_, i) => event(numbers.subarray(all + EVENT * i))),
    };
  }

  stats(): GameStats {
    this.wasm.call("js_game_stats", this.at);
    const o = this.wasm.out(statNames.length);
    return Object.fromEntries(statNames.map((name, i) => [name, o[i]!])) as GameStats;
  }
}

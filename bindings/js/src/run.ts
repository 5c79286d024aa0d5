/** bindings/js/src/run.ts: simulated runs. */
import { Handle } from "./handle.js";
import { STATUS_OK, STATUS_RUNNING, type Wasm } from "./wasm.js";

export interface RunOptions {
  /** such as "asteroids" */
  scene: string;
  variant?: string;
  algo?: string;
  space?: string;
  seed?: number;
  /** 0 to 6, or "thesis" for the rules of the thesis that the scene is from; none: 6 */
  autopilot?: number | "thesis";
  obstacles?: number;
  /** simulated seconds after which it ends */
  limit?: number;
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
  clearance: number;
  seconds: number;
  length: number;
  fuel: number;
  calls: number;
  expanded: number;
  nominal: number;
  /** of all positions: the same on every machine */
  hash: bigint;
}

const AS_SCENE = 0xffffffff;

export class Run extends Handle {
  private constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_run_destroy");
  }

  /** @internal */
  static create(wasm: Wasm, options: RunOptions): Run {
    const { scene, variant = null, algo = null, space = null, seed = 1, autopilot = 6 } = options;
    wasm.with([scene, variant, algo, space], (s, v, a, g) =>
      wasm.check("js_run_create", [
        s!,
        v!,
        a!,
        g!,
        seed,
        autopilot === "thesis" ? -1 : autopilot,
        options.obstacles ?? AS_SCENE,
        options.limit ?? 0,
      ]),
    );
    return new Run(wasm, wasm.out(1)[0]!);
  }

  /** One step of the clock; false when the run has ended. */
  step(): boolean {
    return this.wasm.check("js_run_step", [this.at], [STATUS_OK, STATUS_RUNNING]) === STATUS_RUNNING;
  }

  result(): RunResult {
    this.wasm.call("js_run_result", this.at);
    const o = this.wasm.out(15);
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
    };
  }
}

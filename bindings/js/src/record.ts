/** bindings/js/src/record.ts: recorded queries and runs. */
import { withFile } from "./files.js";
import { Run, takeResult, type RunOptions, type RunResult } from "./run.js";
import { Search, type SearchKind } from "./search.js";
import { algos, Layers, qualities, takePath, vector, type Path } from "./space.js";
import { Handle } from "./handle.js";
import type { Vector, Wasm } from "./wasm.js";

export interface Replay {
  /** bit by bit */
  same: boolean;
  /** one sentence */
  text: string;
  /** point or step; negative: none */
  firstDifference: number;
}

/** A query as it was recorded, with the layers that it searched. */
export class QueryRecord extends Layers {
  readonly start: Vector;
  readonly goal: Vector;
  readonly algo: string;
  readonly quality: string;
  readonly snap: number;
  /** the recorded path, a copy; `status` says what came of it */
  readonly path: Path;

  private constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_record_destroy");
    wasm.check("js_record_get", [at]);
    const o = wasm.out(28).slice();
    const path = takePath(wasm, o[27]!, o);
    this.path = { ...path, points: path.points.slice() };
    this.start = vector(o, 16);
    this.goal = vector(o, 19);
    this.algo = algos[o[22]!] ?? "astar-list";
    this.quality = qualities[o[23]!]!;
    this.snap = o[25]!;
  }

  /** @internal */
  static read(wasm: Wasm, file: Uint8Array): QueryRecord {
    withFile(wasm, file, (args) => wasm.check("js_record_read", args));
    return new QueryRecord(wasm, wasm.out(1)[0]!);
  }

  get layerCount(): number {
    return this.wasm.call("js_record_layers", this.at);
  }

  /** Searches again. */
  replay(): Replay {
    this.wasm.check("js_record_replay", [this.at]);
    const [same, text, firstDifference] = this.wasm.out(3).slice();
    return { same: same !== 0, text: this.wasm.text(text!), firstDifference: firstDifference! };
  }

  createSearch(kind: SearchKind, options: { layer?: number } = {}): Search {
    return Search.create(this, kind, options.layer ?? 0, null);
  }

  /** @internal */
  protected override layerAt(index: number): number {
    return this.wasm.call("js_record_space", this.at, index);
  }
}

/** A run as it was recorded: its options and what it came to. */
export class RunRecord extends Handle {
  readonly options: RunOptions;
  readonly result: RunResult;
  readonly steps: number;

  private constructor(wasm: Wasm, at: number) {
    super(wasm, at, "js_run_record_destroy");
    wasm.call("js_run_record_def", at);
    const o = wasm.out(18).slice();
    const [scene, variant, algo, space] = Array.from(o.subarray(0, 4), (text) => (text === 0 ? null : wasm.text(text)));
    this.options = {
      scene: scene!,
      variant: variant || null,
      algo: algo || null,
      space: space || null,
      seed: (BigInt(o[4]!) << 32n) | BigInt(o[5]!),
      autopilot: o[6]! < 0 ? "thesis" : o[6]!,
      eachMove: o[7] !== 0,
      agents: o[8]!,
      ...(o[9]! >= 0 ? { obstacles: o[9]! } : {}),
      speed: o[10]!,
      radar: o[11]!,
      step: o[12]!,
      limit: o[13]!,
      replan: o[14]!,
      latency: o[15]!,
      endAtCollision: o[16] !== 0,
    };
    this.steps = o[17]!;
    wasm.call("js_run_record_result", at);
    this.result = takeResult(wasm);
  }

  /** @internal */
  static read(wasm: Wasm, file: Uint8Array): RunRecord {
    withFile(wasm, file, (args) => wasm.check("js_run_record_read", args));
    return new RunRecord(wasm, wasm.out(1)[0]!);
  }

  /** The same run from its beginning, to be watched. */
  createRun(): Run {
    return Run.create(this.wasm, this.options);
  }

  /** Flies it again to its end, and compares. Takes as long as the run. */
  replay(): Replay {
    this.wasm.check("js_run_record_replay", [this.at]);
    const [same, text, firstDifference] = this.wasm.out(3).slice();
    return { same: same !== 0, text: this.wasm.text(text!), firstDifference: firstDifference! };
  }
}

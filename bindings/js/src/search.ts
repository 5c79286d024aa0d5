/** bindings/js/src/search.ts: every search on every space, with what it did. */
import { Handle } from "./handle.js";
import { takeOrder, type Order } from "./order.js";
import { FAULTS, type Layers } from "./space.js";
import { STATUS_NOT_FOUND, STATUS_OK, VolnavError, type Vector } from "./wasm.js";
import type { World } from "./world.js";

export const searchKinds = ["cells", "grid", "octree", "merged", "hybrid", "waypoints"] as const;
export type SearchKind = (typeof searchKinds)[number];

const graphs = ["default", "centres", "transitions"] as const;
const heuristics = ["default", "octile", "euclidean", "manhattan", "r16"] as const;
export const refinements = ["default", "none", "prune", "taut", "smooth", "funnel", "funnel-prune"] as const;
const qualities = ["standard", "fast", "best"] as const;

export interface SearchOptions {
  /** one of algos(); none: "cells" on cells, else "astar" */
  algo?: string;
  /** nodes of the graph: of boxes, or of the faces between them */
  graph?: (typeof graphs)[number];
  /** grid: 26 or 6 */
  neighbours?: 6 | 26;
  heuristic?: (typeof heuristics)[number];
  /** on the heuristic, 1 or more */
  weight?: number;
  refine?: (typeof refinements)[number];
  /** expansions */
  budget?: number;
  /** metres that a blocked end may move */
  snap?: number;
  /** cells */
  quality?: (typeof qualities)[number];
  /** judge the path before it is returned */
  check?: boolean;
  /** say what was expanded, in order */
  order?: boolean;
}

export interface SearchResult {
  /** "path", or the reason why there is none */
  status: string;
  /** a view, until the next call of the library */
  points: Float64Array;
  length: number;
  /** metres, after refinement */
  cost: number;
  /** metres, before it */
  searchCost: number;
  expanded: number;
  touched: number;
  sightChecks: number;
  /** different nodes that were expanded */
  closed: number;
  /** cost is at most this times the least; 0: nothing is promised */
  bound: number;
  passes: number;
  /** of the search alone, by the clock of the page, without recording */
  microseconds: number;
  order: Order | null;
}

function numbersOf(options: SearchOptions, order: boolean): Float64Array {
  return new Float64Array([
    graphs.indexOf(options.graph ?? "default"),
    options.neighbours ?? 0,
    heuristics.indexOf(options.heuristic ?? "default"),
    options.weight ?? 0,
    refinements.indexOf(options.refine ?? "default"),
    options.budget ?? 0,
    options.snap ?? 0,
    qualities.indexOf(options.quality ?? "standard"),
    Number(options.check ?? false),
    Number(order),
  ]);
}

/** A space as one of the literature's search spaces, and its searches. Keeps the space alive. */
export class Search extends Handle {
  private constructor(
    readonly space: Layers,
    readonly kind: SearchKind,
    at: number,
  ) {
    super(space.wasm, at, "js_search_destroy");
  }

  /** @internal */
  static create(space: Layers, kind: SearchKind, layer: number, world: World | null): Search {
    if (kind === "waypoints" && world === null) throw new TypeError("waypoints need the world that was baked");
    space.wasm.check("js_search_create", [space.layer(layer), world?.at ?? 0, searchKinds.indexOf(kind)]);
    return new Search(space, kind, space.wasm.out(1)[0]!);
  }

  /** Names of the algorithms that can search here with these options. */
  algos(options: SearchOptions = {}): string[] {
    void this.space.at;
    const names: string[] = [];
    this.wasm.with([numbersOf(options, false)], (n) => {
      for (let i = 0; ; ++i) {
        const name = this.wasm.call("js_search_name", i);
        if (name === 0) return;
        if (this.wasm.call("js_search_supports", this.at, i, n!) === STATUS_OK) names.push(this.wasm.text(name));
      }
    });
    return names;
  }

  /** That there is no path is an answer, see `status`; a request that makes no sense throws. */
  find(start: Vector, goal: Vector, options: SearchOptions = {}): SearchResult {
    void this.space.at; // throws if the space was disposed
    const [plain, microseconds] = this.run(start, goal, options, false);
    this.refuse(plain, options);
    const status = options.order ? this.run(start, goal, options, true)[0] : plain;
    const o = this.wasm.out(22).slice();
    const order = options.order ? takeOrder(this.wasm, o, 12) : null;
    this.refuse(status, options);
    return {
      status: status === STATUS_OK ? "path" : this.wasm.word(status),
      points: this.wasm.doubles(o[0]!, 3 * o[1]!),
      length: o[2]!,
      cost: o[3]!,
      searchCost: o[4]!,
      expanded: o[5]!,
      touched: o[6]!,
      sightChecks: o[7]!,
      closed: o[8]!,
      bound: o[9]!,
      passes: o[10]!,
      microseconds,
      order,
    };
  }

  /** What is in the open set after so many expansions: low and high corner of each box, metres. Searches anew that far.
   * Of the cells search and of planners nothing. A copy. */
  open(start: Vector, goal: Vector, expansions: number, options: SearchOptions = {}): Float32Array {
    this.find(start, goal, { ...options, budget: Math.max(1, expansions), order: false });
    this.wasm.check("js_search_open", [this.at]);
    const o = this.wasm.out(4).slice();
    this.wasm.take(o[2]!, o[3]!);
    return new Float32Array(this.wasm.take(o[0]!, o[1]!).buffer);
  }

  /** What is searched: low and high corner of each box, metres, and its level: the power of two that its longest edge
   * reaches, in voxels. Of hybrid graph and waypoints the voxels of the nodes, and their kind: 0 static, 1 dynamic,
   * 2 beside a dynamic one. Copies. */
  boxes(): { boxes: Float32Array; levels: Uint8Array } {
    void this.space.at;
    this.wasm.check("js_search_boxes", [this.at]);
    const o = this.wasm.out(4).slice();
    const boxes = new Float32Array(this.wasm.take(o[0]!, o[1]!).buffer);
    return { boxes, levels: this.wasm.take(o[2]!, o[3]!) };
  }

  /** Edges of the graph as lines of six numbers, up to `most`; none of the grid. A copy. */
  edges(most = 200_000, options: SearchOptions = {}): Float32Array {
    void this.space.at;
    this.wasm.with([numbersOf(options, false)], (n) => this.wasm.check("js_search_edges", [this.at, most, n!]));
    const [at, size] = this.wasm.out(2).slice();
    return new Float32Array(this.wasm.take(at!, size!).buffer);
  }

  private refuse(status: number, options: SearchOptions): void {
    if (FAULTS.has(status)) throw this.wasm.error(status);
    if (status === STATUS_NOT_FOUND) {
      throw new VolnavError("not-found", status, `there is no algorithm ${options.algo}; there are ${this.algos().join(", ")}`);
    }
  }

  private run(start: Vector, goal: Vector, options: SearchOptions, order: boolean): [number, number] {
    const algo = options.algo ?? (this.kind === "cells" ? "cells" : "astar");
    const ends = new Float64Array([...start, ...goal]);
    return this.wasm.with([algo, ends, numbersOf(options, order)], (a, e, n) => {
      const before = performance.now();
      const status = this.wasm.call("js_search_find", this.at, a!, e!, n!);
      return [status, 1000 * (performance.now() - before)];
    });
  }
}

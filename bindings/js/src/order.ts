/** bindings/js/src/order.ts: what a search did, in order. */
import type { Wasm } from "./wasm.js";

/** Copies. Three numbers for each point. */
export interface Order {
  /** expansions */
  count: number;
  /** where the node is, or where its cell was entered */
  points: Float64Array;
  /** the same of the node before it; of the start its own */
  parents: Float64Array;
  /** low and high corner of the cell, leaf or voxel, metres */
  boxes: Float32Array;
  /** cost from the start, metres; of the goal's side from the goal */
  g: Float64Array;
  /** estimate of the rest */
  h: Float64Array;
  /** by which the open set is ordered */
  keys: Float64Array;
  /** 1: by the side of a search over cells that comes from the goal */
  fromGoal: Uint8Array;
  nodes: Uint32Array;
  sights: {
    count: number;
    /** from, to */
    lines: Float64Array;
    visible: Uint8Array;
    /** expansions that came before it */
    after: Uint32Array;
  };
}

/** @internal Five lists as glue_give_order leaves them. */
export function takeOrder(wasm: Wasm, o: Float64Array, at: number): Order {
  const take = (i: number) => wasm.take(o[at + 2 * i]!, o[at + 2 * i + 1]!).buffer;
  const numbers = new Float64Array(take(0));
  const boxes = new Float32Array(take(1));
  const words = new Uint32Array(take(2));
  const lines = new Float64Array(take(3));
  const seen = new Uint32Array(take(4));
  const [n, m] = [numbers.length / 9, lines.length / 6];
  return {
    count: n,
    points: numbers.subarray(0, 3 * n),
    parents: numbers.subarray(3 * n, 6 * n),
    boxes,
    g: numbers.subarray(6 * n, 7 * n),
    h: numbers.subarray(7 * n, 8 * n),
    keys: numbers.subarray(8 * n),
    nodes: words.subarray(0, n),
    fromGoal: Uint8Array.from(words.subarray(n)),
    sights: { count: m, lines, visible: Uint8Array.from(seen.subarray(0, m)), after: seen.subarray(m) },
  };
}

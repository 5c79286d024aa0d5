/** web/src/map/corridor.ts: the boxes that a path over cells leads through, and the portals between them. */
import type { Query, Space, Vector } from "volnav";

export interface Corridor {
  /** low and high of each, metres: boxes of the corridor, then portals, which are flat */
  boxes: Float32Array;
  levels: Uint8Array;
}

/** Colours of levels, see stage/wire.ts. */
const BOX = 2;
const PORTAL = 4;

/** Null: there is no path. */
export function corridorOf(space: Space, start: Vector, goal: Vector, snap: number): Corridor | null {
  const query: Query = space.createQuery();
  try {
    if (query.find(start, goal, { snap }).status !== "path") return null;
    const { boxes, inCorridor } = query.corridor();
    const inside: number[][] = [];
    inCorridor.forEach((on, i) => {
      if (on) inside.push([...boxes.subarray(6 * i, 6 * i + 6)]);
    });
    const flat = portals(inside);
    return {
      boxes: Float32Array.from([...inside, ...flat].flat()),
      levels: Uint8Array.from([...inside.map(() => BOX), ...flat.map(() => PORTAL)]),
    };
  } finally {
    query.dispose();
  }
}

/** Where two boxes touch along a face. */
function portals(boxes: readonly number[][]): number[][] {
  const found: number[][] = [];
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      const low = [0, 1, 2].map((k) => Math.max(a[k]!, b[k]!));
      const high = [3, 4, 5].map((k) => Math.min(a[k]!, b[k]!));
      const sizes = high.map((one, k) => one - low[k]!);
      const touching = sizes.filter((size) => Math.abs(size) < 1e-4).length === 1;
      if (touching && sizes.every((size) => size > -1e-4)) found.push([...low, ...high]);
    }
  });
  return found;
}

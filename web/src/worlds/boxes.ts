/** web/src/worlds/boxes.ts: the free space around what stands, as boxes for drawing: baked anew, on a grid fine enough to be seen. */
import type { Vector, Volnav } from "volnav";

/** Spaces whose boxes can be drawn in a flight. */
export type BoxKind = "cells" | "octree";

/** Voxels along the longest edge. */
const VOXELS: Record<BoxKind, number> = { cells: 100, octree: 160 };

export interface BoxJob {
  kind: BoxKind;
  /** what stands: low and high of boxes, corners of triangles */
  boxes: Float32Array;
  triangles: Float32Array;
  low: Vector;
  high: Vector;
}

export interface BoxList {
  /** low and high of each, metres */
  boxes: Float32Array;
  /** the power of two that its longest edge reaches */
  levels: Uint8Array;
}

/** Takes up to some hundred milliseconds: work for a worker (app/aside.ts). */
export function boxesOf(volnav: Volnav, job: BoxJob): BoxList {
  const { boxes, triangles, low, high } = job;
  const longest = Math.max(...high.map((one, k) => one - low[k]!));
  const world = volnav.createWorld();
  try {
    for (let i = 0; i < boxes.length; i += 6) {
      world.addBox([boxes[i]!, boxes[i + 1]!, boxes[i + 2]!], [boxes[i + 3]!, boxes[i + 4]!, boxes[i + 5]!]);
    }
    if (triangles.length > 0) world.addMesh(triangles, Uint32Array.from({ length: triangles.length / 3 }, (_, i) => i));
    const space = volnav.bake(world, { resolution: longest / VOXELS[job.kind], bounds: [low, high] });
    const search = space.createSearch(job.kind);
    const list = search.boxes();
    search.dispose();
    space.dispose();
    return list;
  } finally {
    world.dispose();
  }
}

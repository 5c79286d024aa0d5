/** web/src/fly/cells.ts: the cells of the free space around what stands, for drawing: baked in the page when asked for. */
import type { Geometry, Vector, Volnav } from "volnav";

/** Voxels along the longest edge. */
const VOXELS = 100;

export interface CellBoxes {
  boxes: Float32Array;
  levels: Uint8Array;
}

/** Takes some tens of milliseconds. */
export function cellsOf(volnav: Volnav, geometry: Geometry, low: Vector, high: Vector): CellBoxes {
  const longest = Math.max(...high.map((one, k) => one - low[k]!));
  const world = volnav.createWorld();
  try {
    const { boxes, triangles } = geometry;
    for (let i = 0; i < boxes.length; i += 6) {
      world.addBox([boxes[i]!, boxes[i + 1]!, boxes[i + 2]!], [boxes[i + 3]!, boxes[i + 4]!, boxes[i + 5]!]);
    }
    if (triangles.length > 0) world.addMesh(triangles, Uint32Array.from({ length: triangles.length / 3 }, (_, i) => i));
    const space = volnav.bake(world, { resolution: longest / VOXELS, bounds: [low, high] });
    const search = space.createSearch("cells");
    const cells = search.boxes();
    search.dispose();
    space.dispose();
    return cells;
  } finally {
    world.dispose();
  }
}

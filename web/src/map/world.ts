/** web/src/map/world.ts: what the map shows: a space, the world that it was made from if there is one, and solids to draw. */
import { Box3, Vector3 } from "three";
import type { QueryRecord, Space, Vector, Volnav, World, WorldScene } from "volnav";
import type { SolidGeometry } from "../stage/solids.js";
import type { Up } from "../stage/stage.js";
import { city } from "../worlds/city.js";

/** What can be searched: a bake, or the layers of a record. */
export type MapSpace = Space | QueryRecord;

export interface MapWorld {
  name: string;
  space: MapSpace;
  world: World | null;
  solids: SolidGeometry;
  bounds: Box3;
  up: Up;
  /** metres: radius of the agent */
  radius: number;
  /** a sentence about it */
  about: string;
  start?: Vector;
  goal?: Vector;
}

/** Boxes in voxels, in metres. */
export function toMetres(boxes: Float32Array, space: MapSpace, layer = 0): Float32Array {
  const { low, resolution } = space.info(layer);
  return boxes.map((value, i) => low[i % 3]! + value * resolution);
}

export function boundsOf(space: MapSpace): Box3 {
  const { low, dims, resolution } = space.info();
  const from = new Vector3(...low);
  return new Box3(from, from.clone().add(new Vector3(...dims).multiplyScalar(resolution)));
}

/** A space alone: its blocked voxels are what can be drawn. */
export function ofSpace(name: string, space: MapSpace, up: Up = "y"): MapWorld {
  const info = space.info();
  return {
    name,
    space,
    world: null,
    solids: { boxes: toMetres(space.boxes("blocked"), space), triangles: new Float32Array(0) },
    bounds: boundsOf(space),
    up,
    radius: info.radius,
    about: describe(space),
  };
}

/** A world, baked for an agent. */
export function ofWorld(volnav: Volnav, name: string, world: World, options: { resolution: number; radius: number; low?: Vector; high?: Vector; up?: Up }): MapWorld {
  const { resolution, radius, low, high } = options;
  const bounds: readonly [Vector, Vector] | undefined = low && high ? [low, high] : undefined;
  const space = volnav.bake(world, { resolution, radii: [radius], ...(bounds ? { bounds } : { margin: 4 * resolution + 2 * radius }) });
  return { name, space, world, solids: world.geometry(), bounds: boundsOf(space), up: options.up ?? "y", radius, about: describe(space) };
}

export function describe(space: MapSpace): string {
  const { dims, resolution, cells, links, blockedVoxels, freeVoxels } = space.info();
  const part = Math.round((100 * blockedVoxels) / Math.max(1, blockedVoxels + freeVoxels));
  return `${dims.join(" × ")} voxels of ${+resolution.toFixed(3)} m, ${part} % blocked; ${cells.toLocaleString("en-US")} cells, ${links.toLocaleString("en-US")} links.`;
}

/** What is there before a file is. */
export function cityWorld(volnav: Volnav): MapWorld {
  const made = city(3);
  const world = volnav.createWorld();
  for (const block of made.blocks) world.addBox(block.low, block.high);
  const map = ofWorld(volnav, "a small city", world, { resolution: 1, radius: 0.6, low: made.low, high: made.high });
  return { ...map, start: made.start, goal: made.goal };
}

/** A scene of the theses, at the resolution that they give. */
export function sceneWorld(volnav: Volnav, scene: WorldScene): MapWorld {
  const [low, high] = scene.bounds;
  const made = ofWorld(volnav, scene.name, volnav.buildScene(scene.name), { resolution: scene.resolution, radius: 0, low, high });
  return { ...made, about: `${scene.description}. ${scene.source}. ${made.about}` };
}

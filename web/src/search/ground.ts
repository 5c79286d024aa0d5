/** web/src/search/ground.ts: a baked world and the searches in it, which are made when they are first wanted. */
import type { Search, SearchKind, Vector, Volnav } from "volnav";
import { searchKinds } from "volnav";
import type { SolidGeometry } from "../stage/solids.js";
import { bakePlace, places, type Baked } from "./places.js";
import type { Side } from "./settings.js";
import { trace, type Trace, type Way } from "./trace.js";

export class Ground {
  private readonly searches = new Map<SearchKind, Search>();

  constructor(readonly baked: Baked) {}

  static of(volnav: Volnav, id: string): Ground {
    return new Ground(bakePlace(volnav, places.find((one) => one.id === id) ?? places[0]!));
  }

  /** Waypoints stand around shapes: a file without any has none. */
  get kinds(): SearchKind[] {
    return searchKinds.filter((kind) => kind !== "waypoints" || this.baked.world !== null);
  }

  search(kind: SearchKind): Search {
    let found = this.searches.get(kind);
    if (!found) {
      const { space, world } = this.baked;
      found = space.createSearch(kind, world ? { world } : {});
      this.searches.set(kind, found);
    }
    return found;
  }

  algos(kind: SearchKind): string[] {
    return this.search(kind).algos();
  }

  trace(side: Side, start: Vector, goal: Vector, way: Way): Trace {
    return trace(this.search(side.kind), side.algo, start, goal, way);
  }

  /** What stands, for drawing; of a file without shapes its blocked voxels. */
  geometry(): SolidGeometry {
    const { world } = this.baked;
    return world ? world.geometry() : { boxes: this.blocked(), triangles: new Float32Array() };
  }

  /** Rows of blocked voxels, metres. */
  blocked(): Float32Array<ArrayBuffer> {
    const { low, resolution } = this.baked.space.info();
    return Float32Array.from(this.baked.space.boxes("blocked"), (value, i) => low[i % 3]! + resolution * value);
  }

  dispose(): void {
    for (const search of this.searches.values()) search.dispose();
    this.baked.space.dispose();
    this.baked.world?.dispose();
  }
}

/** web/src/search/places.ts: small worlds to search in, and worlds from files. */
import type { Vector, Volnav, World } from "volnav";
import type { OpenedFile } from "../app/view.js";
import { loadMap } from "../map/load.js";
import type { MapSpace } from "../map/world.js";
import type { Up } from "../stage/stage.js";

/** A world that is drawn by rule. */
export interface Place {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly high: Vector;
  readonly start: Vector;
  readonly goal: Vector;
  build(world: World): void;
}

/** A place or file, baked. */
export interface Baked {
  id: string;
  title: string;
  about: string;
  /** null: a file that holds no shapes */
  world: World | null;
  space: MapSpace;
  low: Vector;
  high: Vector;
  start: Vector;
  goal: Vector;
  up: Up;
}

/** A wall across x with a hole in it. */
function wall(world: World, x: number, [, height, depth]: Vector, y: number, z: number, size: number): void {
  world.addBox([x, 0, 0], [x + 1, y, depth]);
  world.addBox([x, y + size, 0], [x + 1, height, depth]);
  world.addBox([x, y, 0], [x + 1, y + size, z]);
  world.addBox([x, y, z + size], [x + 1, y + size, depth]);
}

/** Numbers that look random and are the same everywhere. */
function* drawn(seed: number): Generator<number, number> {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

export const places: readonly Place[] = [
  {
    id: "walls",
    title: "Walls with windows",
    about: "Three walls, each with one window in another corner.",
    high: [32, 14, 24],
    start: [2.5, 3.5, 3.5],
    goal: [29.5, 3.5, 20.5],
    build(world) {
      wall(world, 8, this.high, 9, 3, 3);
      wall(world, 16, this.high, 2, 17, 3);
      wall(world, 24, this.high, 9, 4, 3);
    },
  },
  {
    id: "trap",
    title: "A trap",
    about: "A box that is open on the side of the start: whoever flies straight to the goal flies into it.",
    high: [32, 16, 24],
    start: [3.5, 8.5, 12.5],
    goal: [29.5, 8.5, 12.5],
    build(world) {
      world.addBox([20, 3, 4], [21, 13, 20]);
      world.addBox([9, 3, 4], [21, 4, 20]);
      world.addBox([9, 12, 4], [21, 13, 20]);
      world.addBox([9, 3, 4], [21, 13, 5]);
      world.addBox([9, 3, 19], [21, 13, 20]);
    },
  },
  {
    id: "pillars",
    title: "Pillars",
    about: "Rows of pillars: many ways that are nearly as short.",
    high: [34, 10, 26],
    start: [2.5, 2.5, 2.5],
    goal: [31.5, 7.5, 23.5],
    build(world) {
      for (let x = 5; x < 30; x += 5) {
        for (let z = x % 2 ? 2 : 4; z < 24; z += 5) world.addBox([x, 0, z], [x + 2, 10, z + 2]);
      }
    },
  },
  {
    id: "rocks",
    title: "Rocks in space",
    about: "Balls of all sizes, and nothing that is straight.",
    high: [32, 18, 24],
    start: [1.5, 9.5, 12.5],
    goal: [30.5, 9.5, 12.5],
    build(world) {
      const next = drawn(7);
      const one = () => next.next().value;
      for (let i = 0; i < 46; ++i) {
        const radius = 0.9 + 2.2 * one() ** 2;
        const centre: Vector = [4 + 24 * one(), 18 * one(), 24 * one()];
        world.addSphere(centre, radius);
      }
    },
  },
  {
    id: "tower",
    title: "A tower",
    about: "Four storeys, each with one hole in its floor: up and down, not only across.",
    high: [22, 20, 22],
    start: [3.5, 2.5, 3.5],
    goal: [18.5, 17.5, 18.5],
    build(world) {
      const holes: [number, number][] = [[16, 15], [3, 15], [15, 3]];
      holes.forEach(([x, z], i) => {
        const y = 4 + 5 * i;
        world.addBox([0, y, 0], [x, y + 1, 22]);
        world.addBox([x + 3, y, 0], [22, y + 1, 22]);
        world.addBox([x, y, 0], [x + 3, y + 1, z]);
        world.addBox([x, y, z + 3], [x + 3, y + 1, 22]);
      });
      for (let i = 0; i < 4; ++i) world.addBox([10, 5 * i, 6], [11, 5 * i + 4, 16]);
    },
  },
];

export function bakePlace(volnav: Volnav, place: Place): Baked {
  const world = volnav.createWorld();
  place.build(world);
  const low: Vector = [0, 0, 0];
  const space = volnav.bake(world, { resolution: 1, radii: [0], bounds: [low, place.high] });
  return { id: place.id, title: place.title, about: place.about, world, space, low, high: place.high, start: place.start, goal: place.goal, up: "y" };
}

// ---------- files

/** Two free points far from each other that a path joins, the same for the same space. */
function farEnds(space: MapSpace): [Vector, Vector] {
  const found: Vector[] = [];
  for (let i = 0, seed = 1n; i < 24; ++i) {
    const { position, next } = space.random(seed);
    found.push(position);
    seed = next;
  }
  const far = ([a, b]: [Vector, Vector]) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const pairs = found.flatMap((a, i) => found.slice(i + 1).map((b): [Vector, Vector] => [a, b]));
  pairs.sort((one, other) => far(other) - far(one));
  const query = space.createSearch("cells");
  const joined = pairs.find(([a, b]) => query.find(a, b).status === "path");
  query.dispose();
  return joined ?? pairs[0]!;
}

/** A file as a place: the map's loaders read it. Throws with a reason that can be read. */
export async function bakeFile(volnav: Volnav, file: OpenedFile): Promise<Baked> {
  const map = await loadMap(volnav, file);
  const { world, space, bounds, up } = map;
  if (space.info().freeVoxels === 0) throw new Error(`${file.name}: nothing is free in it`);
  const ends: [Vector, Vector] = map.start && map.goal ? [map.start, map.goal] : farEnds(space);
  const { min, max } = bounds;
  return { id: "file", title: file.name, about: map.about, world, space, low: [min.x, min.y, min.z], high: [max.x, max.y, max.z], start: ends[0], goal: ends[1], up };
}

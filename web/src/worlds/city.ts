/** web/src/worlds/city.ts: a small city of our own, for worlds that a hand may change: blocks, an arch, bridges, weather. */
import type { Vector } from "volnav";

export interface Block {
  low: Vector;
  high: Vector;
}

export interface CityZone extends Block {
  factor: number;
}

export interface City {
  low: Vector;
  high: Vector;
  blocks: Block[];
  zones: CityZone[];
  start: Vector;
  goal: Vector;
}

const STREETS = 7;
const PITCH = 14;
const EDGE = 9;

/** The same numbers for the same seed. */
function dice(seed: number): () => number {
  let state = (seed * 2654435761 + 97) >>> 0;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

function tower(x: number, z: number, height: number, random: () => number): Block[] {
  const shrink = random() * 1.5;
  const blocks: Block[] = [{ low: [x + shrink, 0, z + shrink], high: [x + EDGE - shrink, height, z + EDGE - shrink] }];
  if (height > 22 && random() < 0.6) blocks.push({ low: [x + 2.5, height, z + 2.5], high: [x + EDGE - 2.5, height + 6 + 6 * random(), z + EDGE - 2.5] });
  return blocks;
}

/** 98 x 44 x 98 metres. */
export function city(seed: number): City {
  const random = dice(seed);
  const blocks: Block[] = [{ low: [0, -1, 0], high: [98, 0, 98] }];
  for (let i = 0; i < STREETS; ++i) {
    for (let k = 0; k < STREETS; ++k) {
      const square = (i === 3 && k === 3) || random() < 0.08;
      const height = 8 + Math.floor(random() * random() * 30);
      if (!square) blocks.push(...tower(i * PITCH + 2.5, k * PITCH + 2.5, height, random));
    }
  }
  // bridges across streets
  for (let i = 0; i < 6; ++i) {
    const [a, b] = [Math.floor(random() * (STREETS - 1)), Math.floor(random() * STREETS)];
    const y = 6 + Math.floor(random() * 8);
    blocks.push({ low: [a * PITCH + 9, y, b * PITCH + 5], high: [a * PITCH + 19, y + 2, b * PITCH + 9] });
  }
  return {
    low: [0, 0, 0],
    high: [98, 44, 98],
    blocks,
    zones: [
      { low: [34, 0, 20], high: [60, 44, 50], factor: 6 },
      { low: [56, 0, 58], high: [84, 22, 82], factor: 1.6 },
    ],
    start: [3, 6, 3],
    goal: [95, 12, 95],
  };
}

export interface Vehicle {
  position: [number, number, number];
  velocity: [number, number, number];
  kind: 1;
  size: Vector;
  id: null;
}

/** Spheres to and fro along the streets. */
export function traffic(seed: number, count: number, speed: number): Vehicle[] {
  const random = dice(seed + 1000);
  return Array.from({ length: count }, () => {
    const along = random() < 0.5;
    const lane = PITCH * (1 + Math.floor(random() * (STREETS - 1)));
    const place = 4 + random() * 90;
    const height = 4 + Math.floor(random() * 16);
    const size = 1.6 + random() * 1.2;
    const fast = (2 + 4 * random()) * speed * (random() < 0.5 ? -1 : 1);
    return {
      position: along ? [place, height, lane] : [lane, height, place],
      velocity: along ? [fast, 0, 0] : [0, 0, fast],
      kind: 1,
      size: [size, size, size],
      id: null,
    };
  });
}

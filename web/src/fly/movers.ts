/** web/src/fly/movers.ts: what moves in a flight of the page's own: to and fro, at constant speed, within bounds. */
import type { ObstacleId, Vector } from "volnav";

export interface Mover {
  /** of its centre */
  position: [number, number, number];
  velocity: [number, number, number];
  /** 0: stands as a box, 1: a sphere */
  kind: 0 | 1;
  /** edges, or diameters */
  size: Vector;
  /** in the nav; null: the pilot does not know of it */
  id: ObstacleId | null;
}

/** Turns round at the bounds. */
export function advanceMover(mover: Mover, low: Vector, high: Vector, seconds: number): void {
  for (let k = 0; k < 3; ++k) {
    const room = mover.size[k]! / 2;
    let next = mover.position[k]! + mover.velocity[k]! * seconds;
    if (next < low[k]! + room || next > high[k]! - room) {
      mover.velocity[k] = -mover.velocity[k]!;
      next = Math.min(Math.max(next, low[k]! + room), high[k]! - room);
    }
    mover.position[k] = next;
  }
}

export function moves(mover: Mover): boolean {
  return mover.velocity.some((one) => one !== 0);
}

/** Distance from a point to its surface; below 0: inside. */
export function distanceTo(mover: Mover, x: number, y: number, z: number): number {
  const away = [x - mover.position[0], y - mover.position[1], z - mover.position[2]];
  if (mover.kind === 1) return Math.hypot(...away) - mover.size[0] / 2;
  const out = away.map((one, k) => Math.abs(one) - mover.size[k]! / 2);
  return Math.hypot(...out.map((one) => Math.max(one, 0))) + Math.min(Math.max(...out), 0);
}

/** web/src/fly/fuel.ts: what a step burns, by the rule of Maruszczyk 2016: 0.2 a metre, more uphill, twice as much in bad weather. */
import type { Zone } from "volnav";

const PER_METRE = 0.2;
const BAD_WEATHER = 2;

function inside(zone: Zone, x: number, y: number, z: number): boolean {
  if (zone.kind === "box") {
    const { low, high } = zone;
    return x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] && z >= low[2] && z <= high[2];
  }
  return zone.kind === "sphere" && Math.hypot(x - zone.centre[0], y - zone.centre[1], z - zone.centre[2]) <= zone.radius;
}

/** Of a straight step that ends at a place. */
export function burned(dx: number, dy: number, dz: number, place: readonly [number, number, number], zones: readonly Zone[]): number {
  const length = Math.hypot(dx, dy, dz);
  if (length === 0) return 0;
  const steep = Math.min(1, Math.abs(Math.atan2(dy, Math.hypot(dx, dz))) / (Math.PI / 4));
  const pitch = dy >= 0 ? 1 + 0.5 * steep : 1 - 0.25 * steep;
  const weather = zones.some((zone) => zone.factor > 1 && inside(zone, ...place)) ? BAD_WEATHER : 1;
  return PER_METRE * length * pitch * weather;
}
